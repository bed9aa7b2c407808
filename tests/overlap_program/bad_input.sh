#!/bin/sh
# Errors are one line on stderr, without an output file.
test_name=bad_input
. "$(dirname "$0")/common.sh"

expect 1 "subcommand"
expect 1 "text" sa
expect 1 "--output" sa text.fa
expect 1 "--algorithm" sa text.fa -o x --algorithm fastest
expect 1 "--report" sa text.fa -o x --report xml
expect 1 "--wide" bwt text.fa -o x --wide
expect 1 "--unsigned" bwt text.fa -o x --unsigned
expect 1 "--wide excludes --unsigned" sa text.fa -o x --unsigned --wide
expect 1 "--records with --bytes" sa text.fa -o x --records --bytes
expect 1 "--n-break without --records or --strand both" sa text.fa -o x --n-break
expect 1 "--strand both with --bytes" sa text.fa -o x --strand both --bytes
expect 1 "--pieces: \"0\"; expected a whole number from 1 to 4096" sa text.fa -o x --pieces 0
expect 1 "--pieces with --algorithm dc3, which takes the array as a whole" sa text.fa -o x --pieces 2 --algorithm dc3
expect 1 "--pieces with --method kasai, which takes the array as a whole" lcp text.fa -o x --pieces 2 --method kasai
expect 1 "--strand both with --algorithm dc3, which takes the array as a whole" \
  lcp text.fa -o x --strand both --algorithm dc3
expect 1 "--pieces with --algorithm dc3, which takes the array as a whole" isa text.fa -o x --pieces 2 --algorithm dc3
expect 1 "--pieces" lcs text.fa text.fa -o x --pieces 2
expect 1 "/dev/full: cannot be written: No space left on device" lcp text.fa -o /dev/full --pieces 2
expect 1 "--check of an array in pieces reads it again; expected a regular file to write" \
  sa text.fa -o - --pieces 2 --check
expect 1 "/dev/full: cannot be written: No space left on device" sa text.fa -o /dev/full --pieces 2
# An index of the other program of that name.
printf '\215MRS\r\n\032\n and so on' >ref.mrs
for command in "mem ref.mrs text.fa" "find ref.mrs text.fa" "sa ref.mrs" "index ref.mrs"; do
  # shellcheck disable=SC2086
  expect 1 "ref.mrs: an index for genocl map; expected FASTA, or a suffix index, which genocl overlap index" $command -o x
done
expect 1 "--primary" unbwt text.fa
expect 1 "the primary row: 0; expected 1 to" unbwt text.fa --primary 0
printf AB >cycles
expect 1 "a Burrows-Wheeler transform that no text has" unbwt cycles --primary 1
untouched cycles unbwt cycles --primary 2 -o cycles
expect 1 "no-such-device" sa text.fa -o x --device no-such-device
expect 1 "none.fa" sa none.fa -o x
expect 1 "none.bin: cannot be read" sa none.bin --bytes -o x
expect 1 ".: cannot be read: it is a folder" sa . --bytes -o x
: >empty.fa
expect 1 "empty.fa" sa empty.fa -o x
printf '>bad\nACGU!\n' >bad.fa
expect 1 "bad.fa:record 1 (bad), letter 5" sa bad.fa -o x
expect 1 "/dev/full: cannot be written: No space left on device" sa text.fa -o /dev/full
expect 1 "none/x: cannot be written: No such file" sa text.fa -o none/x

untouched text.fa sa text.fa -o text.fa
untouched text.fa lcp text.fa --bytes -o text.fa
untouched a.fa mem a.fa b.fa -o a.fa
untouched b.fa multi a.fa b.fa --quorum 1 -o b.fa
# Before the work: reading is what fails otherwise.
expect 1 "none/x: cannot be written: No such file" sa none.fa -o none/x
expect 1 "none/x: cannot be written: No such file" mem none.fa none.fa -o none/x
for number in -1 18446744073709551616 x; do
  expect 1 "--min-length: \"$number\"; expected a whole number from 0 to 18446744073709551615" mem a.fa b.fa -l $number
done
expect 1 "--min-length: \"4294967296\"" suffix-prefix reads.fa -m 4294967296
expect 1 "no subcommand \"repaet\"; did you mean repeat?" repaet a.fa
help_to_full_disk "sa --help"

