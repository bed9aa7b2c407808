#!/bin/sh
# Installs what is missing, builds genocl into build/ and runs its tests. Arguments go to ctest: sh tests/run.sh -R runtime
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

sh "$root/cmake/setup.sh" test
sh "$root/cmake/configure.sh" "$root" -DGENOCL_BUILD_TESTS=ON -DGENOCL_BUILD_EXAMPLES=ON -DGENOCL_BUILD_BENCHMARKS=ON \
  -DGENOCL_WERROR=ON
cmake --build "$root/build" --parallel "$jobs"
cd "$root/build"
exec ctest --no-tests=error --parallel "$jobs" --output-on-failure "$@"
