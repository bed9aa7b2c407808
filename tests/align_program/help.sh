#!/bin/sh
# What the program says of itself, and on standard error.
test_name=help
. "$(dirname "$0")/common.sh"

expect 0 "" --version
grep -q '^genocl-align [0-9]' out || fail "--version"
expect 0 "" --help
grep -q 'genocl search queries.fa proteins.gdb' out || fail "--help has no example"
for command in makedb info search; do expect 0 "" $command --help; done
# Devices: files may follow.
expect 0 "" search --device 0,0 --device 0 queries.fa proteins.fa
[ "$(wc -l <out)" -gt 10 ] || fail "--device"
# A summary unless quiet, with both conventions; what the kernels took, and the rates, when asked for.
expect 0 "gap penalties 11/1 (a gap of k letters costs 11 + 1 k, as NCBI BLAST" search queries.fa proteins.fa -o x.tsv
grep -q 'the same as 12/1 (first letter and each further one' said || { cat said; fail "the other convention"; }
grep -q '^4 queries, ' said || { cat said; fail "summary"; }
expect 0 "launches" search queries.fa proteins.fa -o x.tsv --kernel-times --quiet
expect 0 "end_to_end" search queries.fa proteins.fa -o x.tsv --stats --quiet
cells=$(awk '!/^>/ { n += length($0) } END { print n }' queries.fa)
cells=$((cells * $(awk '!/^>/ { n += length($0) } END { print n }' proteins.fa)))
grep -q "^cells	$cells$" said || { cat said; fail "--stats counts cells: $cells"; }
awk -F'\t' '$1 == "kernels" && $2 > 0 && $3 > 0 { ++seen } $1 == "end_to_end" && $2 > 0 && $3 > 0 { ++seen } END { exit seen != 2 }' said ||
  { cat said; fail "--stats"; }
quietly search queries.fa proteins.fa -o x.tsv
[ ! -s said ] || { cat said; fail "--quiet"; }
