#!/bin/sh
# lce and rmq against awk.
test_name=queries
. "$(dirname "$0")/common.sh"

awk -f "$SOURCE/lines.awk" text.fa | cut -f2 | tr -d '\n' >concatenated
awk 'BEGIN { srand(5); print "# pairs"; print ""; print "0 0"; print "  415\t415"; for (i = 0; i < 200; ++i) print int(rand() * 416), int(rand() * 416) }' >pairs
awk 'NR == FNR { text = $0; next } FNR == 1 { print "a\tb\tlength" } /^#/ || NF == 0 { next }
  { n = 0; while ($1 + n < length(text) && $2 + n < length(text) && substr(text, $1 + n + 1, 1) == substr(text, $2 + n + 1, 1)) ++n
    print $1 "\t" $2 "\t" n }' concatenated pairs >expected
for structure in block sparse bv1; do
  quietly lce text.fa --queries pairs --rmq $structure -o got.tsv
  same got.tsv expected
done
quietly lce concatenated --bytes --queries - <pairs >got.tsv
same got.tsv expected

quietly lcp text.fa -o values
numbers values >values.txt
awk '/^#/ || NF == 0 { print; next } { print ($1 < $2 ? $1 " " $2 : $2 " " $1) }' pairs >ranges
awk 'NR == FNR { value[NR - 1] = $1; next } FNR == 1 { print "first\tlast\tposition\tminimum" } /^#/ || NF == 0 { next }
  { place = $1 + 0; for (i = $1; i <= $2; ++i) if (value[i] < value[place]) place = i
    print $1 "\t" $2 "\t" place "\t" value[place] }' values.txt ranges >expected
for structure in block sparse bv1; do
  quietly rmq text.fa --queries ranges --rmq $structure -o got.tsv
  same got.tsv expected
done
# No queries, and lines that end as Windows ends them.
: >none
quietly rmq text.fa --queries none -o got.tsv
[ "$(cat got.tsv)" = "$(printf 'first\tlast\tposition\tminimum')" ] || fail "no queries"
printf '3 7\r\n' >windows
quietly rmq text.fa --queries windows -o got.tsv
[ "$(wc -l <got.tsv)" = 2 ] || fail "Windows line ends"
