#!/bin/sh
# Known values, files in and out, reports.
test_name=results
. "$(dirname "$0")/common.sh"

hand="--size 100x80 --top 100 --bottom 0 --left 25 --right 75 --inside 0"

# The case of the paper, by hand.
# shellcheck disable=SC2086
quietly $hand --iterations 500 --npy a.npy
[ "$(head -c 6 a.npy | tail -c 5)" = NUMPY ] || fail "no .npy"
head -c 128 a.npy | grep -qa "'descr': '<f8', 'fortran_order': False, 'shape': (80, 100), }" || fail "header of .npy"
[ "$(wc -c <a.npy)" = $((128 + 8 * 8000)) ] || fail "size of .npy"
[ "$(cell a.npy 101)" = 62.301700762039786 ] || fail "p[1][1] = $(cell a.npy 101)"
[ "$(cell a.npy 4050)" = 0.5181584677053935 ] || fail "p[40][50] = $(cell a.npy 4050)"
cells a.npy | awk '{ sum += $1 } END { exit !(sum > 184480.545568 && sum < 184480.545569) }' || fail "sum"
[ "$(result iterations)" = 500 ] || fail "iterations"
head -n 1 out | grep -q converged && fail "converged, without a tolerance"
[ "$(wc -l <out)" = 2 ] || { cat out; fail "more than one table on standard output"; }
[ ! -s said ] || { cat said; fail "--quiet, and yet something is said"; }

# Every kernel gives the same bytes.
for kernel in naive local blocked strip stream rolling; do
  # shellcheck disable=SC2086
  told $hand --iterations 500 --kernel $kernel --halo-depth 4 --npy b.npy
  fused_steps=$(device 1 fused_steps)
  [ "$fused_steps" -ge 1 ] && [ "$fused_steps" -le 4 ] || { cat said; fail "$kernel: more than 4 iterations fused, or none said"; }
  same a.npy b.npy
  [ "$(device 1 kernel)" = $kernel ] || { cat said; fail "kernel $kernel"; }
done
# Kernels by the type of the device, and the tile of Listing 3.
# shellcheck disable=SC2086
told $hand --iterations 500 --kernel gpu=local,cpu=blocked,accelerator=rolling --npy b.npy
same a.npy b.npy
case $(device 1 kernel) in
  blocked | local | rolling) ;;
  *) cat said; fail "kernel of the type" ;;
esac
for tile in 3x3 16x4 7x9 64x3; do
  # shellcheck disable=SC2086
  told $hand --iterations 500 --kernel local --tile $tile --npy b.npy
  same a.npy b.npy
done
# The former name of --halo-depth is read, with a warning.
# shellcheck disable=SC2086
told $hand --iterations 500 --exchange-every 4 --npy b.npy
grep -q "warning: --exchange-every is now --halo-depth" said || { cat said; fail "no warning for --exchange-every"; }
same a.npy b.npy

# On from a file: 200 and 300 iterations are 500.
# shellcheck disable=SC2086
quietly $hand --iterations 200 --npy c.npy
quietly --in c.npy --iterations 300 --npy d.npy
same a.npy d.npy
quietly --in c.npy --size 100x80 --iterations 0 --npy d.npy
same c.npy d.npy

# A tolerance stops at a known iteration.
# shellcheck disable=SC2086
quietly $hand --iterations 100000 --tolerance 1e-2 --check 1
[ "$(result iterations)" = 2788 ] || fail "stops after $(result iterations)"
[ "$(result converged)" = yes ] || fail "not converged"
awk -F'\t' 'NR == 2 && $5 < 0.01 && $5 > 0.0099 { found = 1 } END { exit !found }' out || { cat out; fail "last change"; }

# An iteration that diverges: exit status 1, the iteration named, a report without numbers that are none, no other file.
heat="--size 64x48 --stencil centre=-0.2,top=0.3,bottom=0.3,left=0.3,right=0.3 --precision float --iterations 3000"
for kernel in auto naive local blocked strip stream rolling; do
  for tolerance in "" "--tolerance 1e-6"; do
    for report in text json; do
      got=0
      # shellcheck disable=SC2086
      "$PROGRAM" $heat --left 100 --kernel $kernel $tolerance --report $report --npy none.npy --png none.png \
        --vtk none.vti --quiet >out 2>said || got=$?
      [ "$got" = 1 ] || fail "$kernel $tolerance: status $got of a run that diverges"
      [ ! -e none.npy ] && [ ! -e none.png ] && [ ! -e none.vti ] || fail "files of a run that diverges"
      after=$([ -z "$tolerance" ] && echo 3000 || echo 300)
      grep -qx "$program_name: error: diverged: the change in iteration $after is .*" said || { cat said; fail "iteration $after"; }
      if [ $report = text ]; then
        [ "$(result converged)" = diverged ] && [ "$(result iterations)" = $after ] || { cat out; fail "not diverged"; }
      else
        grep -qi '[": ]-*\(nan\|inf\)' out && { cat out; fail "numbers that JSON does not have"; }
        grep -q '"diverged": true' out && grep -q '"max_change": null' out && grep -q '"l2_change": null' out ||
          { cat out; fail "JSON of a run that diverges"; }
      fi
    done
  done
