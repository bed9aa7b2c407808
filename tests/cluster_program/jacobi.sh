#!/bin/sh
# Any number of ranks writes the same array and picture as the program of one process.
test_name=jacobi
. "$(dirname "$0")/common.sh"
unset GENOCL_DEVICE || true

plain() { "$BIN/genocl-jacobi" "$@" --quiet >out || fail "failed: $*"; }
# by RANKS ARGUMENT...: the report is in `out`.
by() {
  ranks=$1
  shift
  on "$ranks" genocl-jacobi "$@" --quiet >out 2>mpi.err || { cat mpi.err; fail "$ranks ranks: $*: failed"; }
}
equal() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

flat="--size 150x130 --top 100 --left 25 --right 75 --iterations 333"
solid="--size 40x30x50 --front 100 --left 25 --right 75 --iterations 60 --precision float"
# shellcheck disable=SC2086
{ plain $flat --npy flat.npy --png flat.png; plain $solid --npy solid.npy --png solid.png; }
for ranks in 1 2 3 4; do
  # By default so short a run uses one device only.
  for share in "" "--balance static --halo-depth 8"; do
    # shellcheck disable=SC2086
    by "$ranks" $flat $share --npy x.npy --png x.png
    equal flat.npy x.npy
    equal flat.png x.png
  done
  # shellcheck disable=SC2086
  by "$ranks" $solid --balance static --npy x.npy --png x.png
  equal solid.npy x.npy
  equal solid.png x.png
done

# Partitions by the options, and their devices.
# shellcheck disable=SC2086
on 3 genocl-jacobi $flat --cut 30,90 --no-overlap --npy x.npy >out 2>said || { cat said; fail "3 ranks: --cut"; }
equal flat.npy x.npy
awk -F'\t' '$1 == "device" { first = NR } !first { next } NR == first + 1 && $3 == 0 && $4 == 30 { ++found }
  NR == first + 2 && $3 == 30 && $4 == 60 { ++found } NR == first + 3 && $3 == 90 && $4 == 40 { ++found }
  END { exit found != 3 }' said || { cat said; fail "rows of the ranks"; }
# shellcheck disable=SC2086
by 2 $flat --weights 1,4 --halo-depth 5 --npy x.npy
equal flat.npy x.npy

# Long enough to be measured: slices may move during the run.
long="--size 1200x900 --top 100 --left 25 --iterations 3000"
# shellcheck disable=SC2086
{ plain $long --npy long.npy; by 3 $long --npy x.npy; }
equal long.npy x.npy

# A tolerance stops at the same iteration, with the same change.
for ranks in 1 3; do
  by "$ranks" --size 100x80 --top 100 --left 25 --right 75 --iterations 100000 --tolerance 1e-2 --check 1 --balance static
  sed -n 2p out | cut -f 3-6 >"result.$ranks"
done
equal result.1 result.3
[ "$(cut -f 1 result.3)" = 2788 ] || fail "stops after $(cut -f 1 result.3)"

# Rank 0 reads a grid and a mask from files. A picture is a mask of its size.
plain --in flat.npy --iterations 50 --npy on.npy
by 3 --in flat.npy --iterations 50 --balance static --npy x.npy
equal on.npy x.npy
size=$(od -An -t u1 -j 16 -N 8 flat.png | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')
masked="--size $size --mask flat.png --mask-value 3 --top 9 --iterations 70"
# shellcheck disable=SC2086
{ plain $masked --npy masked.npy; by 2 $masked --balance static --npy x.npy; }
equal masked.npy x.npy

wrong "size or --in is needed" 2 genocl-jacobi --iterations 1 --npy out
wrong "cuts for 3 devices" 3 genocl-jacobi --size 100x100 --cut 50 --npy out
wrong "expected at least as many slices" 3 genocl-jacobi --size 100x20 --balance static --halo-depth 10 --npy out
wrong "for a run of one process" 2 genocl-jacobi --size 100x100 --checkpoint x.gjr --npy out
wrong "none.npy: cannot be read" 2 genocl-jacobi --in none.npy --npy out

# If a rank is killed, the job ends.
command -v pgrep >/dev/null 2>&1 || exit 0
on 2 genocl-jacobi --size 300x300 --iterations 100000000000 --balance static --npy killed.npy >mpi.out 2>mpi.err &
job=$!
one=
for _ in $(seq 100); do
  one=$(pgrep -f "^$BIN/genocl-jacobi-mpi .*--npy killed.npy" | tail -n 1) || true
  [ -z "$one" ] || break
  sleep 0.1
done
[ -n "$one" ] || fail "no rank has begun"
sleep 2
kill -9 "$one"
if wait "$job"; then fail "a rank was killed, and yet all is well"; fi
[ -s mpi.err ] || fail "a rank was killed, and nobody says so"
[ ! -e killed.npy ] || fail "a rank was killed, and yet there is a file"
