#!/bin/sh
# Unaligned BAM and SAM as reads: the records are those of FASTQ, the tags and read groups are kept.
test_name=bam_input
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
# SAM without alignments of both kinds of reads, with tags, and what FASTQ becomes of it.
header='@HD\tVN:1.6\tSO:unsorted\n@RG\tID:one\tSM:s1\n@RG\tID:two\tSM:s1\tPL:ILLUMINA\n'
awk -v header="$header" 'BEGIN { printf header } FNR % 4 == 1 { name = substr($1, 2) } FNR % 4 == 2 { letters = $0 }
  FNR % 4 == 0 { n++; printf "%s\t4\t*\t0\t0\t*\t*\t0\t0\t%s\t%s\tRG:Z:%s\tRX:Z:AC-%d\tNM:i:7\tzb:B:c,-1,%d\n", name, letters, $0, n % 2 ? "one" : "two", n, n % 100 }' single_40.fq >single.usam
awk 'FNR % 4 == 1 { n++; $0 = $0 " RG:Z:" (n % 2 ? "one" : "two") "\tRX:Z:AC-" n "\tzb:B:c,-1," n % 100 } { print }' single_40.fq >tags.fq
paste -d '\n' pairs_1.fq pairs_2.fq | awk '{ line[NR % 8] = $0 } NR % 8 == 0 { for (k = 0; k < 2; ++k) for (i = 0; i < 4; ++i) print line[(2 * i + k + 1) % 8] }' >both.fq
awk -v header="$header" 'BEGIN { printf header } FNR % 4 == 1 { name = substr($1, 2); mate = substr(name, length(name)); sub(/\/[12]$/, "", name) } FNR % 4 == 2 { letters = $0 }
  FNR % 4 == 0 { printf "%s\t%d\t*\t0\t0\t*\t*\t0\t0\t%s\t%s\tRG:Z:two\n", name, mate == 1 ? 77 : 141, letters, $0 }' both.fq >pairs.usam
without_header() { records "$1" | sort; }

options="-e 3 --hamming"
# shellcheck disable=SC2086
quietly map ref.mrs tags.fq -C $options -o wanted.sam
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o pairs.sam
records pairs.sam | sed 's/$/\tRG:Z:two/' >pairs.wanted
inputs="single.usam"
if command -v samtools >/dev/null; then
  samtools view -b -o single.bam single.usam 2>/dev/null
  samtools view -b -o pairs.bam pairs.usam 2>/dev/null
  inputs="single.usam single.bam"
else
  echo "$test_name: left out without samtools: BAM"
fi
for input in $inputs; do
  # shellcheck disable=SC2086
  quietly map ref.mrs $input $options -o odd.sam
  [ ! -s said ] || { cat said; fail "a warning about $input"; }
  records odd.sam >odd && records wanted.sam | cmp - odd || fail "$input and FASTQ differ"
  [ "$(grep -c '^@RG	ID:\(one	SM:s1\|two	SM:s1	PL:ILLUMINA\)$' odd.sam)" = 2 ] || fail "the read groups of $input"
  well_made odd.sam single_40.fq
  quickcheck odd.sam
  # Of standard input, of several files, in small batches; a table.
  # shellcheck disable=SC2086
  quietly map ref.mrs - $options -o odd.sam <$input
  records odd.sam >odd && records wanted.sam | cmp - odd || fail "$input from standard input"
  quietly map ref.mrs -U $input,$input --batch-reads 7 -e 3 --hamming -o odd.sam
  { records wanted.sam; records wanted.sam; } >twice
  records odd.sam | cmp - twice || fail "$input twice"
  # A read group that is asked for takes the place of those.
  # shellcheck disable=SC2086
  quietly map ref.mrs $input $options -R 'ID:three\tSM:x' -o odd.sam
  [ "$(grep '^@RG' odd.sam)" = "$(printf '@RG\tID:three\tSM:x')" ] && [ "$(records odd.sam | grep -c 'RG:Z:three')" = 600 ] || fail "-R with $input"
  warned 1 "600 reads with comment fields that were left out"
done
inputs="pairs.usam"
[ ! -e pairs.bam ] || inputs="pairs.usam pairs.bam"
for input in $inputs; do
  for option in "" "-p"; do
    # shellcheck disable=SC2086
    quietly map ref.mrs $input $option -e 5 -o odd.sam
    [ ! -s said ] || { cat said; fail "a warning about $input"; }
    records odd.sam | cmp - pairs.wanted || fail "$input and two files of FASTQ differ"
  done
  quietly map ref.mrs $input -e 5 -o odd.bam
  quickcheck odd.bam
  # What was mapped is mapped again: reads in their own direction, without the old alignments.
  quietly map ref.mrs odd.bam -e 5 -o again.sam
  records again.sam | cmp - pairs.wanted || fail "mapped again, $input differs"
done
sed 's/SO:unsorted/SO:coordinate/' pairs.usam >sorted.usam
expect 1 "sorted.usam: pairs sorted by coordinate; expected the reads of a pair together" map ref.mrs sorted.usam -o strict.sam
quietly map ref.mrs sorted.usam -p --insert 0:1000 -e 5 -o odd.sam || fail "-p"
printf '@HD\tVN:1.6\n' >none.usam
quietly map ref.mrs none.usam -e 3 -o odd.sam
[ -z "$(records odd.sam)" ] || fail "records of no reads"
printf '@HD\tVN:1.6\n*\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n' >nameless.usam
quietly map ref.mrs nameless.usam -e 3 -o odd.sam
# Cut off.
if [ -e single.bam ]; then
  head -c 9000 single.bam >cut.bam
  expect 1 "cut.bam:" map ref.mrs cut.bam -e 3 -o strict.sam
  head -c -28 single.bam >cut.bam
  expect 1 "cut.bam: BAM that is cut off: its last block is missing" map ref.mrs cut.bam -e 3 -o strict.sam
fi
head -5 single.usam | sed '5s/\tRG.*//; 5s/.$//' >cut.usam
expect 1 "cut.usam:record 2" map ref.mrs cut.usam -e 3 -o strict.sam
expect 1 "single_40.fq: no SAM or BAM; expected the same as single.usam" map ref.mrs single.usam single_40.fq -e 3 -o strict.sam
[ ! -e strict.sam ] || fail "an output in spite of an error"
