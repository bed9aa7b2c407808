#!/bin/sh
# Comparison of motifs: the best shift is one of all, and a motif is itself.
test_name=compare
. "$(dirname "$0")/common.sh"

# A little below the scores themselves: which of two orders a score is added in makes no difference then.
quietly threshold motifs.jaspar -p 0.01 -o exact.tsv
body exact.tsv | awk -F'\t' '$4 != "none" { printf "%s\t%.9f\n", $1, $4 - 1e-6 }' >t.tsv
quietly compare motifs.jaspar motifs.jaspar --thresholds t.tsv -o best.tsv
printf 'motif_a\tmotif_b\torientation\tshift\tunion_length\ttrue_positives\tonly_a\tonly_b\tsimilarity\n' >header
head -n 1 best.tsv | cmp - header || fail "header"
quietly compare motifs.jaspar motifs.jaspar --thresholds t.tsv --all-shifts -o all.tsv
kept=$(body best.tsv | cut -f1 | sort -u | wc -l)
[ "$(body best.tsv | wc -l)" = $((kept * kept)) ] || fail "pairs"
body best.tsv | awk -F'\t' '$1 == $2 && ($3 != "+" || $4 != 0 || $9 != 1) { print; exit 1 }' || fail "a motif and itself"
# The best one of each pair.
awk -F'\t' 'FNR == 1 { next } NR == FNR { line[$1, $2] = $0; best[$1, $2] = $9; next }
  $9 > best[$1, $2] { print; exit 1 } $0 == line[$1, $2] { ++found } END { for (pair in line) ++pairs; exit found != pairs }' best.tsv all.tsv ||
  fail "best and all"
# Both orders say the same.
awk -F'\t' 'FNR == 1 { next } { t[$1, $2] = $6 "\t" $7 "\t" $8; s[$1, $2] = $9 }
  END { for (k in s) { split(k, w, SUBSEP); if (s[k] != s[w[2], w[1]]) exit 1 } }' best.tsv || fail "symmetry"
# A turned motif is found turned.
awk '/^>/ { print ">turned"; next } { n = NF - 3; line = ""; for (i = n; i > 0; --i) line = line " " $(i + 2); row[$1] = line }
  END { print "A [" row["T"] " ]\nC [" row["G"] " ]\nG [" row["C"] " ]\nT [" row["A"] " ]" }' <<END >turned.jaspar
$(sed -n '/^>M3/,/^T/p' motifs.jaspar)
END
sed -n '/^>M3/,/^T/p' motifs.jaspar >m3.jaspar
printf 'turned\t%s\n' "$(awk '$1 == "M3" { print $2 }' t.tsv)" >>t.tsv
quietly compare m3.jaspar turned.jaspar --thresholds t.tsv -o turned.tsv
body turned.tsv | awk -F'\t' '$3 != "-" || $4 != 0 || $9 < 0.999 { print; exit 1 }' || fail "a turned motif"
quietly compare m3.jaspar m3.jaspar -p 0.01 --method bucket -o bucket.tsv
body bucket.tsv | awk -F'\t' '$4 != 0 || $9 < 0.999 { print; exit 1 }' || fail "--method bucket: a motif with itself"
# Long motifs: slices are chosen, and too few are refused at once.
awk 'BEGIN { srand(3); for (m = 1; m <= 1; ++m) { print ">long" m
  for (x = 1; x <= 4; ++x) { row = ""; for (i = 1; i <= 14; ++i) row = row " " int(20 * rand()) + (x == 1 + i % 4 ? 30 : 0); print row } } }' >long.jaspar
quietly compare long.jaspar long.jaspar --method bucket --buckets 8 -o bucket.tsv
[ "$(wc -l <bucket.tsv)" = 2 ] || fail "--method bucket with long motifs"
expect 1 "slices: 2 slices for unions of up to 28 columns; expected 3 or more" compare long.jaspar long.jaspar --method bucket --slices 2
expect 1 "too many operations" compare long.jaspar long.jaspar --method bucket --buckets 2000
# By default unions of 17 to 20 columns merge no distributions; similarities are near the exact ones.
awk 'BEGIN { srand(5); print ">ten"; for (x = 1; x <= 4; ++x) { row = ""; for (i = 1; i <= 10; ++i) row = row " " int(20 * rand()) + (x == 1 + i % 4 ? 30 : 0); print row } }' >ten.jaspar
quietly compare ten.jaspar ten.jaspar --method bucket -p 1e-3 --all-shifts -o bucket.tsv
quietly compare ten.jaspar ten.jaspar -p 1e-3 --all-shifts -o exact.tsv
[ "$(wc -l <exact.tsv)" = 43 ] || fail "not every shift of ten columns"
awk -F'\t' 'FNR == 1 { next } NR == FNR { s[$3, $4] = $9; next } $9 - s[$3, $4] > 0.15 || s[$3, $4] - $9 > 0.15 { print; exit 1 }' exact.tsv bucket.tsv ||
  fail "--method bucket is far from the exact similarity"
# Tomtom's columns: each motif is its own best match, a turned one is found turned, and only likely ones are written.
quietly compare motifs.jaspar motifs.jaspar --format tomtom --q-threshold 1 -o tomtom.tsv
[ "$(head -n 1 tomtom.tsv | tr '\t' ' ')" = "Query_ID Target_ID Optimal_offset p-value E-value q-value Overlap Query_consensus Target_consensus Orientation" ] ||
  fail "tomtom's header"
motifs=$(grep -c '^>' motifs.jaspar)
[ "$(body tomtom.tsv | wc -l)" = $((motifs * motifs)) ] || fail "tomtom's pairs"
body tomtom.tsv | awk -F'\t' -v n="$motifs" '$5 < $4 * n * 0.999 || $5 > $4 * n * 1.001 || $6 < $4 { print; exit 1 }
  $1 != query { query = $1; least = $4 } $4 < least { print; exit 1 } { least = $4 } $1 == $2 && ($3 != 0 || $10 != "+" || $8 != $9) { print; exit 1 }' || fail "tomtom's rows"
quietly compare m3.jaspar turned.jaspar --format tomtom --q-threshold 1 -o turned.tsv
body turned.tsv | awk -F'\t' '$10 != "-" || $3 != 0 || $8 != $9 { print; exit 1 }' || fail "tomtom and a turned motif"
quietly compare motifs.jaspar motifs.jaspar --format tomtom --q-threshold 1e-9 -o few.tsv
body few.tsv | awk -F'\t' '$6 > 1e-9 { print; exit 1 }' || fail "--q-threshold"
quietly compare motifs.jaspar motifs.jaspar --format tomtom --q-threshold 1 --column-score pearson -o pearson.tsv
cmp -s pearson.tsv tomtom.tsv && fail "--column-score"
for options in "--format tomtom -p 0.01" "--format tomtom --thresholds t.tsv" "--format tomtom --all-shifts" \
  "--format tomtom --method certified" "--q-threshold 0.1" "--column-score pearson" "--format tomtom --q-threshold -1"; do
  # shellcheck disable=SC2086
  "$PROGRAM" compare motifs.jaspar motifs.jaspar $options >/dev/null 2>err && fail "$options"
  [ "$(wc -l <err)" = 1 ] || fail "$options: $(cat err)"
done
