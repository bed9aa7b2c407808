#!/bin/sh
# --selftest under the limits of GPUs that were not at hand: work-groups of 256 items and 32 KiB of local memory, as on AMD's.
# Each launch is checked against them, and PoCL compiles for groups of that size.
test_name=limits
. "$(dirname "$0")/common.sh"

unset GENOCL_VARIANT || true
GENOCL_DEVICE_LIMITS=256:32K POCL_MAX_WORK_GROUP_SIZE=256
export GENOCL_DEVICE_LIMITS POCL_MAX_WORK_GROUP_SIZE
got=0
"$PROGRAM" --device "${GENOCL_DEVICE:-cpu}" --selftest --json report.json -o table.tsv 2>said || got=$?
[ "$got" = 0 ] || { cat table.tsv said >&2; fail "status $got instead of 0"; }
grep -q '"work_group_size": 256,' report.json && grep -q '"local_memory_bytes": 32768,' report.json ||
  { cat report.json >&2; fail "the device has other limits"; }
[ "$(awk -F '\t' '$4 == "passed"' table.tsv | wc -l)" = $(($(wc -l <table.tsv) - 1)) ] || { cat table.tsv >&2; fail "a check failed"; }
