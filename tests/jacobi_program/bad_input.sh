#!/bin/sh
# Errors are one line, and no output is written.
test_name=bad_input
. "$(dirname "$0")/common.sh"

expect 0 "" --help
grep -q 'genocl jacobi --size 1000x1000' out || fail "--help has no example"
expect 0 "" --version
expect 1 "--size or --in is needed" --iterations 1
expect 1 "--size: \"10\"" --size 10
expect 1 "--size: \"10x\"" --size 10x
expect 1 "2x10 cells; expected at least 3" --size 2x10
expect 1 "10x10x2 cells; expected at least 3" --size 10x10x2
expect 1 "10x10x1 cells; expected at least 3" --size 10x10x1
expect 1 "more than can be counted" --size 9999999999x9999999999
expect 1 "--halo-depth: \"0\"" --size 10x10 --halo-depth 0
expect 1 "no kernel named \"fast\"" --size 10x10 --kernel fast
expect 1 "no kernel named \"fast\"" --size 10x10 --kernel cpu=fast
expect 1 "expected a name, or kernels of types of devices" --size 10x10 --kernel tpu=local
expect 1 "expected a name, or kernels of types of devices" --size 10x10 --kernel gpu=local,blocked
expect 1 "gpu has two kernels" --size 10x10 --kernel gpu=local,gpu=naive
expect 1 "expected COLUMNSxROWS, each at least 3" --size 10x10 --kernel local --tile 16
expect 1 "expected COLUMNSxROWS, each at least 3" --size 10x10 --kernel local --tile 2x16
expect 1 "only with --kernel local" --size 10x10 --tile 16x16
expect 1 "work-items; expected at most" --size 10x10 --kernel local --tile 4000x4000
expect 1 "a tile of two dimensions" --size 10x10x10 --kernel local --tile 8x8
expect 1 "--precision" --size 10x10 --precision half
expect 1 "--top: expected a finite number" --size 10x10 --top nan
expect 1 "--left: expected a finite number" --size 10x10 --left inf
expect 1 "--inside: expected a finite number" --size 10x10 --precision float --inside 1e39
expect 1 "--front and --back" --size 10x10 --front 1
expect 1 "--tolerance" --size 10x10 --tolerance 0
expect 1 "--check: only with --tolerance" --size 10x10 --check 5
expect 1 "--check: expected 1" --size 10x10 --tolerance 1 --check 0
expect 1 "--weights" --size 10x10 --weights 0
expect 1 "--weights" --size 10x10 --weights 1,-2
expect 1 "--cut and --weights" --size 10x10 --weights 1,2 --cut 5
expect 1 "--balance auto" --size 10x10 --balance auto --cut 5
expect 1 "--cut: \"x\"" --size 10x10 --cut x
expect 1 "cut" --size 100x100 --cut 50
expect 1 "weight" --size 100x100 --weights 1,2
expect 1 "--slice: for grids of three" --size 10x10 --slice z=1 --png x.png
expect 1 "--slice: only with --png" --size 10x10x10 --slice z=1
expect 1 "--slice: \"z=10\"" --size 10x10x10 --slice z=10 --png x.png
expect 1 "--mask-value: only with --mask" --size 10x10 --mask-value 1
expect 1 "no-such-device" --size 10x10 --device no-such-device

# More than there is memory for is known before it is taken: at once, in both figures.
(
  ulimit -v 6000000
  expect 2 "a grid of 100000x100000 cells in the host's memory needs 74.5 GiB (80000000000 bytes), there are" --size 100000x100000
  expect 2 "a grid of 20000x20000 cells and a second one, which goes through devices in bands, in the host's memory needs" \
    --size 20000x20000 --iterations 1
)

