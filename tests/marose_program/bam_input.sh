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
  # A read group on the command line replaces those.
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
  # Mapped reads are mapped again: in their own direction, without the old alignments.
  quietly map ref.mrs odd.bam -e 5 -o again.sam
  records again.sam | cmp - pairs.wanted || fail "mapped again, $input differs"
done
# Sorted by coordinate, mates lie apart.
{ grep '^@' pairs.usam | sed 's/SO:unsorted/SO:coordinate/'; records pairs.usam | awk 'NR % 2 == 1'; records pairs.usam | awk 'NR % 2 == 0'; } >sorted.usam
expect 1 "sorted.usam:record 1 (p0:" map ref.mrs sorted.usam -e 5 -o strict.sam
grep -q 'in a file sorted by coordinate; expected the reads of a pair together, as samtools collate puts them' said || fail "sorted pairs"

# What the reads are is said by their flags, from a pipe and from a file: single reads, whatever their names, come before pairs,
# which stand second mate first in places; the mates of some are missing.
flagged() { awk -F'\t' -v OFS='\t' -v flag="$1" '{ $2 = flag; print }'; }
records single.usam | head -200 | flagged 4 | awk -F'\t' -v OFS='\t' '{ $1 = "s" int((NR - 1) / 2) "/" 2 - NR % 2; print }' >singles
records pairs.usam | awk 'int((NR - 1) / 2) % 10 < 9' >before
awk 'NR % 2 == 1 { one = $0; next } { print $0; print one }' before >swapped
records pairs.usam | awk 'NR % 20 == 19' >orphans
for order in "before singles" "singles before" "singles swapped orphans singles"; do
  # shellcheck disable=SC2086
  { grep '^@' single.usam; cat $order; } >mixed.usam
  awk -F'\t' '$2 == 4 { print "@" $1 "\n" $10 "\n+\n" $11 }' mixed.usam >alone.fq
  for mate in 1 2; do awk -F'\t' -v flag=$((13 + 64 * mate)) '$2 == flag { print "@" $1 "\n" $10 "\n+\n" $11 }' before >mate_$mate.fq; done
  quietly map ref.mrs mate_1.fq mate_2.fq -e 5 --insert 0:1000 -o mates.sam
  for batch in 0 10; do
    quietly map ref.mrs - -e 5 --insert 0:1000 --batch-reads $batch -o mixed.sam <mixed.usam
    case $order in
      *orphans*)
        warned 1 "standard input:record "
        warned 1 "40 reads without a mate, mapped as single"
        ;;
      *) [ ! -s said ] || { cat said; fail "a warning: $order"; } ;;
    esac
    # Pairs as of two files, whose tags are theirs.
    awk -F'\t' '$1 !~ /^@/ && $2 % 2 == 1' mixed.sam | sed 's/\tRG:Z:two//' >odd
    records mates.sam | cmp - odd || fail "pairs by flags: $order, batches of $batch"
    awk -F'\t' '$1 !~ /^@/ && $2 % 2 == 0 && $2 < 256' mixed.sam | cut -f1 | sort >odd
    { awk -F'\t' '$2 == 4' mixed.usam; case $order in *orphans*) cat orphans ;; esac; } | cut -f1 | sed 's,/[12]$,,' | sort | cmp - odd || fail "single reads by flags: $order"
    [ "$(records mixed.sam | awk -F'\t' '$2 < 256' | grep -c '	RG:Z:')" = "$(records mixed.usam | wc -l)" ] || fail "read groups: $order"
    [ "$(grep -c '^@RG' mixed.sam)" = 2 ] || fail "the header of a pipe"
    quickcheck mixed.sam
  done
done
# Single reads alone are mapped as those of FASTQ, also on one strand.
{ grep '^@' single.usam; cat singles; } >mixed.usam
awk -F'\t' '$2 == 4 { print "@" $1 "\n" $10 "\n+\n" $11 }' mixed.usam >alone.fq
for option in "" "--strand +" "--report all" "--format tsv"; do
  # shellcheck disable=SC2086
  quietly map ref.mrs alone.fq $option -e 3 >alone.sam
  # shellcheck disable=SC2086
  quietly map ref.mrs - $option -e 3 <mixed.usam >odd.sam
  records odd.sam | sed 's/\tRG:Z:[a-z]*\tRX:Z:[A-Z0-9-]*\tzb:B:c,-1,[0-9]*//' >odd
  records alone.sam | cmp - odd || fail "single reads of a pipe: $option"
done
expect 1 "--strand: one strand with mates, which lie on both" map ref.mrs - --strand + -e 5 -o strict.sam <pairs.usam
{ grep '^@' single.usam; cat before orphans; } >mixed.usam
expect 1 "has no mate behind it; expected the reads of a pair together" map ref.mrs mixed.usam --strict -e 5 -o strict.sam
# The header of the output has the read groups of all inputs, or they are refused.
sed 's/^\(@RG\tID:\)two/\1three/; s/RG:Z:two/RG:Z:three/' pairs.usam >three.usam
quietly map ref.mrs -U three.usam,single.usam -e 3 -o odd.sam
[ "$(grep -c '^@RG' odd.sam)" = 3 ] || fail "read groups of two files"
quietly map ref.mrs -U -,single.usam -e 3 -o odd.sam <three.usam
[ "$(grep -c '^@RG' odd.sam)" = 3 ] || fail "read groups of a pipe and a file"
got=0
"$PROGRAM" map ref.mrs -U single.usam,- -e 3 -o strict.sam --quiet <three.usam 2>said || got=$?
[ "$got" = 1 ] && grep -q "standard input: read group .* of a pipe that is not the first" said || { cat said; fail "read groups that come too late"; }
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
expect 1 "single_40.fq: no SAM, BAM or CRAM; expected the same as single.usam" map ref.mrs single.usam single_40.fq -e 3 -o strict.sam

