#!/bin/sh
# align-genomes and plot: planted differences, MUMmer's programs as readers, and pictures.
test_name=genomes
. "$(dirname "$0")/common.sh"

# A reference of two records. strain.fa has one substitution in every 100 bases, a deletion of 5 bases, an insertion of
# 7, and a part of 3000 bases that is reversed.
awk 'BEGIN {
  srand(5)
  for (r = 1; r <= 2; ++r) {
    text = ""
    for (i = 0; i < 12000; ++i) text = text substr("ACGT", int(4 * rand()) + 1, 1)
    print ">r" r "\n" text >"reference.fa"
    print ">r" r "\t" text >"letters"
  }
}'
awk -F'\t' '
  function complement(word,    turned, i) {
    turned = ""
    for (i = length(word); i > 0; --i) turned = turned substr("TGCA", index("ACGT", substr(word, i, 1)), 1)
    return turned
  }
  {
    name = substr($1, 2)
    text = ""
    for (i = 1; i <= length($2); ++i) {
      letter = substr($2, i, 1)
      if (i % 100 == 50) {
        other = substr("CGTA", index("ACGT", letter), 1)
        print name "\t" i "\t" letter "\t" other >"substitutions"
        letter = other
      }
      if (i > 3020 && i <= 3025) letter = ""
      if (i == 8020) letter = letter "ACGTTGC"
      text = text letter
    }
    if (name == "r2") text = substr(text, 1, 4000) complement(substr(text, 4001, 3000)) substr(text, 7001)
    print ">q" NR " of " name "\n" text >"strain.fa"
  }' letters

quietly align-genomes reference.fa strain.fa --cs -o strain.paf
[ "$(cut -f 1,5,6 strain.paf | tr '\t\n' ' ,')" = "q1 + r1,q2 + r2,q2 - r2,q2 + r2," ] ||
  { cut -f 1-9 strain.paf >&2; fail "other alignments"; }
# CIGARs consume both intervals, and their letters give the other columns.
awk -F'\t' '{
  query = target = matches = columns = 0
  cigar = $17
  sub(/^cg:Z:/, "", cigar)
  while (match(cigar, /^[0-9]+[=XID]/)) {
    length_of = substr(cigar, 1, RLENGTH - 1) + 0
    letter = substr(cigar, RLENGTH, 1)
    cigar = substr(cigar, RLENGTH + 1)
    if (letter != "D") query += length_of
    if (letter != "I") target += length_of
    if (letter == "=") matches += length_of
    columns += length_of
  }
  if (cigar != "" || query != $4 - $3 || target != $9 - $8 || matches != $10 || columns != $11 || $13 != "NM:i:" columns - matches)
    print
}' strain.paf >wrong
[ ! -s wrong ] || { cat wrong >&2; fail "CIGAR and columns differ"; }
sed 's/	cs:Z:.*//' strain.paf >without
quietly align-genomes reference.fa strain.fa -o got
same got without
quietly align-genomes reference.fa strain.fa --cigar M -o got
grep -q 'cg:Z:[0-9MID]*$' got || fail "--cigar M"
# The short name, standard input, compressed files.
quietly align reference.fa - -o got <strain.fa
same got without
gzip -c reference.fa >reference.fa.gz
quietly align-genomes reference.fa.gz strain.fa -o got
same got without
quietly align-genomes reference.fa strain.fa --strand - -o got
[ "$(cut -f 5 got | sort -u)" = "-" ] || fail "--strand -"
quietly align-genomes reference.fa strain.fa --mum --max-gap 100 --max-drop 50 --scoring 2,3,5,2 -o got
[ -s got ] || fail "no alignment with other options"

# Every substitution is found, and nothing else but the planted gaps.
quietly align-genomes reference.fa strain.fa --format snps -o strain.snps
tail -n +5 strain.snps | awk -F'\t' -v OFS='\t' '$2 != "." && $3 != "." { print $9, $1, $2, $3 }' | sort >found
sort substitutions >wanted
same found wanted
[ "$(tail -n +5 strain.snps | awk -F'\t' '$2 == "." { ++in_query } $3 == "." { ++in_reference } END { print in_query, in_reference }')" = "14 10" ] ||
  fail "letters in gaps"
