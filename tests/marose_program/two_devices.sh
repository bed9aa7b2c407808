#!/bin/sh
# One device and two give the same bytes.
test_name=two_devices
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true
for format in sam bam tsv; do
  # The command line is part of the header: it is the same.
  for run in one two; do
    mkdir -p $run
    devices=""
    [ $run = one ] || devices=$two
    if [ -n "$devices" ]; then
      (cd $run && POCL_DEVICES=$devices "$PROGRAM" map ../ref.mrs ../pairs_1.fq ../pairs_2.fq -e 5 --report all \
        --batch-reads 50 --device all -o out.$format 2>said) || { cat $run/said; fail "two devices"; }
    else
      (cd $run && "$PROGRAM" map ../ref.mrs ../pairs_1.fq ../pairs_2.fq -e 5 --report all \
        --batch-reads 50 --device all -o out.$format 2>said) || { cat $run/said; fail "one device"; }
    fi
  done
  same one/out.$format two/out.$format
done
