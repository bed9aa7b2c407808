#!/bin/sh
# consume.sh SOURCE WORK shared|static EMBED(ON|OFF) IO(0|1) COMPILER GENERATOR
# Builds genocl from a copy of its source in a path with a space, installs it, moves the installation and removes source and
# build, so that nothing but the moved installation is left to find; then builds and runs a project that uses it, by CMake
# and by pkg-config.
set -eu

source=$1
work=$2/$3
kind=$3
embed=$4
io=$5
CXX=$6
generator=$7
export CXX
unset GENOCL_KERNEL_DIR GENOCL_VARIANT GENOCL_CACHE_DIR || true

fail() { echo "consumer: $*" >&2; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }

rm -rf "$work"
mkdir -p "$work/a copy"
cp -R "$source/CMakeLists.txt" "$source/LICENSE" "$source/cmake" "$source/include" "$source/src" "$source/cl" \
  "$source/examples" "$work/a copy/"

# What is tested here does not depend on optimisation, which takes most of a compiler's time.
fast=-DCMAKE_CXX_FLAGS_RELEASE=-O0
shared=OFF
[ "$kind" = static ] || shared=ON
io_wanted=OFF
[ "$io" = 0 ] || io_wanted=ON
quiet cmake -G "$generator" -S "$work/a copy" -B "$work/a build" -DCMAKE_BUILD_TYPE=Release "$fast" "-DBUILD_SHARED_LIBS=$shared" \
  "-DGENOCL_EMBED_KERNELS=$embed" "-DGENOCL_IO=$io_wanted" -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_BENCHMARKS=OFF \
  "-DCMAKE_INSTALL_PREFIX=$work/place before"
quiet cmake --build "$work/a build" --parallel 2
quiet cmake --install "$work/a build"
# As part of another project, without being installed: what the targets need is visible there.
mkdir "$work/parent"
printf 'cmake_minimum_required(VERSION 3.22)\nproject(parent CXX)\nadd_subdirectory("%s" genocl)\nadd_executable(own_queue "%s")\ntarget_link_libraries(own_queue PRIVATE genocl::genocl)\nif(TARGET genocl_tests OR TARGET genocl-devices)\n  message(FATAL_ERROR "brings its programs along")\nendif()\n' \
  "$work/a copy" "$work/a copy/examples/own_queue.cpp" >"$work/parent/CMakeLists.txt"
quiet cmake -G "$generator" -S "$work/parent" -B "$work/parent/build"
cp "$work/a copy/examples/own_queue.cpp" "$work/own_queue.cpp"
rm -rf "$work/a copy" "$work/a build"
mv "$work/place before" "$work/a moved prefix"
prefix="$work/a moved prefix"

if grep -rIlF "$work/place before" "$prefix" | grep .; then fail "files of the installation name the place it was built for"; fi

# The programs that came along.
"$prefix/bin/genocl-devices" >"$work/devices" || fail "the installed genocl-devices does not run"
grep -qi cpu "$work/devices" || { cat "$work/devices"; fail "the installed genocl-devices lists no CPU"; }

# By CMake.
quiet cmake -G "$generator" -S "$source/tests/consumer/project" -B "$work/project" "-DCMAKE_PREFIX_PATH=$prefix" \
  "-DEXAMPLE=$work/own_queue.cpp" "-DWITH_IO=$io_wanted"
quiet cmake --build "$work/project" --parallel 2
run() { (cd "$work" && "$@" >"$work/output" 2>&1); }
run "$work/project/own_queue" || { cat "$work/output"; fail "the project built by CMake does not run"; }
if [ "$io" != 0 ]; then
  printf '>one\nACGT\n>two\nACGTAC\n' >"$work/two.fa"
  run "$work/project/count_reads" "$work/two.fa" || { cat "$work/output"; fail "the project that reads files does not run"; }
  [ "$(cat "$work/output")" = "2 sequences, 10 letters" ] || { cat "$work/output"; fail "wrong count of letters"; }
fi

# By pkg-config, which escapes the space for a shell.
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name genocl.pc)")
export PKG_CONFIG_PATH
static_flag=""
[ "$kind" = shared ] || static_flag=--static
flags=$(pkg-config $static_flag --cflags --libs genocl)
eval "quiet \"\$CXX\" -std=c++20 \"\$work/own_queue.cpp\" -o \"\$work/own_queue\" $flags"
[ "$(pkg-config --modversion genocl)" = "0.1.0" ] || fail "pkg-config has another version"
if [ "$kind" = shared ]; then
  LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name 'libgenocl.so')")
  export LD_LIBRARY_PATH
fi
run "$work/own_queue" || { cat "$work/output"; fail "the program built by pkg-config does not run"; }

if [ "$kind" = shared ]; then
  # It did run the kernels of the moved installation: broken there, they are broken; gone, they are missed.
  kernels="$prefix/share/genocl/cl"
  for file in $(cd "$kernels" && find . -name '*.cl'); do echo '#error broken on purpose' >>"$kernels/$file"; done
  if run "$work/own_queue"; then fail "it runs with broken kernels: it took others"; fi
  grep -q "primitives/" "$work/output" || { cat "$work/output"; fail "the error does not name the kernel's file"; }
  mv "$kernels" "$work/kernels away"
  if run "$work/own_queue"; then fail "it runs without kernels: it took others"; fi
  grep -qF "$kernels" "$work/output" || { cat "$work/output"; fail "the error does not name the places tried"; }
else
  # A binary copied alone runs on the copy inside it.
  mkdir "$work/alone"
  cp "$work/own_queue" "$work/alone/"
  rm -rf "$prefix"
  run "$work/alone/own_queue" || { cat "$work/output"; fail "a binary copied alone does not run"; }
fi
echo "consumer: $kind works"
