#!/bin/sh
# After --warm-up the programs compile nothing with their default settings. PoCL tells, which keeps what it compiles in a
# folder; so does genocl's own cache, for drivers that keep nothing.
test_name=warm_up
. "$(dirname "$0")/common.sh"

awk 'function bases(count,   text) { text = ""; while (count-- > 0) text = text substr("ACGT", 1 + int(rand() * 4), 1); return text }
     function reverse(text,   i, back) {
       back = ""
       for (i = length(text); i > 0; --i) back = back substr("TGCA", index("ACGT", substr(text, i, 1)), 1)
       return back
     }
     function read(file, name, text,   quality) {
       quality = text
       gsub(/./, "I", quality)
       print "@" name "\n" text "\n+\n" quality > file
     }
     BEGIN {
       srand(11)
       genome = bases(90000)
       print ">genome\n" genome > "genome.fa"
       print ">other\n" bases(40000) substr(genome, 20001, 3000) bases(20000) > "other.fa"
       print ">short\n" substr(genome, 30001, 3000) > "short.fa"
       for (i = 0; i < 500; ++i) {
         at = 1 + int(rand() * 89000)
         first = substr(genome, at, 50) "A" substr(genome, at + 51, 99)
         if (i == 99) first = "N" substr(first, 2)
         read("reads_1.fq", "r" i, first)
         read("reads_2.fq", "r" i, reverse(substr(genome, at + 300, 150)))
       }
       for (i = 0; i < 300; ++i) {
         protein = ""
         for (k = 0; k < 40 + 3 * i; ++k) protein = protein substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(rand() * 20), 1)
         print ">p" i "\n" protein > "proteins.fa"
         if (i % 100 == 50) print ">q" i "\n" protein > "queries.fa"
       }
       print ">MA0001 one\nA [ 1 9 1 0 8 1 9 2 ]\nC [ 8 0 1 9 1 1 0 1 ]\nG [ 1 1 8 1 0 8 1 0 ]\nT [ 0 0 0 0 1 0 0 7 ]" > "motifs.jaspar"
     }'

mkdir cache own
POCL_CACHE_DIR=$PWD/cache GENOCL_CACHE_DIR=$PWD/own
export POCL_CACHE_DIR GENOCL_CACHE_DIR
"$PROGRAM" --warm-up >devices.tsv 2>said || { cat said >&2; fail "--warm-up failed"; }
grep -q "compiling the kernels of" said || fail "does not say what it is at"
# The kernels that PoCL has compiled, without the folder of the program; genocl's own files.
compiled() {
  (cd cache && find . -name '*.so' -o -name 'program.bc') | LC_ALL=C sort
  find own -type f | LC_ALL=C sort
}
compiled >before
if [ ! -s before ]; then
  echo "$test_name: left out where the driver does not tell what it compiles"
  exit 0
fi
failed=0
# compiles_nothing PROGRAM ARGUMENT...: where that program is built.
compiles_nothing() {
  program=$FOLDER/$1
  [ -x "$program" ] || { echo "$test_name: without $1, which was not built"; return 0; }
  shift
  "$program" "$@" >out 2>said || { cat said >&2; fail "failed: $program $*"; }
  compiled >after
  LC_ALL=C comm -13 before after >new
  if [ -s new ]; then
    echo "$test_name: $(basename "$program") $* compiles" >&2
    cat new >&2
    failed=1
    cp after before
  fi
}
compiles_nothing genocl-marose index genome.fa -o genome.mrs
compiles_nothing genocl-marose map genome.mrs reads_1.fq -o single.sam
compiles_nothing genocl-marose map genome.fa reads_1.fq reads_2.fq -o pairs.sam
compiles_nothing genocl-align search queries.fa proteins.fa -o hits.tsv
compiles_nothing genocl-align search queries.fa proteins.fa --format blast6 -o hits.blast6
compiles_nothing genocl-pwm scan motifs.jaspar genome.fa -o hits.pwm
compiles_nothing genocl-overlap lcs genome.fa other.fa
compiles_nothing genocl-overlap lcs other.fa short.fa
compiles_nothing genocl-overlap mem genome.fa other.fa -l 50 --strand both -o matches.mums
compiles_nothing genocl-jacobi --size 300x300 --top 100 --left 25 --right 75 --iterations 200
# Programs read what --warm-up has stored, also from a second folder: a new cache of PoCL then holds kernels for any size
# of a work-group, which PoCL makes for stored programs only. Nothing is written.
mkdir fresh
find own -type f | LC_ALL=C sort >stored
GENOCL_CACHE_DIR=$PWD/none:$PWD/own POCL_CACHE_DIR=$PWD/fresh "$FOLDER/genocl-overlap" mem genome.fa other.fa -l 50 >out 2>said ||
  { cat said >&2; fail "mem failed"; }
[ -n "$(find fresh -path '*0-0-0*' -name '*.so')" ] || fail "the stored programs are not read"
find own -type f | LC_ALL=C sort | cmp -s - stored || fail "the folder of stored programs has changed"
[ ! -e none ] || fail "a folder was made although nothing is stored by default"
[ "$failed" = 0 ] || fail "programs compile what --warm-up has not"
