#!/bin/sh
# One device and two give the same bytes.
test_name=two_devices
. "$(dirname "$0")/common.sh"

for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true
mkdir one two
run() {
  name=$1
  shift
  (cd one && "$PROGRAM" "$@" --device all --quiet -o "$name" 2>said) || { cat one/said; fail "one device"; }
  (cd two && POCL_DEVICES=$two "$PROGRAM" "$@" --device all --quiet -o "$name" 2>said) || { cat two/said; fail "two devices"; }
  same "one/$name" "two/$name"
}
run hits.tsv scan ../motifs.jaspar ../text.fa --score 4 --q-values
run counts.tsv scan ../motifs.jaspar ../text.fa --score 4 --format counts
run thresholds.tsv threshold ../motifs.jaspar -p 0.01
run compared.tsv compare ../motifs.jaspar ../motifs.jaspar -p 0.01