quietly align-genomes reference.fa strain.fa --format delta -o strain.delta
quietly align-genomes reference.fa strain.fa --format coords -o strain.coords
[ "$(awk '/^>/ { print }' strain.delta)" = ">r1 q1 12000 12002
>r2 q2 12000 12002" ] || { head strain.delta >&2; fail "headers of delta"; }
if command -v show-coords >/dev/null && command -v delta-filter >/dev/null && command -v show-snps >/dev/null; then
  show-coords -T -l strain.delta >got
  same got strain.coords
  show-snps -T -C strain.delta | tail -n +5 | sort >got
  tail -n +5 strain.snps | sort >wanted
  same got wanted
  delta-filter -1 strain.delta >got
  grep -v '^/' got >filtered
  grep -v '^/' strain.delta >wanted
  same filtered wanted
else
  echo "genomes: no MUMmer: its programs do not read the output"
fi

# Many queries in one file, and one that fits nowhere.
{ cat strain.fa; printf '>none\nACGTACGTAGCTAGCATCGATCGATCGACTAGCATCGACTAC\n>empty\n'; cat reference.fa; } >many.fa
quietly align-genomes reference.fa many.fa -o got
head -n 4 got >first
same first without
[ "$(tail -n 2 got | cut -f 1,3,4,6,8,9,10 | tr '\t\n' ' ,')" = "r1 0 12000 r1 0 12000 12000,r2 0 12000 r2 0 12000 12000," ] ||
  fail "a genome with itself"

# Pictures: of PAF, delta and matches, with the same lines.
quietly mem reference.fa strain.fa -l 20 --strand both --format paf -o matches.paf
quietly mem reference.fa strain.fa -l 20 --strand both --query-lengths -o matches.mums
plot() { "$PROGRAM" plot "$@" >out 2>said || { cat said >&2; fail "plot $*"; }; [ ! -s said ] || fail "plot says something"; }
for input in strain.paf strain.delta; do
  plot $input -o $input.svg
  [ "$(grep -c '^<path' $input.svg)" = 8 ] || fail "lines of $input"
  grep -q '</svg>$' $input.svg || fail "no end of $input.svg"
done
same strain.paf.svg strain.delta.svg
plot matches.paf -o paf.svg
plot matches.mums -o mums.svg
[ "$(grep -c '^<path d="[^"]*"/>$' paf.svg)" = "$(grep -c '^<path d="[^"]*"/>$' mums.svg)" ] || fail "plots of matches differ"
if command -v xmllint >/dev/null; then xmllint --noout paf.svg >&2 || fail "no XML"; fi
plot strain.paf -o small.png --size 200 --query-record q2 --reference-record r2
[ "$(od -An -tx1 -N8 small.png | tr -d ' ')" = 89504e470d0a1a0a ] || fail "no PNG"
# Width and height: 200 pixels and the margins.
[ "$(od -An -tu1 -j16 -N8 small.png | tr -s ' ')" = " 0 0 1 94 0 0 1 24" ] || { od -An -tu1 -j16 -N8 small.png >&2; fail "size of the PNG"; }
plot strain.paf -o - --format svg --min-length 4500
[ "$(grep -c '^<path d="[^"]*"/>$' out)" = 2 ] || fail "--min-length"

program_name=genocl-overlap
expect 1 "--mum with --mem" align-genomes reference.fa strain.fa --mum --mem
expect 1 "--cs with --format delta" align-genomes reference.fa strain.fa --cs --format delta
expect 1 "--scoring: \"1,4,6\"; expected four numbers like 1,4,6,1" align-genomes reference.fa strain.fa --scoring 1,4,6
expect 1 "\"x\"; expected four numbers" align-genomes reference.fa strain.fa --scoring x
expect 1 "gap" align-genomes reference.fa strain.fa --scoring 1,4,-1,1
expect 1 "--max-gap" align-genomes reference.fa strain.fa --max-gap 2000000
quietly index reference.fa -o reference.sfx
expect 1 "reference.sfx: an index made by genocl overlap index; expected FASTA or FASTQ" align-genomes reference.sfx strain.fa
untouched strain.fa align-genomes reference.fa strain.fa -o strain.fa
untouched strain.paf plot strain.paf -o strain.paf
: >none.paf
expect 1 "strain.jpg: not the name of a picture; expected .svg or .png" plot strain.paf -o strain.jpg
[ ! -e strain.jpg ] || fail "a picture without a known ending"
expect 1 "none.paf: no match to draw" plot none.paf -o none.svg
expect 1 "line 1: \"x y\"; expected 12 columns of PAF" plot - -o none.svg <<END
x	y
END
sed '3s/	12002	/	5	/' strain.paf >short.paf
expect 1 "short.paf:line 3: positions outside of a record" plot short.paf -o none.svg
sed '$d' strain.delta >short.delta
expect 1 "short.delta:line " plot short.delta -o none.svg
quietly mem reference.fa strain.fa --strand both -o lengthless.mums
expect 1 "a reverse strand without the query's length" plot lengthless.mums -o none.svg
[ ! -e none.svg ] || fail "a picture after an error"
