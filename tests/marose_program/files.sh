#!/bin/sh
# Several files of reads: as if they were one.
test_name=files
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
# Three parts of unlike size.
for file in single_40 pairs_1 pairs_2; do
  head -40 $file.fq >a_$file.fq
  sed -n '41,800p' $file.fq >b_$file.fq
  tail -n +801 $file.fq >c_$file.fq
done
gzip -k b_pairs_2.fq

quietly map ref.mrs single_40.fq -e 3 --hamming --report all -o single.sam
for list in "-U a_single_40.fq,b_single_40.fq,c_single_40.fq" "-U a_single_40.fq -U b_single_40.fq,c_single_40.fq"; do
  # shellcheck disable=SC2086
  quietly map ref.mrs $list -e 3 --hamming --report all -o parts.sam
  without_pg single.sam >wanted && without_pg parts.sam | cmp - wanted || fail "$list"
done
well_made single.sam -U a_single_40.fq -U b_single_40.fq -U c_single_40.fq
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o pairs.sam
well_made pairs.sam -1 a_pairs_1.fq -2 a_pairs_2.fq -1 b_pairs_1.fq -2 b_pairs_2.fq.gz -1 c_pairs_1.fq -2 c_pairs_2.fq
without_pg pairs.sam >wanted
for list in "-1 pairs_1.fq -2 pairs_2.fq" "-1 a_pairs_1.fq,b_pairs_1.fq,c_pairs_1.fq -2 a_pairs_2.fq,b_pairs_2.fq.gz,c_pairs_2.fq" \
  "-1 a_pairs_1.fq -2 a_pairs_2.fq -1 b_pairs_1.fq,c_pairs_1.fq -2 b_pairs_2.fq,c_pairs_2.fq"; do
  # shellcheck disable=SC2086
  quietly map ref.mrs $list -e 5 -o parts.sam
  without_pg parts.sam | cmp - wanted || fail "$list"
done
# The options may stand before the reference, and one file may be standard input.
quietly map -1 pairs_1.fq -2 - ref.mrs -e 5 -o parts.sam <pairs_2.fq
without_pg parts.sam | cmp - wanted || fail "standard input"

# Pairs and single reads in one run: first the one, then the other, each as alone.
quietly map ref.mrs -1 pairs_1.fq -2 pairs_2.fq -U a_single_40.fq,b_single_40.fq -e 5% -o both.sam
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5% -o first.sam
quietly map ref.mrs -U a_single_40.fq,b_single_40.fq -e 5% -o then.sam
{ records first.sam; records then.sam; } >wanted
well_made both.sam -1 pairs_1.fq -2 pairs_2.fq -U a_single_40.fq -U b_single_40.fq
records both.sam | cmp - wanted || fail "pairs and single reads"
expect 0 "" map ref.mrs -1 pairs_1.fq -2 pairs_2.fq -U a_single_40.fq,b_single_40.fq -e 5% -o both.sam
grep -q "^reads *1000$" said || { cat said; fail "the summary counts other reads"; }
# FASTA behind FASTQ.
awk 'FNR % 4 == 1 { print ">" substr($0, 2) } FNR % 4 == 2' b_single_40.fq >b.fa
quietly map ref.mrs -U a_single_40.fq,b.fa -e 3 --hamming -o parts.sam
quietly map ref.mrs -U a_single_40.fq,b_single_40.fq -e 3 --hamming -o wanted.sam
records wanted.sam | cut -f1-10 >wanted
records parts.sam | cut -f1-10 | cmp - wanted || fail "FASTA behind FASTQ"
# Also a table.
quietly map ref.mrs single_40.fq -e 3 --hamming -o wanted.tsv
quietly map ref.mrs -U a_single_40.fq,b_single_40.fq,c_single_40.fq -e 3 --hamming -o parts.tsv
same wanted.tsv parts.tsv

# An error names its file and the number of the record in that file.
awk 'FNR == 9 { $0 = "@x" $0 } { print }' b_pairs_2.fq >bad_2.fq
expect 1 "bad_2.fq:record 3 (x@p12" map ref.mrs -1 a_pairs_1.fq,b_pairs_1.fq -2 a_pairs_2.fq,bad_2.fq -e 5 -o x.sam
head -40 b_pairs_2.fq >short_2.fq
expect 1 "short_2.fq: ends after 10 records; expected a mate of record 11 (p20:" map ref.mrs -1 a_pairs_1.fq,b_pairs_1.fq -2 a_pairs_2.fq,short_2.fq -e 5 -o x.sam
awk 'FNR == 9 { $0 = "@" $0 } { print }' b_single_40.fq >at.fq
expect 1 "at.fq:record 3 (@s12" map ref.mrs -U a_single_40.fq,at.fq,c_single_40.fq -e 3 --hamming --strict -o x.sam
awk 'FNR == 9 { $0 = $0 " no tag" } { print }' b_single_40.fq >comment.fq
expect 1 "comment.fq:record 3 (s12" map ref.mrs -U a_single_40.fq,comment.fq -e 3 --hamming -C --strict -o x.sam
awk 'BEGIN { text = "A"; while (length(text) < 1024) text = text text; print ">ok\nACGTACGTACGTACGTACGTACGT\n>long\n" text }' >long.fa
expect 1 "long.fa:record 2 (long): a read of 1024 bases" map ref.mrs -U a_single_40.fq,long.fa -e 3 --strict -o x.sam
# A file that is missing is said before any read is mapped.
expect 1 "none.fq: cannot" map none.mrs -U a_single_40.fq,none.fq -o x.sam
expect 1 "b.fa: FASTA; expected FASTQ" map none.mrs -1 a_pairs_1.fq,b_pairs_1.fq -2 a_pairs_2.fq,b.fa -o x.sam

# Options that exclude each other.
expect 1 "-1 and -2: 2 files and 1 file; expected as many of both" map ref.mrs -1 a_pairs_1.fq,b_pairs_1.fq -2 a_pairs_2.fq
expect 1 "-1 and -2: 1 file and 0 files" map ref.mrs -1 a_pairs_1.fq
expect 1 "with single_40.fq after the reference" map ref.mrs single_40.fq -U a_single_40.fq
expect 1 "--interleaved: with -1, -2 or -U" map ref.mrs -p -U a_single_40.fq
expect 1 "standard input" map ref.mrs -1 - -2 - </dev/null
expect 1 "standard input" map ref.mrs -U -,- </dev/null
expect 1 "standard input" map - -U - </dev/null
expect 1 '-U: "a_single_40.fq,,b_single_40.fq" has a file without a name' map ref.mrs -U "a_single_40.fq,,b_single_40.fq"
expect 1 "--strand" map ref.mrs -1 pairs_1.fq -2 pairs_2.fq -U single_40.fq --strand +
expect 1 "no reads" map ref.mrs
untouched c_single_40.fq map ref.mrs -U a_single_40.fq,c_single_40.fq -o c_single_40.fq
[ ! -e x.sam ] || fail "a file in spite of an error"
