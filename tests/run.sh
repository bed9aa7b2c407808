#!/bin/sh
# Installs what is missing, builds genocl into build/ and runs its tests.
#
#   sh tests/run.sh          the tests of every module and of the programs
#   sh tests/run.sh --deep   what has to hold before a release: sanitizers, simulator, other targets, consumers, lint
#
# Further arguments go to ctest: sh tests/run.sh -R runtime
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
which_tests="-LE deep"
benchmarks=OFF
if [ "${1:-}" = --deep ]; then
  shift
  which_tests="-L deep"
  [ "${1:-}" = -LE ] || benchmarks=ON
fi

sh "$root/cmake/setup.sh" test
# Both sets have the same options, so the second compiles nothing again; only a release adds the benchmarks. The deep
# tests build in separate folders; without the working directory in its keys ccache serves all checkouts.
export CCACHE_NOHASHDIR=1
sh "$root/cmake/configure.sh" "$root" -DGENOCL_BUILD_TESTS=ON -DGENOCL_BUILD_EXAMPLES=ON -DGENOCL_BUILD_BENCHMARKS=$benchmarks \
  -DGENOCL_WERROR=ON -DGENOCL_PRECOMPILE_HEADERS=ON -DGENOCL_UNITY=ON
cmake --build "$root/build" --parallel "$jobs"
cd "$root/build"
# shellcheck disable=SC2086
exec ctest --no-tests=error --parallel "$jobs" --output-on-failure $which_tests "$@"
