#!/bin/sh
# Databases: the same from every kind of input, and the same answers as from FASTA.
test_name=makedb
. "$(dirname "$0")/common.sh"

expect 0 "49 sequences" makedb proteins.fa -o proteins.gdb
[ ! -s out ] || fail "output on standard output"
quietly makedb proteins.fa -o again.gdb
same proteins.gdb again.gdb
# The sequences are the same; the sources are not.
same_sequences() {
  expect 0 "" info "$1"
  grep '^digest	' out >one
  expect 0 "" info "$2"
  grep '^digest	' out | cmp - one || fail "$1 and $2 have other sequences"
}
gzip -k proteins.fa
quietly makedb proteins.fa.gz -o again.gdb
same_sequences proteins.gdb again.gdb
quietly makedb - -o again.gdb <proteins.fa
same_sequences proteins.gdb again.gdb
# Less memory than residues: through a temporary file.
quietly makedb proteins.fa -o again.gdb --memory 1000
same proteins.gdb again.gdb
mkdir folder
quietly makedb proteins.fa -o again.gdb --memory 1000 --temporary-folder folder
same proteins.gdb again.gdb
[ -z "$(ls -A folder)" ] || fail "a temporary file left behind"
# Several files are one.
awk '/^>/ { ++n } n <= 20' proteins.fa >first.fa
awk '/^>/ { ++n } n > 20' proteins.fa >second.fa
quietly makedb first.fa second.fa -o again.gdb
same_sequences proteins.gdb again.gdb
# So is a database to which the second one is appended.
quietly makedb first.fa -o grown.gdb
quietly makedb second.fa -o grown.gdb --append
same again.gdb grown.gdb
expect 1 "absent.gdb: does not exist; expected a database, to which --append adds" makedb second.fa -o absent.gdb --append
expect 1 "grown.gdb: --dna for a database of proteins" makedb second.fa -o grown.gdb --append --dna
expect 1 "" makedb second.fa -o first.fa --append
same again.gdb grown.gdb

expect 0 "" info proteins.gdb
awk '/^>/ { ++n; next } { residues += length($0); text[n] = text[n] $0 }
     END { for (i in text) { if (length(text[i]) > longest) longest = length(text[i]); w += gsub(/[Ww]/, "", text[i]) }
           print "sequences\t" n "\nresidues\t" residues "\nlongest\t" longest "\nletter_W\t" w }' proteins.fa >facts
grep -E '^(sequences|residues|longest|letter_W)	' out | cmp - facts || { cat out facts; fail "info"; }
grep -q '^alphabet	protein$' out || fail "info: alphabet"
quietly makedb dna.fa --dna -o dna.gdb
expect 0 "" info dna.gdb
grep -q '^alphabet	DNA$' out || fail "info: alphabet"

quietly search queries.fa proteins.gdb -o gdb.tsv
quietly search queries.fa proteins.fa -o fasta.tsv
same gdb.tsv fasta.tsv
quietly search queries.fa proteins.gdb -o other.tsv --no-check
same gdb.tsv other.tsv
quietly search queries.fa first.fa second.fa -o other.tsv
same gdb.tsv other.tsv
quietly search queries.fa proteins.fa -o other.tsv --memory 1000 --temporary-folder folder
same gdb.tsv other.tsv
quietly search queries.fa - -o other.tsv <proteins.fa
same gdb.tsv other.tsv
# The alphabet is the database's.
quietly search reads.fa dna.gdb -o gdb.tsv
quietly search reads.fa dna.fa --dna -o fasta.tsv
same gdb.tsv fasta.tsv

# What a database was made of, and when.
expect 0 "" info again.gdb
{ grep -q '^version	2$' out && grep -qE '^date	20[0-9-]+T[0-9:]+Z$' out && grep -qE '^digest	[0-9a-f]{16}$' out; } || { cat out; fail "info"; }
printf 'source\tfirst.fa\nsource\tsecond.fa\n' >facts
grep '^source	' out | cmp - facts || { cat out; fail "sources"; }
# No database has the path of a folder that nobody typed.
! grep -q "$PWD" again.gdb proteins.gdb || fail "the path of the folder is in a database"
grep -q "^source_bytes	$(($(wc -c <first.fa)))$" out || fail "size of a source"
[ ! -s said ] || { cat said; fail "a warning without a change"; }
echo '>more
MKVLAW' >>second.fa
quietly search queries.fa again.gdb -o gdb.tsv
grep -q "warning: again.gdb: second.fa has changed since the database was made of it" said || { cat said; fail "a change"; }
[ "$(wc -l <said)" = 1 ] || fail "more than one change"
# Files in the folder of the database are found from another folder. Another file of the same name is no change.
mkdir elsewhere
(cd elsewhere && "$PROGRAM" info ../again.gdb >out 2>said) || fail "info from another folder"
grep -q "warning: ../again.gdb: second.fa has changed" elsewhere/said || { cat elsewhere/said; fail "a change beside the database"; }
echo '>other
MKV' >elsewhere/first.fa
(cd elsewhere && "$PROGRAM" info ../again.gdb >out 2>said) || fail "info from another folder"
[ "$(wc -l <elsewhere/said)" = 1 ] || { cat elsewhere/said; fail "another file of the same name"; }
mv second.fa moved.fa
quietly search queries.fa again.gdb -o other.tsv
[ ! -s said ] || fail "a warning about a file that is missing"
same gdb.tsv other.tsv

# Sequences again, as they were.
# shellcheck disable=SC2046
quietly_get() { "$PROGRAM" get "$@" >got.fa 2>said || { cat said; fail "get $*"; }; }
awk '/^>/ { print substr($1, 2) }' proteins.fa >names
# shellcheck disable=SC2046
quietly_get proteins.gdb $(cat names)
unwrapped() { awk '/^>/ { if (NR > 1) print ""; print; next } { printf "%s", toupper($0) } END { print "" }' "$1"; }
unwrapped proteins.fa >a
unwrapped got.fa | cmp - a || fail "get"
awk 'length($0) > 80 && !/^>/ { exit 1 }' got.fa || fail "lines of more than 80 letters"
quietly_get proteins.gdb s5 s3
[ "$(grep '^>' got.fa | tr '\n' '|')" = ">s5|>s3 subject, number 3|" ] || fail "order of get"
expect 1 "proteins.gdb: no sequence has the id \"absent\"" get proteins.gdb s3 absent
printf '>sp|A00001.2|ONE first\nMKV\n>B1.5 x\001C3 y\nMKVL\n' >named.fa
quietly makedb named.fa -o named.gdb
for id in A00001.2 A00001 'sp|A00001.2|ONE'; do
  quietly_get named.gdb "$id"
  [ "$(cat got.fa)" = '>sp|A00001.2|ONE first
MKV' ] || fail "get $id"
done
for id in B1 B1.5 C3; do
  quietly_get named.gdb "$id"
  [ "$(tail -n 1 got.fa)" = MKVL ] || fail "get $id"
done
for left in .genocl*; do [ ! -e "$left" ] || fail "files left behind"; done
