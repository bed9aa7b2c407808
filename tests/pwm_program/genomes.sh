#!/bin/sh
# Genomes as users have them: regions, names that are places, chosen motifs, thresholds of the motif file, backgrounds.
test_name=genomes
. "$(dirname "$0")/common.sh"

awk '/^>/ { if (name != "") print name "\t" length(text); name = substr($1, 2); text = ""; next } { text = text $0 } END { print name "\t" length(text) }' text.fa >lengths
quietly scan motifs.jaspar text.fa --score 4.37 -o all.tsv
[ "$(body all.tsv | wc -l)" -gt 50 ] || fail "too few hits to test with"

# Regions: some that overlap, touch, lie inside another one, in any order.
awk -v OFS='\t' 'BEGIN { srand(5); print "track name=x"; print "# a comment" }
  $2 > 40 { for (i = 0; i < 6; i++) { b = int(rand() * ($2 - 20)); e = b + 8 + int(rand() * ($2 - b - 8)); print $1, b, e, "name" i } }
  $2 > 40 { print $1, 0, 12; print $1, 12, 30; print $1, 5, 20 }' lengths | sort -R --random-source=/dev/zero >some.bed
body all.tsv | awk -F'\t' 'NR == FNR { if ($1 !~ /^(track|#)/) { ++n; name[n] = $1; begin[n] = $2; end[n] = $3 } next }
  { for (i = 1; i <= n; i++) if (name[i] == $3 && $4 - 1 >= begin[i] && $5 <= end[i]) { print; next } }' some.bed - >expected
[ "$(wc -l <expected)" -gt 20 ] || fail "too few hits in regions"
quietly scan motifs.jaspar text.fa --score 4.37 --regions some.bed -o found.tsv
# By place: hits of a region that begins later may stand before some of one that reaches further.
body found.tsv | sort >found
sort expected | cmp - found || fail "--regions"
[ -z "$(body found.tsv | cut -f1,3-6 | sort | uniq -d)" ] || fail "--regions: a hit twice"
quietly scan motifs.jaspar text.fa --score 4.37 --regions some.bed --format counts -o counts.tsv
[ "$(body counts.tsv | awk '{ s += $3 } END { print s }')" = "$(wc -l <expected)" ] || fail "--regions: counts"

# The best hit of each motif in each record, and in each region; the first of those that are as good.
body all.tsv | awk -F'\t' '{ k = $3 "\t" $1; if (!(k in best) || $7 > score[k]) { best[k] = $0; score[k] = $7 } } END { for (k in best) print best[k] }' | sort >expected
quietly scan motifs.jaspar text.fa --score 4.37 --best -o best.tsv
body best.tsv | sort | cmp - expected || fail "--best"
body all.tsv >all.rows
grep -v '^track\|^#' some.bed | cut -f1-3 | sort -u | sort -k1,1 -k2,2n -k3,3n | awk -F'\t' 'NR == FNR { hit[++n] = $0; name[n] = $3; b[n] = $4 - 1; e[n] = $5; motif[n] = $1; score[n] = $7; next }
  { split("", top)
    for (i = 1; i <= n; i++) if (name[i] == $1 && b[i] >= $2 && e[i] <= $3 && (!(motif[i] in top) || score[i] > score[top[motif[i]]])) top[motif[i]] = i
    for (m in top) print hit[top[m]] }' all.rows - | sort >expected
quietly scan motifs.jaspar text.fa --score 4.37 --best --regions some.bed -o best.tsv
body best.tsv | sort | cmp - expected || fail "--best --regions"

# Names that are places, counted from 1 or from 0.
awk '/^>/ { next } length($0) >= 60 { print substr($0, 11, 50); exit }' text.fa >letters
{ echo ">chr1:101-150"; cat letters; } >one.fa
{ echo ">chr1:100-150(+)"; cat letters; } >zero.fa
{ echo ">chr1:100"; cat letters; } >none.fa
quietly scan motifs.jaspar none.fa --score 2 -o none.tsv
body none.tsv | awk -F'\t' -v OFS='\t' '{ $3 = "chr1"; $4 += 100; $5 += 100; print }' >expected
[ -s expected ] || fail "no hits in 50 letters"
for which in one zero; do
  quietly scan motifs.jaspar $which.fa --score 2 --genomic-coordinates -o $which.tsv
  body $which.tsv | cmp - expected || fail "--genomic-coordinates: $which"
done
quietly scan motifs.jaspar none.fa --score 2 --genomic-coordinates -o same.tsv
same none.tsv same.tsv

# Chosen motifs, by both names.
quietly scan motifs.jaspar text.fa --score 4.37 --motif M2 --motif M4 -o chosen.tsv
awk -F'\t' 'NR == 1 || $1 == "M2" || $1 == "M4"' all.tsv | cmp - chosen.tsv || fail "--motif"
second=$(awk '/^>M3/ { sub(/^[^\t]*\t/, ""); print }' motifs.jaspar)
quietly scan motifs.jaspar text.fa --score 4.37 --motif "$second" -o chosen.tsv
awk -F'\t' 'NR == 1 || $1 == "M3"' all.tsv | cmp - chosen.tsv || fail "--motif: the second name"

