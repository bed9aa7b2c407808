#!/bin/sh
# Pairs of two files: every mode by hand, and local ones as the search has them.
test_name=pairs
. "$(dirname "$0")/common.sh"

# 5 for a match, -4 for a mismatch, 10 + k for a gap of k letters.
printf '>q1\nACGTACGT\n>q2\nACGT\n>q3\nACGTTTTT\n' >a.fa
printf '>s1\nACGTTACGT\n>s2\nTTACGTTT\n>s3\nGGGGACGT\n' >b.fa
score() { quietly pairs a.fa b.fa --dna --match 5 --mismatch=-4 --gap-open 10 --gap-extend 1 "$@" -o out.tsv; }
table() { tr ' ' '\t' >expected; same expected out.tsv; }
score
table <<'END'
query subject score
q1 s1 29
q2 s2 -4
q3 s3 -8
END
score --align
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
q1 s1 29 1 8 1 9 88.889 3=1D5=
q2 s2 -4 1 4 1 8 50.000 2D3=2D1=
q3 s3 -8 1 8 1 8 33.333 4D3=4I1=
END
score --mode semi-global --align
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
q1 s1 29 1 8 1 9 88.889 3=1D5=
q2 s2 20 1 4 3 6 100.000 4=
q3 s3 20 1 4 5 8 100.000 4=
END
score --mode semi-global --free query-begin,query-end,subject-begin,subject-end --align --cigar M
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
q1 s1 29 1 8 1 9 88.889 3M1D5M
q2 s2 20 1 4 3 6 100.000 4M
q3 s3 20 1 4 5 8 100.000 4M
END
score --mode semi-global --free subject-begin,subject-end --align
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
q1 s1 29 1 8 1 9 88.889 3=1D5=
q2 s2 20 1 4 3 6 100.000 4=
q3 s3 6 1 8 5 8 50.000 3=4I1=
END
score --mode semi-global --free subject-begin
table <<'END'
query subject score
q1 s1 29
q2 s2 8
q3 s3 6
END
score --mode local --align
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
q1 s1 29 1 8 1 9 88.889 3=1D5=
q2 s2 20 1 4 3 6 100.000 4=
q3 s3 20 1 4 5 8 100.000 4=
END
quietly pairs a.fa b.fa --dna --mode edit --align -o out.tsv
table <<'END'
query subject distance query_start query_end subject_start subject_end identity cigar
q1 s1 1 1 8 1 9 88.889 3=1D5=
q2 s2 4 1 4 1 8 50.000 2D3=2D1=
q3 s3 6 1 8 1 8 25.000 2X1=4X1=
END
quietly pairs a.fa b.fa --dna --mode edit --free subject-begin,subject-end -o out.tsv
table <<'END'
query subject distance
q1 s1 1
q2 s2 0
q3 s3 4
END
# Text, in the two files and from standard input.
printf '>1\nkitten\n>2\nSaturday\n' >a.txt
printf '>1\nsitting\n>2\nsunday\n' >b.txt
quietly pairs - b.txt --text --mode edit -o out.tsv <a.txt
table <<'END'
query subject distance
1 1 3
2 2 4
END

# No letter in common: no alignment.
printf '>a\nWWWW\n' >w.fa
printf '>b\nGGGG\n' >g.fa
quietly pairs w.fa g.fa --mode local --align -o out.tsv
table <<'END'
query subject score query_start query_end subject_start subject_end identity cigar
a b 0 * * * * * *
END

# Local scores of proteins are the search's.
quietly search queries.fa proteins.fa --all-scores -o all.tsv
body all.tsv | awk -F'\t' 'NR % 7 == 1 { print $1 > "q.names"; print $2 > "s.names"; print $3 > "scores" }'
# records NAMES FASTA: those records in the order of the names.
pick() { awk 'NR == FNR { if (/^>/) { name = substr($1, 2); next } text[name] = text[name] $0; next } { print ">" $1 "\n" text[$1] }' "$2" "$1"; }
pick q.names queries.fa >q.fa
pick s.names proteins.fa >s.fa
quietly pairs q.fa s.fa --mode local -o out.tsv
body out.tsv | cut -f3 | cmp - scores || fail "local scores are not those of the search"
[ "$(wc -l <scores)" -gt 20 ] || fail "too few pairs"

# Errors.
wrong() { text=$1; shift; expect 1 "$text" pairs "$@"; }
wrong "b.fa: 3 records; expected as many as in the other file, which has more" s.fa b.fa --protein
printf '>a\nAC\n' >one.fa
wrong "one.fa: 1 records" one.fa b.fa --dna
wrong "a.fa: looks like DNA" a.fa b.fa
wrong "--free without --mode semi-global or edit" a.fa b.fa --dna --free query-begin
wrong "--free" a.fa b.fa --dna --mode semi-global --free middle
wrong "--mode" a.fa b.fa --dna --mode glocal
wrong "--mode edit with --gap-open" a.fa b.fa --dna --mode edit --gap-open 2
wrong "--mode edit with --matrix" q.fa s.fa --mode edit --matrix PAM30
wrong "--mode edit with --free query-begin" a.fa b.fa --dna --mode edit --free query-begin
wrong "--text without --mode edit" a.fa b.fa --text
wrong "--text with --dna" a.fa b.fa --text --dna --mode edit
wrong "--text with --align" a.fa b.fa --text --align --mode edit
wrong "--cigar without --align" a.fa b.fa --dna --cigar M
wrong "--match and --mismatch without --dna" q.fa s.fa --match 2
wrong "standard input" - -
wrong "none.fa" none.fa b.fa
cp a.fa own.fa
wrong "is an input" own.fa b.fa --dna -o own.fa
same a.fa own.fa
