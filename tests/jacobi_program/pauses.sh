#!/bin/sh
# Checkpoints, and series of pictures and images.
test_name=pauses
. "$(dirname "$0")/common.sh"

hand="--size 100x80 --top 100 --left 25 --right 75"
# shellcheck disable=SC2086
quietly $hand --iterations 500 --npy whole.npy

# The example of --help, on a smaller grid.
"$PROGRAM" --help >help
for option in "--checkpoint heat.gjr --every 500" "--resume heat.gjr --iterations 4000" "--png-every 1000"; do
  grep -q -- "$option" help || fail "--help has no example with $option"
done
# shellcheck disable=SC2086
quietly $hand --iterations 200 --checkpoint heat.gjr --every 70
quietly --resume heat.gjr --iterations 500 --npy x.npy
same whole.npy x.npy
[ "$(result iterations)" = 500 ] || fail "iterations of a resumed run: $(result iterations)"
# The size may be said again; nothing more to do is no error.
quietly --resume heat.gjr --size 100x80 --iterations 200 --npy x.npy
# shellcheck disable=SC2086
quietly $hand --iterations 200 --npy y.npy
same y.npy x.npy

# A run that is stopped leaves the last checkpoint, whole: from there it goes on to the same bytes.
# shellcheck disable=SC2086
"$PROGRAM" $hand --iterations 1000000000 --checkpoint killed.gjr --every 37 --quiet >out 2>said &
job=$!
for _ in $(seq 200); do
  [ ! -e killed.gjr ] || break
  sleep 0.1
done
sleep 0.3
kill -9 "$job"
wait "$job" 2>said || true
[ -e killed.gjr ] || fail "no checkpoint on the way"
quietly --resume killed.gjr --iterations 1000000000 --tolerance 1000 --check 1 --quiet
done=$(($(result iterations) - 1))
[ $((done % 37)) = 0 ] && [ $done -gt 0 ] || fail "a checkpoint after $done iterations, every 37"
# shellcheck disable=SC2086
quietly $hand --iterations $((done + 3)) --npy y.npy
quietly --resume killed.gjr --iterations $((done + 3)) --npy x.npy
same y.npy x.npy
rm -f .genocl* .killed*

# A checkpoint may go on in its own place; a tolerance is reached at the same iteration.
# shellcheck disable=SC2086
quietly $hand --iterations 100000 --tolerance 1e-2 --check 17 --npy whole.npy
whole=$(sed -n 2p out | cut -f 1-5)
# shellcheck disable=SC2086
quietly $hand --iterations 1000 --tolerance 1e-2 --check 17 --checkpoint heat.gjr
quietly --resume heat.gjr --iterations 100000 --tolerance 1e-2 --check 17 --checkpoint heat.gjr --every 300 --npy x.npy
same whole.npy x.npy
[ "$(sed -n 2p out | cut -f 1-5)" = "$whole" ] || { cat out; fail "another result: $whole"; }
quietly --resume heat.gjr --iterations 2788 --npy x.npy
same whole.npy x.npy

# A resumed run requires the same mask.
quietly --size 40x30 --left 1 --iterations 0 --png mask.png
size=$("$PROGRAM" --size 10x10 --mask mask.png 2>&1 | sed -n 's/.*a mask of \([0-9x]*\);.*/\1/p')
masked="--mask mask.png --precision float"
# shellcheck disable=SC2086
{
  quietly --size "$size" --top 9 $masked --mask-value 7 --iterations 30 --npy whole.npy
  quietly --size "$size" --top 9 $masked --mask-value 7 --iterations 10 --checkpoint m.gjr
  quietly --resume m.gjr $masked --iterations 30 --npy x.npy
}
same whole.npy x.npy
expect 1 "m.gjr: of another problem" --resume m.gjr --precision float
# shellcheck disable=SC2086
expect 1 "--resume has all values" --resume m.gjr $masked --mask-value 7

# Errors.
expect 1 "m.gjr: of a grid of type float; expected double" --resume m.gjr --mask mask.png
expect 1 "heat.gjr: of a grid of 100x80; expected --size 80x100" --resume heat.gjr --size 80x100
expect 1 "--resume has all values" --resume heat.gjr --top 1
expect 1 "--resume has all values" --resume heat.gjr --in whole.npy
expect 1 "heat.gjr: 2788 iterations are done there; expected as many at --iterations, or more" --resume heat.gjr --iterations 2787
expect 1 "none.gjr" --resume none.gjr
expect 1 "whole.npy" --resume whole.npy
head -c 5000 heat.gjr >cut.gjr
expect 1 "cut.gjr" --resume cut.gjr
cp heat.gjr bad.gjr
printf '\377' | dd of=bad.gjr bs=1 seek=20000 conv=notrunc 2>/dev/null
expect 1 'bad.gjr:section "cells"' --resume bad.gjr --iterations 3000
expect 1 "--every: only with --checkpoint" --size 10x10 --every 5
expect 1 "--every: expected 1" --size 10x10 --every 0 --checkpoint x.gjr
expect 1 "none/x.gjr: cannot be written" --size 10x10 --checkpoint none/x.gjr
expect 1 "--checkpoint: expected the name of a file" --size 10x10 --checkpoint -
expect 1 "two outputs go to it" --size 10x10 --checkpoint x.gjr --npy x.gjr
untouched heat.gjr --resume heat.gjr --npy heat.gjr
untouched whole.npy --in whole.npy --precision float --checkpoint whole.npy

# A series: the initial grid, one after each N iterations, and the result; the last equals the picture of a plain run.
# shellcheck disable=SC2086
quietly $hand --iterations 250 --png heat.png --png-every 100 --vtk u.vti --vtk-every 125
for file in heat-000 heat-100 heat-200 heat-250 heat; do [ -s $file.png ] || fail "no $file.png"; done
[ "$(find . -name 'heat*.png' | wc -l)" = 5 ] || fail "other pictures"
for file in u-000 u-125 u-250 u; do [ -s $file.vti ] || fail "no $file.vti"; done
[ "$(find . -name 'u*.vti' | wc -l)" = 4 ] || fail "other images"
same heat-250.png heat.png
same u-250.vti u.vti
# shellcheck disable=SC2086
quietly $hand --iterations 125 --vtk x.vti
same u-125.vti x.vti
cmp -s heat-000.png heat-100.png && fail "the pictures do not change"
expect 1 "--png-every: only with --png" --size 10x10 --png-every 5
expect 1 "--png-every: expected 1" --size 10x10 --png x.png --png-every 0
expect 1 "--vtk-every: only with --vtk" --size 10x10 --vtk-every 5
expect 1 "none/x.vti: cannot be written" --size 10x10 --vtk none/x.vti
[ ! -e x.png ] || fail "a picture in spite of an error"