done
# A checkpoint before it stays as it is, and no picture follows.
# shellcheck disable=SC2086
expect 1 "diverged: the change in iteration 300" $heat --top 9 --checkpoint d.gjr --every 100 --png d.png --png-every 100 -o d.txt --quiet
quietly --resume d.gjr --iterations 200 --size 64x48 --precision float --stencil \
  centre=-0.2,top=0.3,bottom=0.3,left=0.3,right=0.3 --npy d.npy
cells d.npy f4 | grep -qi 'nan\|inf' && fail "a checkpoint of what diverged"
[ -e d-0200.png ] && [ ! -e d-0300.png ] || fail "a picture of what diverged"
# Just stable: none of it.
quietly --size 64x48 --left 100 --stencil top=0.25,bottom=0.25,left=0.25,right=0.25 --precision float --iterations 3000
head -n 1 out | grep -q converged && fail "a stable run"

# Float, three dimensions, a plane of it as a picture, and the report as JSON.
quietly --size 20x15x12 --front 1 --back 2 --top 3 --bottom 4 --left 5 --right 6 --inside 3 --precision float \
  --iterations 50 --npy e.npy --png e.png --slice y=7 --report json -o e.json
head -c 128 e.npy | grep -qa "'descr': '<f4', 'fortran_order': False, 'shape': (12, 15, 20), }" || fail "3D header"
cells e.npy f4 | awk 'NR == 1 && $1 != 1 { bad = 1 } $1 < 1 || $1 > 6 { bad = 1 } END { exit bad || NR != 3600 }' || fail "3D cells"
[ "$(head -c 4 e.png | tail -c 3)" = PNG ] || fail "no picture"
grep -q '"iterations": 50' e.json || fail "JSON"
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import json, sys; r = json.load(open("e.json")); sys.exit(r["size"] != [20, 15, 12] or len(r["devices"]) != 1)' ||
    fail "JSON does not parse"
fi

# Images for ParaView: the head says how the values lie that follow, and these are those of the array.
for size in 20x15 20x15x12; do
  for precision in float double; do
    bytes=$([ $precision = float ] && echo 4 || echo 8)
    quietly --size $size --top 3 --left 5 --inside 1 --precision $precision --iterations 9 --npy v.npy --vtk v.vti
    extent="0 19 0 14 0 $([ $size = 20x15 ] && echo 0 || echo 11)"
    grep -qa "<ImageData WholeExtent=\"$extent\" Origin=\"0 0 0\" Spacing=\"1 1 1\">" v.vti || fail "extent of $size"
    grep -qa "<DataArray type=\"Float$((8 * bytes))\" Name=\"u\" format=\"appended\" offset=\"0\"/>" v.vti || fail "type $precision"
    tail -n 1 v.vti | grep -qx '</VTKFile>' || fail "end of .vti"
    values=$(($(wc -c <v.npy) - 128))
    begin=$(($(wc -c <v.vti) - $(printf '</AppendedData>\n</VTKFile>\n' | wc -c) - values))
    [ "$(od -An -t u8 -j $((begin - 8)) -N 8 v.vti | tr -d ' ')" = $values ] || fail "size of the values"
    [ "$(head -c $((begin - 8)) v.vti | tail -c 1)" = _ ] || fail "begin of the values"
    tail -c +129 v.npy >values.npy
    tail -c +$((begin + 1)) v.vti | head -c $values >values.vti
    same values.npy values.vti
  done
done

# Distances and the origin of an image are those that are said.
quietly --size 20x15 --iterations 1 --vtk v.vti --spacing 0.1,2.5e-3 --origin -1,7
grep -qa ' Origin="-1 7 0" Spacing="0.1 0.0025 1">' v.vti || fail "spacing of an image in 2D"
quietly --size 20x15x12 --iterations 1 --vtk v.vti --vtk-every 1 --spacing 0.5
grep -qa ' Origin="0 0 0" Spacing="0.5 0.5 0.5">' v.vti || fail "spacing of an image in 3D"
grep -qa ' Origin="0 0 0" Spacing="0.5 0.5 0.5">' v-0.vti || fail "spacing of an image of a series"
quietly --size 20x15x12 --iterations 1 --vtk v.vti --spacing 1,2,3 --origin 0.5,0.25,1e10
grep -qa ' Origin="0.5 0.25 1e+10" Spacing="1 2 3">' v.vti || fail "origin of an image in 3D"

# Arrays as NumPy has them, of either byte order and either order of indices, and of integers; masks of every cell.
if command -v python3 >/dev/null 2>&1; then
  cat >arrays.py <<'END'
