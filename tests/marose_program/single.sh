#!/bin/sh
# Single reads: every simulated place is found, in every format, from every kind of input.
test_name=single
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs --read-length 40 -e 3 --hamming
quietly map ref.mrs single_40.fq -e 3 --hamming --report all -o all.tsv
head -1 all.tsv | grep -q '^read	reference	strand	position	errors$' || fail "header line of the table"
awk -F'\t' 'NR == FNR { if (FNR > 1) found[$1 "\t" $2 "\t" $4 "\t" $3 "\t" $5] = 1; next }
            FNR % 4 == 1 { name = substr($1, 2); split(name, p, ":"); ++reads
                           if (!((name "\t" p[2] "\t" p[3] "\t" p[4] "\t" p[5]) in found)) { print "missed: " name; ++missed } }
            END { exit missed > 0 || reads != 600 }' all.tsv single_40.fq || fail "not every simulated place is found"

# An index in a file and one in memory; plain, gzip, standard input; small batches: the same.
quietly map ref.fa single_40.fq -e 3 --hamming --report all -o memory.tsv
same all.tsv memory.tsv
gzip -k single_40.fq
quietly map ref.mrs single_40.fq.gz -e 3 --hamming --report all -o gzip.tsv
same all.tsv gzip.tsv
quietly map ref.mrs - -e 3 --hamming --report all --format tsv --batch-reads 64 <single_40.fq >stdin.tsv
same all.tsv stdin.tsv
gzip -k ref.fa
quietly map ref.fa.gz single_40.fq -e 3 --hamming --report all -o memory.tsv
same all.tsv memory.tsv

# The published methods with the paper's parameters: the same hits, also by the hash of the paper.
for method in list 'phf' 'phf --as-published'; do
  quietly index ref.fa -o published.mrs --method $method --seed-mask '######-##' --neighbourhood 7
  quietly map published.mrs single_40.fq -e 3 --hamming --report all --shift 1 --neighbourhood-errors 1 -o published.tsv
  same all.tsv published.tsv
done
expect 1 "published.mrs: --method phf for an index that was made with phf-published" map published.mrs single_40.fq --method phf
expect 1 '--as-published: "--method list"; expected --method phf' index ref.fa -o x.mrs --method list --as-published
quietly map ref.fa single_40.fq -e 3 --hamming --report all --method phf --as-published --neighbourhood 4 -o published.tsv
same all.tsv published.tsv

# Built in little memory: the same file.
quietly index ref.fa -o small.mrs --read-length 40 -e 3 --hamming --device-memory 2M
cmp ref.mrs small.mrs || fail "--memory"

# SAM: the same hits, in the order of the reads, fit for other programs.
quietly map ref.mrs single_40.fq -e 3 --hamming --report all -o all.sam --read-group 'ID:x\tSM:y'
well_made all.sam single_40.fq
records all.sam | awk -F'\t' -v OFS='\t' '{ split($12, nm, ":"); print $1, $3, int($2 / 16) % 2 ? "-" : "+", $4, nm[3] }' >sam.tsv
tail -n +2 all.tsv | cmp - sam.tsv || fail "SAM and table differ"
awk 'FNR % 4 == 1 { print substr($1, 2) }' single_40.fq >names
records all.sam | cut -f1 | uniq | cmp - names || fail "order of the reads"
grep -q '^@RG	ID:x	SM:y$' all.sam || fail "@RG"
[ "$(records all.sam | grep -c 'RG:Z:x$')" = "$(records all.sam | wc -l)" ] || fail "RG"
grep -q '^@PG	ID:genocl-marose	PN:genocl-marose	VN:.*	CL:.* map ref.mrs' all.sam || fail "@PG"

