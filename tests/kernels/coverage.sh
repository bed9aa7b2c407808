#!/bin/sh
# coverage.sh CL WORK...: fails unless the runs of oclgrind.sh into WORK... have together launched every kernel in CL. Only
# kernels that need NVIDIA's inline PTX cannot run there; they stand here.
set -eu

needs_ptx='align/score/score_gpu_warps.cl score_gpu_warps
common/probe_ptx.cl probe_ptx
primitives/compact_one_pass.cl compact_one_pass
primitives/operator_scan_one_pass.cl operator_scan_one_pass
primitives/scan_one_pass.cl scan_one_pass
primitives/select_one_pass.cl select_one_pass'

cl=$1
shift
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

sh "$(dirname "$0")/kernel_list.sh" "$cl" >"$own/kernels"
{ echo "$needs_ptx"; for work in "$@"; do cat "$work/programs/launched"; done; } | sort -u >"$own/launched"
comm -23 "$own/kernels" "$own/launched" >"$own/escaped"
echo "$(wc -l <"$own/kernels") kernels"
[ -s "$own/kernels" ] || { echo "no kernels in $cl"; exit 1; }
[ ! -s "$own/escaped" ] || { echo "no tiny test launches:"; cat "$own/escaped"; exit 1; }
