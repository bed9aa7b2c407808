#!/bin/sh
# index and find against looking at all places.
test_name=find
. "$(dirname "$0")/common.sh"

for file in a b; do awk -f "$SOURCE/lines.awk" $file.fa >$file.lines; done
# Pieces of a.fa, by name; some occur in b.fa, one nowhere, one has an N.
awk -F'\t' 'length($2) > 60 { for (n = 1; n <= 14; ++n) printf ">p%d\n%s\n", ++k, substr($2, 5 * n, n + 2) }
  END { print ">nowhere\nACGTTGCAACGTGCATTGCATGCCGATTTACGCGATTACGGGCTA\n>n\nACNGT" }' a.lines >patterns.fa
awk -f "$SOURCE/lines.awk" patterns.fa >patterns.lines
# all_places RECORDS.lines STRANDS: the table that find writes.
all_places() {
  awk -F'\t' -v strands="${2-}" '
    function complement(word,    turned, i) {
      turned = ""
      for (i = length(word); i > 0; --i) turned = turned (index("ACGT", substr(word, i, 1)) ? substr("TGCA", index("ACGT", substr(word, i, 1)), 1) : "N")
      return turned
    }
    function look(name, pattern, strand,    r, i) {
      if (pattern !~ /^[ACGT]+$/) return
      for (r = 1; r <= records; ++r)
        for (i = 1; i + length(pattern) - 1 <= length(letters_of[r]); ++i)
          if (substr(letters_of[r], i, length(pattern)) == pattern)
            print name "\t" name_of[r] "\t" i "\t" i + length(pattern) - 1 "\t" strand
    }
    BEGIN { print "pattern\trecord\tstart\tend\tstrand" }
    NR == FNR { name_of[++records] = $1; letters_of[records] = $2; next }
    { look($1, $2, "+"); if (strands) look($1, complement($2), "-") }' "$1" patterns.lines
}
quietly index a.fa --check -o a.sfx
quietly index a.fa b.fa -o both.sfx
quietly index a.fa b.fa --pieces 4 -o pieces.sfx
same pieces.sfx both.sfx
quietly index a.fa b.fa --pieces 3 --check -o pieces.sfx
same pieces.sfx both.sfx
for strands in "" "--strand both"; do
  all_places a.lines $strands >expected
  [ "$(wc -l <expected)" -gt 20 ] || fail "too little to find"
  # shellcheck disable=SC2086
  quietly find a.sfx patterns.fa $strands -o out && cmp out expected || fail "index $strands"
  # shellcheck disable=SC2086
  quietly find a.fa patterns.fa $strands -o out && cmp out expected || fail "records $strands"
  cat a.lines b.lines >both.lines
  all_places both.lines $strands >expected
  # shellcheck disable=SC2086
  quietly find both.sfx patterns.fa $strands -o out && cmp out expected || fail "two files $strands"
  # shellcheck disable=SC2086
  quietly find both.sfx patterns.fa $strands --count -o counts
  awk -F'\t' 'FNR == 1 { next } NR == FNR { ++n[$1]; next } n[$1] + 0 != $2 { print; exit 1 }' expected counts || fail "--count $strands"
  [ "$(body counts | wc -l)" = "$(wc -l <patterns.lines)" ] || fail "a count for each pattern"
done
# An FM-index gives the same tables, also with a limit, and made in pieces.
quietly index a.fa b.fa --fm --check -o both.fmx
quietly index a.fa b.fa --fm --pieces 4 -o pieces.fmx
same pieces.fmx both.fmx
quietly index a.fa b.fa --fm --pieces 3 --check -o pieces.fmx
same pieces.fmx both.fmx
for options in "" "--strand both" "--count" "--strand both --count" "--max-hits 1"; do
  # shellcheck disable=SC2086
  quietly find both.sfx patterns.fa $options -o expected
  # shellcheck disable=SC2086
  quietly find both.fmx patterns.fa $options -o out
  same out expected
