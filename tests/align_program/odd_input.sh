#!/bin/sh
# What real databases and queries hold is repaired as BLAST does, with one warning of each kind; --strict makes it an error.
test_name=odd_input
. "$(dirname "$0")/common.sh"

# warns TEXT COMMAND...: success, and a warning that holds the text.
warns() {
  text=$1
  shift
  "$PROGRAM" "$@" --quiet >out 2>said || { cat said >&2; fail "failed: $*"; }
  grep -qF -- "warning: $text" said || { cat said >&2; fail "does not warn \"$text\": $*"; }
}

# Gaps of aligned sequences, in subjects and queries, are left out and counted.
protein=MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQ
printf '>q title\n%s\n' $protein >q.fa
printf '>whole\nMKTAYIAKQRQISFVKSHFSRQLEERLG\n>other\nMKTAYIAKQRQISFVKSHFSRQ\n>third\nISFVKSHFSRQLEERLGLIEVQAP\n' >plain.fa
printf '>whole\nMKTAYIAK--QRQISF\n.VKSHFSRQ-LEERLG.\n>other\nMKTAYIAKQRQISFVKSHFSRQ\n>third\n--ISFVKSHFSRQLEERLGLIEVQAP\n' >gaps.fa
sed 's/$/\r/' gaps.fa | gzip >gaps.fa.gz
quietly search q.fa plain.fa --format blast6 --max-hsps 1 -o plain.b6
[ "$(wc -l <plain.b6)" = 3 ] || fail "three hits"
for file in gaps.fa gaps.fa.gz; do
  warns "$file:record 1 (whole): 5 gaps ('-' or '.') are left out" search q.fa $file --format blast6 --max-hsps 1 -o got.b6
  grep -q "warning: $file: gaps were left out of 2 of 3 records" said || fail "no count"
  [ "$(grep -c warning said)" = 2 ] || fail "more than a warning and a count"
  same got.b6 plain.b6
  expect 1 "$file:record 1 (whole): 5 gaps" search q.fa $file --strict
  warns "$file:record 1 (whole): 5 gaps" makedb $file -o gaps.gdb
  quietly search q.fa gaps.gdb --format blast6 --max-hsps 1 -o got.b6
  same got.b6 plain.b6
  expect 1 "$file:record 1 (whole): 5 gaps" makedb $file -o strict.gdb --strict
  [ ! -e strict.gdb ] || fail "a database in spite of the error"
done
quietly search plain.fa q.fa --format blast6 --max-hsps 1 -o plain.b6
warns "gaps.fa:record 1 (whole): 5 gaps" search gaps.fa q.fa --format blast6 --max-hsps 1 -o got.b6
same got.b6 plain.b6
expect 1 "gaps.fa:record 1 (whole): 5 gaps" search gaps.fa q.fa --strict
warns "gaps.fa:record 1 (whole): 5 gaps" pairs plain.fa gaps.fa --align
[ "$(tail -n +2 out | cut -f 8 | sort -u)" = 100.000 ] || fail "pairs: not the same sequences"
# Other letters stay an error, which names the option for them.
printf '>d\n1 MKTAYIAKQR 10\n' >digits.fa
expect 1 "'1' is not a protein letter; expected an amino acid (A to Z or *), or --replace-letters" search q.fa digits.fa
# More than one in a hundred, and a hundred: a final warning.
awk 'BEGIN { for (i = 1; i <= 300; ++i) print ">s" i "\nMKTAYIAKQRQ" (i % 3 ? "" : "-") "ISFVKSHFSRQ" }' >many.fa
warns "many.fa: gaps were left out of 100 of 300 records, more than 1%" makedb many.fa -o many.gdb

# Headers with the sequence behind a tab: a database without a letter is an error.
printf '>one\t%s\n>two\t%s\n' $protein $protein >lines.fa
expect 1 "lines.fa: 2 records without a letter" makedb lines.fa -o lines.gdb
expect 1 "lines.fa: 2 records without a letter" search q.fa lines.fa
[ ! -e lines.gdb ] || fail "a database of nothing"

