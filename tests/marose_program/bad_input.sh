#!/bin/sh
# An error is one line, and nothing is written.
test_name=bad_input
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs --read-length 40 -e 3 --hamming

# Usage.
expect 1 "subcommand" 
expect 1 "reads" map ref.mrs
expect 1 "-e: \"x\"; expected a number of errors" map ref.mrs single_40.fq -e x
expect 1 "-e: \"100%\"" map ref.mrs single_40.fq -e 100%
expect 1 "--report: \"worst\"; expected best, all" map ref.mrs single_40.fq --report worst
expect 1 "--strand" map ref.mrs single_40.fq --strand =
expect 1 "--strand" map ref.mrs pairs_1.fq pairs_2.fq --strand +
expect 1 "--insert" map ref.mrs pairs_1.fq pairs_2.fq --insert 5:4
expect 1 "--format" map ref.mrs single_40.fq --format vcf
expect 1 "-R: \"SM:y\" has no ID; expected" map ref.mrs single_40.fq --read-group SM:y
expect 1 "excludes" map ref.mrs single_40.fq --hamming --levenshtein
expect 1 "no-such-device" map ref.mrs single_40.fq --device no-such-device
expect 1 "" index ref.fa -o x.mrs --method perfect
expect 1 "--device-memory: \"much\"; expected a number like" index ref.fa -o x.mrs --device-memory much
for size in 900k 900K 0.9m 0.9M 1g 1G; do quietly index ref.fa -o size.mrs --segment $size; done
for size in 5m 5M 5000K 5000k; do
  expect 0 "" plan --length 100 -e 5% --reference-size $size
  grep -q "^reference_bases	5000000$" out || fail "--reference-size $size"
done
expect 1 "--device-memory: \"0\"" index ref.fa -o x.mrs --device-memory 0
expect 2 "an index with mask" index ref.fa -o x.mrs --device-memory 900
expect 1 "" index ref.fa -o x.mrs --seed-mask '##x##'
expect 1 "" index ref.fa -o x.mrs --method canonical --seed-mask '##-#'

# The index.
expect 1 "none.mrs: cannot be read: No such file" map none.mrs single_40.fq
size=$(wc -c <ref.mrs)
for part in 0 7 63 100 4095 $((size / 2)) $((size - 1)); do
  head -c "$part" ref.mrs >cut.mrs
  if [ "$part" -lt 8 ]; then expect 1 "cut.mrs: is not an index" map cut.mrs single_40.fq
  else expect 1 "cut.mrs: cut off after $part bytes" map cut.mrs single_40.fq; fi
done
for at in 20 40 70 4100 $((size / 3)) $((size / 2)) $((size - 2)); do
  cp ref.mrs flipped.mrs
  byte=$(od -An -tu1 -j "$at" -N1 ref.mrs | tr -d ' ')
  # shellcheck disable=SC2059
  printf "\\$(printf %o $((byte ^ 16)))" | dd of=flipped.mrs bs=1 seek="$at" conv=notrunc 2>/dev/null
  expect 1 "flipped.mrs:" map flipped.mrs single_40.fq
  grep -q damaged said || { cat said; fail "a flipped byte at $at is not called damage"; }
done
cp ref.mrs version.mrs
printf '\011' | dd of=version.mrs bs=1 seek=12 conv=notrunc 2>/dev/null
expect 1 "version.mrs: an index of version 9; expected version" map version.mrs single_40.fq
expect 1 "ref.mrs: --method list for an index that was made with kmers" map ref.mrs single_40.fq --method list
expect 1 "ref.mrs: --seed-mask ##### for an index" map ref.mrs single_40.fq --seed-mask '#####'
expect 1 "ref.mrs: --neighbourhood 8 for an index that was made with none" map ref.mrs single_40.fq --neighbourhood 8
cp single_40.fq reads.mrs
expect 1 "reads.mrs: is not an index" map reads.mrs single_40.fq

