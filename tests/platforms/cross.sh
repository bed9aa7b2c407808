# Sourced by the tests that compile for other systems: a build in WORK, which a later run continues.

# begin_cross WORK ROOT: goes to WORK, with the headers that all systems share in include/: OpenCL's, CLHPP's, xxHash's.
begin_cross() {
  work=$1 root=$2
  mkdir -p "$work/include"
  cd "$work"
  for header in CL xxhash.h; do
    [ -e "/usr/include/$header" ] || { echo "no /usr/include/$header: left out"; exit 77; }
    ln -sfn "/usr/include/$header" "include/$header"
  done
}

# configure_cross SYSTEM PROCESSOR COMPILER OPENCL_LIBRARY FLAGS OPTION...: the core and the topics.
configure_cross() {
  system=$1 processor=$2 compiler=$3 library=$4 flags=$5
  shift 5
  printf 'set(CMAKE_SYSTEM_NAME %s)\nset(CMAKE_SYSTEM_PROCESSOR %s)\nset(CMAKE_CXX_COMPILER %s)\n' \
    "$system" "$processor" "$compiler" >toolchain.cmake
  generator=
  command -v ninja >/dev/null 2>&1 && generator="-G Ninja"
  # shellcheck disable=SC2086
  "$cmake" -S "$root" -B build $generator "-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_CXX_FLAGS_RELEASE=$flags" "-DOpenCL_INCLUDE_DIR=$work/include" "-DOpenCL_LIBRARY=$library" \
    "-DGENOCL_CLHPP_INCLUDE_DIR=$work/include" "-DGENOCL_XXHASH_INCLUDE_DIR=$work/include" -DGENOCL_IO=OFF \
    -DGENOCL_CLUSTER=OFF -DGENOCL_BUILD_BENCHMARKS=OFF -DGENOCL_INSTALL=OFF -DGENOCL_WERROR=ON -DGENOCL_UNITY=ON "$@" \
    >configure.log 2>&1 || { cat configure.log >&2; exit 1; }
}

# build_cross TARGET...
build_cross() {
  "$cmake" --build build --parallel 2 --target "$@" >build.log 2>&1 || { grep -E 'error|FAILED' build.log >&2; exit 1; }
}