# Names that SAM does not allow.
long=$(awk 'BEGIN { for (i = 0; i < 300; ++i) printf "L" }')
printf '>p,1(x)[y] "t"\n%s\n>=odd|n*me;x\n%s\n>dup a\n%s\n>dup b\n%s\n>%s\n%s\n>%sX\n%s\n>fine:1*\n%s\n' $protein $protein $protein $protein \
  "$long" $protein "$long" $protein $protein >names.fa
warns 'names.fa:sequence 1: the name "p,1(x)[y]" is "p_1_x__y_" in SAM' search q.fa names.fa --format sam --max-hsps 1 -o names.sam
grep -q "warning: names.fa: names were changed for SAM of 5 of 7 records" said || fail "no count of names"
grep '^@SQ' names.sam | cut -f 2 | sed 's/^SN://' >names
printf 'p_1_x__y_\n_odd|n*me;x\ndup\ndup_2\n%.254s\n%.252s_2\nfine:1*\n' "$long" "$long" >expected
same names expected
records names.sam | cut -f 3 | sort | cmp - "$(sort expected >sorted && echo sorted)" || fail "hits have other names"
expect 1 'names.fa:sequence 1: the name "p,1(x)[y]"' search q.fa names.fa --format sam --strict
printf '>%s\n%s\n>a@b\n%s\n' "$long" $protein $protein >queries.fa
warns "queries.fa:record 1: the name" search queries.fa plain.fa --format sam --max-hsps 1 --max-hits 1 -o queries.sam
[ "$(records queries.sam | cut -f 1 | uniq | tr '\n' ' ')" = "$(printf '%.254s a_b ' "$long")" ] || fail "names of queries"
if command -v samtools >/dev/null; then
  for file in names queries; do
    samtools view -b -o $file.bam $file.sam 2>/dev/null && samtools quickcheck $file.bam || fail "samtools does not read $file.sam"
  done
fi

# Titles: control characters are blanks, ^A separates the titles of nr.
printf '>t1 desc\twith\ttabs\n%s\n>WP_1.1 kinase [Esc]\001WP_2.1 kinase 2 [Sal]\001XP_3.1\tthird\n%s\n' $protein $protein >titles.fa
quietly search q.fa titles.fa --format blast6 --columns sseqid,stitle,evalue,sallseqid,salltitles,sallacc,saccver -o got.b6
printf 't1\tt1 desc with tabs\tt1\tt1 desc with tabs\tt1\tt1\nWP_1.1\tWP_1.1 kinase [Esc]\tWP_1.1;WP_2.1;XP_3.1\tWP_1.1 kinase [Esc]<>WP_2.1 kinase 2 [Sal]<>XP_3.1 third\tWP_1.1;WP_2.1;XP_3.1\tWP_1.1\n' >expected
cut -f 1,2,4- got.b6 | cmp - expected || fail "titles"
for format in blast7 pairwise json; do
  quietly search titles.fa q.fa --format $format -o got
  grep -q "$(printf 'desc\twith')" got && fail "a tab in a title: $format"
  grep -q "$(printf '\001')" got && fail "^A in a title: $format"
done

# Columns as BLAST separates them, or with commas.
quietly search q.fa plain.fa --format blast6 --columns std,qlen,slen -o want.b6
for columns in "std qlen slen" " std  qlen, slen " "std,qlen slen"; do
  quietly search q.fa plain.fa --format blast6 --columns "$columns" -o got.b6
  same got.b6 want.b6
done
expect 1 "--columns" search q.fa plain.fa --format blast6 --columns "std qlenn"
expect 1 "--columns" search q.fa plain.fa --format blast6 --columns "std,,qlen"

