#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

gzip -c text.fa >genome.fa.gz
head -n 30 text.fa >peaks.fa
awk -f "$SOURCE/simulate.awk" -v seed=8 -v out="$(mkdir others && echo others)"
mv others/motifs.jaspar others.jaspar
run_examples
