#!/bin/sh
# An error is one line, and nothing is written.
test_name=bad_input
. "$(dirname "$0")/common.sh"

expect 1 "subcommand"
expect 1 "texts" scan motifs.jaspar
scan() { status=$1 text=$2; shift 2; expect "$status" "$text" scan motifs.jaspar text.fa "$@"; }
scan 1 "only one of -p, --score, --thresholds and --own-thresholds" -p 0.01 --score 3
scan 1 "only one of -p, --score, --thresholds and --own-thresholds" --thresholds t.tsv --score 3
scan 1 "-p: 0;" -p 0
scan 1 "-p: -1e-09;" -p -1e-9
scan 1 "-p: -1" -p -1
scan 1 "-p: 1.5" -p 1.5
scan 1 "-p" -p nan
scan 1 "--score" --score nan
scan 1 "--max-hits: 0" --max-hits 0
scan 1 "--strand" --strand left
scan 1 "--format" --format sam
scan 1 "--method" --method fastest
scan 1 "--q-values with --format counts" --format counts --q-values
scan 1 "--q-values with --format bed" --format bed --q-values
scan 1 "--log-base: \"1\"" --log-base 1
scan 1 "--log-base: \"x\"" --log-base x
scan 1 "" --pseudocount -1
scan 1 "no-such-device" --device no-such-device
expect 1 "standard input can be read once" scan - - </dev/null
expect 1 "standard input can be read once" compare - - </dev/null
expect 1 "needs files" scan motifs.jaspar - --background input </dev/null

# Backgrounds.
scan 1 "sum to 0.8" --background 0.2,0.2,0.2,0.2
scan 1 "a frequency of 0" --background 0,0.5,0.25,0.25
scan 1 "none.txt: cannot be opened" --background none.txt
printf 'A 0.5\nC x\n' >bg.txt
scan 1 "bg.txt:2: \"x\"" --background bg.txt
printf '>a\nNNNN\n' >only_n.fa
expect 1 "--background: input" scan motifs.jaspar only_n.fa --background input

# Motif files.
expect 1 "none.jaspar: cannot be opened" scan none.jaspar text.fa
expect 1 ".: is a directory" scan . text.fa
: >empty.jaspar
expect 1 "empty.jaspar: no motif" scan empty.jaspar text.fa
printf '>x\nA 1 2\nC 1 -2\nG 1 2\nT 1 2\n' >negative.jaspar
expect 1 "negative.jaspar:3: \"-2\"" scan negative.jaspar text.fa
printf '>x\n1 0\n1 0\n1 0\n1 0\n' >zeros.jaspar
expect 1 "zeros.jaspar:1: motif x: column 2 holds zeros only" scan zeros.jaspar text.fa
expect 1 "zeros.jaspar:1: motif x: column 2 holds zeros only" logo zeros.jaspar --svg zeros.svg --strict
awk 'BEGIN { print ">long"; for (x = 1; x <= 4; ++x) { row = ""; for (i = 1; i <= 129; ++i) row = row " " x; print row } }' >long.jaspar
expect 1 "long.jaspar: motif long has 129 columns" scan long.jaspar text.fa --score 1
gzip -c motifs.jaspar | head -c 40 >cut.gz
expect 1 "cut.gz: gzip that is cut off" scan cut.gz text.fa
# One column, and 128, are motifs.
printf '>one\n9\n1\n1\n1\n' >one.jaspar
expect 0 "" scan one.jaspar text.fa --score 1
awk 'BEGIN { print ">long"; for (x = 1; x <= 4; ++x) { row = ""; for (i = 1; i <= 128; ++i) row = row " " x; print row } }' >long.jaspar
expect 0 "" scan long.jaspar text.fa --score 1

# Quoted text is shortened.
head -c 3000000 /dev/zero | tr '\0' x >line.jaspar
expect 1 "line.jaspar:1: " scan line.jaspar text.fa
[ "$(wc -c <said)" -lt 300 ] || fail "a long line is quoted whole"
{ printf '>x\nA [ '; cat line.jaspar; echo ' ]'; } >number.jaspar
expect 1 "number.jaspar:2: \"xxxx" scan number.jaspar text.fa
[ "$(wc -c <said)" -lt 300 ] || fail "a long number is quoted whole"
# A line that the memory does not hold.
{ echo '>x'; head -c 300000000 /dev/zero | tr '\0' A; echo; } >line.fa
got=0
(ulimit -v 900000 && exec "$PROGRAM" scan motifs.jaspar line.fa --score 5 --format counts) >out 2>said || got=$?
[ "$got" -le 2 ] || { cat said >&2; fail "status $got where the memory does not hold a line"; }
[ "$got" = 0 ] || grep -q 'memory' said || { cat said >&2; fail "memory is not spoken of"; }
rm line.fa line.jaspar number.jaspar

