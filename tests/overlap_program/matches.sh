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
            if (n >= least) printf "%s%8d  %8d  %8d\n", (records > 1 ? sprintf("  %-" widest "s  ", name_of[r]) : ""), i, j, n
          }
    }
    NR == FNR { name_of[++records] = $1; letters_of[records] = $2; if (length($1) > widest) widest = length($1); next }
    { compare($2, $1); if (strands) compare(complement($2), $1 " Reverse") }' "$1" "$2" >expected
  grep -q -v '^>' expected || fail "nothing to test with"
}
mem a.lines b.lines 10 0
quietly mem a.fa b.fa -l 10 -o got
same got expected
mem a.lines b.lines 5 1
quietly mem a.fa b.fa -l 5 --strand both >got
same got expected
# One reference record: three columns.
head -n 1 a.lines >one.lines
awk '/^>a2/ { exit } { print }' a.fa >one.fa
mem one.lines b.lines 8 0
quietly mem one.fa b.fa -l 8 -o got
same got expected

# Unique ones: of all matches those whose letters stand once in the reference, and for --mum once in the strand.
cut -f 2 a.lines >a.letters
unique() {
  awk -F'\t' -v mum="$1" '
    function times(text, word,    n, at) {
      for (n = 0; (at = index(text, word)) > 0; ++n) text = substr(text, at + 1)
      return n
    }
    function complement(word,    turned, i, letter) {
      turned = ""
      for (i = length(word); i > 0; --i) {
        letter = substr(word, i, 1)
        turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
      }
      return turned
    }
    FILENAME == "a.letters" { reference = reference "|" $1; next }
    FILENAME == "b.lines" { query[$1] = $2; next }
    /^>/ { split($0, words, " "); strand = words[3] == "Reverse" ? complement(query[words[2]]) : query[words[2]]; print; next }
    {
      n = split($0, words, " ")
      word = substr(strand, words[n - 1], words[n])
      if (times(reference, word) == 1 && (!mum || times(strand, word) == 1)) print
    }' a.letters b.lines all
}
quietly mem a.fa b.fa -l 7 --strand both -o all
for kind in mam mum; do
  if [ $kind = mum ]; then unique 1 >expected; else unique 0 >expected; fi
  quietly mem a.fa b.fa -l 7 --strand both --$kind -o got
  same got expected
  grep -q -v '^>' got || fail "no --$kind"
  ! cmp -s got all || fail "--$kind changes nothing"
done
# An index is as good as its file, and its names are kept.
quietly index a.fa -o a.sfx
quietly mem a.sfx b.fa -l 7 --strand both -o got
same got all
# Where the device has too little memory for the index it is cut, as one from a file is, and matches are the same.
awk 'BEGIN { srand(7); for (i = 0; i < 600000; ++i) printf "%s", substr("ACGT", int(4 * rand()) + 1, 1); print "" }' >random
awk '{ for (r = 1; r <= 4; ++r)
    print ">r" r "\n" substr($0, 1 + 60000 * r, 270000) (r == 4 ? "" : substr($0, 7000 * r, 900)) >"large.fa"
  for (q = 1; q <= 3; ++q)
    print ">q" q "\n" substr($0, 1 + 61000 * q, 9000) "N" substr($0, 100000 - 999 * q, 8000) >"queries.fa" }' random
quietly index large.fa -o large.sfx
for reference in large.fa large.sfx; do
  options="--mum --strand both"
  [ $reference = large.fa ] || options=
  quietly mem large.sfx queries.fa -l 25 $options -o expected
  grep -q -v '^>' expected || fail "no matches of $options"
  GENOCL_DEVICE_MEMORY=11000000 "$PROGRAM" mem $reference queries.fa -l 25 $options -o got 2>said ||
    { cat said >&2; fail "little memory for the index of $reference"; }
  grep -Eq 'matches, index in ([2-9]|[1-9][0-9]+) pieces' said || { cat said >&2; fail "an index that is not cut"; }
  same got expected
