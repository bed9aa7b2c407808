#!/bin/sh
# One of two devices is lost, from some command of it on: the other one does its chunks, and the output is the same; or, where
# it is lost before chunks are dealt out, an error in one line. A device alone that is lost: that error.
# HARD_LOSSES: how many commands of each run and device are tried, spread over the run (2), or all.
test_name=devices
. "$(dirname "$0")/common.sh"

for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"

spread() { # spread COUNT: numbers from 1 to it, the last one among them
  awk -v count="$1" -v wanted="${HARD_LOSSES:-2}" 'BEGIN {
    if (wanted == "all" || wanted > count) wanted = count
    for (i = 1; i <= wanted; ++i) print int(count * i / wanted)
  }'
}
# lose LINE DEVICE: at some of its commands.
lose() {
  commands=$(awk -v device="$2" '$1 == "device" && $2 == device { print $3 }' counts)
  for n in $(spread "${commands:-0}"); do
    # shellcheck disable=SC2086
    WITH="LD_PRELOAD=$FAIL_CALL GENOCL_FAIL_DEVICE=$2:$n" try $1 ${devices:-}
    judge "$name: device $2 from command $n of $commands on"
    if [ $got = 0 ] && grep -q 'go on without this one' said; then without=$((without + 1)); fi
  done
  tried=$(spread "${commands:-0}" | wc -l)
}
count() {
  rm -f counts
  # shellcheck disable=SC2086
  WITH="LD_PRELOAD=$FAIL_CALL GENOCL_FAIL_COUNTS=$work/counts" try $1 ${devices:-}
  judge "$name: counted"
  [ -s counts ] || fail "$name: no calls were counted"
}

chosen_runs 'pwm-scan|overlap-pieces|overlap-mem|align-search|marose-map|jacobi' \
  'pwm-scan|pwm-compare|overlap-pieces|overlap-lcp|overlap-mem|overlap-find|overlap-spans|align-search|align-pairs|align-edit|marose-map|jacobi' >list
total=0
while read -r line <&3; do
  make_right "$line"
  count "$line"
  before=$errors
  lose "$line" 0
  [ "$errors" -gt "$before" ] || fault "$name: the only device is lost, and nothing is said"
  # With two, its second device does what it is given.
  devices="--device all" POCL_DEVICES=$two
  export POCL_DEVICES
  make_right "$line $devices" # SAM has the command line
  count "$line"
  without=0
  lose "$line" 1
  echo "$test_name: $name: $without of $tried runs went on without the second device"
  total=$((total + without))
  unset POCL_DEVICES devices
done 3<list
[ -n "${HARD_RUNS:-}" ] || [ $total -gt 0 ] || fault "no run went on without a device"
finish
