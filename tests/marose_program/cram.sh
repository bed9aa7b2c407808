#!/bin/sh
# CRAM holds what SAM does, against the FASTA that was mapped to, another copy of it, or none.
test_name=cram
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
cp ref.fa copy.fa
samtools=false
if command -v samtools >/dev/null; then samtools=true; else echo "$test_name: left out without samtools: what is in CRAM"; fi
# Fields in the order of their names: CRAM has its own order.
in_order() { awk -F'\t' '{ n = 0; for (i = 12; i <= NF; ++i) tag[++n] = $i
    for (i = 2; i <= n; ++i) for (k = i; k > 1 && tag[k] < tag[k - 1]; --k) { t = tag[k]; tag[k] = tag[k - 1]; tag[k - 1] = t }
    line = $1; for (i = 2; i <= 11; ++i) line = line "\t" $i; for (i = 1; i <= n; ++i) line = line "\t" tag[i]; print line }'; }

for reads in "single_40.fq -e 2 --hamming --report all" "pairs_1.fq pairs_2.fq -e 5 --report all --no-secondary-seq -R ID:x"; do
  for sort in "" "--sort"; do
    # shellcheck disable=SC2086
    quietly map ref.mrs $reads $sort -o wanted.sam
    records wanted.sam | in_order >wanted
    for kind in "ref.fa" "ref.mrs" "ref.mrs --cram-reference copy.fa"; do
      rm -f x.cram x.cram.crai
      # shellcheck disable=SC2086
      quietly map $kind $reads $sort -o x.cram
      [ "$(head -c 4 x.cram)" = CRAM ] || fail "no CRAM"
      if [ -n "$sort" ]; then [ -s x.cram.crai ] || fail "no index"; else [ ! -e x.cram.crai ] || fail "an index of what is not sorted"; fi
      $samtools || continue
      samtools quickcheck x.cram || fail "quickcheck"
      # Without a FASTA the file needs none; -T keeps samtools from asking the network.
      case $kind in ref.mrs) fasta="" ;; *) fasta="-T ref.fa" ;; esac
      # shellcheck disable=SC2086
      samtools view $fasta x.cram | in_order | cmp - wanted || fail "CRAM and SAM differ: $kind $reads $sort"
      if [ -n "$sort" ]; then
        # shellcheck disable=SC2086
        [ "$(samtools view $fasta -c x.cram contig2)" = "$(awk -F'\t' '$3 == "contig2"' wanted | wc -l)" ] || fail "the index: $kind"
      fi
    done
  done
done
[ -s ref.fa.fai ] && [ -s copy.fa.fai ] || fail "no index of the FASTA"
# By --format, through a pipe.
quietly map ref.fa single_40.fq -e 3 --hamming --format cram | cat >pipe.cram
quietly map ref.fa single_40.fq -e 3 --hamming -o file.cram
[ "$(wc -c <pipe.cram)" -gt 1000 ] || fail "nothing in a pipe"
if $samtools; then
  samtools view -T ref.fa file.cram >file && samtools view -T ref.fa pipe.cram | cmp - file || fail "a pipe and a file differ"
fi
# No network, whatever the reference.
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
  for kind in "ref.fa" "ref.mrs" "ref.mrs --cram-reference copy.fa"; do
    # shellcheck disable=SC2086
    strace -f -e trace=socket,connect -o trace "$PROGRAM" map $kind single_40.fq -e 3 --hamming --sort -o x.cram --quiet || fail "under strace"
    grep -E 'AF_INET|AF_UNIX' trace && fail "a connection: $kind"
  done
else
  echo "$test_name: left out without strace: no network"
fi

expect 1 "none.fa: cannot be opened as the reference of CRAM" map ref.mrs single_40.fq -o y.cram --cram-reference none.fa
sed 's/^>contig2/>other/' ref.fa >other.fa
expect 1 "other.fa: no contig contig2 in it; expected the reference that was mapped to" map ref.mrs single_40.fq -o y.cram --cram-reference other.fa
gzip -k ref.fa
expect 1 "ref.fa.gz: cannot be looked into as the reference of CRAM; expected FASTA, plain or by bgzip" map ref.fa.gz single_40.fq -e 2 -o y.cram
quietly map ref.fa.gz single_40.fq -e 2 -o other.cram --cram-reference copy.fa
expect 1 "--cram-reference: for a file that is not CRAM" map ref.mrs single_40.fq -o y.bam --cram-reference ref.fa
expect 1 "--cigar: =X for CRAM" map ref.mrs single_40.fq -o y.cram --cigar =X
expect 1 "y.bam: cram under a name for bam" map ref.mrs single_40.fq --format cram -o y.bam
expect 1 "y.cram: sam under a name for cram" map ref.mrs single_40.fq --format sam -o y.cram
expect 1 "/dev/full: cannot be written: No space left on device" map ref.mrs single_40.fq --format cram -o /dev/full
untouched copy.fa map ref.mrs single_40.fq --format cram --cram-reference copy.fa -o copy.fa
for left in y.* .genocl* ref.fa.gz.fai ref.fa.gz.gzi; do [ ! -e "$left" ] || fail "$left is left behind"; done
