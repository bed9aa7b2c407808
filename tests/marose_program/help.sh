#!/bin/sh
# Help, version, plan.
test_name=help
. "$(dirname "$0")/common.sh"

expect 0 "" --version
grep -q '^genocl-marose [0-9]' out || fail "--version"
expect 0 "" --help
grep -q 'genocl-marose map genome.mrs' out || fail "--help has no example"
for command in index map plan; do expect 0 "" $command --help; done
# Where the output goes without -o.
expect 0 "" index --help
tr -s ' \n' ' ' <out | grep -q 'an index does not go to standard output' || fail "index --help about -o"
expect 0 "" map --help
tr -s ' \n' ' ' <out | grep -q 'without it, or with -, standard output' || fail "map --help about -o"
expect 0 "" plan --length 40 -e 3 --hamming
grep -q '^lossless	yes$' out && grep -q '^placements_missed	0$' out || { cat out; fail "plan"; }
expect 0 "" plan --length 100 -e 5% --reference-size 3.1G
grep -q '^errors	5$' out && grep -q '^reference_bases	3100000000$' out || { cat out; fail "plan"; }
expect 0 "" plan --length 40 -e 3 --hamming --method list --seed-mask '######-##' --neighbourhood 7 --shift 3 --neighbourhood-errors 1
grep -q '^placements_missed	24$' out || { cat out; fail "the paper's plan at a shift of 3 misses 24 placements"; }
# Devices: files may follow.
expect 0 "" map --device 0,0 --device 0 ref.fa single_40.fq -e 3 --format tsv
[ "$(wc -l <out)" -gt 600 ] || fail "--device"
# A summary unless quiet; what the kernels took when asked for.
expect 0 "reads/s" map ref.fa single_40.fq -e 3 -o x.sam
expect 0 "launches" map ref.fa single_40.fq -e 3 -o x.sam --profile --quiet
quietly map ref.fa single_40.fq -e 3 -o x.sam
[ ! -s said ] || { cat said; fail "--quiet"; }
