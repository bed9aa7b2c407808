#!/bin/sh
# Groups of motifs: copies, shifted and turned ones are together, others apart.
test_name=cluster
. "$(dirname "$0")/common.sh"

# family PREFIX SEED: three motifs of ten columns: one, the same without its first column, and the reverse complement.
family() {
  awk -v name="$1" -v seed="$2" 'function motif(id, first, last, turned,   x, i, row) {
      print ">" id
      for (x = 1; x <= 4; ++x) {
        row = ""
        for (i = first; i <= last; ++i) row = row " " (turned ? count[last + first - i, 5 - x] : count[i, x])
        print row
      }
    }
    BEGIN {
      srand(seed)
      for (i = 1; i <= 10; ++i) { best = 1 + int(4 * rand()); for (x = 1; x <= 4; ++x) count[i, x] = x == best ? 90 : 1 + int(5 * rand()) }
      motif(name "1", 1, 10, 0); motif(name "2", 2, 10, 0); motif(name "3", 1, 10, 1)
    }'
}
{ family a 11; family b 22; family c 33; } >three.jaspar
printf 'a1\tA\na2\tA\na3\tA\nb1\tB\nb2\tB\nb3\tB\nc1\tC\nc2\tC\nc3\tC\n' >families.tsv

for by in hits columns; do
  quietly cluster three.jaspar --by $by --families families.tsv --newick tree.nwk --svg logos.svg --family-motifs means.jaspar \
    -o groups.tsv
  grep -q '^adjusted Rand index 1.0000$' said || { cat said groups.tsv; fail "--by $by: families"; }
  [ "$(head -n 1 groups.tsv | tr '\t' ' ')" = "motif_id alt_id group shift orientation distance" ] || fail "header"
  [ "$(body groups.tsv | cut -f3 | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" = "3 3 3 " ] || { cat groups.tsv; fail "groups"; }
  # Relative to the first motif the second is shifted by one column and the third is turned.
  body groups.tsv | awk -F'\t' '{ place[$1] = $4; turn[$1] = $5 }
    END { for (i = 1; i <= 3; ++i) { f = substr("abc", i, 1)
      if (turn[f 1] == turn[f 3] || turn[f 1] != turn[f 2]) { print f, "turned"; exit 1 } } }' || { cat groups.tsv; fail "orientation"; }
  grep -q "^(.*'a1'.*);$" tree.nwk || { cat tree.nwk; fail "--newick"; }
  [ "$(tr -cd '(' <tree.nwk | wc -c)" = 8 ] || fail "a tree of nine motifs has eight merges"
  # The means are motifs themselves, each like its family.
  [ "$(grep -c '^>' means.jaspar)" = 3 ] || fail "--family-motifs"
  grep -q '</svg>' logos.svg || fail "--svg"
  [ "$(grep -c 'group_' logos.svg)" = 3 ] || fail "a logo of each group"
done
quietly cluster means.jaspar -o groups.tsv
[ "$(body groups.tsv | cut -f3 | sort -u | wc -l)" = 3 ] || fail "means of different families"
# All and none together.
quietly cluster three.jaspar --cut 1 -o groups.tsv
[ "$(body groups.tsv | cut -f3 | sort -u | wc -l)" = 1 ] || fail "--cut 1"
quietly cluster three.jaspar --by columns --cut 0 -o groups.tsv
[ "$(body groups.tsv | cut -f3 | sort -u | wc -l)" -ge 3 ] || fail "--cut 0"
expect 0 "9 motifs in 3 groups" cluster three.jaspar -o groups.tsv

expect 1 "--cut: -1; expected 0 or more" cluster three.jaspar --cut -1
expect 1 "-p with --by columns" cluster three.jaspar -p 1e-3
# Columns are the default. A distance is 1 + log10(P) / 6 of the P-values of compare, the mean of both orders.
quietly cluster three.jaspar --by columns --cut 1 -o columns.tsv
quietly cluster three.jaspar --cut 1 -o groups.tsv
cmp -s columns.tsv groups.tsv || fail "the default of --by"
quietly compare three.jaspar three.jaspar --format tomtom --q-threshold 1 -o pairs.tsv
awk -F'\t' 'function distance(p) { p = log(p < 1e-6 ? 1e-6 : p) / log(10); return 1 + p / 6 }
  FNR == NR { if ($1 ~ /^[abc][123]$/) d[$1, $2] = distance($4); next }
  FNR > 1 { got[$1] = $6; if ($4 == 0 && $5 == "+" && $6 == 0) zero[$1] = 1 }
  END {
    for (c in zero) { bad = 0
      for (m in got) if (m != c) { want = (d[m, c] + d[c, m]) / 2; if (want - got[m] > 1e-4 || got[m] - want > 1e-4) ++bad; else if (want > 0.1) ++far }
      if (bad == 0 && far >= 3) right = 1
      far = 0 }
    exit !right }' pairs.tsv groups.tsv || { cat pairs.tsv groups.tsv; fail "distances of columns"; }
printf 'a1\tA\n' >few.tsv
expect 1 "few.tsv: no family of motif a2" cluster three.jaspar --families few.tsv
printf 'a1 A\n' >bad.tsv
expect 1 "bad.tsv:1: no tab" cluster three.jaspar --families bad.tsv
expect 1 "missing.tsv" cluster three.jaspar --families missing.tsv
