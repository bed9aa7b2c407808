#!/bin/sh
# Either of two devices, and either family of kernels, gives the same bytes.
test_name=two_devices
. "$(dirname "$0")/common.sh"

for names in "cpu cpu" "pthread pthread"; do
  if [ "$(POCL_DEVICES=$names "$COUNT_DEVICES" 2>/dev/null || true)" -ge 2 ] 2>/dev/null; then two=$names; fi
done
[ -n "${two:-}" ] || fail "PoCL does not show two devices"
unset GENOCL_DEVICE || true
printf '1 5\n7 300\n' >queries
run() {
  name=$1
  shift
  "$PROGRAM" "$@" --quiet -o one 2>said || { cat said; fail "one device"; }
  POCL_DEVICES=$two "$PROGRAM" "$@" --device all --quiet -o all 2>said || { cat said; fail "two devices"; }
  POCL_DEVICES=$two "$PROGRAM" "$@" --device 1 --quiet -o second 2>said || { cat said; fail "the second device"; }
  GENOCL_VARIANT=gpu "$PROGRAM" "$@" --quiet -o group 2>said || { cat said; fail "group kernels"; }
  for other in all second group; do cmp one $other || fail "$name: one and $other differ"; done
  [ -s one ] || fail "$name: empty"
}
for what in sa isa lcp bwt; do run $what $what text.fa; done
run pieces sa text.fa --pieces 7
run strands sa text.fa --strand both --pieces 3 --wide
run lcp-pieces lcp text.fa --pieces 7
run isa-pieces isa text.fa --records --pieces 6
run bwt-pieces bwt text.fa --pieces 6
run da-pieces da text.fa --pieces 6
run index index a.fa b.fa
run index-pieces index a.fa b.fa --pieces 5 --check
run dc3 sa text.fa --algorithm dc3
run published lcp text.fa --algorithm published --method kasai
run lcs lcs a.fa b.fa --strand both
run multi multi a.fa b.fa --quorum 3
run repeat repeat text.fa
run spans repeat text.fa b.fa --min-length 5
run mem mem a.fa b.fa -l 4 --strand both
run mum mem a.fa b.fa -l 4 --mum
run genomes align-genomes a.fa b.fa -l 5 --min-cluster 12
awk -f "$SOURCE/lines.awk" a.fa | awk -F'\t' 'length($2) > 60 { for (n = 1; n <= 40; ++n) print substr($2, n, n / 2 + 3) }' >words.txt
[ "$(wc -l <words.txt)" -ge 40 ] || fail "too few words"
run find find a.fa words.txt --lines
run count find b.fa words.txt --lines --count
run suffix-prefix suffix-prefix reads.fa -m 3
run lce lce text.fa --queries queries
for structure in block sparse bv1; do run "rmq $structure" rmq text.fa --queries queries --rmq $structure; done
