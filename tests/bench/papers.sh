#!/bin/sh
# Prints the tables and figures of the five papers, with the papers' numbers next to ours.
#
#   sh tests/bench/papers.sh [000|001|002|003|004]... [--device SPEC] [--full | --toy]
#   sh tests/bench/papers.sh 003 --whole-genome    Tables I and II, a drawn genome of 3.1 Gb: for GPUs, not part of all
#   sh tests/bench/papers.sh 003 --genome FILE     a whole genome (FASTA), not part of the run of all tables
#   sh tests/bench/papers.sh 003 --figures FOLDER  also draws the curves of section V-C: FOLDER/sensitivity.svg
#   sh tests/bench/papers.sh --peers
#
# 000 pwm, 001 overlap, 002 align, 003 marose, 004 jacobi; without a number all of them. Inputs have reduced sizes,
# which the tables name: 15 minutes on two CPU cores. --full: the papers' sizes, for GPUs. --toy: seconds, compared
# with scalar functions. --peers measures the other programs that are installed, and renews their rows of
# tests/bench/papers/peers.tsv.
#
# BUILD: the build folder [build]. GENOCL_PAPERS: the program [$BUILD/bin/genocl-papers]. GENOCL_TEST_DATA: real data
# [../shared/data]. Exit status: 1 for a wrong answer or an error.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
program=${GENOCL_PAPERS:-${BUILD:-$top/build}/bin/genocl-papers}
GENOCL_TEST_DATA=${GENOCL_TEST_DATA:-$top/../shared/data}
export GENOCL_TEST_DATA
[ -x "$program" ] || {
  echo "papers: error: $program: no such program; build the target genocl-papers" >&2
  exit 1
}
if [ "${1:-}" != --peers ]; then
  figures=
  before=
  for argument; do
    [ "$before" != --figures ] || figures=$argument
    before=$argument
  done
  [ -n "$figures" ] || exec "$program" --data "$top/tests/bench/papers" "$@"
  "$program" --data "$top/tests/bench/papers" "$@"
  exec python3 "$top/docs/figures/plot.py" "$figures"
fi

file=$top/tests/bench/papers/peers.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
where="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), one thread, $(date +%Y-%m-%d)"
"$program" --write "$work"

# renew PAPER TABLE ROW COLUMN RATE: replaces a rate and its place and date.
renew() {
  awk -F '\t' -v p="$1" -v t="$2" -v r="$3" '!($1 == p && $2 == t && $3 == r)' "$file" >"$work/kept"
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "$1" "$2" "$3" "hardware, date" "$where" >>"$work/kept"
  { grep '^#' "$work/kept"; grep -v '^#' "$work/kept" | LC_ALL=C sort; } >"$file.new"
  mv "$file.new" "$file"
  echo "$3: $5 ($4)"
}
# rate AMOUNT COMMAND...: amount per second of elapsed time.
rate() {
  amount=$1
  shift
  begin=$(date +%s.%N)
  "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
  end=$(date +%s.%N)
  awk -v a="$amount" -v b="$begin" -v e="$end" 'BEGIN { printf "%.3g\n", a / (e - b) }'
}

thousands=$(awk 'END { print NR / 4000 }' "$work/reads.fq")
cells=$(awk '/^>/ { next } FNR == NR { q += length($0); next } { d += length($0) } END { print q * d / 1e9 }' \
  "$work/queries.fasta" "$work/proteins.fasta")
if command -v bwa >/dev/null; then
  bwa index "$work/genome.fa" >/dev/null 2>&1
  for gaps in 0 1 2; do
    renew 003 table2 "bwa aln -o $gaps" "k reads/s" \
      "$(rate "$thousands" bwa aln -n 3 -o $gaps -l 1024 -t 1 "$work/genome.fa" "$work/reads.fq")"
  done
fi
if command -v bowtie >/dev/null && command -v bowtie-build >/dev/null; then
  bowtie-build -q "$work/genome.fa" "$work/genome"
  renew 003 table2 "bowtie -v 3 -a" "k reads/s" \
    "$(rate "$thousands" bowtie -v 3 -a -p 1 -x "$work/genome" "$work/reads.fq")"
fi
if command -v razers3 >/dev/null; then
  renew 003 table2 razers3 "k reads/s" \
    "$(rate "$thousands" razers3 -i 92 -rr 100 -ng -tc 1 -o "$work/hits.sam" "$work/genome.fa" "$work/reads.fq")"
fi
if command -v swipe >/dev/null && command -v makeblastdb >/dev/null; then
  makeblastdb -in "$work/proteins.fasta" -dbtype prot -blastdb_version 4 >/dev/null
  renew 002 figure6 SWIPE GCUPS "$(rate "$cells" swipe -d "$work/proteins.fasta" -i "$work/queries.fasta" -a 1)"
fi
