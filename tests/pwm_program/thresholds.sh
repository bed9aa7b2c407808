#!/bin/sh
# Thresholds, P-values, and scans with tables of them.
test_name=thresholds
. "$(dirname "$0")/common.sh"

quietly threshold motifs.jaspar -p 0.01 -o t.tsv
printf 'motif_id\tlength\tp\tscore\tp_low\tp_high\texact\twords\trelative_score\n' >header
head -n 1 t.tsv | cmp - header || fail "header"
[ "$(wc -l <t.tsv)" = 5 ] || fail "rows"
# Exact: words out of 4^length, no more than p of them; one more score would be too many.
body t.tsv | awk -F'\t' '$4 == "none" { next } $7 != "yes" || $5 > 0.01 || $5 != $6 || $8 != $5 * 4 ^ $2 { print; exit 1 } { ++n } END { exit n < 3 }' ||
  { cat t.tsv; fail "threshold"; }
# The score of the table gives its words back.
body t.tsv | awk -F'\t' '$4 != "none"' | while IFS="$(printf '\t')" read -r id length p score low high exact words relative; do
  quietly pvalue motifs.jaspar --score "$score" -o p.tsv
  awk -F'\t' -v id="$id" -v w="$words" '$1 == id { exit $8 != w }' p.tsv || fail "pvalue of $id's threshold"
done
# The paper's convention: at least p.
quietly threshold motifs.jaspar -p 0.01 --convention paper -o paper.tsv
body paper.tsv | awk -F'\t' '$5 < 0.01 { print; exit 1 }' || fail "--convention paper"
# The paper's algorithm: around the truth.
quietly threshold motifs.jaspar -p 0.01 --method bucket --slices 2 --buckets 3600 -o bucket.tsv
[ "$(wc -l <bucket.tsv)" = 5 ] || fail "--method bucket"
# Letters that are not equally frequent, and both strands.
for strand in + - both; do
  quietly pvalue motifs.jaspar --score 3 --background 0.3,0.2,0.1,0.4 --strand $strand -o exact.tsv
  quietly pvalue motifs.jaspar --score 3 --background 0.3,0.2,0.1,0.4 --strand $strand --method bucket -o bucket.tsv
  awk -F'\t' 'FNR == 1 { next } NR == FNR { low[$1] = $5; high[$1] = $6; next }
    $5 > high[$1] * 1.000001 || $6 < low[$1] * 0.999999 { print; exit 1 }' exact.tsv bucket.tsv || fail "bucket --strand $strand"
done
# Longer words than enumeration reaches, and other backgrounds: P of all words is 1.
quietly pvalue motifs.jaspar --score -1000 --background 0.3,0.2,0.2,0.3 -o all.tsv
body all.tsv | awk -F'\t' '$5 < 0.999999 || $6 > 1.000001 { print; exit 1 }' || fail "P of all words"

# 1e-4 by default, as scan has it.
quietly threshold motifs.jaspar -o usual.tsv
quietly threshold motifs.jaspar -p 1e-4 -o asked.tsv
same usual.tsv asked.tsv
quietly scan motifs.jaspar text.fa -o usual_hits.tsv
quietly scan motifs.jaspar text.fa --thresholds usual.tsv -o asked_hits.tsv
same usual_hits.tsv asked_hits.tsv

# Each strand's words, and the average of both.
printf '>A8\n8 8 8 8 8 8 8 8\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n' >a8.jaspar
for strand in + - both; do
  quietly pvalue a8.jaspar --score 12 --background 0.3,0.2,0.1,0.4 --strand $strand -o p.tsv
  body p.tsv | awk -F'\t' -v s=$strand '{ p = s == "+" ? 0.3 ^ 8 : s == "-" ? 0.4 ^ 8 : (0.3 ^ 8 + 0.4 ^ 8) / 2
    exit !($5 <= p * (1 + 1e-12) && $6 >= p * (1 - 1e-12) && $6 - $5 < 1e-12) }' || { cat p.tsv; fail "pvalue --strand $strand"; }
done
quietly threshold a8.jaspar --background 0.3,0.2,0.1,0.4 --strand - -o minus.tsv
body minus.tsv | cut -f4 | grep -q none || fail "threshold --strand -"

