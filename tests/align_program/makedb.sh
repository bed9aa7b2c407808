#!/bin/sh
# Databases: the same from every kind of input, and the same answers as from FASTA.
test_name=makedb
. "$(dirname "$0")/common.sh"

expect 0 "49 sequences" makedb proteins.fa -o proteins.gdb
[ ! -s out ] || fail "output on standard output"
quietly makedb proteins.fa -o again.gdb
same proteins.gdb again.gdb
gzip -k proteins.fa
quietly makedb proteins.fa.gz -o again.gdb
same proteins.gdb again.gdb
quietly makedb - -o again.gdb <proteins.fa
same proteins.gdb again.gdb
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
same proteins.gdb again.gdb

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
for left in .genocl*; do [ ! -e "$left" ] || fail "files left behind"; done