# Tables of thresholds.
scan 1 "none.tsv: cannot be opened" --thresholds none.tsv
printf 'M1\n' >t.tsv
scan 1 "t.tsv:1: \"M1\"" --thresholds t.tsv
printf 'M1\t1\nM2\tx\n' >t.tsv
scan 1 "t.tsv:2: \"x\"; expected a score" --thresholds t.tsv
printf 'M1\t1\nM1\t2\n' >t.tsv
scan 1 "t.tsv:2: a second score for M1" --thresholds t.tsv
printf 'other\t1\n' >t.tsv
scan 1 "t.tsv: no score for any of the motifs" --thresholds t.tsv
printf 'motif_id\tlength\nM1\t2\n' >t.tsv
scan 1 "t.tsv:1: no column \"score\"" --thresholds t.tsv

# Other commands.
expect 1 "-p: 0" threshold motifs.jaspar -p 0
expect 1 "-p: 2" threshold motifs.jaspar -p 2
expect 1 "--score" pvalue motifs.jaspar
expect 1 "--score" pvalue motifs.jaspar --score inf
expect 1 "--convention" threshold motifs.jaspar -p 0.1 --convention mine
expect 1 "-p: 0" compare motifs.jaspar motifs.jaspar -p 0
expect 1 "only one of -p and --thresholds" compare motifs.jaspar motifs.jaspar -p 0.1 --thresholds t.tsv
expect 1 "--slices: \"0\"" compare motifs.jaspar motifs.jaspar -p 0.01 --method bucket --slices 0
expect 1 "--svg" logo motifs.jaspar

expect 1 "--slice-columns: \"9\"; expected" scan motifs.jaspar text.fa --score 1 --method slices --slice-columns 9
expect 1 "--slice-columns: \"0\"; expected" scan motifs.jaspar text.fa --score 1 --method slices --slice-columns 0
expect 1 "--slice-columns is an option of --method slices" scan motifs.jaspar text.fa --score 1 --slice-columns 4

# Texts and output.
expect 1 "none.fa" scan motifs.jaspar none.fa --score 1
printf '>a\nACGTACGTAC\n>b\nACGT1CGT\n' >letter.fa
expect 1 "letter.fa:record 2 (b), letter 5: '1' is not a DNA letter; expected A, C, G, T" scan motifs.jaspar letter.fa --score 1
expect 1 "letter.fa:record 2 (b), letter 5: '1' is not a DNA letter" scan motifs.jaspar letter.fa --score 1 --background input
expect 0 "" scan motifs.jaspar letter.fa --score 1 --replace-letters --background input
printf '>a\nACGT\001CGT\n' >control.fa
expect 1 "control.fa:record 1 (a), letter 5: binary: byte 0x01" scan motifs.jaspar control.fa --score 1 --replace-letters
: >empty.fa
expect 1 "empty.fa" scan motifs.jaspar empty.fa --score 1
untouched motifs.jaspar scan motifs.jaspar text.fa --score 1 -o motifs.jaspar
untouched text.fa scan motifs.jaspar text.fa --score 1 -o text.fa
untouched motifs.jaspar threshold motifs.jaspar -p 0.1 -o motifs.jaspar
untouched motifs.jaspar logo motifs.jaspar --svg motifs.jaspar
expect 1 "x.svg: two outputs go to it" distribution motifs.jaspar -o x.svg --svg x.svg
expect 1 "none/x.tsv: cannot be written: No such file" threshold none.jaspar -p 0.1 -o none/x.tsv
expect 1 "none/x.svg: cannot be written: No such file" distribution none.jaspar --svg none/x.svg
scan 1 "--max-hits: \"-1\"; expected a whole number from 0 to" --max-hits -1
expect 1 "--buckets: \"4294967296\"" pvalue motifs.jaspar --score 1 --buckets 4294967296
expect 1 "no subcommand \"treshold\"; did you mean threshold?" treshold motifs.jaspar
help_to_full_disk "scan --help"
scan 1 "/dev/full: cannot be written: No space left on device" --score 1 -o /dev/full
scan 1 "none/x.tsv: cannot be written: No such file" --score 1 -o none/x.tsv
for left in .genocl* x.*; do [ ! -e "$left" ] || fail "files left behind: $left"; done
# Readers choose the format by the name.
expect 1 "x.bed: tsv under a name for bed; expected --format bed, or another name" scan motifs.jaspar text.fa -o x.bed
