#!/bin/sh
# sa, isa, lcp, bwt against sort and awk.
test_name=arrays
. "$(dirname "$0")/common.sh"

# expected TEXT: sa, isa, lcp, bwt of a file that holds one line.
expected() {
  awk '{ for (i = 1; i <= length($0); ++i) print substr($0, i) "\t" i - 1 }' "$1" | sort -t "$(printf '\t')" -k1,1 >sorted
  cut -f2 sorted >expected.sa
  awk '{ rank[$1] = NR - 1 } END { for (i = 0; i < NR; ++i) print rank[i] }' expected.sa >expected.isa
  awk -F'\t' 'NR > 1 { n = 0; while (n < length($1) && substr($1, n + 1, 1) == substr(before, n + 1, 1)) ++n; print n }
    NR == 1 { print 0 } { before = $1 }' sorted >expected.lcp
  awk 'NR == FNR { text = $0; next } FNR == 1 { printf "%s", substr(text, length(text), 1) }
    $1 > 0 { printf "%s", substr(text, $1, 1) }' "$1" expected.sa >expected.bwt
}
# arrays FILE OPTION...: all four, by $algorithms, narrow and wide.
arrays() {
  file=$1 text=concatenated
  [ "${2:-}" != --bytes ] || text=$file
  shift
  for algorithm in $algorithms; do
    for what in sa isa lcp; do
      quietly $what "$file" "$@" --algorithm $algorithm --check -o got.$what
      numbers got.$what | cmp - expected.$what >&2 || fail "$what of $file by $algorithm"
    done
    quietly lcp "$file" "$@" --algorithm $algorithm --method kasai -o got.lcp
    numbers got.lcp | cmp - expected.lcp >&2 || fail "lcp of $file by $algorithm and kasai"
    quietly bwt "$file" "$@" --algorithm $algorithm -o got.bwt
    same got.bwt expected.bwt
    "$PROGRAM" bwt "$file" "$@" --algorithm $algorithm -o got.bwt 2>said
    quietly unbwt got.bwt --primary "$(sed 's/.*primary \([0-9]*\).*/\1/' said)" -o got.text
    same got.text "$text"
  done
  for pieces in 1 9; do
    quietly sa "$file" "$@" --pieces $pieces --check -o got.sa
    numbers got.sa | cmp - expected.sa >&2 || fail "sa of $file in $pieces pieces"
  done
  quietly isa "$file" "$@" --pieces 5 --check -o - >got.isa
  numbers got.isa | cmp - expected.isa >&2 || fail "isa of $file in pieces"
  "$PROGRAM" bwt "$file" "$@" --pieces 5 --check -o got.bwt 2>said || { cat said >&2; fail "bwt in pieces"; }
  same got.bwt expected.bwt
  quietly unbwt got.bwt --primary "$(sed 's/.*primary \([0-9]*\).*/\1/' said)" -o got.text
  same got.text "$text"
  quietly lcp "$file" "$@" --pieces 9 --wide -o got.wide
  numbers got.wide 8 | cmp - expected.lcp >&2 || fail "lcp of $file in pieces, --wide"
  quietly sa "$file" "$@" --pieces 5 --wide --check -o got.wide
  numbers got.wide 8 | cmp - expected.sa >&2 || fail "sa of $file in pieces, --wide"
  quietly sa "$file" "$@" --pieces 2 -o - >got.out
  numbers got.out | cmp - expected.sa >&2 || fail "sa of $file in pieces to standard output"
  for what in sa isa lcp; do
    quietly $what "$file" "$@" --wide -o got.wide
    numbers got.wide 8 | cmp - expected.$what >&2 || fail "$what of $file, --wide"
    quietly $what "$file" "$@" --unsigned -o - >got.out
    numbers got.out | cmp - expected.$what >&2 || fail "$what of $file to standard output"
  done
}

awk -f "$SOURCE/lines.awk" text.fa | cut -f2 | tr -d '\n' >concatenated
expected concatenated
algorithms="auto published"
arrays text.fa
for algorithm in dc3 hybrid; do
  quietly sa text.fa --algorithm $algorithm --check -o got.sa
  numbers got.sa | cmp - expected.sa >&2 || fail "sa by $algorithm"
done
# The same text as bytes.
for what in sa bwt; do
  quietly $what concatenated --bytes -o got.$what
done
numbers got.sa | cmp - expected.sa >&2 || fail "sa of bytes"
same got.bwt expected.bwt
quietly sa concatenated --bytes --pieces 5 --check -o got.sa
numbers got.sa | cmp - expected.sa >&2 || fail "sa of bytes in pieces"
gzip -c text.fa >text.fa.gz
quietly sa text.fa.gz --check -o got.sa
numbers got.sa | cmp - expected.sa >&2 || fail "sa of gzipped FASTA"
quietly sa - -o got.sa <text.fa
numbers got.sa | cmp - expected.sa || fail "standard input"

