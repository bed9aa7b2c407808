#!/bin/sh
# Iterated search and profiles of alignments: against searches one by one, psiblast on a small database, and alignments that
# Biopython writes.
test_name=iterations
. "$(dirname "$0")/common.sh"

# A family of 14 proteins, each a relative of the one before, among random ones.
awk 'function letter() { return substr("ARNDCQEGHILKMFPSTWYV", 1 + int(20 * rand()), 1) }
  BEGIN {
    srand(8)
    for (i = 0; i < 180; ++i) parent = parent letter()
    print ">q1 a query\n" parent >"family_queries.fa"
    print ">q2\nMK" >"family_queries.fa"
    for (m = 1; m <= 14; ++m) {
      child = ""
      for (i = 1; i <= length(parent); ++i) { dice = rand(); child = child (dice < 0.24 ? letter() : dice < 0.25 ? "" : substr(parent, i, 1)) }
      parent = child
      print ">m" m "\n" child >"family.fa"
      text = ""; for (i = 0; i < 150; ++i) text = text letter()
      print ">x" m "\n" text >"family.fa"
    }
  }'
awk '/^>/ { ++n } n == 1' family_queries.fa >q1.fa
members() { body "$1" | awk -F'\t' '$1 == "q1" && $5 < 0.002 { print $2 }' | sort -u; }
quietly search q1.fa family.fa --protein --max-hits 50 -o one.tsv
quietly search q1.fa family.fa --protein --max-hits 50 --iterations 1 -o first.tsv
same one.tsv first.tsv
"$PROGRAM" search family_queries.fa family.fa --protein --max-hits 50 --iterations 0 -o all.tsv 2>said || { cat said; fail "--iterations 0"; }
members one.tsv >members.one
members all.tsv >members.all
[ "$(wc -l <members.all)" -gt "$(wc -l <members.one)" ] || fail "iterations find no more members"
comm -23 members.one members.all | grep . && fail "members are lost"
grep -q '^q1: [0-9]* iterations, converged; subjects in profiles (new ones): [0-9]* ([0-9]*).* [0-9]* (0)$' said || { cat said; fail "report of q1"; }
grep -q '^q2: 1 iteration; subjects in profiles (new ones): 0 (0)$' said || { cat said; fail "report of q2"; }
# The second iteration, by hand: the profile that it writes finds the same hits.
quietly search q1.fa family.fa --protein --max-hits 50 --iterations 2 --out-ascii-pssm second.pssm --out-pssm second.asn -o second.tsv
quietly search --pssm second.pssm family.fa --max-hits 50 -o by_hand.tsv
body second.tsv | cut -f 2- >a
body by_hand.tsv | cut -f 2- | diff a - >&2 || fail "the profile of --out-ascii-pssm"
quietly search --pssm second.asn family.fa --max-hits 50 -o by_hand.tsv
# In ASCII K has four digits, which changes E-values.
cut -f 1-3 a >without_evalues
body by_hand.tsv | cut -f 2-4 | diff without_evalues - >&2 || fail "the profile of --out-pssm"
cmp -s one.tsv second.tsv && fail "the second iteration is the first"
quietly search q1.fa family.fa --protein --max-hits 50 --iterations 2 --inclusion-ethresh 1e-300 -o none.tsv
same one.tsv none.tsv
quietly search q1.fa family.fa --protein --max-hits 50 --num_iterations 2 --inclusion_ethresh 0.002 --format blast6 --columns "qseqid sseqid evalue" -o names.tsv
cut -f 2 names.tsv | sort -u >a
body second.tsv | cut -f 2 | sort -u | diff - a >&2 || fail "formats"

# With composition-based statistics, a run of one letter in the query brings no runs into the profile.
{ awk '/^>/ { print ">runs"; next } { print substr($0, 1, 90) "QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ" substr($0, 91) }' q1.fa; } >runs.fa
{ cat family.fa; awk 'BEGIN { for (i = 1; i <= 5; ++i) print ">glutamines" i "\nMSTPQQQQQQQQHQQQQQQQQPQQQQQQLQQQQQQQQQHQQQQQNDSGSRKWTTPHDE" }'; } >with_runs.fa
quietly search runs.fa with_runs.fa --protein --max-hits 50 --iterations 3 --evalue 0.001 -o biased.tsv
for statistics in 1 2; do
  quietly search runs.fa with_runs.fa --protein --max-hits 50 --iterations 3 --evalue 0.001 --comp-based-stats $statistics -o adjusted.tsv
  grep -q glutamines biased.tsv && ! grep glutamines adjusted.tsv || fail "--comp-based-stats $statistics"
  [ "$(grep -c '^runs.m' adjusted.tsv)" -ge "$(members one.tsv | wc -l)" ] || { cat adjusted.tsv; fail "members with --comp-based-stats $statistics"; }
done

