#!/bin/sh
# What real files hold is repaired or left out with one warning; --strict makes it an error.
test_name=odd_input
. "$(dirname "$0")/common.sh"

# warns TEXT COMMAND...: success, and one line on standard error that holds the text.
warns() {
  text=$1
  shift
  "$PROGRAM" "$@" --quiet >out 2>said || { cat said >&2; fail "failed: $*"; }
  [ "$(grep -c warning said)" = 1 ] && grep -qF -- "$text" said || { cat said >&2; fail "does not warn \"$text\": $*"; }
}

# Motif files: a bad motif among good ones, plain and compressed, with both line ends.
{ cat motifs.jaspar; printf '>bad\nA 1 0\nC 1 0\nG 1 0\nT 1 0\n>worse\nA 0 0\nC 1 0\nG 1 0\nT 1 0\n'; } >zeros.jaspar
sed 's/$/\r/' zeros.jaspar | gzip >zeros.jaspar.gz
quietly scan motifs.jaspar text.fa -p 1e-3 -o good.tsv
for file in zeros.jaspar zeros.jaspar.gz; do
  warns "motif bad left out: column 2 holds zeros only; 2 motifs in all" scan $file text.fa -p 1e-3 -o got.tsv
  same got.tsv good.tsv
  expect 1 "motif bad: column 2 holds zeros only" scan $file text.fa --strict
  for command in threshold distribution "pvalue --score 1"; do
    # shellcheck disable=SC2086
    warns "motif bad left out" $command $file
    # shellcheck disable=SC2086
    expect 1 "motif bad: column 2" $command $file --strict
  done
  "$PROGRAM" logo $file --svg x.svg 2>said || fail "no logos: $file"
  grep -q "warning: .*motif bad left out" said || fail "logo does not warn: $file"
  expect 1 "motif bad: column 2" compare motifs.jaspar $file --strict
done

# Frequencies in any format are those of MEME, and a note says so.
printf '>F x\nA [ .97 .01 .01 .97 .4 ]\nC [ .01 .97 .01 .01 .2 ]\nG [ .01 .01 .97 .01 .2 ]\nT [ .01 .01 .01 .01 .2 ]\n' >f.jaspar
printf '>F x\n97.1 .9 1 97 40\n.9 97.1 1 1 20\n1 1 97 1 20\n1 1 1 1 20\n' >percent.jaspar
printf 'ID F\nP0 A C G T\n1 .97 .01 .01 .01\n2 .01 .97 .01 .01\n3 .01 .01 .97 .01\n4 .97 .01 .01 .01\n5 .4 .2 .2 .2\n//\n' >f.transfac
printf 'MEME version 4\nMOTIF F x\nletter-probability matrix: w= 5\n.97 .01 .01 .01\n.01 .97 .01 .01\n.01 .01 .97 .01\n.97 .01 .01 .01\n.4 .2 .2 .2\n' >f.meme
printf '>F\n.97 .01 .01 .01\n.01 .97 .01 .01\n.01 .01 .97 .01\n.97 .01 .01 .01\n.4 .2 .2 .2\n' >f.rows
quietly scan f.meme text.fa -p 1e-2 -o meme.tsv
cut -f 1,3- meme.tsv >meme.cut
[ "$(wc -l <meme.tsv)" -gt 5 ] || fail "no hits"
for file in f.jaspar f.transfac f.rows; do
  quietly scan $file text.fa -p 1e-2 -o got.tsv
  cut -f 1,3- got.tsv >got.cut
  same got.cut meme.cut
done
"$PROGRAM" threshold f.jaspar >out 2>said
grep -q '^genocl-pwm: note: f.jaspar:1: motif F taken for frequencies at 20 sites' said || fail "no note"
quietly threshold percent.jaspar -o percent.tsv
quietly threshold f.meme -o meme.tsv
[ "$(awk 'NR == 2 { print int(10 * $4) }' percent.tsv)" = "$(awk 'NR == 2 { print int(10 * $4) }' meme.tsv)" ] || fail "percent"

