#!/bin/sh
# oclgrind.sh RECORDER WORK TEST FILTER...: runs the test cases of TEST named `tiny: ...` under Oclgrind, which sees each
# access to memory outside a buffer, each data race and each barrier that not all items reach. Fails on anything that it
# says, and on a test that fails. What was launched is noted in WORK/programs/launched, for coverage.sh.
#
# A new kernel needs a test case whose name begins with "tiny:" that launches it: a few thousand work-items at most, since
# Oclgrind is some 1,000 times slower than PoCL.
#
# Without --uninitialized: Oclgrind 21.10 then takes what clEnqueueFillBuffer wrote for never written, and crashes on some of the
# scans.
set -eu

recorder=$1
work=$2
shift 2

rm -rf "$work"
mkdir -p "$work/programs"
GENOCL_RECORD=$work/programs
GENOCL_DEVICE=oclgrind
GENOCL_CACHE=off
export GENOCL_RECORD GENOCL_DEVICE GENOCL_CACHE

failed=0
# Unoptimised: LLVM's optimiser makes intrinsics that Oclgrind does not know (llvm.usub.sat). Its exit status says nothing.
oclgrind --build-options -cl-opt-disable --local-mem-size 65536 --data-races --max-errors 1000000 --log "$work/log" \
  sh -c 'preload=$1; shift; LD_PRELOAD="$preload:$LD_PRELOAD" exec "$@"' sh "$recorder" "$@" >"$work/output" 2>&1 ||
  failed=1
# A filter that matches nothing passes.
grep -q 'test cases: *[1-9]' "$work/output" || { echo "no test case ran"; failed=1; }
grep 'test cases:' "$work/output" || true
[ "$failed" -eq 0 ] || cat "$work/output"
# The look-back of the one-sweep sort reads words that other groups write: that race is the method, every word is volatile
# and whole. Reports are separated by empty lines.
awk 'BEGIN { RS = ""; ORS = "\n\n" } !(/^Read-write data race at global memory/ && /Kernel: onesweep_scatter/)' \
  "$work/log" >"$work/findings"
if [ -s "$work/findings" ]; then
  head -n 60 "$work/findings"
  failed=1
fi
exit $failed
