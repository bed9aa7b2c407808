#!/bin/sh
# consume.sh SOURCE WORK shared|static EMBED(ON|OFF) IO(0|1) CLUSTER(0|1) COMPILER GENERATOR
# Builds genocl from a copy of its source in a path with a space, as a part of another project and by itself; installs it, moves
# the installation and removes source and build, so that nothing but the moved installation is left to find; then builds and
# runs a project that uses it, by CMake and by pkg-config.
set -eu

source=$1
work=$2/$3
kind=$3
embed=$4
io=$5
cluster=$6
CXX=$7
generator=$8
export CXX
unset GENOCL_KERNEL_DIR GENOCL_VARIANT GENOCL_CACHE_DIR || true

fail() { echo "consumer: $*" >&2; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }
run() { (cd "$work" && "$@" >"$work/output" 2>&1); }
says() { grep -qF -e "$1" "$work/output" || { cat "$work/output"; fail "$2"; }; }

rm -rf "$work"
mkdir -p "$work/a copy"
cp -R "$source/CMakeLists.txt" "$source/LICENSE" "$source/README.md" "$source/CHANGELOG.md" "$source/cmake" "$source/include" "$source/src" "$source/cl" \
  "$source/docs" "$source/examples" "$work/a copy/"
cp "$source/examples/own_queue.cpp" "$work/own_queue.cpp"

# What is tested here does not depend on optimisation, which takes most of a compiler's time.
fast=-DCMAKE_CXX_FLAGS_RELEASE=-O0
shared=OFF
[ "$kind" = static ] || shared=ON
io_wanted=OFF
[ "$io" = 0 ] || io_wanted=ON
cluster_wanted=OFF
[ "$cluster" = 0 ] || cluster_wanted=ON
quiet cmake -G "$generator" -S "$work/a copy" -B "$work/a build" -DCMAKE_BUILD_TYPE=Release "$fast" "-DBUILD_SHARED_LIBS=$shared" \
  "-DGENOCL_EMBED_KERNELS=$embed" "-DGENOCL_IO=$io_wanted" "-DGENOCL_CLUSTER=$cluster_wanted" -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_BENCHMARKS=OFF \
  "-DCMAKE_INSTALL_PREFIX=$work/place before"
quiet cmake --build "$work/a build" --parallel 2
quiet cmake --install "$work/a build"
# Every public header is installed, except those of libraries that were not built.
headers_of() { (cd "$1" && find genocl -name '*.hpp' | sort); }
headers_of "$work/a copy/include" >"$work/headers"
if [ "$io" = 0 ]; then sed -i '/^genocl\/io\//d' "$work/headers"; fi
if [ "$cluster" = 0 ]; then sed -i '/^genocl\/cluster[/.]/d' "$work/headers"; fi
headers_of "$work/place before/include" | diff "$work/headers" - || fail "the headers that are installed are others than those of the source"

# As part of another project, which says nothing of genocl's options: it sets no variable but its own there, and what its
# targets need is visible. ccache, where the first build took it, makes this one short.
launcher=$(sed -n 's/^GENOCL_CCACHE:FILEPATH=\(.*[^D]\)$/\1/p' "$work/a build/CMakeCache.txt")
case $launcher in *NOTFOUND) launcher= ;; esac
configure_parent() {
  build=$1
  shift
  quiet cmake -G "$generator" -S "$source/tests/consumer/parent" -B "$build" -DCMAKE_CXX_FLAGS=-O0 \
    ${launcher:+"-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"} "-DKIND=$kind" "-DEXAMPLE=$work/own_queue.cpp" "-DWITH_IO=$io_wanted" "$@"
}
parent="$work/a parent"
configure_parent "$work/childless" -DGENOCL=
configure_parent "$parent" "-DGENOCL=$work/a copy"
# Names, types and values in the cache that the parent has without genocl, too.
cache() { grep -E '^[^/#]+:[A-Z]+=' "$1/CMakeCache.txt" | sed "s|$1|BUILD|g" | sort; }
cache "$work/childless" >"$work/cache.before"
cache "$parent" >"$work/cache.after"
# Those of genocl, those of examples/consumer, which the parent adds, and those of the modules with which CMake finds what genocl
# needs.
comm -13 "$work/cache.before" "$work/cache.after" |
  grep -vE '^(GENOCL|genocl|CONSUMER_FETCH:|consumer_|pkgcfg_lib_GENOCL|__pkg_config|OpenCL|OPENCL|ZLIB|PKG_CONFIG|FIND_PACKAGE_MESSAGE_DETAILS|CMAKE_HAVE_LIBC_PTHREAD|_?OPENCL_|FETCHCONTENT_|prefix_result:|CMAKE_NUMBER_OF_MAKEFILES:)' |
  grep . >"$work/leaked" && { cat "$work/leaked"; fail "genocl leaves variables in its parent's cache, or changes them"; }
