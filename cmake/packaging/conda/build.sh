#!/bin/sh
# As conda build calls it.
set -eu
# shellcheck disable=SC2086
cmake -G Ninja -S . -B build-conda $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DGENOCL_IO=ON -DGENOCL_CLUSTER=OFF -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_BENCHMARKS=OFF -DGENOCL_UNITY=ON
cmake --build build-conda --parallel "${CPU_COUNT:-2}"
cmake --install build-conda
