#!/bin/sh
# Installs what is missing, builds the programs into build/bin/, lists the OpenCL devices, then sorts, scans and checks 16
# million numbers on the best of them (GENOCL_DEVICE chooses another).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

sh "$root/cmake/setup.sh" run
sh "$root/cmake/configure.sh" "$root" -DGENOCL_BUILD_EXAMPLES=ON
cmake --build "$root/build" --parallel "$jobs" --target genocl_examples

# A driver may be installed on a machine that has no device for it.
if ! "$root/build/bin/genocl-devices"; then
  echo "quickstart: no OpenCL device here yet: trying PoCL, which runs on the CPU"
  sh "$root/cmake/setup.sh" pocl
  "$root/build/bin/genocl-devices"
fi
echo
exec "$root/build/bin/sort_scan"