comm -23 "$work/cache.before" "$work/cache.after" | grep -vE '^(GENOCL|CMAKE_NUMBER_OF_MAKEFILES):' | grep . && fail "genocl changes variables of its parent"
quiet cmake --build "$parent" --parallel 2
run "$parent/consumer/sort_pairs" || { cat "$work/output"; fail "the consumer does not run as a part of a project"; }
run "$parent/own_queue" || { cat "$work/output"; fail "the project that contains genocl does not run"; }
quiet cmake --install "$parent" --prefix "$work/parent installed"
[ "$(cd "$work/parent installed" && find . -type f)" = ./bin/own_queue ] ||
  fail "genocl is installed with its parent: $(cd "$work/parent installed" && find . -type f | head -n 3)"
(cd "$parent" && ctest -N) >"$work/output" 2>&1 || true
grep -q 'Total Tests: [1-9]' "$work/output" && fail "genocl brings tests along"

# The library runs in its build tree: an edited kernel takes effect, also in a library that carries a copy.
sort_kernels=$(cd "$work/a copy/cl/primitives" && echo radix_sort_*.cl)
if [ "$kind" = shared ]; then
  (cd "$work/a copy/cl/primitives" && for file in $sort_kernels; do echo '#error edited on purpose' >>"$file"; done)
  if run "$parent/own_queue"; then fail "in the build tree an edited kernel takes no effect"; fi
  says "edited on purpose" "the error is another than that of the edited kernel"
fi
if [ "$io" != 0 ]; then
  printf '>one\nACGT\n>two\nACGTAC\n' >"$work/two.fa"
  run "$parent/count_reads" "$work/two.fa" || { cat "$work/output"; fail "the project that contains genocl::io does not run"; }
fi

rm -rf "$work/a copy" "$work/a build"
# Without the sources the parent's library has the copy inside it.
run "$parent/own_queue" || { cat "$work/output"; fail "without the sources, the copy inside the library is not taken"; }
rm -rf "$parent"
mv "$work/place before" "$work/a moved prefix"
prefix="$work/a moved prefix"

if grep -rIlF "$work/place before" "$prefix" | grep .; then fail "files of the installation name the place it was built for"; fi
# No file that was installed, binary or not, tells where it was built.
if grep -rlaF -e "$work/a copy" -e "$work/a build" -e "$source" "$prefix" | grep .; then
  fail "files of the installation name a folder of the machine that built them"
fi

# The programs that came along.
"$prefix/bin/genocl-devices" >"$work/devices" || fail "the installed genocl-devices does not run"
grep -qi cpu "$work/devices" || { cat "$work/devices"; fail "the installed genocl-devices lists no CPU"; }

# By CMake.
quiet cmake -G "$generator" -S "$source/tests/consumer/project" -B "$work/project" "-DCMAKE_PREFIX_PATH=$prefix" \
  "-DEXAMPLE=$work/own_queue.cpp" "-DWITH_IO=$io_wanted" "-DWITH_CLUSTER=$cluster_wanted"
quiet cmake --build "$work/project" --parallel 2
run "$work/project/own_queue" || { cat "$work/output"; fail "the project built by CMake does not run"; }
if [ "$io" != 0 ]; then
  run "$work/project/count_reads" "$work/two.fa" || { cat "$work/output"; fail "the project that reads files does not run"; }
  [ "$(cat "$work/output")" = "2 sequences, 10 letters" ] || { cat "$work/output"; fail "wrong count of letters"; }
fi
# The project of examples/consumer, copied as its reader would.
cp -R "$source/examples/consumer" "$work/consumer"
quiet cmake -G "$generator" -S "$work/consumer" -B "$work/consumer/build" "-DCMAKE_PREFIX_PATH=$prefix"
quiet cmake --build "$work/consumer/build" --parallel 2
run "$work/consumer/build/map_reads" || { cat "$work/output"; fail "map_reads, built by CMake, does not run"; }
[ "$(cat "$work/output")" = "11 1" ] || { cat "$work/output"; fail "map_reads finds something else"; }
# The same, fetched: from a folder instead of a server.
if [ "$kind" = static ]; then
  quiet cmake -G "$generator" -S "$work/consumer" -B "$work/consumer/fetched" -DCONSUMER_FETCH=ON -DCMAKE_CXX_FLAGS=-O0 \
    ${launcher:+"-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"} "-DFETCHCONTENT_SOURCE_DIR_GENOCL=$source"
  quiet cmake --build "$work/consumer/fetched" --parallel 2 --target sort_pairs
  run "$work/consumer/fetched/sort_pairs" || { cat "$work/output"; fail "sort_pairs of the fetched library does not run"; }
fi
counts_ranks() {
  run sh "$source/tests/cluster/mpirun.sh" 2 "$1" || { cat "$work/output"; fail "the project of many ranks does not run"; }
  says "2 ranks, sum of places 1" "wrong count of ranks"
}
if [ "$cluster" != 0 ]; then counts_ranks "$work/project/count_ranks"; fi

