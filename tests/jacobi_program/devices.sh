#!/bin/sh
# One device and two give the same bytes, whatever the cuts.
test_name=devices
. "$(dirname "$0")/common.sh"

for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true

flat="--size 150x130 --top 100 --left 25 --right 75 --iterations 333"
solid="--size 40x30x50 --front 100 --left 25 --right 75 --iterations 60 --precision float"
# shellcheck disable=SC2086
{ quietly $flat --npy flat.npy; quietly $solid --npy solid.npy; }
POCL_DEVICES=$two
export POCL_DEVICES
for share in "--cut 40" "--cut 117" "--weights 1,3" "--balance static" "--balance auto" "--cut 65 --no-overlap" "--cut 30 --exchange-every 7"; do
  # shellcheck disable=SC2086
  quietly $flat --device all $share --npy x.npy --png x.png
  same flat.npy x.npy
done
for share in "--weights 1,3" "--balance static" "--balance auto" "--no-overlap" "--cut 30 --exchange-every 3"; do
  # shellcheck disable=SC2086
  quietly $solid --device all $share --npy x.npy
  same solid.npy x.npy
done
# shellcheck disable=SC2086
quietly $solid --device all --cut 20 --npy x.npy
same solid.npy x.npy
awk -F'\t' 'NR == 6 && $3 == 20 && $4 == 30 { found = 1 } END { exit !found }' out || { cat out; fail "the second device's planes"; }
# Rows are where the cut says.
# shellcheck disable=SC2086
quietly $flat --device all --cut 40
awk -F'\t' 'NR == 5 && $3 == 0 && $4 == 40 { ++found } NR == 6 && $3 == 40 && $4 == 90 { ++found } END { exit found != 2 }' out ||
  { cat out; fail "rows of the devices"; }
# A balance that is found says why.
# shellcheck disable=SC2086
"$PROGRAM" $flat --device all >out 2>said
[ -s said ] || fail "no decision is told"