# scan -p equals scan --thresholds with the table, and with two columns of it.
quietly scan motifs.jaspar text.fa -p 0.01 -o p_hits.tsv
quietly scan motifs.jaspar text.fa --thresholds t.tsv -o table_hits.tsv
same p_hits.tsv table_hits.tsv
body t.tsv | cut -f1,4 >two.tsv
quietly scan motifs.jaspar text.fa --thresholds two.tsv -o two_hits.tsv
same p_hits.tsv two_hits.tsv
# Motifs that are not in the table are left out.
grep '^M3' two.tsv >one.tsv
quietly scan motifs.jaspar text.fa --thresholds one.tsv -o one_hits.tsv
awk -F'\t' 'NR == 1 || $1 == "M3"' p_hits.tsv | cmp - one_hits.tsv || fail "--thresholds"
[ "$(wc -l <one_hits.tsv)" -gt 1 ] || fail "no hits to compare"

# A percentage of the range of scores: the threshold is lowest + 0.8 x (highest - lowest), computed here from the columns.
# Pseudocount 1, uniform background, bits.
awk 'BEGIN { FS = "[][ \t]+" } function score(count, sum) { return log((count + 0.25) / (sum + 1) / 0.25) / log(2) }
  function finish(  i, x, sum, s, low, high) {
    if (id == "") return
    low = high = 0
    for (i = 1; i <= n; ++i) {
      sum = 0
      for (x = 1; x <= 4; ++x) sum += count[x, i]
      min = max = score(count[1, i], sum)
      for (x = 2; x <= 4; ++x) { s = score(count[x, i], sum); if (s < min) min = s; if (s > max) max = s }
      low += min; high += max
    }
    printf "%s\t%.9f\n", id, low + 0.8 * (high - low)
  }
  /^>/ { finish(); id = substr($1, 2); row = 0; next }
  { ++row; n = 0; for (i = 2; i <= NF; ++i) if ($i != "") count[row, ++n] = $i }
  END { finish() }' motifs.jaspar >expected.tsv
quietly pvalue motifs.jaspar --score 80% -o percent.tsv
body percent.tsv | awk -F'\t' '{ printf "%s\t%.9f\n", $1, $4 } $9 != "0.800000" { exit 1 }' | diff expected.tsv - >&2 || fail "pvalue --score 80%"
quietly scan motifs.jaspar text.fa --score 80% -o percent_hits.tsv
quietly scan motifs.jaspar text.fa --thresholds percent.tsv -o table_hits.tsv
same percent_hits.tsv table_hits.tsv
awk -F'\t' 'NR == FNR { t[$1] = $2; next } FNR > 1 && $7 < t[$1] - 1e-8 { print; exit 1 } { ++n } END { exit n < 10 }' expected.tsv percent_hits.tsv ||
  fail "scan --score 80%"
quietly scan motifs.jaspar text.fa --score 0% --format counts -o every.tsv
quietly scan motifs.jaspar text.fa --score -1000 --format counts -o all.tsv
same every.tsv all.tsv
# 100% is the best word's score, and its P-value counts the best words only.
quietly pvalue motifs.jaspar --score 100% -o best.tsv
body best.tsv | awk -F'\t' '$8 < 1 || $9 != "1.000000" { print; exit 1 }' || fail "--score 100%"
quietly scan motifs.jaspar text.fa --score 8.25 -o number.tsv
body number.tsv | awk -F'\t' '$7 < 8.25 { exit 1 } END { exit NR < 2 }' || fail "--score 8.25"
expect 1 '--score: "80 %"; expected a number, or a percentage' scan motifs.jaspar text.fa --score "80 %"
expect 1 '--score: "101%"' scan motifs.jaspar text.fa --score 101%
expect 1 '--score: "-1%"' pvalue motifs.jaspar --score=-1%
expect 1 '--score: "x"' pvalue motifs.jaspar --score x
expect 1 "scores of motif M1 are infinite; expected --pseudocount above 0" scan motifs.jaspar text.fa --score 80% --pseudocount 0
