#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

# Every awk draws other letters: one record has the most frequent letters of the longest motif.
site=$(awk '/^>/ { on = $1 == ">M4"; next } on { for (i = 3; i < NF; ++i) if (!(i in most) || $i > most[i]) { most[i] = $i; letter[i] = $1 } }
  END { for (i = 3; i in letter; ++i) printf "%s", letter[i] }' motifs.jaspar)
printf '>planted\nTTTT%sTTTT\n' "$site" >>text.fa
gzip -c text.fa >genome.fa.gz
head -n 30 text.fa >peaks.fa
awk -f "$SOURCE/simulate.awk" -v seed=8 -v out="$(mkdir others && echo others)"
mv others/motifs.jaspar others.jaspar
run_examples