done
# PAF says the same, with lengths, on the forward strand.
quietly mem a.sfx b.fa -l 7 --strand both --format paf -o got
awk -v OFS='\t' '
  FILENAME == "a.lines" { reference[$1] = length($2); next }
  FILENAME == "b.lines" { query[$1] = length($2); next }
  /^>/ { name = $2; reverse = $3 == "Reverse"; next }
  {
    begin = reverse ? query[name] - ($3 - 1) - $4 : $3 - 1
    print name, query[name], begin, begin + $4, (reverse ? "-" : "+"), $1, reference[$1], $2 - 1, $2 - 1 + $4, $4, $4, 255, "cg:Z:" $4 "="
  }' a.lines b.lines all >expected
same got expected
# MUMmer's other columns.
quietly mem one.fa b.fa -l 8 --four-columns --query-lengths -o got
quietly mem one.fa b.fa -l 8 -o plain
name=$(head -n 1 one.lines | cut -f 1)
awk -F'\t' -v name="$name" '
  FILENAME == "b.lines" { lengths[$1] = length($2); next }
  /^>/ { print $0 "\tLen = " lengths[substr($0, 3)]; next }
  { print "  " name "  " $0 }' b.lines plain >expected
same got expected
# Names are padded to the longest.
{ printf '>short\nACGTTGCAAC\n>much_longer\nGGACGTTGCA\n'; } >padded.fa
printf '>q\nACGTTGCA\n' >query.fa
printf '> q\n  short               1         1         8\n  much_longer         3         1         8\n' >expected
quietly mem padded.fa query.fa -l 8 -o got
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
# Both strands, with errors: every third read is reversed and every fourth has an error. Expected: the overlaps of reads
# and their reverse complements as separate records, without mirror images.
awk -F'\t' '
  function complement(word,    turned, i, letter) {
    turned = ""
    for (i = length(word); i > 0; --i) {
      letter = substr(word, i, 1)
      turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
    }
    return turned
  }
  {
    word = $2
    if (NR % 4 == 0 && length(word) > 9) word = substr(word, 1, 6) (substr(word, 7, 1) == "A" ? "C" : "A") substr(word, 8)
    print ">" $1 "\n" (NR % 3 == 0 ? complement(word) : word)
  }' reads.lines >turned.fa
awk -f "$SOURCE/lines.awk" turned.fa >turned.lines
awk -F'\t' -v OFS='\t' '
  function complement(word,    turned, i, letter) {
    turned = ""
    for (i = length(word); i > 0; --i) {
      letter = substr(word, i, 1)
      turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
    }
    return turned
  }
  { name[NR] = $1; text[NR, 0] = $2; text[NR, 1] = complement($2) }
  END {
    print "read_a", "read_b", "length", "strand_a", "strand_b", "errors"
    for (a = 1; a <= NR; ++a) for (ra = 0; ra < 2; ++ra)
      for (b = 1; b <= NR; ++b) for (rb = 0; rb < 2; ++rb) {
        if (a == b || (ra && rb) || (ra != rb && b < a)) continue
        x = text[a, ra]; y = text[b, rb]
        n = length(x) < length(y) ? length(x) - 1 : length(y) - 1
        for (; n >= 20; --n) {
          if (substr(x, length(x) - n + 1) ~ /[^ACGT]/ || substr(y, 1, n) ~ /[^ACGT]/) continue
          for (differ = i = 0; i < n && differ < 4; ++i) differ += substr(x, length(x) - n + 1 + i, 1) != substr(y, i + 1, 1)
          if (differ > 3) continue
          print name[a], name[b], n, (ra ? "-" : "+"), (rb ? "-" : "+"), differ
          break
        }
      }
  }' turned.lines >expected