# Rows of a matrix are letters or positions.
printf '>R\n0 9 0 0\n0 0 9 0\n0 0 0 9\n9 0 0 0\n' >cycle
printf '>L\nA [ 0 9 0 0 ]\nC [ 0 0 9 0 ]\nG [ 0 0 0 9 ]\nT [ 9 0 0 0 ]\n' >letters
printf '>P\nA [ 0 0 0 9 ]\nC [ 9 0 0 0 ]\nG [ 0 9 0 0 ]\nT [ 0 0 9 0 ]\n' >positions
expect 1 "cycle:1: rows of four numbers that may be letters or positions; expected letters in front of them, or --motif-rows" scan cycle text.fa
for way in letters positions; do
  quietly scan $way text.fa --score 5 -o want.tsv
  quietly scan cycle text.fa --score 5 --motif-rows $way -o got.tsv
  cut -f 3- want.tsv >want.cut
  cut -f 3- got.tsv >got.cut
  same got.cut want.cut
done
expect 1 "--motif-rows" scan cycle text.fa --motif-rows up
# The former name of --motif-rows is read, with a warning.
quietly scan cycle text.fa --score 5 --orientation=letters -o former.tsv
[ "$(cat said)" = "genocl-pwm: warning: --orientation is now --motif-rows" ] || { cat said; fail "no warning for --orientation"; }
quietly scan cycle text.fa --score 5 --motif-rows letters -o got.tsv
same former.tsv got.tsv

# The same motif in every format gives the same scores: plain, with Windows line ends, compressed, and behind another motif.
printf 'Protein: F\tSeed k-mer: ACGA\tEnrichment Score: 0.4\nA:\t.97\t.01\t.01\t.97\t.4\nC:\t.01\t.97\t.01\t.01\t.2\nG:\t.01\t.01\t.97\t.01\t.2\nT:\t.01\t.01\t.01\t.01\t.2\n' >f.uniprobe
{ printf 'TF\tT01\nTF Name\tx\nMotif\tF\nPos\tA\tC\tG\tT\n'; awk 'NR > 3 { print NR - 3 "\t" $1 "\t" $2 "\t" $3 "\t" $4 }' f.meme; } >f.cisbp
{ echo F; awk 'NR > 3' f.meme; } >f.name
{ echo '>F x'; awk 'NR > 3 { print substr("ACGAN", NR - 3, 1), $0 }' f.meme; } >f.encode
{ echo '>F x'; awk 'NR > 3' f.meme | tr ' ' ','; } >f.commas
{ echo '>F'; awk 'NR > 3 { for (i = 1; i <= 4; ++i) printf "%.12f%s", log($i * 4), i < 4 ? "\t" : "\n" }' f.meme; } >f.hocomoco
# Scores of the twelve digits of log-odds agree to six; P-values do not, where such digits separate equal scores.
places() { awk -F '\t' -v OFS='\t' 'NR > 1 { print $3, $4, $5, $6, sprintf("%.6f", $7), $10 }' "$1"; }
quietly scan f.meme text.fa --score 2.5 -o meme.tsv
places meme.tsv >meme.cut
[ "$(wc -l <meme.cut)" -gt 20 ] || fail "too few hits"
for format in uniprobe cisbp name encode commas hocomoco; do
  sed 's/$/\r/' f.$format | gzip >f.$format.gz
  { cat f.$format; echo; cat f.$format; } >twice.$format
  for file in f.$format f.$format.gz; do
    quietly scan $file text.fa --score 2.5 -o got.tsv
    places got.tsv | cmp - meme.cut >&2 || fail "not the motif of MEME: $file"
    [ "$(awk 'NR == 2 { print $1 }' got.tsv)" = F ] || fail "not its name: $file"
  done
  [ "$("$PROGRAM" threshold twice.$format --quiet -p 1e-2 | awk 'NR > 1 { print $1, $4 }' | sort -u | wc -l)" = 2 ] || fail "not two motifs: $format"
done
"$PROGRAM" threshold f.hocomoco >out 2>said
grep -q '^genocl-pwm: note: f.hocomoco:1: motif F taken for probabilities at 20 sites.*: log-odds scores to the base e$' said || fail "no note of log-odds"

# A consensus is iupac2meme's motif of 20 sites; aligned sites are counted, as FASTA, A3M and lines.
printf 'MEME version 4\nMOTIF W\nletter-probability matrix: w= 4 nsites= 20\n0 0 0 1\n0 0 1 0\n.5 0 0 .5\n.25 .25 .25 .25\n' >w.meme
quietly threshold w.meme -p 0.1 -o want.tsv
for text in 'TGWN' 'tgwn W' '\n# c\nUGWN\tW\n'; do
  # shellcheck disable=SC2059
  printf "$text" >w.txt
  quietly threshold w.txt -p 0.1 -o got.tsv
  cut -f 2- want.tsv >want.cut
  cut -f 2- got.tsv | cmp - want.cut >&2 || fail "not the consensus: $text"