# The reference.
printf '>a\nNNNNNNNNNNNNNNNNNNNNNNNNNNNN\n' >n.fa
expect 1 "n.fa" index n.fa -o x.mrs
printf '>a\nACGT\n' >short.fa
expect 1 "short.fa" index short.fa -o x.mrs
: >empty.fa
expect 1 "empty.fa" index empty.fa -o x.mrs
printf '>a\nACGJ\n' >letter.fa
expect 1 "letter.fa:record 1 (a), letter 4" index letter.fa -o x.mrs
[ ! -e x.mrs ] || fail "an index in spite of an error"
{ cat ref.fa; printf '>contig1\nACGT\n'; } >twice.fa
expect 1 "twice.fa:contig 4 (contig1): a name that comes twice" map twice.fa single_40.fq -e 3 --hamming
# What map could not write is no index, whatever is then asked for.
expect 1 "twice.fa:contig 4 (contig1): a name that comes twice" index twice.fa -o x.mrs
{ cat ref.fa; printf '>\nACGT\n'; } >nameless.fa
expect 1 "nameless.fa:contig 4 (): a name that SAM does not allow" index nameless.fa -o x.mrs
{ printf '>* star\nACGT\n'; cat ref.fa; } >star.fa
expect 1 "star.fa:contig 1 (*): a name that SAM does not allow" index star.fa --strict -o x.mrs
{ cat ref.fa; printf '>chr\303\251\nACGT\n'; } >utf8.fa
expect 1 "utf8.fa:contig 4 (chr" index utf8.fa --strict -o x.mrs
expect 1 "utf8.fa:contig 4 (chr" map utf8.fa single_40.fq -e 3 --hamming --strict -o x.tsv
[ ! -e x.mrs ] && [ ! -e x.tsv ] || fail "a file in spite of a contig's name"
awk 'BEGIN { srand(5); for (i = 0; i < 100000; ++i) { text = ""; for (j = 0; j < 25; ++j) text = text substr("ACGT", int(4 * rand()) + 1, 1)
  print ">t" i "\n" text; if (i % 1000 == 0) print "@r" i "\n" text "\n+\nIIIIIIIIIIIIIIIIIIIIIIIII" > "tiny.fq" } }' >tiny.fa
expect 0 "" map tiny.fa tiny.fq -e 1 --hamming --report all -o tiny.tsv
awk -F'\t' 'NR > 1 && substr($1, 2) == substr($2, 2) && $4 == 1 && $5 == 0 { ++found } END { exit found != 100 }' tiny.tsv ||
  fail "reads of tiny contigs"

# The reads.
expect 1 "none.fq: cannot" map ref.mrs none.fq
printf '@a\nACGT\n+\nII\n' >quality.fq
expect 1 "quality.fq:record 1 (a)" map ref.mrs quality.fq
printf '@a\nACGT\n+\nIIII\n@b\nA\n+\nI\n@c\n%040d\n+\n%040d\n' 0 0 | sed '9,$s/0/N/g' >odd.fq
sed -n 2p single_40.fq >one
{ cat odd.fq; head -4 single_40.fq; } >odd4.fq
expect 0 "too short" map ref.mrs odd4.fq -e 3 --hamming -o odd.sam
well_made odd.sam odd4.fq
[ "$(records odd.sam | cut -f2 | head -3 | sort -u)" = 4 ] || fail "short and unknown reads are unmapped"
[ "$(records odd.sam | wc -l)" = 4 ] || fail "no read is dropped"
awk 'BEGIN { text = "A"; while (length(text) < 1001) text = text text; text = substr(text, 1, 1001); print ">ok\nACGTACGTACGTACGTACGTACGT\n>long\n" text }' >long.fa
expect 1 "long.fa:record 2 (long): a read of 1001 bases; expected at most 1000" map ref.mrs long.fa --strict
printf '@x\nACGTACGTACGTACGTACGTACGT\n+\nIIIIIIIIIIIIIIIIIIIIIIII\n' >at.fq
sed 's/@x/@@x/' at.fq >at2.fq
expect 1 "at2.fq:record 1 (@x): a name that SAM does not allow" map ref.mrs at2.fq -e 1 --strict -o x.sam

{ head -4 single_40.fq; printf '@b\n\n+\n\n'; } >empty.fq
expect 1 "empty.fq:record 2 (b): an empty record" map ref.mrs empty.fq --strict
printf '>a\n>b\nACGT\n' >reads.fa
expect 0 "too short" map ref.mrs reads.fa -e 1 -o reads.sam
[ "$(records reads.sam | cut -f1,2 | tr '\t\n' '  ')" = "a 4 b 4 " ] || fail "empty and short reads are unmapped"

