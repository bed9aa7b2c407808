#!/bin/sh
# Inputs that are read as a stream take no more memory when they are longer: each program with HARD_MEGABYTES (60) of input and
# with four times as much, from a pipe, the peak of its resident memory next to it.
test_name=stream
. "$(dirname "$0")/common.sh"

megabytes=${HARD_MEGABYTES:-60}
# Lines of NAME, SEQUENCE; the same ones again and again.
awk 'BEGIN {
  srand(5)
  for (i = 0; i < 8000; ++i) genome = genome substr("ACGT", 1 + int(4 * rand()), 1)
  print ">genome\n" genome > "genome.fa"
  for (i = 0; i < 12000; ++i) {
    read = substr(genome, 1 + int(7800 * rand()), 100)
    printf "@r%d\n%s\n+\n%s\n", i, read, quality_of(read) > "block.fq"
    printf ">r%d\n%s\n", i, read > "block.fa"
  }
  letters = "ACDEFGHIKLMNPQRSTVWY"
  for (i = 0; i < 4000; ++i) {
    text = ""
    for (k = 0; k < 60; ++k) text = text substr(letters, 1 + int(20 * rand()), 1)
    printf ">p%d\n%s\n", i, text > "block.pr"
    if (i < 20) printf ">p%d\n%s\n", i, text > "subjects.pr"
  }
}
function quality_of(read) { gsub(/./, "I", read); return read }'

again() { # again FILE MEGABYTES: the file, as often as that takes
  times=$(($2 * 1000000 / $(wc -c <"$1") + 1))
  while [ $times -gt 0 ]; do
    cat "$1"
    times=$((times - 1))
  done
}
# Whether HARD_RUNS, a pattern of names like pwm-scan, has it.
chosen() { echo "${1#genocl-}-$2" | grep -qE "^(${HARD_RUNS:-.*})\$"; }
# peak FILE MEGABYTES PROGRAM ARGUMENT...: its peak in KiB, in `most`.
peak() {
  file=$1 size=$2
  shift 2
  chosen "$1" "$2" || return 0
  rm -f pipe out
  mkfifo pipe
  again "$file" "$size" >pipe &
  feeder=$!
  watched "$@" -o /dev/null <pipe
  wait $feeder || true
  runs=$((runs + 1))
  [ $got != 0 ] || right=$((right + 1))
  [ $got = 0 ] || fault "$*: status $got"
  echo "$1 $2: $size MB in $took ms, $((most / 1024)) MiB"
}
flat() { # flat MEGABYTES FILE PROGRAM ARGUMENT...
  min_size=$1
  shift
  input=$1
  shift
  chosen "$1" "$2" || return 0
  peak "$input" "$min_size" "$@"
  least=$most
  peak "$input" $((4 * min_size)) "$@"
  [ $most -le $((least + least / 4 + 65536)) ] || fault "$*: $least KiB, and $most with four times the input"
}
# scan holds up to 450 MB, which 60 MB of input do not fill.
flat $((2 * megabytes)) block.fa genocl-pwm scan pwm/motifs.jaspar - --format=counts
flat "$megabytes" block.fq genocl-marose map genome.fa - --format=sam
# Pieces of these are larger than all of it: what they take is shown.
peak block.fa "$megabytes" genocl-overlap mem genome.fa - --length=60
# Every letter of these is computed with each of the subjects'.
flat $((megabytes / 4)) block.pr genocl-align search - subjects.pr --evalue=1e-9
finish
