#!/bin/sh
# An error is one line, and nothing is written.
test_name=bad_input
. "$(dirname "$0")/common.sh"

quietly makedb proteins.fa -o proteins.gdb
quietly makedb dna.fa --dna -o dna.gdb

# Usage, and options that contradict each other.
expect 1 "subcommand"
expect 1 "subjects" search queries.fa
search() { status=$1 text=$2; shift 2; expect "$status" "$text" search queries.fa proteins.gdb "$@"; }
search 1 "--max-hits: 0; expected 1 or more" --max-hits 0
search 1 "--max-hits" --max-hits x
search 1 "--min-score: 0" --min-score 0
search 1 "--evalue: -1" --evalue -1
search 1 "--evalue" --evalue nan
search 1 "--batch-queries: 0" --batch-queries 0
search 1 "--chunk: \"x\"" --chunk x
search 1 "--format" --format html
search 1 "--strand" --strand both
search 1 "--match and --mismatch without --dna" --match 2
search 1 "--match and --mismatch with --matrix" --match 2 --matrix PAM30
search 1 "--threshold without --kernel published" --threshold 100
search 1 "--threshold without --kernel published" --threshold 100 --kernel intra
search 1 "--as-published without --kernel published, inter or intra" --as-published
search 1 "" --kernel perfect
search 1 "--cigar without --align" --cigar M
search 1 "--cigar with a format that has no CIGAR" --cigar M --format blast6
search 1 "--max-hsps without --align" --max-hsps 2
search 1 "--max-hsps: 0; expected 1 or more" --max-hsps 0 --align
search 1 "--all-scores with --max-hsps" --max-hsps 2 --all-scores
search 1 "--columns without --format blast6, blast7 or csv" --columns std
search 1 "--columns without --format blast6, blast7 or csv" --columns std --format sam
search 1 "--columns: \"taxid\"; expected std, qseqid, qacc" --columns qseqid,taxid --format blast6
search 1 "--columns: \"\"; expected std, qseqid" --columns qseqid, --format blast7
search 1 "--cigar with a format that has no CIGAR" --cigar M --format blast7
search 1 "--gap-convention without --gap-open" --gap-convention first
search 1 "--gap-convention first needs --gap-open and --gap-extend" --gap-convention first --gap-open 11
for option in --align "--max-hits 5" "--min-score 5" "--evalue 1" "--format sam" "--cigar M"; do
  # shellcheck disable=SC2086
  search 1 "--all-scores with ${option%% *}" --all-scores $option
done
search 1 "--dna for a database of proteins" --dna
search 1 "no-such-device" --device no-such-device
# Searches in parts.
search 1 "--schedule: for many processes; expected genocl-align-mpi" --schedule published
search 1 "--schedule" --schedule fair
search 1 "--shard: \"a/b\"" --shard a/b -o part
search 1 "--shard: \"2/2\"" --shard 2/2 -o part
search 1 "--shard without -o" --shard 1/2
search 1 "--shard with --resume" --shard 0/2 --resume kept -o part
search 1 "--shard with --all-scores" --shard 0/2 --all-scores -o part
search 1 "--resume with --all-scores" --resume kept --all-scores
search 1 "--resume with --schedule" --resume kept --schedule shared
expect 1 "queries.fa: is no part of a search" merge queries.fa
expect 1 "parts" merge
[ ! -e part ] && [ ! -e kept ] || fail "a search that was refused leaves files"
expect 1 "standard input" search - - </dev/null
expect 1 "--no-check" search queries.fa proteins.fa --no-check
expect 1 "--memory and --temporary-folder" search queries.fa proteins.gdb --memory 1G
expect 1 "a database together with other files" search queries.fa proteins.gdb proteins.fa
expect 1 "--matrix BLOSUM62 is for proteins" search reads.fa dna.gdb --matrix BLOSUM62