done
printf '>W\nA [ 2 0 0 ]\nC [ 0 3 0 ]\nG [ 0 0 3 ]\nT [ 1 0 0 ]\n' >sites.jaspar
printf '>1\nACG\n>2\nTCG\n>3\nACG\n' >sites.fa
printf '>1\nACG\n>2\nTaaCG\n>3\nAC\nG\n' >sites.a3m
printf 'ACG\nTCG\nACG\n' >sites.txt
quietly threshold sites.jaspar -p 0.1 | cut -f 2- >want.cut
for file in sites.fa sites.a3m sites.txt; do
  sed 's/$/\r/' $file | gzip >$file.gz
  for one in $file $file.gz; do
    quietly threshold $one -p 0.1 -o got.tsv
    cut -f 2- got.tsv | cmp - want.cut >&2 || fail "not the sites: $one"
    [ "$(awk 'NR == 2 { print $1 }' got.tsv)" = sites ] || fail "not named after its file: $one"
  done
done
"$PROGRAM" threshold sites.fa -p 0.1 >out 2>said
grep -q '^genocl-pwm: note: sites.fa:1: motif sites counted: 3 aligned sites$' said || fail "no note of sites"
printf '>chr1\nACGTACGTAC\n' >one.fa
expect 1 "one.fa:1: one record, chr1; expected two aligned sites at least" threshold one.fa
printf '>1\nACG\n>2\nTCGA\n' >unequal.fa
expect 1 "unequal.fa:3: site 2 of 4 letters; expected 3, as the first one has" threshold unequal.fa

# Names with tabs, of every format, keep the columns of the table.
printf '>T1\tname\tclass: MADS\tfam\nA 9 0 0\nC 0 9 0\nG 0 0 9\nT 0 0 0\n' >tabs.jaspar
printf 'AC T1\nID a\tb\nP0 A C G T\n1 9 0 0 0\n2 0 9 0 0\n3 0 0 9 0\n//\n' >tabs.transfac
printf 'MEME version 4\nMOTIF T1 a\tb\tc\nletter-probability matrix: w= 3\n1 0 0 0\n0 1 0 0\n0 0 1 0\n' >tabs.meme
for file in tabs.jaspar tabs.transfac tabs.meme; do
  quietly scan $file text.fa --score 4 -o got.tsv
  [ "$(awk -F '\t' '{ print NF }' got.tsv | sort -u)" = 10 ] || fail "columns shift: $file"
  [ "$(wc -l <got.tsv)" -gt 2 ] || fail "no hits: $file"
done

# Regions outside the text are left out with a warning; a repeated line counts once, also in q-values.
first=$(awk '/^>/ { print substr($1, 2); exit }' text.fa)
printf '%s\t10\t300\n%s\t200\t350\n' "$first" "$first" >good.bed
quietly scan motifs.jaspar text.fa --score 3 --regions good.bed --q-values -o want.tsv
[ "$(wc -l <want.tsv)" -gt 10 ] || fail "no hits in regions"
check_regions() {
  warns "$2" scan motifs.jaspar text.fa --score 3 --regions "$1" --q-values -o got.tsv
  same got.tsv want.tsv
  expect 1 "$2" scan motifs.jaspar text.fa --score 3 --regions "$1" --strict
}
{ printf 'chrZ\t1\t5\n'; cat good.bed; } >unknown.bed
check_regions unknown.bed "unknown.bed:1: a region of chrZ, which the text does not have, is left out"
{ cat good.bed; printf '%s\t5\t99999\n' "$first"; } >beyond.bed
check_regions beyond.bed "beyond.bed:3: a region that ends at 99999 is left out: $first has 400 letters"
{ printf 'track name=x\r\n'; sed 's/$/\r/' good.bed; printf '%s\t50\t50\r\n' "$first"; } >empty.bed
check_regions empty.bed "empty.bed:4: a region without a letter is left out"
{ cat good.bed good.bed; } | gzip >twice.bed
quietly scan motifs.jaspar text.fa --score 3 --regions twice.bed --q-values -o got.tsv
same got.tsv want.tsv
sed 's/\t/   /g' good.bed >blanks.bed
quietly scan motifs.jaspar text.fa --score 3 --regions blanks.bed --q-values -o got.tsv
same got.tsv want.tsv
{ printf 'chrZ\t1\t5\nchrY\t1\t5\n'; cat good.bed; } >unknown.bed
"$PROGRAM" scan motifs.jaspar text.fa --score 3 --regions unknown.bed --quiet -o got.tsv 2>said
grep -q "warning: unknown.bed: regions of sequences that the text does not have were left out: 2 of 4 records" said || fail "no count of regions"
# The first sequence of a name has its regions, as with samtools faidx.
awk -v name="$first" '/^>/ { on = substr($1, 2) == name } on' text.fa >again
{ cat text.fa; sed 's/[ACGT]/G/g' again | sed "1s/.*/>$first/"; } >doubled.fa
warns "regions of $first, which the text has twice, are those of the first sequence of that name" \
  scan motifs.jaspar doubled.fa --score 3 --regions good.bed --q-values -o got.tsv
