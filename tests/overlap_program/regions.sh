#!/bin/sh
# lcs, multi, repeat against comparing all places.
test_name=regions
. "$(dirname "$0")/common.sh"

for file in a b text; do awk -f "$SOURCE/lines.awk" $file.fa >$file.lines; done
lcs() {
  awk -f "$SOURCE/common_regions.awk" "$@" a.lines b.lines | sort >expected
  [ -s expected ] || fail "nothing to test with"
}
printf 'length\ta_places\tb_places\tsequence\n' >header
lcs
quietly lcs a.fa b.fa -o got.tsv
head -n 1 got.tsv | cmp - header || fail "lcs: header"
body got.tsv | sort | cmp - expected || fail "lcs"
lcs -v strands=1
quietly lcs a.fa b.fa --strand both >got.tsv
body got.tsv | sort | cmp - expected || fail "lcs --strand both"
lcs -v written=1
quietly lcs a.fa b.fa --n-match -o got.tsv
body got.tsv | sort | cmp - expected || fail "lcs --n-match"
# A word that stands often is one row, not the product of its places.
printf '>x\nGGACGTGGACGTGGACGT\n' >x.fa
printf '>y\nACGTC\n>z\nCACGT\n' >y.fa
quietly lcs x.fa y.fa -o got.tsv
[ "$(body got.tsv)" = "$(printf '4\tx:3,x:9,x:15\ty:1:+,z:2:+\tACGT')" ] || fail "lcs: places"
# Nothing in common.
printf '>x\nAAAANNNN\n' >x.fa
printf '>y\nCCCCNNNN\n' >y.fa
quietly lcs x.fa y.fa -o got.tsv
same got.tsv header
quietly lcs x.fa y.fa --n-match -o got.tsv
[ "$(body got.tsv)" = "$(printf '4\tx:5\ty:5:+\tNNNN')" ] || fail "lcs: N"
# Bytes, shown as text.
printf 'one\\\tword\377here' >x.bin
printf 'a \\\tword\377 two' >y.bin
quietly lcs x.bin y.bin --bytes -o got.tsv
[ "$(body got.tsv)" = "$(printf '7\tx.bin:4\ty.bin:3:+\t\\x5c\\x09word\\xff')" ] || fail "lcs --bytes"

# multi: for every quorum the longest word in that number of records.
cat a.lines b.lines >all.lines
for quorum in 2 3 4; do
  awk -F'\t' -v OFS='\t' -v quorum=$quorum '
    { name[NR] = $1; text[NR] = $2 }
    function count(word,    r, n) { n = 0; for (r = 1; r <= NR; ++r) n += index(text[r], word) > 0; return n }
    END {
      for (longest = 100; longest > 0; --longest) {
        found = 0
        for (r = 1; r <= NR; ++r)
          for (i = 1; i + longest - 1 <= length(text[r]); ++i) {
            word = substr(text[r], i, longest)
            if (word ~ /[^ACGT]/) continue
            if (!(word in seen)) seen[word] = count(word)
            if (seen[word] >= quorum) { print longest, seen[word], name[r], i, word; found = 1 }
          }
        if (found) exit
      }
    }' all.lines | sort >expected
  [ -s expected ] || fail "nothing to test with"
  quietly multi a.fa b.fa --quorum $quorum -o got.tsv
  body got.tsv | sort | cmp - expected || fail "multi --quorum $quorum"
done
head -n 1 got.tsv | grep -q "^length	records	record	start	sequence$" || fail "multi: header"
# In all records, unless it is said.
quietly multi a.fa b.fa --quorum "$(wc -l <all.lines)" -o every.tsv
quietly multi a.fa b.fa -o got.tsv
same every.tsv got.tsv
printf 'xabcdy' >1.bin; printf 'zabcd' >2.bin; printf 'bcdq' >3.bin
quietly multi 1.bin 2.bin 3.bin --bytes --quorum 3 -o got.tsv
body got.tsv >rows
printf '3\t3\t1.bin\t3\tbcd\n3\t3\t2.bin\t3\tbcd\n3\t3\t3.bin\t1\tbcd\n' | cmp - rows || fail "multi --bytes"
quietly multi 1.bin 2.bin 3.bin --bytes -o every.tsv
same got.tsv every.tsv

# repeat.
awk -F'\t' -v OFS='\t' '
  { name[NR] = $1; text[NR] = $2 }
  END {
    for (longest = 100; longest > 0; --longest) {
      found = 0
      split("", times)
      for (pass = 1; pass <= 2; ++pass)
        for (r = 1; r <= NR; ++r)
          for (i = 1; i + longest - 1 <= length(text[r]); ++i) {
            word = substr(text[r], i, longest)
            if (word ~ /[^ACGT]/) continue
            if (pass == 1) ++times[word]
            else if (times[word] > 1) { print longest, name[r], i, word; found = 1 }
          }
      if (found) exit
    }
  }' text.lines | sort >expected
