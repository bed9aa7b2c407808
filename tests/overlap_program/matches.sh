#!/bin/sh
# mem and suffix-prefix against comparing all places.
test_name=matches
. "$(dirname "$0")/common.sh"

for file in a b reads; do awk -f "$SOURCE/lines.awk" $file.fa >$file.lines; done
# mem REFERENCE.lines QUERY.lines LEAST STRANDS
mem() {
  awk -F'\t' -v least="$3" -v strands="$4" '
    function complement(word,    turned, i, letter) {
      turned = ""
      for (i = length(word); i > 0; --i) {
        letter = substr(word, i, 1)
        turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
      }
      return turned
    }
    function equal(a, i, b, j) { return i > 0 && j > 0 && i <= length(a) && j <= length(b) && substr(a, i, 1) == substr(b, j, 1) && index("ACGT", substr(a, i, 1)) }
    function compare(query, title,    j, r, i, n) {
      print "> " title
      for (j = 1; j <= length(query); ++j)
        for (r = 1; r <= records; ++r)
          for (i = 1; i <= length(letters_of[r]); ++i) {
            if (equal(letters_of[r], i - 1, query, j - 1)) continue
            for (n = 0; equal(letters_of[r], i + n, query, j + n); ++n) { }
            if (n >= least) printf "%s%8d  %8d  %8d\n", (records > 1 ? "  " name_of[r] "  " : ""), i, j, n
          }
    }
    NR == FNR { name_of[++records] = $1; letters_of[records] = $2; next }
    { compare($2, $1); if (strands) compare(complement($2), $1 " Reverse") }' "$1" "$2" >expected
  grep -q -v '^>' expected || fail "nothing to test with"
}
mem a.lines b.lines 10 0
quietly mem a.fa b.fa -l 10 -o got
same got expected
mem a.lines b.lines 5 1
quietly mem a.fa b.fa -l 5 --both-strands >got
same got expected
# One reference record: three columns.
head -n 1 a.lines >one.lines
awk '/^>a2/ { exit } { print }' a.fa >one.fa
mem one.lines b.lines 8 0
quietly mem one.fa b.fa -l 8 -o got
same got expected

# suffix-prefix.
overlaps() {
  awk -F'\t' -v OFS='\t' -v least="$1" -v best="$2" '
    { name[NR] = $1; text[NR] = $2 }
    END {
      print "read_a", "read_b", "length"
      for (a = 1; a <= NR; ++a) {
        longest = 0
        for (b = 1; b <= NR; ++b) {
          if (a == b) continue
          n = length(text[a]) < length(text[b]) ? length(text[a]) - 1 : length(text[b]) - 1
          for (; n >= least; --n) {
            word = substr(text[b], 1, n)
            if (word ~ /[^ACGT]/ || substr(text[a], length(text[a]) - n + 1) != word) continue
            if (!best) print name[a], name[b], n
            else if (n > longest) { longest = n; line = name[a] OFS name[b] OFS n }
            break
          }
        }
        if (best && longest) print line
      }
    }' reads.lines >expected
  [ "$(wc -l <expected)" -gt 3 ] || fail "nothing to test with"
}
overlaps 5 0
quietly suffix-prefix reads.fa -m 5 -o got.tsv
same got.tsv expected
overlaps 3 1
quietly suffix-prefix reads.fa -m 3 --best >got.tsv
same got.tsv expected
# Reads shorter than m.
quietly suffix-prefix reads.fa -m 100 -o got.tsv
[ "$(cat got.tsv)" = "$(printf 'read_a\tread_b\tlength')" ] || fail "reads shorter than -m"