# Mates.
head -40 pairs_2.fq >few.fq
expect 1 "few.fq: ends after 10 records; expected a mate of record 11" map ref.mrs pairs_1.fq few.fq
expect 1 "few.fq: ends after 10 records; expected a mate of record 11" map ref.mrs few.fq pairs_1.fq
sed '9s/@p2/@q2/' pairs_2.fq >other.fq
expect 1 "other.fq:record 3 (q2" map ref.mrs pairs_1.fq other.fq
awk 'FNR % 4 == 1 { print ">" substr($0, 2) } FNR % 4 == 2' pairs_2.fq >pairs_2.fa
expect 1 "pairs_2.fa: FASTA; expected FASTQ" map ref.mrs pairs_1.fq pairs_2.fa
expect 1 "standard input" map ref.mrs - - </dev/null
expect 1 "standard input" map - - </dev/null

# More errors than a proof exists for: said, and the heuristic offered.
expect 1 "heuristic" plan --length 20 -e 9
expect 1 "expected longer reads, fewer errors or a seed mask" index ref.fa -o x.mrs --read-length 10 -e 9
if grep -q heuristic said; then fail "index speaks of an option that it does not have"; fi
expect 1 "at most 11, or --heuristic" map ref.mrs single_40.fq -e 12 --hamming --strict -o many.sam
[ ! -e many.sam ] || fail "an output of reads for which nothing is proved"
expect 0 "600 reads were mapped with fewer errors than asked for (11 at 40 bases)" map ref.mrs single_40.fq -e 12 --hamming -o many.sam
well_made many.sam single_40.fq
expect 0 "heuristic" map ref.mrs single_40.fq -e 12 --hamming --heuristic -o many.sam

# Low complexity: every hit is written, or the maximum number with a warning.
awk 'BEGIN { text = "A"; while (length(text) < 20000) text = text text; text = substr(text, 1, 20000); print ">poly\n" text; print "@a\n" substr(text, 1, 40) "\n+\n" substr(text, 1, 40) > "poly.fq" }' >poly.fa
expect 0 "" map poly.fa poly.fq -e 1 --hamming --report all -o poly.tsv
[ "$(wc -l <poly.tsv)" = 19962 ] || fail "not every hit of a read of low complexity"
expect 0 "not all written" map poly.fa poly.fq -e 1 --hamming --report 10 -o poly.sam
[ "$(records poly.sam | grep -c 'NH:i:10.*X0:i:19961')" = 10 ] || fail "hits that are left out are not told"
cp poly.fq poly2.fq
expect 0 "" map poly.fa poly.fq poly2.fq -e 1 --hamming -o poly.sam

# Numbers, subcommands.
for number in -1 4294967296 1.5 x; do
  expect 1 "--read-length: \"$number\"; expected a whole number from 0 to 4294967295" index ref.fa -o x.mrs --read-length $number
  expect 1 "--threads: \"$number\"" map ref.mrs single_40.fq --threads $number
done
expect 1 "--batch-reads: \"-1\"" map ref.mrs single_40.fq --batch-reads -1
expect 1 "--level: \"10\"; expected a whole number from 0 to 9" map ref.mrs single_40.fq --level 10
expect 1 "no subcommand \"mpa\"; did you mean map?" mpa ref.mrs single_40.fq
help_to_full_disk "map --help"

# The output.
untouched ref.fa index ref.fa -o ref.fa
untouched ref.mrs map ref.mrs single_40.fq -o ref.mrs
untouched single_40.fq map ref.mrs single_40.fq -o single_40.fq
untouched pairs_2.fq map ref.mrs pairs_1.fq pairs_2.fq -o pairs_2.fq
expect 1 "error: -o: an index cannot be written to standard output; expected the name of a file" index ref.fa -o -
expect 1 "x.bam: sam under a name for bam" map ref.mrs single_40.fq --format sam -o x.bam
expect 1 "/dev/full: cannot be written: No space left on device" map ref.mrs single_40.fq -o /dev/full
expect 1 "/dev/full: cannot be written: No space left on device" map ref.mrs single_40.fq --format bam -o /dev/full
expect 1 "/dev/full: is no regular file" index ref.fa -o /dev/full
expect 1 "none/x.sam: cannot be written: No such file" map ref.mrs single_40.fq -o none/x.sam
expect 1 "none/x.mrs: cannot be written: No such file" index ref.fa -o none/x.mrs
[ ! -e ./- ] || fail "a file called -"
[ ! -e x.sam ] || fail "a file in spite of an error"
for left in .genocl*; do [ ! -e "$left" ] || fail "files left behind"; done
