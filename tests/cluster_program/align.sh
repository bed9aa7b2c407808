#!/bin/sh
# A search by ranks: formats, schedules, standard input; what is wrong.
test_name=align
. "$(dirname "$0")/common.sh"

proteins 60 30 37 >subjects.fa
{ echo ">a"; protein 5 200; echo ">empty"; echo ">b"; sed -n 40p subjects.fa | cut -c 20-300; echo ">c"; sed -n 110p subjects.fa; } >queries.fa
"$BIN/genocl-align" makedb subjects.fa -o subjects.gdb --quiet

# Chunks of few residues, so that every rank has some.
same genocl-align search queries.fa subjects.gdb --chunk 3000 --align
RANKS="2 3" same genocl-align search queries.fa subjects.gdb --chunk 1000 --format blast6
RANKS=3 same genocl-align search queries.fa subjects.fa --format sam
RANKS=2 same genocl-align search queries.fa subjects.gdb --chunk 3000 --batch-queries 1 --format pairwise
RANKS="2 3" same genocl-align search queries.fa subjects.gdb --chunk 3000 --align --max-hsps 3 --evalue 1000
RANKS="2 4" same genocl-align search queries.fa subjects.gdb --chunk 3000 --all-scores
# Filters apply to the hits of all ranks, --max-hits to the remaining ones.
RANKS="2 3" same genocl-align search queries.fa subjects.gdb --chunk 3000 --evalue 1000 --max-hits 3 --min-identity 30 --query-coverage 10 --format blast6
RANKS=3 same genocl-align search queries.fa subjects.gdb --chunk 3000 --evalue 1000 --culling-limit 2 --align --dbsize 1000000
awk '/^>/ && ++n % 3 == 0 { print substr($1, 2) }' subjects.fa >ids
RANKS="2 3" same genocl-align search queries.fa subjects.gdb --chunk 3000 --include ids --align
# More queries than have all their hits held at a time.
awk 'BEGIN { srand(5); for (i = 0; i < 3000; ++i) { s = ""; for (j = 0; j < 9; ++j) s = s substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(rand() * 20), 1); print ">q" i "\n" s } }' >many.fa
RANKS="1 3" same genocl-align search many.fa subjects.gdb --max-hits 60 --evalue 1e9 --align --max-hsps 1
# A chromosome of which each rank has some.
{ echo ">chromosome"; dna 8 700000; } >genome.fa
awk 'NR == 2 { for (i = 0; i < 6; ++i) print ">r" i "\n" substr($0, 119000 * i + 200, 120) }' genome.fa >reads.fa
RANKS="1 3" same genocl-align search reads.fa genome.fa --dna --chunk 270000 --align
# As published.
"$BIN/genocl-align" search queries.fa subjects.gdb --align --quiet >plain.out
on 3 genocl-align search queries.fa subjects.gdb --align --quiet --schedule published >mpi.out
cmp plain.out mpi.out || fail "schedule published"
# The whole published system: the division, the kernels and their threshold, batches and work-items.
on 3 genocl-align search queries.fa subjects.gdb --align --quiet --schedule published --kernel published --as-published >mpi.out
cmp plain.out mpi.out || fail "the published system"
on 2 genocl-align search - subjects.gdb --align --quiet <queries.fa >mpi.out
cmp plain.out mpi.out || fail "standard input"

wrong "missing.fa" 3 genocl-align search missing.fa subjects.gdb -o out
wrong "did you mean search" 2 genocl-align serch

# Many machines without MPI: shards, and what they found merged.
for format in "--align" "--format pairwise" "--format json"; do
  # shellcheck disable=SC2086
  "$BIN/genocl-align" search queries.fa subjects.gdb $format --quiet >plain.out
  for i in 0 1 2; do
    # shellcheck disable=SC2086
    "$BIN/genocl-align" search queries.fa subjects.gdb $format --quiet --shard $i/3 -o part_$i
  done
  "$BIN/genocl-align" merge part_2 part_0 part_1 --quiet >merged.out
  cmp plain.out merged.out || fail "merged $format"
done
alone() { # alone TEXT ARGUMENT...
  text=$1
  shift
  if "$BIN/genocl-align" "$@" -o out 2>alone.err; then fail "$*: no error"; fi
  grep -q "error: .*$text" alone.err || { cat alone.err; fail "$*: not said: $text"; }
  [ ! -e out ] || fail "$*: there is an output"
}
head -c 300 part_1 >cut_off
alone "shard 2/3 is missing" merge part_0 part_1
alone "the same shard" merge part_0 part_1 part_0
alone "cut off" merge part_0 cut_off part_2
alone "no part of a search" merge plain.out
alone "like 0/4" search queries.fa subjects.gdb --shard 4/4
"$BIN/genocl-align" search queries.fa subjects.gdb --max-hits 3 --shard 1/3 -o other --quiet
alone "another search" merge part_0 other part_2