# Files.
expect 1 "none.npy: cannot be read" --in none.npy
printf 'text' >text.npy
expect 1 "text.npy: is no array" --in text.npy
quietly --size 12x11 --iterations 0 --npy a.npy
expect 1 "a.npy: an array of type '<f8'" --in a.npy --precision float
expect 1 "a.npy: a grid of 12x11; expected --size 11x12" --in a.npy --size 11x12
expect 1 "--in has all values" --in a.npy --top 1
head -c 500 a.npy >cut.npy
expect 1 "cut.npy: 372 bytes of data; expected 1056" --in cut.npy
head -c 50 a.npy >cut.npy
expect 1 "cut.npy: its header is cut off" --in cut.npy
sed 's/<f8/<c8/' a.npy >type.npy
expect 1 "type.npy: an array of type '<c8'; expected floating-point numbers, integers or booleans" --in type.npy
sed 's/<f8/<i8/' a.npy >large.npy
printf '\377\377\377\377\377\377\377\177' | dd of=large.npy bs=1 seek=$((128 + 8 * 17)) conv=notrunc 2>said
expect 1 "large.npy:cell 17: the integer 9223372036854775807; expected at most 9007199254740992" --in large.npy
sed 's/(11, 12)/(132,)  /' a.npy >flat.npy
expect 1 "flat.npy: an array of shape (132,)" --in flat.npy
sed 's/(11, 12)/(2, 66) /' a.npy >thin.npy
expect 1 "thin.npy: a grid of 66x2 cells; expected at least 3" --in thin.npy
expect 1 "none.png: cannot be read" --size 12x11 --mask none.png
expect 1 "a.npy: a mask of 12x11; expected 13x11" --size 13x11 --mask a.npy
expect 1 "a.npy: a mask of 12x11; expected 12x10, or an array of 12x10x5" --size 12x10x5 --mask a.npy
expect 1 "cut.npy: its header is cut off" --size 12x11 --mask cut.npy
expect 1 "--spacing: only with --vtk" --size 10x10 --spacing 1
for wrong in 0 -1 1,2,3 1,x nan 1,inf ,; do
  expect 1 "--spacing: \"$wrong\"; expected two numbers above 0, or one for all: X,Y" --size 10x10 --vtk x.vti --spacing $wrong
done
expect 1 "--origin: \"1,2\"; expected three numbers: X,Y,Z" --size 10x10x10 --vtk x.vti --origin 1,2
expect 1 "--origin: \"1\"; expected two numbers: X,Y" --size 10x10 --vtk x.vti --origin 1
[ ! -e x.vti ] || fail "a .vti in spite of an error"
printf '\223NUMPY' >x.npy
expect 1 "x.npy: is no array" --in x.npy
rm x.npy

# The output.
untouched a.npy --in a.npy --npy a.npy
untouched a.npy --in a.npy -o a.npy
expect 1 "a.png: two outputs go to it" --size 10x10 --png a.png --npy a.png
expect 1 "a.png: two outputs go to it" --size 10x10 --png a.png --npy ./a.png
expect 1 "standard output: two outputs go to it" --size 10x10 --npy -
# Before the work: reading is what fails otherwise.
for option in --png --npy -o; do expect 1 "none/x: cannot be written: No such file" --in none.npy $option none/x; done
for number in -1 18446744073709551616 1e3; do
  expect 1 "--iterations: \"$number\"; expected a whole number from 0 to 18446744073709551615" --size 10x10 --iterations $number
done
expect 1 "--check: \"-5\"" --size 10x10 --tolerance 1 --check -5
expect 1 "--tolerance: \"x\"; expected a number" --size 10x10 --tolerance x
expect 1 "no option --iteration; did you mean --iterations?" --size 10x10 --iteration 5
help_to_full_disk
expect 1 "/dev/full: cannot be written" --size 10x10 --iterations 1 --npy /dev/full
expect 1 "x.jpg: png under a name for jpg" --size 10x10 --iterations 1 --png x.jpg
expect 1 "none/x.png: cannot be written" --size 10x10 --iterations 1 --png none/x.png
expect 1 "none/x: cannot be written" --size 10x10 --iterations 1 -o none/x
[ ! -e x.npy ] && [ ! -e x.png ] || fail "a file in spite of an error"
for left in .genocl*; do [ ! -e "$left" ] || fail "files left behind"; done