# Records kept apart: as if a letter below all others stood behind each, the one of an earlier record the smaller.
awk -f "$SOURCE/lines.awk" text.fa | cut -f2 >letters
awk '{ printf "%s%c", $0, 32 + NR }' letters >apart
expected apart
awk '{ for (i = 0; i <= length($0); ++i) print NR - 1 }' letters >record_of
awk 'NR == FNR { record[NR - 1] = $1; next } { print record[$1] }' record_of expected.sa >expected.da
for what in sa isa da; do
  option=--records
  [ $what != da ] || option=
  quietly $what text.fa $option -o got.$what
  numbers got.$what | cmp - expected.$what >&2 || fail "$what of records"
done

quietly da text.fa --pieces 4 --check -o got.da
numbers got.da | cmp - expected.da >&2 || fail "da in pieces"
quietly da text.fa --pieces 3 --wide -o got.wide
numbers got.wide 8 | cmp - expected.da >&2 || fail "da in pieces, --wide"
quietly isa text.fa --records --pieces 4 -o got.isa
numbers got.isa | cmp - expected.isa >&2 || fail "isa of records in pieces"
quietly sa text.fa --records --pieces 4 --check -o got.sa
numbers got.sa | cmp - expected.sa >&2 || fail "sa of records in pieces"
quietly lcp text.fa --records -o whole.lcp
quietly lcp text.fa --records --pieces 4 --check -o - >got.lcp
same got.lcp whole.lcp

# Both strands: the reverse complement of a record follows it.
awk '{ print; turned = ""
  for (i = length($0); i > 0; --i)
    turned = turned substr("TGCANYRSWMKVHDB", index("ACGTNRYSWKMBDHV", substr($0, i, 1)), 1)
  print turned }' letters >strands
awk '{ printf "%s%c", $0, 32 + NR }' strands >apart
expected apart
for pieces in 1 6; do
  quietly sa text.fa --strand both --pieces $pieces --check -o got.sa
  numbers got.sa | cmp - expected.sa >&2 || fail "sa of both strands in $pieces pieces"
done
awk '{ print ">" NR; print }' strands >strands.fa
quietly lcp strands.fa --records -o whole.lcp
quietly lcp text.fa --strand both --pieces 5 -o got.lcp
same got.lcp whole.lcp
# Other letters are also separators, like those after the records, in the order of their positions.
awk '{ line = ""; for (i = 1; i <= length($0); ++i) {
    letter = substr($0, i, 1)
    line = line (index("ACGT", letter) ? sprintf("%02d", 80 + index("ACGT", letter)) : sprintf("%02d", ++breaks)) }
  printf "%s%02d", line, ++breaks }' strands >pairs
[ "$(wc -c <pairs)" -lt 20000 ] || fail "too long a text for pairs of digits"
awk '{ for (i = 1; i <= length($0); i += 2) print substr($0, i) "\t" (i - 1) / 2 }' pairs |
  sort -t "$(printf '\t')" -k1,1 | cut -f2 >expected.sa
quietly sa text.fa --strand both --n-break --check -o got.sa
numbers got.sa | cmp - expected.sa >&2 || fail "sa of both strands with breaks"

# Where the device has too little memory for the whole array, it is made in pieces, as large as they can be.
awk 'BEGIN { srand(5); for (i = 0; i < 1500000; ++i) printf "%s", substr("ACGT", int(4 * rand()) + 1, 1) }' >long
head -c 200000 long >>long
quietly sa long --bytes -o whole.sa
GENOCL_DEVICE_MEMORY=20000000 "$PROGRAM" sa long --bytes --check -o got.sa 2>said || { cat said >&2; fail "little memory"; }
grep -Eq '1700000 symbols of 2 bits, ([2-9]|[1-9][0-9]+) pieces on 1 device, bytes_per_number 4, checked true' said ||
  { cat said >&2; fail "little memory: no pieces"; }
same got.sa whole.sa
quietly lcp long --bytes -o whole.lcp
GENOCL_DEVICE_MEMORY=20000000 "$PROGRAM" lcp long --bytes --check -o got.lcp 2>said ||
  { cat said >&2; fail "little memory for lcp"; }
grep -Eq '1700000 symbols of 2 bits, ([2-9]|[1-9][0-9]+) pieces on 1 device, bytes_per_number 4, checked true' said ||
  { cat said >&2; fail "little memory for lcp: no pieces"; }
same got.lcp whole.lcp
for what in isa bwt; do
  quietly $what long --bytes -o whole
  GENOCL_DEVICE_MEMORY=20000000 "$PROGRAM" $what long --bytes -o got 2>said || { cat said >&2; fail "little memory for $what"; }
  grep -Eq '([2-9]|[1-9][0-9]+) pieces on 1 device' said || { cat said >&2; fail "little memory for $what: no pieces"; }
  same got whole
