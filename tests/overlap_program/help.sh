#!/bin/sh
# What the program says of itself, and on standard error.
test_name=help
. "$(dirname "$0")/common.sh"

expect 0 "" --version
grep -q '^genocl-overlap [0-9]' out || fail "--version"
expect 0 "" --help
grep -q 'genocl lcs human.fa orang.fa' out || fail "--help has no example"
for command in sa isa lcp bwt lcs multi repeat mem align-genomes suffix-prefix lce rmq; do
  expect 0 "" $command --help
  grep -q -- '--device' out || fail "$command --help"
done
expect 0 "416 symbols of 4 bits, hybrid" sa text.fa -o x.sa
expect 0 "checked true" sa text.fa -o x.sa --check
expect 0 "launches" sa text.fa -o x.sa --kernel-times --quiet
quietly lcs a.fa b.fa -o x.tsv
for algorithm in published dc3 hybrid; do
  quietly lcs a.fa b.fa --algorithm $algorithm -o y.tsv
  same x.tsv y.tsv
done
quietly lcs a.fa b.fa --strand both -o both.tsv
quietly lcs a.fa b.fa --strand both --algorithm published -o y.tsv
same both.tsv y.tsv
expect 0 "$(body x.tsv | awk 'END { print NR (NR == 1 ? " region of " : " regions of ") $1 ", " }')" lcs a.fa b.fa
expect 0 "launches" lcs a.fa b.fa --kernel-times --quiet
quietly sa text.fa -o x.sa
[ ! -s said ] || { cat said; fail "--quiet"; }
quietly lcs a.fa b.fa -o x.tsv
[ ! -s said ] || { cat said; fail "--quiet"; }

# Former names are a warning.
quietly lcs a.fa b.fa --strand both -o x.tsv
for former in --reverse-complement --both-strands; do
  quietly lcs a.fa b.fa $former -o y.tsv
  same x.tsv y.tsv
  [ "$(cat said)" = "genocl-overlap: warning: $former is now --strand=both" ] || { cat said; fail "no warning for $former"; }
done
quietly mem a.fa b.fa -l 20 -o x.tsv
quietly mem a.fa b.fa --length=20 -o y.tsv
same x.tsv y.tsv
[ "$(cat said)" = "genocl-overlap: warning: --length is now --min-length" ] || { cat said; fail "no warning for --length"; }

# --report json: one line with what the issue names.
quietly sa text.fa -o x.sa --report json --algorithm dc3
[ "$(wc -l <said)" = 1 ] || { cat said; fail "--report json: not one line"; }
for part in '"algorithm": "dc3"' '"symbols": 416' '"levels": ' '"rounds": [' '"bytes_per_symbol": ' '"steps": [{"name": "read", "seconds": '; do
  grep -qF -- "$part" said || { cat said; fail "--report json lacks $part"; }
done
quietly sa text.fa -o x.sa --report json
grep -qF '"rounds": [{"depth": ' said || { cat said; fail "--report json has no round"; }
grep -qF '"share": ' said || fail "--report json has no share"
printf '0 1\n' >queries
quietly rmq text.fa --queries queries --report json --rmq sparse -o x.tsv
grep -qF '"rmq": "sparse", "rmq_bytes": ' said || { cat said; fail "--report json of rmq"; }
