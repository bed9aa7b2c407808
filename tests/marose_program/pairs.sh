#!/bin/sh
# Paired reads.
test_name=pairs
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o best.sam
well_made best.sam pairs_1.fq pairs_2.fq
[ "$(records best.sam | wc -l)" = 800 ] || fail "two records a pair"
# Every simulated pair is a proper one, near its place unless that is within the repeat, which the quality says; a mate
# of random letters is none.
records best.sam | awk -F'\t' '{ split($1, p, ":"); proper = int($2 / 2) % 2; random = p[6] == 30
    if (proper == random) { print "proper: " $0; ++wrong }
    # Where the read begins, clipped bases counted in.
    begin = $4; if ($6 ~ /^[0-9]+S/) begin -= substr($6, 1, index($6, "S") - 1)
    if (!random && $5 > 3 && ($3 != p[2] || (int($2 / 16) % 2 == 0 && (begin < p[3] - 6 || begin > p[3] + 6)))) { print "place: " $0; ++wrong }
    if (random && int($2 / 4) % 2) ++unmapped }
    END { exit wrong > 0 || unmapped != 16 }' >strays || { head -3 strays; fail "pairs in other places"; }
awk 'FNR % 4 == 1 { print substr($1, 2, length($1) - 3) }' pairs_1.fq >names
records best.sam | cut -f1 | uniq | cmp - names || fail "order of the templates"

quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --report all -o all.sam
well_made all.sam pairs_1.fq pairs_2.fq
records all.sam | awk -F'\t' 'int($2 / 256) % 2' | grep -q . || fail "no secondary records in spite of a repeat"
# Their quality may be less where less was asked for.
records all.sam | awk -F'\t' 'int($2 / 256) % 2 == 0' | cut -f1-4,6-9 >all.primary
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --unit-costs -o unit.sam
well_made unit.sam pairs_1.fq pairs_2.fq
records unit.sam | cut -f1-4,6-9 | cmp - all.primary || fail "other primary records with --report all"
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --insert 0:150 -o narrow.sam
well_made narrow.sam pairs_1.fq pairs_2.fq
records narrow.sam | awk -F'\t' 'int($2 / 2) % 2 { exit 1 }' || fail "--insert"

# Mate after mate in one file is the same.
awk 'FNR == NR { line[FNR] = $0; next } { mate[FNR] = $0 }
    END { for (i = 1; i in line; i += 4) { for (k = 0; k < 4; ++k) print line[i + k]; for (k = 0; k < 4; ++k) print mate[i + k] } }' pairs_1.fq pairs_2.fq >both.fq
quietly map ref.mrs both.fq -p -e 5 -o interleaved.sam
well_made interleaved.sam both.fq -p
without_pg interleaved.sam >interleaved && without_pg best.sam | cmp - interleaved || fail "--interleaved"
quietly map ref.mrs both.fq -p -e 5 --batch-reads 7 -o interleaved.sam
without_pg interleaved.sam | cmp - interleaved || fail "--interleaved in batches"
expect 1 "a second file of reads" map ref.mrs both.fq pairs_2.fq -p -e 5
head -4 both.fq >one.fq
expect 1 "one.fq:record 1" map ref.mrs one.fq -p -e 5 --strict
expect 1 "is not the mate of" map ref.mrs pairs_1.fq -p -e 5 --strict

# Several best hits of a mate: records of them where they are asked for, else XA.
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --secondary -o secondary.sam
well_made secondary.sam pairs_1.fq pairs_2.fq
records secondary.sam | awk -F'\t' 'int($2 / 256) % 2' | grep -q . || fail "--secondary writes none"
records secondary.sam | awk -F'\t' 'int($2 / 256) % 2 == 0' | cut -f1-11 >secondary.primary
records best.sam | cut -f1-11 | cmp - secondary.primary || fail "other primary records with --secondary"
records best.sam | grep -q 'XA:Z:' || fail "no XA of mates"

# As many records as are asked for, and the reads that would have more are counted.
expect 0 "not all written" map ref.mrs pairs_1.fq pairs_2.fq -e 5 --secondary --max-hits 1 -o one.sam
[ "$(awk '/^not all written/ { print $4 }' said)" = "$(records secondary.sam | awk -F'\t' 'int($2 / 256) % 2 == 0 && /X0:i:[2-9]/' | wc -l | tr -d ' ')" ] || { cat said; fail "reads of which not all is written"; }
records one.sam | grep -q 'NH:i:[2-9]' && fail "--max-hits 1"
expect 0 "" map ref.mrs pairs_1.fq pairs_2.fq -e 5 --secondary --max-hits 2 -o two.sam
if grep -q "not all written" said; then cat said; fail "all is written"; fi

