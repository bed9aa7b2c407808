#!/bin/sh
# Proteins: every score, every hit, every alignment, with every kernel.
test_name=proteins
. "$(dirname "$0")/common.sh"

# All scores, with a matrix from a file, in both conventions.
for gap in 11/1 3/2 0/4; do
  open=${gap%/*} extend=${gap#*/}
  awk -v open="$open" -v extend="$extend" -v matrix=matrix.txt -v queries=queries.fa -v subjects=proteins.fa \
    -f "$SOURCE/scores.awk" >expected.tsv
  quietly search queries.fa proteins.fa --matrix matrix.txt --gap-open "$open" --gap-extend "$extend" --all-scores -o all.tsv
  same expected.tsv all.tsv
  quietly search queries.fa proteins.fa --matrix matrix.txt --gap-convention first --gap-open $((open + extend)) \
    --gap-extend "$extend" --all-scores -o all.tsv
  same expected.tsv all.tsv
done
awk -v open=11 -v extend=1 -v matrix=matrix.txt -v queries=queries.fa -v subjects=proteins.fa -f "$SOURCE/scores.awk" >expected.tsv
scoring="--matrix matrix.txt --gap-open 11 --gap-extend 1"
for kernel in auto cpu gpu inter intra published; do
  # shellcheck disable=SC2086
  quietly search queries.fa proteins.fa $scoring --kernel $kernel --all-scores -o all.tsv
  same expected.tsv all.tsv
done
# shellcheck disable=SC2086
quietly search queries.fa proteins.fa $scoring --kernel published --threshold 60 --chunk 1000 --batch-queries 1 --all-scores -o all.tsv
same expected.tsv all.tsv

for kernel in inter intra 'published --threshold 60'; do
  # shellcheck disable=SC2086
  quietly search queries.fa proteins.fa $scoring --kernel $kernel --as-published --all-scores -o all.tsv
  same expected.tsv all.tsv
done

# The best hits are the first of all scores in their order; --max-hits, --min-score.
# shellcheck disable=SC2086
for top in 1 5 100; do
  quietly search queries.fa proteins.fa $scoring --no-evalue --max-hits $top --min-score 20 -o hits.tsv
  body expected.tsv | awk -F'\t' '$3 >= 20 { if (!($1 in rank)) rank[$1] = ++queries; print rank[$1] "\t" NR "\t" $0 }' |
    sort -t'	' -k1,1n -k5,5nr -k2,2n | awk -F'\t' -v top=$top -v OFS='\t' '++seen[$1] <= top { print $3, $4, $5 }' >best.tsv
  body hits.tsv | cut -f1-3 | cmp - best.tsv || fail "--max-hits $top"
  body hits.tsv | awk -F'\t' '$4 != "nan" || $5 != "nan" { exit 1 }' || fail "E-values of a matrix that nobody knows"
done

# BLOSUM62: E-values, sorted; a bound on them.
quietly search queries.fa proteins.fa --max-hits 100 -o ten.tsv
quietly search queries.fa proteins.fa --max-hits 100 --evalue 1e-3 -o few.tsv
head -1 ten.tsv | grep -q '^query	subject	score	bits	evalue	query_length	subject_length$' || fail "header line"
{ head -1 ten.tsv; body ten.tsv | awk -F'\t' '$5 + 0 <= 1e-3'; } | cmp - few.tsv || fail "--evalue"
[ "$(wc -l <few.tsv)" -lt "$(wc -l <ten.tsv)" ] && [ "$(wc -l <few.tsv)" -gt 5 ] || fail "--evalue leaves out"
body ten.tsv | awk -F'\t' '$5 + 0 > 10 || ($1 == last && $5 + 0 < before) { exit 1 } { last = $1; before = $5 + 0 }' || fail "order"
# Both ways to allow for the ends of sequences: the same scores and bits, other E-values, in their order each.
quietly search queries.fa proteins.fa --max-hits 100 --evalue 1000 --statistics finite-size -o finite.tsv
quietly search queries.fa proteins.fa --max-hits 100 --evalue 1000 -o default.tsv
same finite.tsv default.tsv
quietly search queries.fa proteins.fa --max-hits 100 --evalue 1000 --statistics length-adjustment -o adjusted.tsv
for table in finite adjusted; do body $table.tsv | cut -f1-4 | sort >$table.scores; done
[ "$(comm -12 finite.scores adjusted.scores | wc -l)" -gt 100 ] || fail "--statistics changes scores"
body adjusted.tsv | awk -F'\t' '{ e = $3 SUBSEP $1 } (e in evalue) && evalue[e] != $5 { exit 1 } { evalue[e] = $5 }
  $1 == last && $3 > before { exit 1 } { last = $1; before = $3 }' || fail "length-adjustment: one E-value for a score, by score"
body finite.tsv | awk -F'\t' '{ e = $3 SUBSEP $1 } (e in evalue) && evalue[e] != $5 { ++other } { evalue[e] = $5 }
  END { exit other < 10 }' || fail "finite-size: E-values by length"
body ten.tsv | awk -F'\t' '$2 ~ /like/ && !($1 in found) { split($2, p, "like"); found[$1] = p[2] }
  END { for (q = 2; q <= 4; ++q) if (found["q" q] != q) exit 1 }' || fail "what resembles a query is not found"

# Alignments add up to their scores.
# shellcheck disable=SC2086
quietly search queries.fa proteins.fa $scoring --no-evalue --align --max-hits 20 -o align.tsv
head -1 align.tsv | grep -q '	query_start	query_end	subject_start	subject_end	identity	cigar$' || fail "header line"
awk -v check=align.tsv -v open=11 -v extend=1 -v matrix=matrix.txt -v queries=queries.fa -v subjects=proteins.fa \
  -f "$SOURCE/scores.awk" || fail "alignments"

# Kernels, batches, chunks, compression and standard input make no difference.
quietly search queries.fa proteins.fa --align -o whole.tsv
for kernel in cpu gpu inter intra published; do
  quietly search queries.fa proteins.fa --align -o other.tsv --kernel $kernel
  same whole.tsv other.tsv
done
quietly search queries.fa proteins.fa --align -o other.tsv --batch-queries 1 --chunk 1k
same whole.tsv other.tsv
gzip -k queries.fa
quietly search queries.fa.gz proteins.fa --align -o other.tsv
same whole.tsv other.tsv
quietly search - proteins.fa --align <queries.fa >other.tsv
same whole.tsv other.tsv
quietly search queries.fa proteins.fa --align --matrix blosum62 --gap-open 11 --gap-extend 1 -o other.tsv
same whole.tsv other.tsv
quietly search queries.fa proteins.fa --align --gap-open 12 --gap-extend 1 --gap-convention first -o other.tsv
same whole.tsv other.tsv
# The default matrices of BLAST.
for pair in BLOSUM45/14/2 BLOSUM50/13/2 BLOSUM80/10/1 BLOSUM90/10/1 PAM30/9/1 PAM70/10/1 PAM250/14/2; do
  name=${pair%%/*} gap=${pair#*/}
  quietly search queries.fa proteins.fa --matrix "$name" -o one.tsv
  quietly search queries.fa proteins.fa --matrix "$name" --gap-open "${gap%/*}" --gap-extend "${gap#*/}" -o other.tsv
  same one.tsv other.tsv
  body one.tsv | awk -F'\t' '$5 == "*" { exit 1 }' || fail "no E-values for $name"
done