# Gap penalties.
search 1 "--gap-open: -1" --gap-open -1
search 1 "--gap-extend: -1" --gap-extend -1
search 1 "" --gap-open 0 --gap-extend 0
search 1 "" --gap-open 1 --gap-extend 2 --gap-convention first
search 1 "" --gap-open 20000
search 1 "no statistics are known for BLOSUM62 with gap penalties 5/5; expected 11/2 10/2" --gap-open 5 --gap-extend 5 --evalue 1
search 1 "--statistics finite-size is known for NCBI's protein matrices" --gap-open 1000 --gap-extend 1 --statistics finite-size
for format in tsv blast6 sam json; do search 1 "5/5; expected 11/2 10/2 9/2" --gap-open 5 --gap-extend 5 --format $format; done
search 1 "--no-evalue with --evalue" --no-evalue --evalue 1
search 1 "--no-evalue with --comp-based-stats" --no-evalue --comp-based-stats 2
search 1 "--no-evalue with --statistics" --no-evalue --statistics finite-size
search 1 "--all-scores with --no-evalue" --no-evalue --all-scores
expect 1 "--statistics finite-size is known for NCBI's protein matrices" search reads.fa dna.gdb --statistics finite-size
search 1 "--statistics" --statistics poisson
search 1 "--all-scores with --statistics" --all-scores --statistics finite-size
expect 1 "no statistics are known for match 3, mismatch -5" search reads.fa dna.gdb --match 3 --mismatch -5 --evalue 1
expect 1 "" search reads.fa dna.gdb --match 0
expect 1 "" search reads.fa dna.gdb --mismatch 1

# Matrix files.
search 1 "\"none.txt\" is no file" --matrix none.txt
sed '/^W/d' matrix.txt >missing.txt
search 1 "missing.txt: no row for 'W'" --matrix missing.txt
awk '/^W/ { $2 = 300 } { print }' matrix.txt >range.txt
search 1 "range.txt:20: \"300\"; expected a whole number from -127 to 127" --matrix range.txt
: >empty.txt
search 1 "empty.txt" --matrix empty.txt

# The database: none, cut off, changed, of another version or byte order.
expect 1 "none.gdb: cannot be read: No such file" search queries.fa none.gdb
expect 1 "none.fa" search queries.fa none.fa
size=$(wc -c <proteins.gdb)
for part in 0 7 63 100 4095 $((size / 2)) $((size - 1)); do
  head -c "$part" proteins.gdb >cut.gdb
  if [ "$part" -lt 8 ]; then expect 1 "cut.gdb: is not a database" search queries.fa cut.gdb
  else expect 1 "cut.gdb: cut off after $part bytes" search queries.fa cut.gdb; fi
  [ "$part" -lt 8 ] || expect 1 "cut.gdb: cut off after $part bytes" search queries.fa cut.gdb --no-check