# By pkg-config, which escapes the space for a shell.
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name genocl.pc)")
export PKG_CONFIG_PATH
static_flag=""
[ "$kind" = shared ] || static_flag=--static
standard=$(pkg-config --variable=cxxflags genocl)
flags=$(pkg-config $static_flag --cflags --libs genocl)
case $flags in *-std=*) fail "pkg-config chooses the C++ of those who have chosen another" ;; esac
eval "quiet \"\$CXX\" $standard \"\$work/own_queue.cpp\" -o \"\$work/own_queue\" $flags"
version=$(sed -n 's/^Version: //p' "$PKG_CONFIG_PATH/genocl.pc")
headers=$(awk '/^#define GENOCL_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' "$prefix/include/genocl/version.hpp")
[ "$version" = "$headers" ] || fail "the package is version $version, its headers are version $headers"
# Without a standard that is new enough, the first error says so.
if eval "\"\$CXX\" -std=c++17 -fsyntax-only \"\$work/own_queue.cpp\" $flags" >"$work/output" 2>&1; then
  fail "the headers compile as C++17"
fi
says "-std=c++20" "the compiler does not say that the headers need C++20"
if [ "$kind" = shared ]; then
  # With the folder of the library in the program, and without.
  rpath=$(pkg-config --variable=rpath genocl | sed 's/\\ / /g')
  eval "quiet \"\$CXX\" $standard \"\$work/own_queue.cpp\" -o \"\$work/with_rpath\" $flags \"\$rpath\""
  run "$work/with_rpath" || { cat "$work/output"; fail "a program with pkg-config's rpath does not run"; }
  LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name 'libgenocl.so')")
  export LD_LIBRARY_PATH
fi
run "$work/own_queue" || { cat "$work/output"; fail "the program built by pkg-config does not run"; }
eval "quiet \"\$CXX\" $standard \"\$work/consumer/map_reads.cpp\" -o \"\$work/map_reads\" $flags"
run "$work/map_reads" || { cat "$work/output"; fail "map_reads, built by pkg-config, does not run"; }
if [ "$cluster" != 0 ]; then
  flags=$(pkg-config $static_flag --cflags --libs genocl-cluster)
  eval "quiet mpicxx $standard \"\$source/tests/consumer/project/count_ranks.cpp\" -o \"\$work/count_ranks\" $flags"
  counts_ranks "$work/count_ranks"
fi

if [ "$kind" = shared ]; then
  # It did run the kernels of the moved installation, and runs no others: changed there, or another version's, they are refused
  # by name; asked for by GENOCL_KERNEL_DIR, they are taken as they are; gone, they are missed.
  kernels="$prefix/share/genocl/cl"
  cp -R "$kernels" "$work/kernels kept"
  for file in $sort_kernels; do echo '#error broken on purpose' >>"$kernels/primitives/$file"; done
  if run "$work/own_queue"; then fail "it runs with changed kernels: it took others"; fi
  says "$kernels was changed" "the error does not name the folder of the changed kernels"
  says "$(find "$prefix" -name 'libgenocl.so.*.*.*')" "the error does not name the library"
  if (GENOCL_KERNEL_DIR=$kernels && export GENOCL_KERNEL_DIR && run "$work/own_queue"); then
    fail "it runs with broken kernels: it took others"
  fi
  says "primitives/" "the error does not name the kernel's file"
  echo 0123456789abcdef >"$kernels/stamp"
  if run "$work/own_queue"; then fail "it runs with the kernels of another version"; fi
  says "$kernels belongs to another genocl" "the error does not say that the kernels are another version's"
  rm -rf "$kernels"
  if run "$work/own_queue"; then fail "it runs without kernels: it took others"; fi
  says "$kernels" "the error does not name the places tried"
  mv "$work/kernels kept" "$kernels"
  run "$work/own_queue" || { cat "$work/output"; fail "it does not run with its kernels back in their place"; }
else
  # A binary copied alone runs on the copy inside it, and does not tell where it comes from.
  if grep -qaF "$work/a " "$work/own_queue"; then fail "the static program names a folder of the machine that built it"; fi
  mkdir -p "$work/other/bin"
  cp "$work/own_queue" "$work/other/bin/"
  # Where another version is installed, it still runs its own kernels.
  mkdir -p "$work/other/share/genocl"
  cp -R "$prefix/share/genocl/cl" "$work/other/share/genocl/cl"
  for file in $sort_kernels; do echo '#error another version' >>"$work/other/share/genocl/cl/primitives/$file"; done
  rm -rf "$prefix"
  run "$work/other/bin/own_queue" || { cat "$work/output"; fail "a binary copied alone does not run its own kernels"; }
fi
echo "consumer: $kind works"