import itertools, math, struct
letters = {'f4': 'f', 'f8': 'd', 'i1': 'b', 'i2': 'h', 'i4': 'i', 'i8': 'q', 'u1': 'B', 'u2': 'H', 'u4': 'I', 'u8': 'Q', 'b1': '?'}
def indices(shape, fortran):
    sizes = shape[::-1] if fortran else shape
    for index in itertools.product(*map(range, sizes)):
        yield index[::-1] if fortran else index
def save(name, shape, value, kind='<f8', fortran=False):
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, fortran, shape)
    head += ' ' * (117 - len(head)) + '\n'
    with open(name, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', 118) + head.encode())
        for index in indices(shape, fortran):
            file.write(struct.pack(kind[0].replace('|', '<') + letters[kind[1:]], value(index)))
def load(name, shape):
    with open(name, 'rb') as file:
        data = file.read()[128:]
    return dict(zip(indices(shape, False), struct.unpack('<%dd' % math.prod(shape), data)))
END
  cat >make_arrays.py <<'END'
from arrays import *
for shape in (11, 12), (5, 7, 6):
    number = lambda index: (sum(i * k for i, k in zip(index, (53, 19, 7))) + 3) % 101
    kept = lambda index: number(index) % 3 == 0
    for order in False, True:
        name = '%dd%s' % (len(shape), '-f' if order else '')
        save(name + '.npy', shape, number, '<f8', order)
        for kind in '<f4', '>f4', '>f8', '<i4', '>i2', '|u1', '<u8', '|i1', '>i8', '=u4':
            save(name + '-' + kind[1:] + ('b' if kind[0] == '>' else '') + '.npy', shape, number, kind, order)
        save(name + '-mask.npy', shape, kept, '|b1', order)
        save(name + '-mask-i4.npy', shape, lambda index: -5 if kept(index) else 0, '>i4', order)
        save(name + '-mask-f4.npy', shape, lambda index: 0.25 if kept(index) else 0, '<f4', order)
save('plane.npy', (7, 6), lambda index: index[0] == index[1], '|b1')
save('all.npy', (5, 7, 6), lambda index: index[1] == index[2], '|b1', True)
END
  python3 make_arrays.py
  for name in 2d 3d; do
    quietly --in $name.npy --iterations 9 --npy want.npy
    quietly --in $name.npy --iterations 9 --mask $name-mask.npy --npy masked.npy
    cmp -s want.npy masked.npy && fail "a mask without effect"
    for order in '' -f; do
      for kind in '' -f4 -f4b -f8b -i4 -i2b -u1 -u8 -i1 -i8b -u4; do
        quietly --in $name$order$kind.npy --iterations 9 --npy got.npy
        same want.npy got.npy
      done
      for kind in '' -i4 -f4; do
        quietly --in $name.npy --iterations 9 --mask $name$order-mask$kind.npy --npy got.npy
        same masked.npy got.npy
      done
    done
    python3 - $name <<'END' || fail "cells of the mask in $name changed"
import sys
from arrays import *
name = sys.argv[1]
shape = (11, 12) if name == '2d' else (5, 7, 6)
before, after = load(name + '.npy', shape), load('masked.npy', shape)
assert all(after[i] == before[i] for i in before if before[i] % 3 == 0) and after != before
END
  done
  # One plane for all, and a value for masked cells inside.
  quietly --in 3d.npy --iterations 9 --mask plane.npy --mask-value 7 --npy got.npy
  quietly --in 3d.npy --iterations 9 --mask all.npy --mask-value 7 --npy want.npy
  same want.npy got.npy
  python3 -c "
from arrays import *
after = load('got.npy', (5, 7, 6))
assert all(after[z, 3, 3] == 7 for z in (1, 2, 3)) and after[1, 3, 4] != 7 and after[0, 3, 3] != 7" || fail "--mask-value in 3D"
fi

# A picture is a mask: nothing that is not black changes.
# shellcheck disable=SC2086
quietly $hand --iterations 10 --png all.png
quietly --size 40x30 --left 1 --iterations 0 --png source.png
expect 1 "source.png: a mask of " --size 41x30 --mask source.png
size=$("$PROGRAM" --size 10x10 --mask source.png 2>&1 | sed -n 's/.*a mask of \([0-9x]*\);.*/\1/p')
# Only the legend's letters are black: those few cells change, the others stay, also the outermost ones.
quietly --size "$size" --top 9 --left 9 --mask source.png --mask-value 7 --iterations 30 --npy f.npy
cells f.npy | awk '$1 == 7 { ++kept } $1 != 7 && $1 != 9 && $1 != 0 { ++changed } $1 < 0 || $1 > 9 { bad = 1 }
  END { exit bad || changed == 0 || changed > NR / 50 || kept < 0.9 * NR }' || fail "masked cells changed"