done
"$PROGRAM" sa long --bytes --pieces 3 --report json -o got.sa 2>said
grep '^{' said | grep -q '"algorithm": "pieces", "pieces": [3-9], .*"period": 1024, .*"bytes_per_number": 4, ' ||
  { cat said >&2; fail "the report of pieces"; }

# The paper's example.
printf '>paper\nATTGCTAC\n' >paper.fa
quietly sa paper.fa -o paper.sa
[ "$(numbers paper.sa | tr '\n' ' ')" = "6 0 7 4 3 5 2 1 " ] || fail "the paper's suffix array"
quietly lcp paper.fa -o paper.lcp
[ "$(numbers paper.lcp | tr '\n' ' ')" = "0 1 0 1 0 0 1 1 " ] || fail "the paper's LCP values"

# Texts of nothing, of one symbol, of one letter only; every byte.
: >empty
for what in sa isa lcp bwt; do
  for pieces in "" "--pieces 3"; do
    # shellcheck disable=SC2086
    quietly $what empty --bytes --check $pieces -o none
    [ -f none ] && [ ! -s none ] || fail "$what of an empty text $pieces"
  done
done
printf '>empty\n' >empty.fa
quietly sa empty.fa -o none
[ ! -s none ] || fail "a record without letters"
printf 'x' >one
quietly sa one --bytes -o one.sa
[ "$(numbers one.sa)" = 0 ] || fail "one symbol"
awk 'BEGIN { for (i = 0; i < 700; ++i) printf "A" }' >equal
expected equal
algorithms=auto
arrays equal --bytes
awk 'BEGIN { for (i = 255; i >= 0; --i) printf "%03o\n", i }' | while read -r code; do printf "\\$code"; done >every
quietly sa every --bytes -o every.sa
numbers every.sa | awk '$1 != 256 - NR { exit 1 }' || fail "every byte"
[ "$(numbers every.sa | wc -l)" = 256 ] || fail "every byte: number"

# bwt --records: suffixes of each record with a terminator; equal ones are sorted by record.
printf '>a\nACGACGT\n>b\nCGT\n>c\nACGACGT\n>d\nNNAC\n' | gzip >set.fa.gz
gzip -dc set.fa.gz | awk '!/^>/ { ++r; for (i = 1; i <= length($0) + 1; ++i) printf "%s!%04d\t%s\n", substr($0, i), r, (i == 1 ? "$" : substr($0, i - 1, 1)) }' |
  LC_ALL=C sort | awk -F'\t' '{ printf "%s", $2 }' >expected.set
for pieces in "" "--pieces 4"; do
  # shellcheck disable=SC2086
  quietly bwt set.fa.gz --records $pieces -o got.bwt
  same got.bwt expected.set
done
quietly unbwt got.bwt --records -o got.text
gzip -dc set.fa.gz | grep -v '^>' | cmp - got.text || fail "unbwt --records"
# Merged transforms are those of all records at once.
for count in 1 2 3; do
  gzip -dc set.fa.gz | head -n $((2 * count)) >first.fa
  gzip -dc set.fa.gz | tail -n +$((2 * count + 1)) >second.fa
  quietly bwt first.fa --records -o first.bwt
  quietly bwt second.fa --records -o second.bwt
  quietly merge-bwt first.bwt second.bwt -o got.bwt
  [ ! -s said ] || { cat said >&2; fail "merge-bwt --quiet writes to standard error"; }
  same got.bwt expected.set
done
quietly bwt text.fa --records -o text.bwt
cat text.fa second.fa text.fa >three.fa
quietly bwt three.fa --records -o whole.bwt
"$PROGRAM" merge-bwt text.bwt second.bwt text.bwt -o - >got.bwt 2>said || { cat said >&2; fail "merge-bwt of three"; }
[ "$(cat said)" = "$(grep -c '>' three.fa) records, $(wc -c <whole.bwt | tr -d ' ') symbols" ] ||
  { cat said >&2; fail "summary of merge-bwt"; }
same got.bwt whole.bwt
printf 'AC' >wrong
expect 1 "one transform; expected two or more" merge-bwt first.bwt -o none2
expect 1 "first.bwt and wrong: a Burrows-Wheeler transform that no set of records has" merge-bwt first.bwt wrong -o none2
expect 1 "a Burrows-Wheeler transform that no set of records has" unbwt wrong --records
expect 1 "either --primary or --records" unbwt wrong
expect 1 "--records with --bytes" bwt one --bytes --records -o none2
expect 1 "--records with --algorithm dc3" bwt set.fa.gz --records --algorithm dc3 -o none2