if command -v samtools >/dev/null; then
  # Through pipes of samtools, in all formats, with its own read groups.
  samtools import -r ID:lane1 -r SM:s1 -1 pairs_1.fq -2 pairs_2.fq -o import.bam 2>/dev/null
  samtools import -r ID:lane1 -r SM:s1 -s both.fq -O cram -o import.cram 2>/dev/null
  records pairs.sam | sed 's/$/\tRG:Z:lane1/' >pairs.wanted
  for input in import.bam import.cram; do
    quietly map ref.mrs - -e 5 -o odd.sam <$input
    [ ! -s said ] || { cat said; fail "a warning about $input"; }
    records odd.sam >odd && records pairs.sam | sed 's/$/\tRG:Z:lane1/' | cmp - odd || fail "$input from a pipe"
    grep -q '^@RG	ID:lane1	SM:s1$' odd.sam || fail "the read group of $input"
    quietly map ref.mrs $input -e 5 --batch-reads 10 -o other.sam
    [ "$(records other.sam | wc -l)" = "$(wc -l <odd)" ] || fail "$input"
  done
  # Aligned CRAM is decoded against the FASTA that it was written with.
  cp ref.fa other.fa
  quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -R 'ID:lane1\tSM:s1' --cram-reference other.fa -o aligned.cram
  rm -f other.fa.fai
  mv other.fa elsewhere.fa
  quietly map ref.mrs aligned.cram --reference elsewhere.fa -e 5 -o odd.sam
  records odd.sam | cmp - pairs.wanted || fail "aligned CRAM"
  REF_PATH=./none%s REF_CACHE=./none%s
  export REF_PATH REF_CACHE
  expect 1 "aligned.cram:record 1: CRAM that is cut off or corrupt, or whose reference is not found; expected --reference" \
    map ref.mrs aligned.cram -e 5 -o strict.sam
  head -1 elsewhere.fa >wrong.fa && printf 'ACGT\n' >>wrong.fa
  expect 1 "wrong.fa: contig" map ref.mrs aligned.cram --reference wrong.fa -e 5 -o strict.sam
  unset REF_PATH REF_CACHE
  for size in 20000 30000; do
    head -c $size import.cram >cut.cram
    expect 1 "cut.cram:" map ref.mrs cut.cram -e 5 -o strict.sam
    expect 1 "standard input:" map ref.mrs - -e 5 -o strict.sam <cut.cram
  done
  head -c -38 import.cram >cut.cram
  expect 1 "CRAM that is cut off: its last block is missing" map ref.mrs cut.cram -e 5 -o strict.sam
  # In the order of samtools collate, and after a round trip through samtools sort.
  samtools collate -O -u import.bam . 2>/dev/null | "$PROGRAM" map ref.mrs - -e 5 --quiet -o collated.sam 2>said || fail "collate"
  records collated.sam | sort >odd && sort pairs.wanted | cmp - odd || fail "samtools collate"
fi
if command -v samtools >/dev/null && command -v bwa >/dev/null; then
  # bwa has the same reads, mates and tags from samtools fastq; sure places are the same.
  { grep '^@' single.usam; cat before orphans singles; } | samtools view -b - >mixed.bam 2>/dev/null
  bwa index ref.fa 2>/dev/null
  samtools fastq -N -T RG mixed.bam 2>/dev/null | sed 's,^\(@s[0-9]*\)/\([12]\)\([\t ]\),\1.\2\3,' | bwa mem -p -C ref.fa - 2>/dev/null >bwa.sam
  cat mixed.bam | "$PROGRAM" map ref.mrs - --quiet -o odd.sam 2>said
  # Reads that have a mate by their flags have one in bwa's records; the tags are the same.
  keyed() { records "$1" | awk -F'\t' '$2 < 256 { name = $1; sub(/[.\/][12]$/, "", name); tag = "none"
      for (i = 12; i <= NF; ++i) if ($i ~ /^RG:/) tag = $i
      print name, $2 % 2 ? "pair" int($2 / 64) % 4 : "single", tag, $10 == "*" ? 0 : length($10) }' | sort; }
  keyed bwa.sam >wanted
  keyed odd.sam | cmp - wanted || fail "reads, mates or read groups are not those of bwa mem -p -C"
  places() { records "$1" | awk -F'\t' '$2 < 256 && $2 % 2 && int($2 / 4) % 2 == 0 && $5 >= 30 { print $1 "/" int($2 / 64) % 4, $3 ":" $4 - ($6 ~ /^[0-9]+S/ ? $6 + 0 : 0) }' | sort; }
  places bwa.sam >wanted
  places odd.sam | join - wanted | awk '{ ++n; if ($2 == $3) ++same } END { exit !(n > 300 && same >= 0.99 * n) }' || fail "places that bwa is sure of"
else
  echo "$test_name: left out without samtools and bwa: the same pairs as bwa mem -p"
fi
[ ! -e strict.sam ] || fail "an output in spite of an error"
