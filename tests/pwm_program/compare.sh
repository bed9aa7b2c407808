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
body bucket.tsv | awk -F'\t' '$4 != 0 || $9 <= 0.5 { print; exit 1 }' || fail "--method bucket"