done
# flip AT FILE
flip() {
  cp proteins.gdb "$2"
  byte=$(od -An -tu1 -j "$1" -N1 proteins.gdb | tr -d ' ')
  # shellcheck disable=SC2059
  printf "\\$(printf %o $((byte ^ 16)))" | dd of="$2" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
for at in 20 40 70 4100 $((size / 3)) $((size / 2)) $((size - 2)); do
  flip "$at" flipped.gdb
  expect 1 "flipped.gdb:" search queries.fa flipped.gdb
  grep -q damaged said || { cat said; fail "a flipped byte at $at is not called damage"; }
done
flip 2 flipped
expect 1 "flipped: is not a database" search queries.fa flipped
expect 1 "flipped.gdb:" info flipped.gdb
cp proteins.gdb version.gdb
printf '\011' | dd of=version.gdb bs=1 seek=12 conv=notrunc 2>/dev/null
expect 1 "version.gdb: a database of version 9; expected version" search queries.fa version.gdb
cp proteins.gdb order.gdb
printf '\001\002\003\004' | dd of=order.gdb bs=1 seek=8 conv=notrunc 2>/dev/null
cmp -s order.gdb proteins.gdb && printf '\004\003\002\001' | dd of=order.gdb bs=1 seek=8 conv=notrunc 2>/dev/null
expect 1 "order.gdb:header: written on a machine of the other byte order" search queries.fa order.gdb
cp queries.fa fasta.gdb
expect 1 "fasta.gdb: is not a database" search queries.fa fasta.gdb
expect 1 "proteins.gdb: is a database already" makedb proteins.gdb -o x.gdb

# Sequences.
: >empty.fa
expect 1 "empty.fa" makedb empty.fa -o x.gdb
expect 1 "empty.fa" search queries.fa empty.fa
expect 1 "empty.fa" search empty.fa proteins.gdb
printf '>a\nMKV\n>b\n>c\nMK\n' >nothing.fa
# An empty query is reported, and the others are searched.
printf '>a\nMKV\n>c\nMK\n' >letters.fa
for options in "" "--batch-queries 1" "--all-scores"; do
  # shellcheck disable=SC2086
  expect 0 "genocl-align: warning: nothing.fa:record 2 (b): an empty query" search nothing.fa proteins.gdb $options -o nothing.tsv
  # shellcheck disable=SC2086
  expect 0 "" search letters.fa proteins.gdb $options -o letters.tsv
  same nothing.tsv letters.tsv
done
expect 0 "an empty query" search nothing.fa proteins.gdb --format sam -o nothing.sam
[ "$(records nothing.sam | cut -f1 | uniq | tr '\n' ' ')" = "a b c " ] || { cat nothing.sam; fail "an empty query has its record in SAM"; }
printf '>a\n' >only.fa
expect 0 "an empty query" search only.fa proteins.gdb -o only.tsv
[ "$(wc -l <only.tsv)" = 1 ] || fail "hits of an empty query"
printf '>a\nMK1V\n' >letter.fa
expect 1 "letter.fa:record 1 (a), letter 3" makedb letter.fa -o x.gdb
expect 1 "letter.fa:record 1 (a), letter 3" search letter.fa proteins.gdb
expect 0 "" search letter.fa proteins.gdb --replace-letters -o y.tsv
# A record with wrong letters is left out, with a warning; results of the others are kept.
printf '>first\nMK1V\n>a\nMKV\n>bad\nMK?V\n>none\n>worse\nM_K\n>c\nMK\n>last\nM;\n' >some.fa
for options in "" "--batch-queries 1" "--batch-queries 2" "--all-scores" "--resume"; do
  # shellcheck disable=SC2086
  expect 0 "genocl-align: warning: some.fa:record 1 (first), letter 3: '1' is not a protein letter; expected an amino acid (A to Z or *), or --replace-letters: this query is left out" \
    search some.fa proteins.gdb $options --quiet -o some.tsv
  [ "$(grep -c warning said)" = 5 ] || { cat said; fail "each wrong record is told of once: $options"; }
  grep -q 'some.fa:record 4 (none): an empty query' said || { cat said; fail "numbers of records: $options"; }
  grep -q 'some.fa:record 7 (last), letter 2' said || { cat said; fail "the last record: $options"; }
  # shellcheck disable=SC2086
  expect 0 "" search letters.fa proteins.gdb $options -o letters.tsv
  same some.tsv letters.tsv
done
expect 0 "left out" search some.fa proteins.gdb --shard 0/2 -o some.0
expect 0 "left out" search some.fa proteins.gdb --shard 1/2 -o some.1
expect 1 "merge: shard 1/2 is missing" merge some.0 -o merged.tsv
expect 0 "left out" merge some.0 some.1 -o merged.tsv
expect 0 "" search letters.fa proteins.gdb -o letters.tsv
same merged.tsv letters.tsv
# DNA that is read as protein, unless it may be a protein.
printf '>a\nACGTTGCA\n>b\nnnACGU\n' >bases.fa
expect 1 "bases.fa: looks like DNA, for 100% of its letters are A, C, G, T, U or N, and is read as protein; expected --dna, or --protein" makedb bases.fa -o x.gdb
expect 1 "bases.fa: looks like DNA" makedb proteins.fa bases.fa -o x.gdb
expect 1 "bases.fa: looks like DNA" search queries.fa bases.fa
expect 1 "bases.fa: looks like DNA, for 100% of its letters are A, C, G, T, U or N, and is read as protein; expected proteins, or --protein" search bases.fa proteins.gdb -o x.tsv
expect 1 "dna.fa: looks like DNA, for 99% of its letters" search reads.fa dna.fa
expect 0 "" makedb bases.fa --protein -o bases.gdb
expect 0 "" search bases.fa bases.gdb --protein -o bases.tsv
[ "$(body bases.tsv | wc -l)" -gt 0 ] || fail "--protein"
expect 1 "--protein for a database of DNA" search reads.fa dna.gdb --protein
for command in "makedb queries.fa -o x.gdb" "search queries.fa proteins.fa"; do
  # shellcheck disable=SC2086
  expect 1 "--dna with --protein" $command --dna --protein
done
printf '>peptide\nGATTACA\n' >peptide.fa
expect 0 "" search peptide.fa proteins.gdb -o peptide.tsv
expect 1 "queries.fa:record 1" search queries.fa dna.gdb
{ printf '>ok\nMKV\n>long\n'; head -c 16777217 /dev/zero | tr '\0' A; echo; } >long.fa
expect 0 "genocl-align: warning: long.fa:record 2 (long): a query of 16777217 letters, for which nothing is searched; 16777216 letters at most" \
  search long.fa proteins.gdb -o long.tsv
head -2 long.fa >ok.fa
expect 0 "" search ok.fa proteins.gdb -o ok.tsv
same ok.tsv long.tsv
rm long.fa
[ ! -e x.gdb ] && [ ! -e x.tsv ] || fail "a file in spite of an error"
# A query of one letter, subjects of one letter or none.
printf '>a\nW\n' >one.fa
printf '>a\nW\n>b\n>c\nA\n>d\nAWA\n' >small.fa
expect 0 "" search one.fa small.fa --all-scores -o small.tsv
printf 'query\tsubject\tscore\na\ta\t11\na\tb\t0\na\tc\t0\na\td\t11\n' | cmp - small.tsv || fail "small sequences"
expect 0 "" search one.fa small.fa --evalue 1000 --format sam -o small.sam
[ "$(records small.sam | cut -f3,4,6 | tr '\t\n' '  ')" = "d 2 1= a 1 1= " ] || { cat small.sam; fail "hits in small sequences"; }
printf '>a,b\nMKVW\n' >name.fa
expect 1 'name.fa:sequence 1: the name "a,b" is "a_b" in SAM' search queries.fa name.fa --format sam -o x.sam --strict

# Numbers that the options do not hold, subcommands and options that do not exist.
for number in -1 18446744073709551616 1.5 1e3 "" 0x10; do
  search 1 "--max-hits: \"$number\"; expected a whole number from 0 to 18446744073709551615" --max-hits "$number"
  search 1 "--batch-queries: \"$number\"" --batch-queries "$number"
done
search 1 "--match: \"2147483648\"; expected a whole number from -2147483648 to 2147483647" --match 2147483648
expect 1 "no subcommand \"serch\"; did you mean search?" serch queries.fa proteins.gdb
expect 1 "no subcommand \"xyzzy\"; expected one of makedb, info, get, search" xyzzy
search 1 "no option --max-hit; did you mean --max-hits?" --max-hit 5
help_to_full_disk "search --help"

# The output.
untouched proteins.fa makedb proteins.fa -o proteins.fa
ln -s proteins.fa link.fa
untouched proteins.fa makedb proteins.fa -o link.fa
untouched proteins.gdb search queries.fa proteins.gdb -o proteins.gdb
untouched queries.fa search queries.fa proteins.gdb -o ./queries.fa
untouched proteins.gdb info proteins.gdb -o proteins.gdb
for format in sam tsv; do search 1 "x.bam: $format under a name for bam" --format $format -o x.bam; done
search 1 "x.sam: tsv under a name for sam" -o x.sam
search 1 "x.sam: bam under a name for sam" --format bam -o x.sam
search 1 "x.cram: sam under a name for cram" --format sam -o x.cram
# Ended while it reads more than the memory holds: no file is left.
mkdir ended
mkfifo ended.fa
{ head -c 3000000 /dev/zero | tr '\0' A | fold -w 1000 | awk '{ print ">s" NR; print }'; sleep 30; } >ended.fa &
feeder=$!
"$PROGRAM" makedb ended.fa --memory 1M -o ended/x.gdb >out 2>said &
ended=$!
sleep 2
kill -TERM $ended
got=0
wait $ended || got=$?
kill $feeder 2>/dev/null || true
[ "$got" = 143 ] || fail "status $got of a program that SIGTERM ended"
[ -z "$(ls -A ended)" ] || fail "files left behind: $(ls -A ended)"
search 1 "/dev/full: cannot be written: No space left on device" -o /dev/full
search 1 "/dev/full: cannot be written: No space left on device" --format sam -o /dev/full
search 1 "none/x.tsv: cannot be written: No such file" -o none/x.tsv
expect 1 "none/x.gdb: cannot be written: No such file" makedb proteins.fa -o none/x.gdb
expect 1 "/dev/full: is no regular file" makedb proteins.fa -o /dev/full
expect 1 "error: -o: a database cannot be written to standard output; expected the name of a file" makedb proteins.fa -o -
expect 1 ".: cannot be written: Is a directory" makedb proteins.fa -o .
for left in .genocl* x.*; do [ ! -e "$left" ] || fail "files left behind: $left"; done