for column in 4 5; do cut -f $column expected | grep -q -e - || fail "no other strand"; done
[ "$(body expected | cut -f 6 | sort -u | wc -l)" -gt 1 ] || fail "no errors"
quietly suffix-prefix turned.fa -m 20 --strand both --max-errors 3 -o got.tsv
same got.tsv expected
awk -F'\t' -v OFS='\t' 'NR == FNR { size[$1] = length($2); next } FNR > 1 {
    a = $4 == "+" ? size[$1] - $3 : 0; b = $5 == "-" ? size[$2] - $3 : 0
    print $1, size[$1], a, a + $3, ($4 == $5 ? "+" : "-"), $2, size[$2], b, b + $3, $3 - $6, $3, 255, "NM:i:" $6
  }' turned.lines expected >expected.paf
quietly suffix-prefix turned.fa -m 20 --strand both --max-errors 3 --format paf -o got.paf
same got.paf expected.paf
awk -F'\t' -v OFS='\t' 'BEGIN { print "H", "VN:Z:1.0" } NR == FNR { print "S", $1, ($2 == "" ? "*" : $2); next } FNR > 1 {
    print "L", $1, $4, $2, $5, $3 "M", "NM:i:" $6 }' turned.lines expected >expected.gfa
quietly suffix-prefix turned.fa -m 20 --strand both --max-errors 3 --format gfa -o got.gfa
same got.gfa expected.gfa
# Reads shorter than m.
quietly suffix-prefix reads.fa -m 100 -o got.tsv
[ "$(cat got.tsv)" = "$(printf 'read_a\tread_b\tlength')" ] || fail "reads shorter than -m"

# Reads with equal names, without names, and with names that GFA does not allow are renamed, with one warning of each kind.
awk 'BEGIN { bases = "ACGTTGCATTGACCAGTACCATGAGGATCCATTAGCATCGGATTTACGCTCAAGGTGTCCTATAGCCGAATG"; n = split("x x =a,b *c - x_2 d,e", name, " ")
    for (k = 1; k <= n; ++k) { end = k == n ? "\r\n" : "\n"; printf ">%s%s%s%s", name[k] == "-" ? "" : name[k], end, substr(bases, 4 * k, 40), end } }' |
  gzip >odd.fa.gz
"$PROGRAM" suffix-prefix odd.fa.gz -m 20 --format gfa --quiet -o odd.gfa 2>said || fail "odd names: $(cat said)"
[ "$(grep '^S' odd.gfa | cut -f 2 | tr '\n' ' ')" = "x x_2 _a_b _c 5 x_2_2 d_e " ] || fail "names in GFA: $(grep '^S' odd.gfa | cut -f 2)"
awk -F'\t' '$1 == "S" { known[$2] = 1 } $1 == "L" { ++links; if (!($2 in known) || !($4 in known)) exit 1 } END { exit links == 0 }' odd.gfa || fail "links to other names"
[ "$(wc -l <said)" = 2 ] && grep -q '3 reads renamed, GFA does not allow the name: "=a,b" is written as _a_b' said || fail "warning of names: $(cat said)"
grep -q '2 reads renamed, an earlier read has the name: the second "x" is written as x_2' said || fail "warning of equal names: $(cat said)"
"$PROGRAM" suffix-prefix odd.fa.gz -m 20 --format paf --quiet -o odd.paf 2>said || fail "odd names in PAF"
[ "$(cut -f 1 odd.paf | sort -u | tr '\n' ' ')" = "$(printf '%s\n' x x_2 =a,b '*c' 5 x_2_2 | sort | tr '\n' ' ')" ] || fail "names in PAF: $(cut -f 1 odd.paf | sort -u)"
printf '>=x\nACGT\n' >strict.fa
expect 1 'odd.fa.gz:record 2: the name of an earlier one: "x"' suffix-prefix odd.fa.gz -m 20 --strict -o none
expect 1 'strict.fa:record 1: "=x"; expected a name that GFA allows' suffix-prefix strict.fa -m 20 --format gfa --strict -o none
