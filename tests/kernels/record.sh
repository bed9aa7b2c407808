#!/bin/sh
# record.sh RECORDER WORK CL TEST...: runs the tests on an ordinary device, recording what genocl builds in WORK/programs, for
# lint.sh. The tiny cases are run once more as if the device were NVIDIA's, for the kernels with inline PTX.
set -eu

recorder=$1
work=$2
cl=$3
shift 3

rm -rf "$work"
mkdir -p "$work/programs"
GENOCL_RECORD=$work/programs
GENOCL_CACHE=off
export GENOCL_RECORD GENOCL_CACHE
for test in "$@"; do
  # The tiny cases build every kind of program; the primitives have more types than those use, for long tests.
  case $test:${GENOCL_TEST_LONG:-} in
    */test-kernels:* | */test-primitives:1) cases='*' ;;
    *) cases='tiny:*' ;;
  esac
  LD_PRELOAD=$recorder "$test" --test-case="$cases" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  # Kernels that need PTX do not run here: what the tests think of the results is of no interest, the programs are.
  GENOCL_RECORD_PTX=pretend LD_PRELOAD=$recorder "$test" --test-case='tiny:*' >"$work/log" 2>&1 || true
done

# Nothing escapes lint: a program of every file, with inline PTX wherever there is some.
failed=0
cd "$work/programs"
for file in $(cd "$cl" && find . -name '*.cl' | sed 's|^\./||'); do
  programs=$(grep -lF "#line 1 \"$file\"" ./*.cl || true)
  # shellcheck disable=SC2046,SC2086
  if [ -z "$programs" ]; then
    echo "no test builds $file"
    failed=1
  elif [ "$file" = align/score/score_gpu.cl ]; then
    continue  # the portable form of score_gpu_warps.cl, with which it shares the text that has PTX in it
  elif grep -qF GENOCL_PTX $programs && ! grep -qF GENOCL_PTX=1 $(echo "$programs" | sed 's/\.cl$/.options/'); then
    echo "no tiny test builds $file with GENOCL_PTX"
    failed=1
  fi
done
# On PoCL all programs compile with common/builtins.clh, except those with a caller's text in front.
if grep -qF -- -D_OPENCL_H_ ./*.options; then
  for options in $(grep -LF -- -D_OPENCL_H_ ./*.options); do
    head -n 1 "${options%.options}.cl" | grep -q '^#line 1 ".*\.cl"' || continue
    grep -qF GENOCL_PTX=1 "$options" && continue  # built here without inline PTX, which some files refuse
    echo "common/builtins.clh lacks a function: $(head -n 1 "${options%.options}.cl") with$(cat "$options")"
    failed=1
  done
fi
echo "$(find . -name '*.options' | wc -l) programs"
exit $failed
