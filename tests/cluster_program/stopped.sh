#!/bin/sh
# Jobs that are stopped: a killed rank ends them in seconds, without an output, and --resume goes on from what was finished.
test_name=stopped
. "$(dirname "$0")/common.sh"

proteins 40 200 20 >subjects.fa
"$BIN/genocl-align" makedb subjects.fa -o subjects.gdb --quiet
grep -A1 '>s[123]' subjects.fa | grep -v '^--' >queries.fa
{ echo ">genome"; dna 1 200000; } >genome.fa
"$BIN/genocl-marose" index genome.fa -o genome.mrs --quiet
awk 'NR == 2 { srand(3); q = sprintf("%100s", ""); gsub(" ", "I", q)
  for (i = 0; i < 20000; i++) print "@r" i "\n" substr($0, 1 + int(rand() * 199900), 100) "\n+\n" q }' genome.fa >reads.fq

# stop RANKS PROGRAM ARGUMENT...: kills a rank with -9 when some blocks are kept, or the job is at its end before that.
stop() {
  ranks=$1 program=$2
  shift 2
  on "$ranks" "$program" "$@" >stop.out 2>stop.err &
  job=$!
  while kill -0 $job 2>/dev/null; do
    kept=$(cat result.blocks/*.blocks 2>/dev/null | wc -c)
    if [ "$kept" -gt "${least:-2000}" ]; then
      # Any rank: their command line has this folder's name in it.
      pkill -9 -n -f "$program-mpi .*$PWD/result" && break
    fi
    sleep 0.05
  done
  begin=$(date +%s)
  if wait $job; then return; fi
  [ $(($(date +%s) - begin)) -le 20 ] || fail "$program: the job went on for $(($(date +%s) - begin)) s without a rank"
  [ ! -e result ] || fail "$program: there is an output"
  grep -q . stop.err || fail "$program: nothing is said"
  stopped=$((stopped + 1))
}

# goes_on PROGRAM ARGUMENT...
goes_on() {
  program=$1
  shift
  rm -rf result result.blocks
  "$BIN/$program" "$@" --quiet >plain.out
  stopped=0
  least=2000 stop 3 "$program" "$@" --quiet --resume -o "$PWD/result"
  [ -e result ] || least=$(($(cat result.blocks/*.blocks | wc -c) + 4000)) stop 2 "$program" "$@" --quiet --resume -o "$PWD/result"
  [ -e result ] || on 3 "$program" "$@" --quiet --resume -o "$PWD/result"
  cmp plain.out result || fail "$program: another output"
  [ ! -e result.blocks ] || fail "$program: the kept blocks are still there"
  [ $stopped -gt 0 ] || echo "$test_name: $program was done before it could be stopped"
}
goes_on genocl-align search queries.fa subjects.gdb --align --chunk 1000 --batch-queries 2
goes_on genocl-marose map genome.mrs reads.fq --format tsv --batch-reads 200

# What is kept is of one job.
mkdir result.blocks
echo something >result.blocks/job
wrong "another job" 2 genocl-marose map genome.mrs reads.fq --resume -o result
wrong "without a name" 2 genocl-marose map genome.mrs reads.fq --resume