[ -s expected ] || fail "nothing to test with"
quietly repeat text.fa -o got.tsv
body got.tsv | sort | cmp - expected || fail "repeat"
printf 'abcXabcY' >r.bin
quietly repeat r.bin --bytes >got.tsv
[ "$(body got.tsv | head -n 1)" = "$(printf '3\tr.bin\t1\tabc')" ] || fail "repeat --bytes"

# repeat --min-length: every letter of a word that occurs twice, or also at an earlier position.
spans() {
  awk -F'\t' -v OFS='\t' -v least="$1" -v later="$2" '
    { name[NR] = $1; text[NR] = $2 }
    END {
      print "record", "start", "end"
      for (pass = 1; pass <= 2; ++pass) {
        split("", seen)
        for (r = 1; r <= NR; ++r)
          for (i = 1; i + least - 1 <= length(text[r]); ++i) {
            word = substr(text[r], i, least)
            if (word ~ /[^ACGT]/) continue
            if (pass == 1) ++times[word]
            else if (later ? word in seen : times[word] > 1)
              for (k = i; k < i + least; ++k) covered[r, k] = 1
            seen[word] = 1
          }
      }
      for (r = 1; r <= NR; ++r)
        for (i = 1; i <= length(text[r]); ++i) {
          if (!((r, i) in covered)) continue
          if (!((r, i - 1) in covered)) begin = i
          if (!((r, i + 1) in covered)) print name[r], begin, i
        }
    }' a.lines b.lines >expected
  [ "$(wc -l <expected)" -gt 1 ] || fail "no spans"
}
spans 9 0
quietly repeat a.fa b.fa --min-length 9 -o got.tsv
same got.tsv expected
spans 9 1
quietly repeat a.fa b.fa --min-length 9 --later >got.tsv
same got.tsv expected
quietly repeat r.bin --bytes --min-length 2 --later -o got.tsv
[ "$(body got.tsv)" = "$(printf 'r.bin\t5\t7')" ] || fail "repeat --bytes --min-length"

# Where the device has too little memory for the whole, the array is made in pieces.
awk 'BEGIN { srand(9); for (f = 1; f <= 2; ++f) { printf ">s%d\n", f >("long" f ".fa")
  for (i = 0; i < 400000; ++i) printf "%s", substr("ACGT", int(4 * rand()) + 1, 1) >("long" f ".fa")
  print "" >("long" f ".fa") } }'
for command in "lcs long1.fa long2.fa --strand both" "multi long1.fa long2.fa a.fa --quorum 2" \
  "multi long1.fa a.fa long2.fa --quorum 1" "repeat long1.fa long2.fa"; do
  # shellcheck disable=SC2086
  quietly $command -o whole.tsv
  # shellcheck disable=SC2086
  GENOCL_DEVICE_MEMORY=20000000 "$PROGRAM" $command --quiet -o got.tsv 2>said || { cat said >&2; fail "little memory: $command"; }
  [ "$(wc -l <got.tsv)" -gt 1 ] || fail "little memory: nothing from $command"
  same got.tsv whole.tsv
done

# Mitochondria of human and orang-utan.
if [ -n "${DATA:-}" ] && [ -f "$DATA/dna/MT-human.fa" ]; then
  quietly lcs "$DATA/dna/MT-human.fa" "$DATA/dna/MT-orang.fa" -o got.tsv
  [ "$(body got.tsv | cut -f1-3 | sed 's/[^\t]*:\([0-9]*\)/\1/;s/[^\t]*:\([0-9]*\):+/\1/')" = "$(printf '134\t1109\t533')" ] || fail "mitochondria"
fi