done
quietly find both.sfx patterns.fa --max-hits 1 -o out
body out | awk -F'\t' '{ ++n[$1] } END { for (p in n) if (n[p] > 1) exit 1 }' || fail "--max-hits"
quietly find a.fa patterns.fa --n-match --count -o out
[ "$(awk '$1 == "n" { print $2 }' out)" = "$(cut -f2 a.lines | grep -o ACNGT | wc -l)" ] || fail "--n-match"
# Any bytes, a line each.
printf 'one two\nthree one\none' >words.txt
printf 'one\ne t\nfour\n' >lines.txt
quietly index words.txt --bytes -o words.sfx
quietly index words.txt --bytes --pieces 2 -o words.pieces
same words.pieces words.sfx
quietly find words.sfx lines.txt --lines --count -o out
printf 'pattern\tcount\n1\t3\n2\t1\n3\t0\n' | cmp - out || fail "--lines"
# What cannot be done says why, in one line, and leaves no file.
refuse() {
  message=$1
  shift
  "$PROGRAM" "$@" >/dev/null 2>err && fail "$*: no error"
  [ "$(wc -l <err)" = 1 ] && grep -q -- "$message" err || fail "$*: $(cat err)"
}
refuse "an index is no text" index a.fa -o -
head -c 9000 a.sfx >cut.sfx
refuse "cut.sfx" find cut.sfx patterns.fa
printf 'one\n\ntwo\n' >gap.txt
refuse "gap.txt.*line 2" find words.sfx gap.txt --lines
head -c 9000 both.fmx >cut.fmx
refuse "cut.fmx" find cut.fmx patterns.fa
refuse "both.fmx: an FM-index, which only genocl find searches" mem both.fmx a.fa
refuse "both.fmx: an FM-index, which only genocl find searches" align both.fmx a.fa
refuse "--fm with --bytes" index words.txt --bytes --fm -o none
refuse "--fm with --n-match" index a.fa --n-match --fm -o none
refuse "--n-match with an index" find both.fmx patterns.fa --n-match
printf '>empty\n>x\nAC\n' >empty.fa
refuse "empty.fa.*empty" find a.sfx empty.fa
refuse "--n-match with an index" find a.sfx patterns.fa --n-match
refuse "--bytes with an index" find words.sfx lines.txt --lines --bytes
refuse "--strand both with --lines" find words.sfx lines.txt --lines --strand both
refuse "--max-hits with --count" find a.sfx patterns.fa --count --max-hits 2

# Binary patterns, each a whole file, alone and next to a file of lines.
printf 'aa\001\002\000zz\n\001\002\000zz' >text.bin
printf '\001\002\000zz' >first.bin
printf 'z\n\001' >second.bin
quietly find text.bin --bytes --pattern-file first.bin --pattern-file second.bin -o got.tsv
printf 'pattern\trecord\tstart\tend\tstrand\nfirst.bin\ttext.bin\t3\t7\t+\nfirst.bin\ttext.bin\t9\t13\t+\nsecond.bin\ttext.bin\t7\t9\t+\n' | cmp - got.tsv || fail "--pattern-file: $(cat got.tsv)"
quietly index text.bin --bytes -o bin.sfx
printf 'zz\n' >lines
quietly find bin.sfx lines --lines --pattern-file first.bin --count -o got.tsv
printf 'pattern\tcount\nfirst.bin\t2\n1\t2\n' | cmp - got.tsv || fail "--pattern-file with an index: $(cat got.tsv)"
expect 1 "no pattern" find text.bin --bytes
: >empty.bin
expect 1 "empty.bin: empty" find text.bin --bytes --pattern-file empty.bin
expect 1 "--strand both with --pattern-file" find text.bin --bytes --strand both --pattern-file first.bin

# On a larger text the file takes at most an eighth of that of the suffix array.
awk 'BEGIN { srand(7); print ">r"; for (i = 0; i < 2000000; ++i) printf "%s", substr("ACGT", int(4 * rand()) + 1, 1); print "" }' >large.fa
quietly index large.fa -o large.sfx
"$PROGRAM" index large.fa --fm -o large.fmx 2>said || fail "index --fm: $(cat said)"
grep -q 'FM-index of 1.0 MB, 0.4[0-9] bytes a letter' said || fail "the size of an FM-index: $(cat said)"
[ "$((8 * $(wc -c <large.fmx)))" -le "$(wc -c <large.sfx)" ] || fail "the file of an FM-index is too large"
awk 'NR == 2 { for (i = 1; i < 300; ++i) printf ">%d\n%s\n", i, substr($0, 6000 * i, 6 + i % 40) }' large.fa >probes.fa
quietly find large.sfx probes.fa --strand both -o expected
"$PROGRAM" find large.fmx probes.fa --strand both -o out 2>said || fail "find: $(cat said)"
grep -q 'occurrences, FM-index of 1.0 MB, 0.4[0-9] bytes a letter' said || fail "the summary: $(cat said)"
same out expected