same got.tsv want.tsv
expect 1 "which the text has twice" scan motifs.jaspar doubled.fa --score 3 --regions good.bed --strict
# Overlapping regions are one text for q-values.
printf '%s\t10\t350\n' "$first" >one.bed
quietly scan motifs.jaspar text.fa --score 3 --regions one.bed --q-values -o one.tsv
quietly scan motifs.jaspar text.fa --score 3 --regions good.bed --q-values -o two.tsv
awk -F'\t' 'NR == FNR { q[$1, $4, $6] = $9; next } FNR > 1 && q[$1, $4, $6] < $9 - 1e-9 { exit 1 }' one.tsv two.tsv || fail "q-values of overlapping regions"
for file in chrZ beyond; do
  [ $file = chrZ ] && printf 'chrZ\t1\t5\n' >$file.bed || printf '%s\t1\t99999\n' "$first" >$file.bed
  got=0
  "$PROGRAM" scan motifs.jaspar text.fa --score 3 --regions $file.bed -o none.tsv 2>said || got=$?
  [ $got = 1 ] && [ ! -e none.tsv ] || fail "no region at all is no error"
done

# Names of bedtools getfasta, with strands and names, and of samtools faidx.
awk -v name="$first" '/^>/ { on = substr($1, 2) == name; next } on { printf "%s", $0 }' text.fa >letters
turned() { rev | tr ACGTacgtNn TGCAtgcaNn; }
cut -c 101-180 letters >plus
quietly scan motifs.jaspar text.fa --score 1 -o all.tsv
awk -F'\t' -v name="$first" 'FNR > 1 && $3 == name && $4 > 100 && $5 <= 180' all.tsv >want.tsv
[ "$(wc -l <want.tsv)" -gt 2 ] || fail "too few hits in 80 letters"
for name in "$first:100-180(+)" "$first:100-180" "$first:101-180" "p1::$first:100-180(+)" "p::q::$first:100-180" "$first:100-180(.)"; do
  { echo ">$name"; cat plus; } >place.fa
  quietly scan motifs.jaspar place.fa --score 1 --genomic-coordinates -o got.tsv
  tail -n +2 got.tsv | cmp - want.tsv || fail "genomic coordinates of $name"
done
for name in "$first:100-180(-)" "p1::$first:100-180(-)" "$first:101-180/rc" "$first:101-180(-)"; do
  { echo ">$name"; turned <plus; } >place.fa
  for format in tsv bed; do
    quietly scan motifs.jaspar place.fa --score 1 --genomic-coordinates --format $format -o got.$format
    quietly scan motifs.jaspar text.fa --score 1 --format $format -o all.$format
  done
  tail -n +2 got.tsv | cmp - want.tsv || fail "genomic coordinates of $name"
  quietly scan motifs.jaspar place.fa --score 1 --genomic-coordinates --format counts -o counts.tsv
  [ "$(awk 'NR > 1 && $2 == "-" { n += $3 } END { print n }' counts.tsv)" = "$(awk -F'\t' '$6 == "-"' want.tsv | wc -l)" ] || fail "counts by strand of $name"
done
