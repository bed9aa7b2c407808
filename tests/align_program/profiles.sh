#!/bin/sh
# Profiles: searched with, and made of alignments.
test_name=profiles
. "$(dirname "$0")/common.sh"

# as_pssm NAME FILE: a query of FILE as a profile whose rows are those of the matrix.
as_pssm() {
  awk -v wanted="$1" '
    NR == FNR { if (/^#/ || !NF) next
      if (!columns) { columns = NF; for (i = 1; i <= NF; ++i) name[i] = $i; next }
      for (i = 1; i <= columns; ++i) score[$1, name[i]] = $(i + 1); next }
    /^>/ { take = substr($1, 2) == wanted; next }
    take { text = text $0 }
    END { letters = "ARNDCQEGHILKMFPSTWYV"
      print ""; print "Last position-specific scoring matrix computed"; printf "  "
      for (i = 1; i <= 20; ++i) printf "  %s", substr(letters, i, 1); print ""
      for (row = 1; row <= length(text); ++row) {
        letter = toupper(substr(text, row, 1)); printf "%d %s", row, letter
        for (i = 1; i <= 20; ++i) printf " %d", score[letter, substr(letters, i, 1)]
        print "" } }' matrix.txt "$2"
}
names=$(awk '/^>/ { print substr($1, 2) }' queries.fa | head -3)
: >some.fa
pssms=
for name in $names; do
  as_pssm "$name" queries.fa >"$name.pssm"
  awk -v wanted="$name" '/^>/ { take = substr($1, 2) == wanted; $0 = $1 } take' queries.fa >>some.fa
  pssms="$pssms --pssm $name.pssm"
done
quietly makedb proteins.fa -o proteins.gdb
for options in "" "--align --max-hsps 2" "--format blast6" "--format sam" "--max-hits 3 --align --format json"; do
  # shellcheck disable=SC2086
  quietly search some.fa proteins.gdb --matrix matrix.txt --no-evalue $options -o plain
  # shellcheck disable=SC2086
  quietly search $pssms proteins.gdb --matrix matrix.txt --no-evalue $options -o profiles
  grep -v '^@PG' plain | grep -v '"command' >plain.body
  grep -v '^@PG' profiles | grep -v '"command' >profiles.body
  same plain.body profiles.body
done
# shellcheck disable=SC2086
quietly search $pssms proteins.gdb --matrix matrix.txt --no-evalue -o hits.tsv
[ "$(body hits.tsv | wc -l)" -gt 20 ] || fail "too few hits"
# Profiles with own rows: subjects that score 0 are not found.
first=$(echo "$names" | head -1)
awk 'NF < 20 || $1 !~ /^[0-9]/ { print; next } { for (i = 3; i <= 22; ++i) $i = -1; print }' "$first.pssm" >none.pssm
quietly search --pssm none.pssm proteins.gdb -o none.tsv
[ "$(body none.tsv | wc -l)" = 0 ] || fail "hits of a profile without scores above 0"
awk 'NF < 20 || $1 !~ /^[0-9]/ { print; next } { for (i = 3; i <= 22; ++i) $i *= 2; print }' "$first.pssm" >twice.pssm
quietly search --pssm "$first.pssm,twice.pssm" proteins.gdb --max-hits 1 -o two.tsv
body two.tsv | awk -F'\t' '{ score[NR] = $3 } END { exit !(NR == 2 && score[2] > 2 * score[1] - 1) }' || fail "doubled scores"

# Of an alignment, with the numbers that psiblast 2.12 prints.
cat >alignment.fa <<'END'
>query
MEVKPKLYYFQGXGRMESIRWLLA
>s0
-----SWY---GRGVGRHLNPYLG
>s1
IEIKPCLYYFQGRGQMQSIRWLLA
>s2
--VKPKLIYFQGRGGMESITWLLA
>s4
CEQKMKQ---MGEWRADVITWNMM
END
quietly_made() { "$PROGRAM" pssm "$@" 2>said || { cat said >&2; fail "pssm $*"; }; }
quietly_made alignment.fa -o made.pssm
grep -qF '    1 M    -1  -3  -3  -4   7  -2  -3  -3  -3   2   1  -3   3  -1  -3  -2  -1  -2  -2   1    0   0   0   0  42   0   0   0   0  30   0   0  28   0   0   0   0   0   0   0  0.44 0.01' made.pssm || fail "row 1"
grep -qF '    2 E    -1   0   0   2  -4   2   5  -2   0  -3  -3   1  -2  -3  -1   0  -1  -3  -2  -3    0   0   0   0   0   0 100   0   0   0   0   0   0   0   0   0   0   0   0   0  0.75 0.01' made.pssm || fail "row 2"
[ "$(tail -n 2 made.pssm)" = "PSI Ungapped         0.1212     0.3178
PSI Gapped           0.0371     0.2670" ] || fail "statistics"
quietly_made alignment.fa --matrix pam30 -o pam30.pssm
grep -qF '    1 M    -5  -6  -7 -10   7  -7  -7  -9  -8   5  -2  -5   7  -4  -8  -4  -4 -14  -5  -1    0 ' pam30.pssm || fail "--matrix"
quietly_made - -o piped.pssm <alignment.fa
same made.pssm piped.pssm
quietly_made alignment.fa --gap-open 9 --gap-extend 2 -o gaps.pssm
[ "$(sed 's/[0-9.]* *0\.2[0-9]*$//' gaps.pssm | grep -c Gapped)" = 2 ] && ! cmp -s made.pssm gaps.pssm || fail "gap penalties"
# The profile is searched with.
awk '/^>query/ { getline; print ">hit"; print "AAAA" $0 "CCCC" }' alignment.fa | tr X R >hit.fa
quietly search --pssm made.pssm hit.fa --align -o hit.tsv
body hit.tsv | awk -F'\t' '{ exit !($1 == "made" && $2 == "hit" && $8 == 1 && $9 == 24 && $13 ~ /^12=1X11=$/) }' || { cat hit.tsv; fail "the alignment's own letters"; }

# Errors.
wrong() { text=$1; shift; expect 1 "$text" "$@"; }
wrong "none.pssm" search --pssm gone/none.pssm proteins.gdb
sed '5s/ [0-9-]*$//' "$first.pssm" >short.pssm
wrong "short.pssm:5: a row of 21 words" search --pssm short.pssm proteins.gdb
sed '5s/ [0-9-]*$/ x/' "$first.pssm" >letter.pssm
wrong "letter.pssm:5: \"x\"; expected a whole number from -127 to 127" search --pssm letter.pssm proteins.gdb
wrong "queries.fa: no profile" search --pssm queries.fa proteins.gdb
wrong "no subjects" search --pssm "$first.pssm"
wrong "no subjects" search queries.fa
for options in --dna "--mask seg" --all-scores "--resume" "--shard 0/2" "--batch-queries 2" "--kernel inter"; do
  # shellcheck disable=SC2086
  wrong "--pssm with" search --pssm "$first.pssm" proteins.gdb $options -o refused
done
quietly makedb dna.fa --dna -o dna.gdb
wrong "--pssm with a database of DNA" search --pssm "$first.pssm" dna.gdb
printf '>a\nMKV\n>b\nMK\n' >uneven.fa
wrong "uneven.fa: sequence \"b\" of an alignment has 2 letters" pssm uneven.fa -o refused
wrong "no matrix named" pssm alignment.fa --matrix BLOSUM99 -o refused
wrong "statistics are not known" pssm alignment.fa --gap-open 3 --gap-extend 3 -o refused
wrong "is an input" pssm alignment.fa -o alignment.fa
[ ! -e refused ] || fail "what was refused has left a file"