# Pairs that lie otherwise: mates turned round are pairs of the other kinds.
awk 'BEGIN { split("A C G T N", from, " "); split("T G C A N", to, " "); for (i in from) c[from[i]] = to[i] }
    FNR % 4 == 2 { r = ""; for (i = length($0); i > 0; i--) r = r c[substr($0, i, 1)]; $0 = r } { print }' pairs_2.fq >turned_2.fq
quietly map ref.mrs pairs_1.fq turned_2.fq -e 5 --orientation ff -o ff.sam
quietly map ref.mrs pairs_1.fq turned_2.fq -e 5 -o not.sam
well_made ff.sam pairs_1.fq turned_2.fq
well_made not.sam pairs_1.fq turned_2.fq
[ "$(records ff.sam | awk -F'\t' 'int($2 / 2) % 2' | wc -l)" -gt 700 ] || fail "--orientation ff"
[ "$(records not.sam | awk -F'\t' 'int($2 / 2) % 2' | wc -l)" -lt 100 ] || fail "pairs in the wrong orientation"
expect 1 "" map ref.mrs pairs_1.fq pairs_2.fq --orientation xy

# A mate with more errors than the bound is found near its read.
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 2 --unit-costs --no-rescue -o two.sam
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 2 --unit-costs --rescue 5 -o rescued.sam
expect 1 "--rescue: the errors of mates where alignment scores decide" map ref.mrs pairs_1.fq pairs_2.fq --rescue 5
well_made two.sam pairs_1.fq pairs_2.fq
well_made rescued.sam pairs_1.fq pairs_2.fq
proper() { records "$1" | awk -F'\t' 'int($2 / 2) % 2' | wc -l; }
[ "$(proper rescued.sam)" -gt "$(($(proper two.sam) + 100))" ] || fail "--rescue"

# So it is by default: with 2 errors asked for, mates with 4 are found, those with 5 are not.
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 2 --unit-costs -o default.sam
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 2 --unit-costs --rescue 4 -o four.sam
without_pg default.sam >default && without_pg four.sam | cmp - default || fail "the default of --rescue"
well_made default.sam pairs_1.fq pairs_2.fq
[ "$(proper default.sam)" -gt "$(($(proper two.sam) + 100))" ] || fail "nothing is rescued by default"
[ "$(proper rescued.sam)" -gt "$(proper default.sam)" ] || fail "--rescue above the default"
expect 0 "rescued mates" map ref.mrs pairs_1.fq pairs_2.fq -e 2 --unit-costs -o default.sam
# A pair is the less sure the more errors it has beyond what the mapper looked for everywhere.
records rescued.sam | awk -F'\t' '{ split($12, nm, ":"); if (nm[1] == "NM" && nm[3] > 4 && $5 > 17) { print; exit 1 } }' || fail "MAPQ of rescued mates"

# Small batches, FASTA, and a table.
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --batch-reads 10 -o small.sam
without_pg small.sam >small && without_pg best.sam | cmp - small || fail "batches make a difference"
for i in 1 2; do awk 'FNR % 4 == 1 { print ">" substr($0, 2) } FNR % 4 == 2' pairs_$i.fq >pairs_$i.fa; done
quietly map ref.mrs pairs_1.fa pairs_2.fa -e 5 -o fasta.sam
well_made fasta.sam pairs_1.fa pairs_2.fa
records best.sam | cut -f1-10 >best && records fasta.sam | cut -f1-10 | cmp - best || fail "FASTA and FASTQ differ"
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o best.tsv
[ "$(tail -n +2 best.tsv | wc -l)" = "$(records unit.sam | awk -F'\t' 'int($2 / 4) % 2 == 0' | wc -l)" ] || fail "table"
grep -q '^p1:[^	]*/2	' best.tsv || fail "the table does not tell mates apart"

if command -v samtools >/dev/null; then
  quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o best.bam
  samtools quickcheck best.bam || fail "quickcheck"
  samtools view -h best.bam | grep -v '^@PG' >viewed
  without_pg best.sam | cmp - viewed || fail "SAM and BAM differ"
  samtools sort -o sorted.bam best.bam 2>/dev/null && samtools index sorted.bam || fail "sort and index"
  [ "$(samtools view -c -F 4 sorted.bam contig1)" -gt 100 ] || fail "view of a contig"
  samtools calmd best.sam ref.fa 2>/dev/null | grep -v '^@' >calmd
  records best.sam | awk -F'\t' 'function tags(   i, t) { t = ""; for (i = 12; i <= NF; ++i) if ($i ~ /^(NM|MD):/) t = t " " $i; return t }
      NR == FNR { ours[FNR] = tags(); next } { if (ours[FNR] != tags()) { print ours[FNR], tags(); ++wrong } }
      END { exit wrong > 0 || FNR != 800 }' - calmd || fail "NM and MD are not those of samtools calmd"
else
  echo "$test_name: left out without samtools: BAM, sort, index, calmd"
fi