# A text that does not fit: both figures, before the start. PoCL reports what POCL_MEMORY_LIMIT says, in GB.
head -c 300000000 /dev/zero >large
got=0
POCL_MEMORY_LIMIT=1 "$PROGRAM" isa large --bytes --algorithm hybrid -o x >out 2>said || got=$?
[ "$got" = 2 ] || { cat said >&2; fail "status $got instead of 2: a text that does not fit"; }
[ "$(wc -l <said)" = 1 ] && grep -q '^genocl-overlap: error: .*[0-9].*[0-9]' said || { cat said >&2; fail "capacity"; }
# In pieces of one suffix the text alone would not fit.
head -c 20000000 /dev/urandom >large
GENOCL_DEVICE_MEMORY=16000000 expect 2 "a suffix array in pieces" sa large --bytes -o x
[ ! -e x ] || fail "output of a text that does not fit"
rm large

# Queries.
query() {
  text=$1 lines=$2
  printf '%b' "$lines" >queries
  expect 1 "$text" rmq text.fa --queries queries
}
query 'queries:1: "3"; expected two whole numbers' '3\n'
query 'queries:2: "3 4 5"; expected two whole numbers' '0 0\n3 4 5\n'
query 'queries:3: "a 4"; expected two whole numbers' '\n# comment\na 4\n'
query 'queries:1: "-1 4"; expected two whole numbers' '-1 4\n'
query 'queries:1: "1 4.5"; expected two whole numbers' '1 4.5\n'
query 'queries:1: "1 99999999999999999999"; expected two whole numbers' '1 99999999999999999999\n'
query 'queries:1: "7 3"; expected a first index up to the last' '7 3\n'
query 'queries:2: "0 416"; expected indices below 416' '0 415\n0 416\n'
query 'queries:1: "0 4294967296"; expected indices below 416' '0 4294967296\n'
printf '0 415\n416 0\n' >queries
expect 1 'queries:2: "416 0"; expected positions below 416' lce text.fa --queries queries
expect 1 "none.txt: cannot be read" lce text.fa --queries none.txt
expect 1 "--queries" rmq text.fa
expect 1 "--rmq" rmq text.fa --queries queries --rmq tree
expect 1 "standard input can be read once" lce - --queries - </dev/null

# Regions and matches.
expect 1 "quorum" multi a.fa b.fa --quorum 0
expect 1 "quorum" multi a.fa b.fa --quorum 6
expect 1 "--n-match with --bytes" lcs a.fa b.fa --n-match --bytes
expect 1 "--n-match with --bytes" repeat a.fa --n-match --bytes
expect 1 "--strand both with --bytes" lcs a.fa b.fa --strand both --bytes
expect 1 "standard input can be read once" lcs - - </dev/null
expect 1 "standard input can be read once" repeat - - </dev/null
expect 1 "--later without --min-length" repeat a.fa --later
expect 1 "repeats of 0 symbols" repeat a.fa --min-length 0
expect 1 "errors: 5; expected fewer than an overlap has letters" suffix-prefix reads.fa -m 5 --max-errors 5
expect 1 "--format: " suffix-prefix reads.fa --format sam
expect 1 "--mum with --mam" mem a.fa b.fa --mum --mam
expect 1 "--format paf with --four-columns" mem a.fa b.fa --format paf --four-columns
expect 1 "--format: " mem a.fa b.fa --format sam
"$PROGRAM" index a.fa -o a.sfx --quiet
expect 1 "--n-match with an index" mem a.sfx b.fa --n-match
untouched a.sfx mem a.sfx b.fa -o a.sfx
head -c 3000 a.sfx >cut.sfx
expect 1 "cut.sfx" mem cut.sfx b.fa
expect 1 "standard input can be read once" mem - - </dev/null
expect 1 "standard input can be read once" multi - - --quorum 1 </dev/null
expect 1 "0" mem a.fa b.fa -l 0
expect 1 "0" suffix-prefix reads.fa -m 0
expect 1 "none.fa" mem a.fa none.fa -l 5
expect 1 "b" lcs a.fa
expect 1 "/dev/full: cannot be written: No space left on device" lcs a.fa b.fa -o /dev/full
for left in .genocl* x; do [ ! -e "$left" ] || fail "files left behind: $left"; done
