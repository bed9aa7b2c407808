#!/bin/sh
# What the program says of itself, and on standard error.
test_name=help
. "$(dirname "$0")/common.sh"

expect 0 "" --version
grep -q '^genocl-pwm [0-9]' out || fail "--version"
expect 0 "" --help
grep -q 'genocl scan motifs.jaspar genome.fa.gz' out || fail "--help has no example"
for command in scan enrich pvalue threshold distribution compare cluster logo convert; do expect 0 "" $command --help; done
expect 0 "4 motifs; 5605 letters, " scan motifs.jaspar text.fa --score 5 -o x.tsv
expect 0 "launches" scan motifs.jaspar text.fa --score 5 -o x.tsv --kernel-times --quiet
quietly scan motifs.jaspar text.fa --score 5 -o x.tsv
[ ! -s said ] || { cat said; fail "--quiet"; }
# A motif whose best word is more probable than p has no threshold; that is said.
expect 0 "1 is too short to reach P <= 0.003 (the first one: M1)" scan motifs.jaspar text.fa -p 0.003 -o x.tsv
cut -f1 x.tsv | grep -q M1 && fail "hits of a motif without a threshold"
# Devices: files may follow.
expect 0 "" scan --device 0,0 --device 0 motifs.jaspar text.fa
