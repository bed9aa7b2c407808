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

# Which way a matrix stands.
printf '>R\n0 9 0 0\n0 0 9 0\n0 0 0 9\n9 0 0 0\n' >cycle
printf '>L\nA [ 0 9 0 0 ]\nC [ 0 0 9 0 ]\nG [ 0 0 0 9 ]\nT [ 9 0 0 0 ]\n' >letters
printf '>P\nA [ 0 0 0 9 ]\nC [ 9 0 0 0 ]\nG [ 0 9 0 0 ]\nT [ 0 0 9 0 ]\n' >positions
expect 1 "cycle:1: rows of four numbers that may be letters or positions; expected letters in front of them, or --orientation" scan cycle text.fa
for way in letters positions; do
  quietly scan $way text.fa --score 5 -o want.tsv
  quietly scan cycle text.fa --score 5 --orientation $way -o got.tsv
  cut -f 3- want.tsv >want.cut
  cut -f 3- got.tsv >got.cut
  same got.cut want.cut
done
expect 1 "--orientation" scan cycle text.fa --orientation up

# Names with tabs, of every format, keep the columns of the table.
printf '>T1\tname\tclass: MADS\tfam\nA 9 0 0\nC 0 9 0\nG 0 0 9\nT 0 0 0\n' >tabs.jaspar
printf 'AC T1\nID a\tb\nP0 A C G T\n1 9 0 0 0\n2 0 9 0 0\n3 0 0 9 0\n//\n' >tabs.transfac
printf 'MEME version 4\nMOTIF T1 a\tb\tc\nletter-probability matrix: w= 3\n1 0 0 0\n0 1 0 0\n0 0 1 0\n' >tabs.meme
for file in tabs.jaspar tabs.transfac tabs.meme; do
  quietly scan $file text.fa --score 4 -o got.tsv
  [ "$(awk -F '\t' '{ print NF }' got.tsv | sort -u)" = 10 ] || fail "columns shift: $file"
  [ "$(wc -l <got.tsv)" -gt 2 ] || fail "no hits: $file"
done