# psiblast includes the same members, with the same profile if the alignments are the same.
if command -v psiblast >/dev/null; then
  for options in "2 0" "3 0" "2 2" "3 2"; do
    n=${options% *} statistics=${options#* }
    quietly search q1.fa family.fa --protein --max-hits 50 --iterations $n --comp-based-stats $statistics -o ours.tsv
    psiblast -query q1.fa -subject family.fa -num_iterations $n -comp_based_stats $statistics -seg no -outfmt "7 qseqid sseqid evalue" 2>/dev/null |
      awk '/^# Iteration/ { n = 0 } !/^#/ && NF == 3 { line[++n] = $2 "\t" $3 } END { for (i = 1; i <= n; ++i) print line[i] }' >theirs
    if [ ! -s theirs ]; then echo "$test_name: psiblast -num_iterations needs a database here: not compared"; break; fi
    members ours.tsv >a
    awk '$2 < 0.002 { print $1 }' theirs | sort -u >b
    diff a b >&2 || fail "members of psiblast after $n iterations with -comp_based_stats $statistics"
  done
else
  echo "$test_name: left out without psiblast"
fi

# Alignments in every format give one profile; --msa searches with it.
cat >rows.fa <<'END'
>query
MEVKPKLYYFQGRGRMESIRWLLA
>s1
IEIKPCLYYFQG--QMQSIRWLLA
>s2
--VKPKLIYFQGRGGMESITWLLA
END
awk '/^>/ { print; next } { print substr($0, 1, 12) "aaw" substr($0, 13) }' rows.fa >rows.a3m
sed -i.bak '2s/aaw//' rows.a3m
{
  echo '# STOCKHOLM 1.0'
  awk '/^>/ { name = substr($0, 2); next } { print name, substr($0, 1, 10) }' rows.fa
  echo
  awk '/^>/ { name = substr($0, 2); next } { print name, substr($0, 11) }' rows.fa
  echo //
} >rows.sto
{
  printf 'CLUSTAL W (1.83) multiple sequence alignment\n\n'
  awk '/^>/ { name = substr($0, 2); next } { print name "   " $0 }' rows.fa
  echo '        ***'
} >rows.aln
"$PROGRAM" pssm rows.fa -o fa.pssm 2>said || { cat said; fail pssm; }
for format in a3m sto aln; do
  "$PROGRAM" pssm rows.$format -o $format.pssm 2>said || { cat said; fail "pssm $format"; }
  same fa.pssm $format.pssm
done
quietly search --pssm fa.pssm family.fa --evalue 1000 -o a
quietly search --msa rows.sto family.fa --evalue 1000 -o b
body a | cut -f 2- >a.body
body b | cut -f 2- | diff a.body - >&2 || fail "--msa"
[ "$(body b | cut -f 1 | sort -u)" = query ] || fail "name of --msa"
biopython=
for python in python3 /usr/bin/python3; do
  if [ -z "$biopython" ] && $python -c "import Bio" 2>/dev/null; then biopython=$python; fi
done
if [ -n "$biopython" ]; then
  $biopython -c 'from Bio import AlignIO
alignment = AlignIO.read("rows.fa", "fasta")
for record in alignment: record.annotations["molecule_type"] = "protein"
AlignIO.write(alignment, "bio.sto", "stockholm"); AlignIO.write(alignment, "bio.aln", "clustal")' || fail "Biopython"
  for format in sto aln; do
    "$PROGRAM" pssm bio.$format -o $format.pssm 2>said || { cat said; fail "pssm bio.$format"; }
    same fa.pssm $format.pssm
  done
else
  echo "$test_name: left out without Biopython: its alignments"
fi

wrong() { text=$1; shift; expect 1 "$text" search "$@"; }
for options in "--mask seg" "--no-evalue" "--all-scores" "--resume" "--translate query" "--pssm fa.pssm"; do
  # shellcheck disable=SC2086
  wrong "--iterations" q1.fa family.fa --iterations 2 $options -o refused
done
wrong "--inclusion-ethresh without --iterations" q1.fa family.fa --inclusion-ethresh 1
wrong "--out-ascii-pssm without --iterations" q1.fa family.fa --out-ascii-pssm x.pssm
wrong "--out-pssm without --iterations" q1.fa family.fa --out-pssm x.asn
wrong "--out-pssm with several queries" family_queries.fa family.fa --protein --iterations 2 --out-pssm refused.pssm -o refused
wrong "--inclusion-ethresh: 0" q1.fa family.fa --iterations 2 --inclusion-ethresh 0
wrong "--out-ascii-pssm with several queries" family_queries.fa family.fa --protein --iterations 2 --out-ascii-pssm refused.pssm -o refused
printf '>a\nACGTACGTTTGACCATTGCAACGTACGT\n' >dna.fa
wrong "--iterations with" dna.fa dna.fa --dna --iterations 2 -o refused
printf '# STOCKHOLM 1.0\na MKV\nb MK\n//\n' >uneven.sto
expect 1 "uneven.sto: sequence \"b\" of an alignment has 2 letters" pssm uneven.sto
wrong "uneven.sto" --msa uneven.sto family.fa
[ ! -e refused ] && [ ! -e refused.pssm ] || fail "what was refused has left a file"