# Penalties without statistics.
expect 1 "no statistics are known for BLOSUM62 with gap penalties 5/1; expected 11/2 10/2" search q.fa plain.fa --gap-open 5 --gap-extend 1
expect 1 "or --no-evalue" search q.fa plain.fa --gap-open 5 --gap-extend 1 --format blast6
quietly search q.fa plain.fa --gap-open 5 --gap-extend 1 --format blast6 --no-evalue -o got.b6
[ "$(cut -f 11,12 got.b6 | sort -u)" = "$(printf 'nan\tnan')" ] || fail "columns without statistics"
quietly search q.fa plain.fa --gap-open 5 --gap-extend 1 --all-scores -o got.tsv
# With known statistics hits are sorted by score, and none is left out.
printf '>far\nWWWWWMKWWWWW\n' >far.fa
quietly search q.fa far.fa --format blast6 --no-evalue -o got.b6
[ "$(cut -f 1,2,11,12 got.b6)" = "$(printf 'q\tfar\tnan\tnan')" ] || fail "--no-evalue leaves a hit out"

# U scores as C and O as X, with every matrix; blastp has 169, 97 and 97 for the first three with BLOSUM62.
printf '>u\nMKTAYIAKURQISFVKSHFSRQUEERLGLIEVQ\n>o\nMKTAYIAKOROISFVKSHFSRQ\n' >special.fa
printf '>c\nMKTAYIAKCRQISFVKSHFSRQCEERLGLIEVQ\n>x\nMKTAYIAKXRXISFVKSHFSRQ\n' >plain.special.fa
for matrix in BLOSUM45 BLOSUM50 BLOSUM62 BLOSUM80 BLOSUM90 PAM30 PAM70 PAM250; do
  for queries in special plain.special; do
    quietly search $queries.fa special.fa --matrix $matrix --all-scores -o $queries.tsv
    tail -n +2 $queries.tsv | cut -f 3 >$queries.scores
  done
  same special.scores plain.special.scores
done
quietly search special.fa special.fa --all-scores -o got.tsv
[ "$(tail -n +2 got.tsv | cut -f 3 | tr '\n' ' ')" = "169 97 97 97 " ] || { cat got.tsv >&2; fail "U and O"; }

# Ambiguity codes of DNA: blastn's rounded mean.
sequence=ATGACACGGGCATATGACTGGTTTACGATAGTATGTCCAACGGCGAGCTTTACATTTGCTGAGAGGTACAGGG
printf '>s\nCCCCC%sGGGGG\n' $sequence >codes.s.fa
: >codes.fa
for code in T N R Y K B V; do printf '>%s\n%s\n' $code "$(echo $sequence | sed "s/^\(.\{31\}\)T/\1$code/")" >>codes.fa; done
quietly search --dna codes.fa codes.s.fa --strand + --max-hsps 1 --format blast6 --columns qseqid,score -o got.b6
printf 'T\t146\nN\t142\nR\t141\nY\t143\nK\t143\nB\t143\nV\t141\n' | cmp - got.b6 || { cat got.b6 >&2; fail "scores of ambiguity codes"; }

# N over N is a mismatch in SAM, as samtools calmd has it; a code over itself is a match.
printf '>sn\nCCCCC%sGGGGG\n' "$(echo $sequence | sed 's/^\(.\{29\}\)..\(.*\)/\1NR\2/')" >n.fa
: >reads.n.fa
for codes in GA NR NA GR NN; do printf '>%s\n%s\n' $codes "$(echo $sequence | sed "s/^\(.\{29\}\)../\1$codes/")" >>reads.n.fa; done
for style in x m; do
  quietly search --dna reads.n.fa n.fa --format sam --max-hsps 1 --max-hits 1 --cigar $style -o n.sam
  [ "$(records n.sam | awk '{ print $1, $0 }' | sed 's/\([A-Z]*\) .*NM:i:\([0-9]*\).*/\1 \2/' | tr '\n' ' ')" = "GA 2 NR 1 NA 2 GR 1 NN 2 " ] ||
    { records n.sam >&2; fail "NM with N"; }
  if command -v samtools >/dev/null; then
    samtools calmd n.sam n.fa 2>/dev/null | grep -v '^@' | sed 's/\tMD:Z:[^\t]*//' >calmd
    records n.sam | cmp - calmd || fail "samtools calmd finds another NM"
  fi
done
quietly search --dna reads.n.fa n.fa --format sam --max-hsps 1 --max-hits 1 -o n.sam
[ "$(records n.sam | awk '$1 == "NR" { print $6 }')" = 29=1X43= ] || fail "CIGAR of N over N"
