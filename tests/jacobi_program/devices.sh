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
for share in "--cut 40" "--cut 117" "--weights 1,3" "--balance static" "--balance auto" "--cut 65 --no-overlap" "--cut 30 --halo-depth 7"; do
  # shellcheck disable=SC2086
  quietly $flat --device all $share --npy x.npy --png x.png
  same flat.npy x.npy
done
for share in "--weights 1,3" "--balance static" "--balance auto" "--no-overlap" "--cut 30 --halo-depth 3"; do
  # shellcheck disable=SC2086
  quietly $solid --device all $share --npy x.npy
  same solid.npy x.npy
done
# shellcheck disable=SC2086
told $solid --device all --cut 20 --npy x.npy
same solid.npy x.npy
[ "$(device 2 first_plane) $(device 2 planes)" = "20 30" ] || { cat said; fail "the second device's planes"; }
# Rows are where the cut says.
# shellcheck disable=SC2086
told $flat --device all --cut 40
[ "$(device 1 first_row) $(device 1 rows) $(device 2 first_row) $(device 2 rows)" = "0 40 40 90" ] ||
  { cat said; fail "rows of the devices"; }
# A balance that is found says why.
# shellcheck disable=SC2086
told $flat --device all
[ "$(tail -n +4 said | wc -l)" -ge 1 ] || { cat said; fail "no decision is told"; }

# Every device has its profile, with the kernels that ran there.
# shellcheck disable=SC2086
"$PROGRAM" $flat --device all --cut 40 --kernel naive --quiet --profile >out 2>said || fail "--profile"
[ "$(grep -c '^kernel' said)" = 2 ] || { cat said; fail "profiles of two devices"; }
[ "$(grep -c '^naive' said)" = 2 ] || { cat said; fail "kernels of two devices"; }

# A checkpoint of one goes on on two, and of two on one.
begin=${flat% --iterations 333}
# shellcheck disable=SC2086
{
  quietly $begin --iterations 100 --device all --cut 40 --checkpoint two.gjr
  quietly --resume two.gjr --iterations 333 --device 0 --npy x.npy
  same flat.npy x.npy
  quietly $begin --iterations 100 --device 0 --checkpoint one.gjr
  same one.gjr two.gjr
  quietly --resume one.gjr --iterations 333 --device all --weights 1,3 --npy x.npy
  same flat.npy x.npy
}
