#!/bin/sh
# Matches and overlaps by ranks; what one rank does as well is done once.
test_name=overlap
. "$(dirname "$0")/common.sh"

{ echo ">r"; dna 1 20000; } >reference.fa
i=0
while [ $i -lt 30 ]; do
  printf '>q%d\n' $i
  sed -n 2p reference.fa | cut -c "$((1 + 601 * i))-$((300 + 620 * i))" | tr A "$(printf 'ACGT' | cut -c $((1 + i % 4)))"
  i=$((i + 1))
done >queries.fa

same genocl-overlap mem reference.fa queries.fa -l 12 --strand both
same genocl-overlap suffix-prefix queries.fa -m 8
RANKS="2 3" same genocl-overlap suffix-prefix queries.fa -m 8 --best
RANKS=2 same genocl-overlap lcs reference.fa queries.fa
on 2 genocl-overlap mem reference.fa - -l 12 --quiet <queries.fa >mpi.out
"$BIN/genocl-overlap" mem reference.fa queries.fa -l 12 --quiet >plain.out
cmp plain.out mpi.out || fail "standard input"
wrong "missing.fa" 3 genocl-overlap mem reference.fa missing.fa -o out