# Motifs of one name are kept apart.
awk '/^>/ { sub(/^>[^ \t]*/, ">M") } { print }' motifs.jaspar >names.jaspar
expect 0 "3 motifs have the name of another one" scan names.jaspar text.fa --score 4.37 -o names.tsv
body names.tsv | sed 's/^M_/M/; s/^M	/M1	/' | cut -f1,3- >apart
body all.tsv | cut -f1,3- | cmp - apart || fail "motifs of one name"

# HOMER's own thresholds: sums of natural logarithms of probability / 0.25.
printf '>ACGT\tfirst\t3.5\t0\n0.7\t0.1\t0.1\t0.1\n0.1\t0.7\t0.1\t0.1\n0.1\t0.1\t0.7\t0.1\n0.1\t0.1\t0.1\t0.7\n' >own.homer
printf '>h\nTTACGTTTACGATT\n' >homer.fa
quietly scan own.homer homer.fa --own-thresholds --log-base e --pseudocount 0 -o own.tsv
body own.tsv | cut -f4,6,7 >own
printf '3\t+\t4.118477669\n3\t-\t4.118477669\n' | cmp - own || { cat own; fail "--own-thresholds"; }

# Hits that are not among the best by the q-value, and P-values of the hits.
quietly scan motifs.jaspar text.fa --score 4.37 --q-values -o q.tsv
quietly scan motifs.jaspar text.fa --score 4.37 --q-threshold 0.9 -o few.tsv
awk -F'\t' 'NR == 1 || $9 <= 0.9' q.tsv | cmp - few.tsv || fail "--q-threshold"
quietly scan motifs.jaspar text.fa --score 4.37 --exact -o exact.tsv
same all.tsv exact.tsv

# MEME's background, and that of the text in words of two and three letters.
{ printf 'MEME version 4\n\nALPHABET= ACGT\n\nBackground letter frequencies\nA 0.3 C 0.2 G 0.1 T 0.4\n'
  printf '\nMOTIF A8\nletter-probability matrix: alength= 4 w= 8 nsites= 8 E= 0\n'
  for i in 1 2 3 4 5 6 7 8; do echo " 1 0 0 0"; done; } >a8.meme
printf '>x\nCCAAAAAAAACC\n>y\nGGTTTTTTTTGG\n' >a8.fa
quietly scan a8.meme a8.fa --score 12 --background motifs -o own.tsv
quietly scan a8.meme a8.fa --score 12 --background 0.3,0.2,0.1,0.4 -o numbers.tsv
same own.tsv numbers.tsv
body own.tsv | cut -f3,6,8 >p
printf 'x\t+\t6.56e-05\ny\t-\t0.000655\n' | cmp - p || fail "--background motifs"
for order in 1 2; do
  quietly scan motifs.jaspar text.fa --score 4.37 --background input --background-order $order -o order.tsv
  cut -f1-7 all.tsv | cmp -s - order.tsv && fail "--background-order without effect"
  [ "$(body order.tsv | awk -F'\t' '!($8 > 0 && $8 < 1)' | wc -l)" = 0 ] || fail "--background-order $order: P-values"
done

# Errors.
scan() { status=$1 text=$2; shift 2; expect "$status" "$text" scan motifs.jaspar text.fa --score 4.37 "$@"; }
scan 1 "none.bed: cannot be opened" --regions none.bed
printf 'r1\t5\n' >bad.bed
scan 1 "bad.bed:1: \"r1" --regions bad.bed
printf '# x\nr1\t9\t9\n' >bad.bed
scan 1 "bad.bed:2: a region without a letter" --regions bad.bed --strict
printf 'r1\t9\t8\n' >bad.bed
scan 1 "bad.bed:1: a region that ends at 8" --regions bad.bed
printf '%s\t0\t99999999\n' "$(head -n 1 lengths | cut -f1)" >bad.bed
scan 1 "bad.bed:1: a region that ends at 99999999" --regions bad.bed --strict
printf 'nowhere\t0\t9\n' >bad.bed
scan 1 "bad.bed:1: a region of nowhere" --regions bad.bed -o out.tsv
[ ! -e out.tsv ] || fail "an output in spite of a wrong region"
: >bad.bed
scan 1 "bad.bed: no region" --regions bad.bed
printf '>chr1:1-99\nACGT\n' >place.fa
expect 1 "chr1:1-99" scan motifs.jaspar place.fa --score 1 --genomic-coordinates
scan 1 "--motif: \"M9\"" --motif M9
scan 1 "--best with q-values" --best --q-values
scan 1 "--best with --format counts" --best --format counts
scan 1 "--q-threshold: 0" --q-threshold 0
scan 1 "--genomic-coordinates with --regions" --genomic-coordinates --regions some.bed
scan 1 "the motif file has no background" --background motifs
scan 1 "--background-order is that of" --background-order 1
expect 1 "--own-thresholds are HOMER's" scan own.homer homer.fa --own-thresholds
expect 1 "no threshold for motif M1" scan motifs.jaspar text.fa --own-thresholds --log-base e --pseudocount 0
sed 's/T 0.4/T 0.9/' a8.meme >bad.meme
expect 1 "bad.meme:6: a background that sums to 1.5" scan bad.meme a8.fa --score 1
{ cat a8.meme; sed 's/ALPHABET= ACGT/ALPHABET= ACDEFGHIKLMNPQRSTVWY/' a8.meme; } >two.meme
expect 1 "an alphabet of \"ACDEFGHIKLMNPQRSTVWY\"" scan two.meme a8.fa --score 1
