#!/bin/sh
# Equations: known solutions, arrays in files, the same bytes on two devices.
test_name=equation
. "$(dirname "$0")/common.sh"

# Conduction through equal layers is the mean of the neighbours; without flux at the sides the steady state is a line.
# The top and bottom rows own the corners, so these are part of them.
quietly --size 9x21 --inside 3 --top 3 --bottom 3 --left 3 --right 3 --iterations 0 --npy k.npy
line="--size 9x21 --top 0 --bottom 20 --left 10 --right 10 --inside 10 --boundary left=zero-flux,right=zero-flux
  --tolerance 1e-13 --iterations 100000"
for options in "--coefficients k.npy" "--stencil top=0.25,bottom=0.25,left=0.25,right=0.25" "--damping 0.9"; do
  # shellcheck disable=SC2086
  quietly $line $options --npy heat.npy
  [ "$(result converged)" = yes ] || fail "$options: not converged"
  cells heat.npy | awk '{ d = $1 - int((NR - 1) / 9); if (d < -1e-9 || d > 1e-9) bad = 1 } END { exit bad || NR != 189 }' ||
    { cells heat.npy; fail "$options: no line"; }
done

# A periodic grid without fixed cells keeps its sum, and goes to its mean.
quietly --size 20x16 --left 1 --top 3 --iterations 0 --npy p.npy
sum() { cells "$1" | awk '{ sum += $1 } END { printf "%.6f\n", sum }'; }
all="left=periodic,right=periodic,top=periodic,bottom=periodic"
quietly --in p.npy --boundary $all --iterations 3000 --npy q.npy
[ "$(sum p.npy)" = "$(sum q.npy)" ] || fail "sum $(sum p.npy) became $(sum q.npy)"
cells q.npy | awk 'NR == 1 { first = $1 } { d = $1 - first; if (d > 1e-6 || d < -1e-6) bad = 1 } END { exit bad }' || fail "not even"

# A source is added in each iteration: 5 of them to a grid of one value, where nothing else happens.
quietly --size 20x16 --top 2 --bottom 2 --left 2 --right 2 --inside 2 --iterations 0 --npy two.npy
quietly --in two.npy --boundary $all --stencil centre=1 --source two.npy --iterations 5 --npy sum.npy
cells sum.npy | awk '$1 != 12 { bad = 1 } END { exit bad || NR != 320 }' || fail "a source in each iteration"

# Everything at once, on one device and on two, by every kernel.
quietly --size 60x50 --top 3 --left 1 --right 2 --inside 5 --iterations 7 --precision float --npy f.npy
quietly --size 60x50 --inside 1 --top 1 --bottom 1 --left 4 --right 1 --iterations 3 --precision float --npy c.npy
some="--in f.npy --precision float --source f.npy --coefficients c.npy --damping 1.1 --iterations 23"
open="--boundary left=periodic,right=periodic,top=zero-flux"
# shellcheck disable=SC2086
quietly $some $open --npy one.npy
for kernel in naive local blocked strip stream rolling; do
  # shellcheck disable=SC2086
  quietly $some $open --kernel $kernel --npy x.npy
  same one.npy x.npy
done
for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true
POCL_DEVICES=$two
export POCL_DEVICES
for boundary in "$open" "--boundary top=periodic,bottom=periodic"; do
  for share in "--device 0" "--device all --cut 20" "--device all --balance auto" "--device all --weights 1,2 --no-overlap"; do
    # shellcheck disable=SC2086
    quietly $some $share $boundary --npy x.npy
    [ "$share" != "--device 0" ] || cp x.npy one.npy
    same one.npy x.npy
  done
done

# Errors are one line.
expect 1 "--stencil: \"top\"" --size 10x10 --stencil top
expect 1 "--stencil: \"top=x\"" --size 10x10 --stencil top=x
expect 1 "--stencil: \"up=1\"" --size 10x10 --stencil up=1
expect 1 "--stencil: \"top=1,top=2\"; expected each place once" --size 10x10 --stencil top=1,top=2
expect 1 "--stencil: \"top=nan\"" --size 10x10 --stencil top=nan
expect 1 "in the equation; expected a finite number" --size 10x10 --precision float --stencil top=1e300
expect 1 "weights of front and back neighbours; expected a grid of three dimensions" --size 10x10 --stencil back=1
expect 1 "--stencil and --coefficients: one of the two" --size 10x10 --stencil top=1 --coefficients k.npy
for damping in 0 2 -1 nan; do expect 1 "--damping: expected a number between 0 and 2" --size 10x10 --damping $damping; done
expect 1 "--boundary: \"left\"" --size 10x10 --boundary left
expect 1 "--boundary: \"left=open\"" --size 10x10 --boundary left=open
expect 1 "--boundary: \"left=fixed,left=fixed\"; expected each side once" --size 10x10 --boundary left=fixed,left=fixed
expect 1 "a periodic boundary on one side alone; expected it on both, left and right" --size 10x10 --boundary left=periodic
expect 1 "boundaries of front and back; expected a grid of three dimensions" --size 10x10 --boundary front=zero-flux
expect 1 "none.npy: cannot be read" --size 10x10 --source none.npy
expect 1 "k.npy: an array of 9x21; expected the grid's 10x10" --size 10x10 --source k.npy
expect 1 "k.npy: an array of 9x21; expected the grid's 10x10" --size 10x10 --coefficients k.npy
expect 1 "k.npy: an array of type '<f8'" --size 9x21 --precision float --source k.npy
quietly --size 9x21 --left 1 --iterations 0 --npy zero.npy
expect 1 "coefficient of cell 0,0 is 0.000000; expected a finite number above 0" --size 9x21 --coefficients zero.npy
untouched k.npy --size 9x21 --source k.npy --npy k.npy
