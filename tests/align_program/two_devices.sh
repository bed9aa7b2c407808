#!/bin/sh
# One device and two give the same bytes.
test_name=two_devices
. "$(dirname "$0")/common.sh"

quietly makedb proteins.fa -o proteins.gdb
for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true
mkdir one two
# run FORMAT ARGUMENT...: in both folders; the command line, which is in SAM, is the same.
run() {
  format=$1
  shift
  (cd one && "$PROGRAM" search "$@" --device all --chunk 500 --batch-queries 3 -o out."$format" 2>said) ||
    { cat one/said; fail "one device"; }
  (cd two && POCL_DEVICES=$two "$PROGRAM" search "$@" --device all --chunk 500 --batch-queries 3 -o out."$format" 2>said) ||
    { cat two/said; fail "two devices"; }
  same one/out."$format" two/out."$format"
}
for format in tsv blast6 sam pairwise json; do
  run $format ../queries.fa ../proteins.gdb --format $format
  run dna.$format ../reads.fa ../dna.fa --dna --format $format
done
run aligned.tsv ../queries.fa ../proteins.gdb --align
run scores.tsv ../queries.fa ../proteins.gdb --all-scores