# Options for hits.
quietly map ref.mrs single_40.fq -e 3 --hamming --report 1 -o one.tsv
[ "$(wc -l <one.tsv)" = 601 ] || fail "--report 1"
quietly map ref.mrs single_40.fq -e 3 --hamming --strand + --report all -o forward.tsv
quietly map ref.mrs single_40.fq -e 3 --hamming --strand minus --report all -o reverse.tsv
[ "$(cut -f3 forward.tsv | sort -u | tr -d '\n')" = "+strand" ] || fail "--strand +"
[ $(($(wc -l <forward.tsv) + $(wc -l <reverse.tsv))) = $(($(wc -l <all.tsv) + 1)) ] || fail "--strand - and +"
quietly map ref.mrs single_40.fq -e 3 --hamming --report strata:0 -o strata.tsv
quietly map ref.mrs single_40.fq -e 3 --hamming --report best -o best.tsv
[ "$(wc -l <strata.tsv)" -le "$(wc -l <all.tsv)" ] || fail "--report strata:0"
[ "$(cut -f1 best.tsv | uniq | wc -l)" = 601 ] || fail "--report best"
quietly map ref.mrs single_40.fq -e 2 --hamming -o two.sam
well_made two.sam single_40.fq
[ "$(records two.sam | cut -f1 | uniq | wc -l)" = 600 ] || fail "unmapped reads are not kept"
# What a wider bound would bring is said, from a sample of the unmapped: here all of them.
quietly index ref.fa -o default.mrs
"$PROGRAM" map default.mrs single_40.fq -e 1 --hamming -o /dev/null 2>summary || fail "map -e 1"
grep -q '^unmapped .*  of \([0-9][0-9]*\) of them \1 map with -e 10%: some ' summary || fail "no word of a wider bound: $(cat summary)"
"$PROGRAM" map default.mrs single_40.fq -e 10% --hamming -o /dev/null 2>summary || fail "map -e 10%"
grep -q 'map with' summary && fail "a wider bound than 10%"
quietly map ref.mrs single_40.fq -e 2 --hamming -o mapped.sam --no-unmapped
well_made mapped.sam single_40.fq --missing-ok
records two.sam | awk -F'\t' 'int($2 / 4) % 2 == 0' >two.records
records mapped.sam | cmp - two.records || fail "--no-unmapped"
# One record a read, and XA for the other best hits; --secondary writes records of the same.
quietly map ref.mrs single_40.fq -e 3 --hamming -o one.sam
quietly map ref.mrs single_40.fq -e 3 --hamming --secondary -o best.sam
well_made one.sam single_40.fq
well_made best.sam single_40.fq
records one.sam | cut -f1 | uniq -d | grep -q . && fail "two records of a read"
records best.sam | awk -F'\t' 'int($2 / 256) % 2 == 0' | cut -f1-11 >best.primary
records one.sam | cut -f1-11 | cmp - best.primary || fail "other primary records without --secondary"
records best.sam | awk -F'\t' '$3 != "*" { ++count[$1] } END { for (name in count) if (count[name] > 1 && count[name] <= 6) print name, count[name] - 1 }' | sort >others
records one.sam | awk -F'\t' '{ for (i = 12; i <= NF; ++i) if ($i ~ /^XA:Z:/) print $1, gsub(";", ";", $i) }' | sort >named
[ -s named ] || fail "no XA in spite of a repeat"
same others named
records best.sam | awk -F'\t' 'int($2 / 256) % 2 { print $1, $3 "," (int($2 / 16) % 2 ? "-" : "+") $4 "," $6 }' | sort >places
records one.sam | awk -F'\t' '{ for (i = 12; i <= NF; ++i) if ($i ~ /^XA:Z:/) { n = split(substr($i, 6), hit, ";")
    for (k = 1; k < n; ++k) { sub(/,[0-9]+$/, "", hit[k]); print $1, hit[k] } } }' | sort >named
comm -13 places named | grep -q . && fail "XA names what is no secondary record"
quietly map ref.mrs single_40.fq -e 3 --hamming --xa 0 -R '@RG\tID:x\tSM:y' -o none.sam
records none.sam | grep -q 'XA:Z' && fail "--xa 0"
grep -q '^@RG	ID:x	SM:y$' none.sam || fail "-R as bwa takes it"

quietly map ref.mrs single_40.fq -e 3 --hamming --report all -o short.sam --no-secondary-seq
well_made short.sam single_40.fq
records short.sam | awk -F'\t' '(int($2 / 256) % 2 == 1) != ($10 == "*" && $11 == "*") { exit 1 }' || fail "--no-secondary-seq"
records all.sam | awk -F'\t' '$10 == "*" || $11 == "*" { exit 1 }' || fail "secondary records without SEQ"
quietly map ref.mrs single_40.fq -e 3 --hamming --cigar =X -o x.sam
well_made x.sam single_40.fq
records x.sam | awk -F'\t' '$2 != 4 && $6 !~ /X/ { exit 1 }' || fail "--cigar =X"

# Each published method gives the same hits.
for method in list binary phf bitmap offset; do
  quietly map ref.fa single_40.fq -e 3 --hamming --report all --method $method -o $method.tsv
  same all.tsv $method.tsv
done

quietly map ref.fa single_40.fq -e 3 --report all -o edits.sam
well_made edits.sam single_40.fq
if command -v samtools >/dev/null; then
  for format in sam bam; do
    quietly map ref.fa single_40.fq -e 3 --report all -o edits.$format
    samtools quickcheck edits.$format || fail "quickcheck of $format"
  done
  samtools view -h edits.bam | grep -v '^@PG' >viewed
  without_pg edits.sam | cmp - viewed || fail "SAM and BAM differ"
  samtools calmd edits.sam ref.fa 2>/dev/null >calmd.sam
  awk -F'\t' '/^@/ || $10 == "*" || int($2 / 4) % 2 { next } { key = $1 "\t" $2 "\t" $3 "\t" $4; nm = md = ""
      for (i = 12; i <= NF; ++i) { if ($i ~ /^NM:/) nm = $i; if ($i ~ /^MD:/) md = $i }
      if (NR == FNR) { ours[key] = nm md; ++count } else if (ours[key] != nm md) { print key, ours[key], nm md; ++wrong } }
      END { exit wrong > 0 || count < 500 }' edits.sam calmd.sam || fail "NM and MD are not those of samtools calmd"
else
  echo "$test_name: left out without samtools: quickcheck, BAM, calmd"
fi
