#!/bin/sh
# oclgrind.sh RECORDER WORK CL TEST...: runs the test cases named `tiny: ...` under Oclgrind, which sees each access to memory
# outside a buffer, each race, each barrier that not all items reach and each use of a value that was never written. Fails
# on anything that it says, on a test that fails, and on a kernel in CL that none of the tests has launched.
#
# A new kernel needs a test case whose name begins with "tiny:" that launches it: a few thousand work-items at most, since
# Oclgrind is some 1,000 times slower than PoCL. Only kernels that need inline PTX cannot run here; they stand below.
set -eu

recorder=$1
work=$2
cl=$3
shift 3

needs_ptx='common/probe_ptx.cl probe_ptx
primitives/compact_one_pass.cl compact_one_pass
primitives/scan_one_pass.cl scan_one_pass'

rm -rf "$work"
mkdir -p "$work/programs"
GENOCL_RECORD=$work/programs
GENOCL_DEVICE=oclgrind
GENOCL_CACHE=off
GENOCL_RECORD_WRITE_FILLS=1
export GENOCL_RECORD GENOCL_DEVICE GENOCL_CACHE GENOCL_RECORD_WRITE_FILLS

failed=0
# Unoptimised: LLVM's optimiser makes intrinsics that Oclgrind does not know (llvm.usub.sat).
check() {
  name=$1
  shift
  oclgrind --build-options -cl-opt-disable --local-mem-size 65536 --data-races --uninitialized --log "$work/$name.log" \
    sh -c 'preload=$1; shift; LD_PRELOAD="$preload:$LD_PRELOAD" exec "$@"' sh "$recorder" "$@" \
    >"$work/$name.output" 2>&1 || { cat "$work/$name.output"; failed=1; }
  if [ -s "$work/$name.log" ]; then
    echo "Oclgrind on $name:"
    head -n 60 "$work/$name.log"
    failed=1
  fi
}
for test in "$@"; do
  check "$(basename "$test")" "$test" --test-case='tiny:*'
done

sort -u "$work/programs/launched" >"$work/launched"
sh "$(dirname "$0")/kernel_list.sh" "$cl" >"$work/kernels"
echo "$needs_ptx" | sort >"$work/excused"
sort -u "$work/launched" "$work/excused" | comm -23 "$work/kernels" - >"$work/escaped"
if [ -s "$work/escaped" ]; then
  echo "no tiny test launches:"
  cat "$work/escaped"
  failed=1
fi
echo "$(wc -l <"$work/kernels") kernels"
exit $failed