# --separator: no repeat extends over one. --write-kept: the text without later copies. Separators of one byte and of several, at the
# end of the file or not.
printf 'one line here\nanother\none line here\nanother\n' >lines.txt
quietly repeat lines.txt --bytes --separator '\n' --min-length 5 --later --write-kept kept.txt -o got.tsv
printf 'record\tstart\tend\n3\t1\t13\n4\t1\t7\n' | cmp - got.tsv || fail "--separator: $(cat got.tsv)"
printf 'one line here\nanother\n\n\n' | cmp - kept.txt || fail "--write-kept"
printf 'first part<>|x|second<>first part, longer' >parts.txt
quietly repeat parts.txt --bytes --separator '<\x3e' --min-length 6 --later --write-kept kept.txt -o got.tsv
printf 'record\tstart\tend\n3\t1\t10\n' | cmp - got.tsv || fail "--separator of two bytes: $(cat got.tsv)"
printf 'first part<>|x|second<>, longer' | cmp - kept.txt || fail "--write-kept with a separator of two bytes"
quietly repeat lines.txt parts.txt --bytes --separator '\n' --min-length 13 -o got.tsv
printf 'record\tstart\tend\nlines.txt:1\t1\t13\nlines.txt:3\t1\t13\n' | cmp - got.tsv || fail "names of records of several files: $(cat got.tsv)"
quietly repeat lines.txt --bytes --min-length 5 --later --write-kept kept.txt -o got.tsv
[ "$(body got.tsv)" = "$(printf 'lines.txt\t23\t44')" ] || fail "without --separator: $(cat got.tsv)"
printf 'one line here\nanother\n' | cmp - kept.txt || fail "--write-kept without --separator"
printf '>r\nACGTTGCATTGACCAGTACC\n>s\nTTACGTTGCATTGACCAGTACCGG\n' >kept.fa
quietly repeat kept.fa --min-length 12 --later --write-kept kept.txt -o got.tsv
printf '>r\nACGTTGCATTGACCAGTACC\n>s\nTTGG\n' | cmp - kept.txt || fail "--write-kept of FASTA"
# --drop-empty leaves out records that spans cover, and their separators. Records that were empty stay.
printf 'one line here\n\nanother\none line here\nanother one line here\nanother' >lines.txt
expect 0 "4 spans of 40 symbols (65.57% of 61) in 3 of 6 records, 2 of them emptied" repeat lines.txt --bytes --separator '\n' --min-length 5 --later --write-kept kept.txt --drop-empty -o got.tsv
printf 'one line here\n\nanother\n \n' | cmp - kept.txt || fail "--drop-empty"
printf '>r\nACGTTGCATTGACCAGTACC\n>s\nACGTTGCATTGACCAGTACC\n>t\nGG\n' >kept.fa
quietly repeat kept.fa --min-length 12 --later --write-kept kept.txt --drop-empty -o got.tsv
printf '>r\nACGTTGCATTGACCAGTACC\n>t\nGG\n' | cmp - kept.txt || fail "--drop-empty of FASTA"
expect 1 "--drop-empty without --write-kept" repeat lines.txt --bytes --min-length 5 --later --drop-empty
expect 1 "--separator without --bytes" repeat kept.fa --separator '\n' --min-length 5
expect 1 "--write-kept without --later" repeat lines.txt --bytes --min-length 5 --write-kept none
expect 1 '--separator: "\q"' repeat lines.txt --bytes --separator '\q' --min-length 5

# --memory: larger texts are read in passes, to the same bytes as with the text in memory, from files and from pipes.
awk 'BEGIN { x = 4711
  for (i = 0; i < 400; i++) { x = (x * 69069 + 1) % 4294967296
    print (i % 3 ? "line " int(x / 65536) " of a text" : "the same words in many lines " (i % 7)) (i % 50 ? "" : "\n") } }' >long.txt
# in_way NAME MEMORY FILE OPTION...: NAME.tsv, NAME.said; NAME.kept with --later.
in_way() {
  name=$1 memory=$2 file=$3
  shift 3
  case " $* " in *" --later "*) set -- "$@" --write-kept "$name.kept" ;; esac
  "$PROGRAM" repeat "$file" --bytes "$@" --memory "$memory" --temporary-folder . -o "$name.tsv" 2>said ||
    { cat said >&2; fail "$name: $*"; }
  sed 's/, [0-9.]* s$//' said >"$name.said"
}
passes() {
  in_way memory 4G long.txt "$@"
  in_way passes 70k long.txt "$@"
  in_way pipe 70k - "$@" <long.txt
  sed 's/^-	/long.txt	/' pipe.tsv >named.tsv
  mv named.tsv pipe.tsv
  for way in passes pipe; do
    for end in tsv kept said; do same memory.$end $way.$end; done
  done
  body memory.tsv | grep -q . || fail "no repeat: $*"
}
passes --separator '\n' --min-length 12 --later
passes --separator '\n' --min-length 20 --later --drop-empty
passes --separator he --min-length 3 --later
passes --min-length 9 --later
passes --min-length 15
quietly repeat lines.txt long.txt --bytes --separator '\n' --min-length 13 -o memory.tsv
quietly repeat lines.txt long.txt --bytes --separator '\n' --min-length 13 --memory 70k -o got.tsv
same memory.tsv got.tsv
gzip -c lines.txt >lines.txt.gz
quietly repeat lines.txt.gz --bytes --min-length 13 --memory 70k -o got.tsv
"$PROGRAM" repeat lines.txt.gz --bytes --min-length 13 -o got.tsv 2>said || fail "a compressed file"
grep -q "warning: lines.txt.gz: compressed; --bytes takes its compressed bytes" said || fail "no warning of a compressed file"
expect 1 "--memory and --temporary-folder are for --bytes" repeat kept.fa --min-length 5 --memory 1G
expect 1 '--memory: "1k"' repeat long.txt --bytes --min-length 5 --memory 1k
expect 1 '--memory: "much"' repeat long.txt --bytes --min-length 5 --memory much
expect 1 "no temporary file can be made" repeat long.txt --bytes --min-length 5 --memory 70k --temporary-folder missing -o none.tsv
[ ! -e none.tsv ] || fail "an output in spite of an error"
expect 1 "missing.txt" repeat missing.txt --bytes --min-length 5 --memory 70k
