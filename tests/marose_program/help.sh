#!/bin/sh
# Help, version, plan.
test_name=help
. "$(dirname "$0")/common.sh"

expect 0 "" --version
grep -q '^genocl-marose [0-9]' out || fail "--version"
expect 0 "" --help
grep -q 'genocl map genome.mrs' out || fail "--help has no example"
for command in index map plan; do expect 0 "" $command --help; done
# Former names of options are a warning.
quietly map ref.fa single_40.fq --max-errors 3 --cigar =X -o x.sam
"$PROGRAM" map ref.fa single_40.fq --errors=3 --cigar-style x -o y.sam --quiet 2>said || fail "former names"
without_pg x.sam >x.records
without_pg y.sam | cmp - x.records || fail "former names"
printf 'genocl-marose: warning: %s\n' '--errors is now --max-errors' '--cigar-style is now --cigar' | cmp - said || fail "no warning for former names"
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
expect 0 "launches" map ref.fa single_40.fq -e 3 -o x.sam --kernel-times --quiet
quietly map ref.fa single_40.fq -e 3 -o x.sam
[ ! -s said ] || { cat said; fail "--quiet"; }
