#!/bin/sh
# DNA on both strands.
test_name=dna
. "$(dirname "$0")/common.sh"

awk -v dna=1 -v match_score=2 -v mismatch=-3 -v open=5 -v extend=2 -v queries=reads.fa -v subjects=dna.fa \
  -f "$SOURCE/scores.awk" >expected.tsv
quietly search reads.fa dna.fa --dna --all-scores -o all.tsv
same expected.tsv all.tsv
quietly search reads.fa dna.fa --dna --match 2 --mismatch -3 --gap-open 5 --gap-extend 2 --strand both --all-scores -o all.tsv
same expected.tsv all.tsv
awk -v dna=1 -v match_score=5 -v mismatch=-4 -v open=8 -v extend=6 -v queries=reads.fa -v subjects=dna.fa \
  -f "$SOURCE/scores.awk" >expected.tsv
quietly search reads.fa dna.fa --dna --match 5 --mismatch=-4 --gap-open 8 --gap-extend 6 --all-scores -o all.tsv
same expected.tsv all.tsv
# The same scores from a file.
printf '   A  C  G  T  N\nA  5 -4 -4 -4 -4\nC -4  5 -4 -4 -4\nG -4 -4  5 -4 -4\nT -4 -4 -4  5 -4\nN -4 -4 -4 -4 -4\n' >dna.txt
quietly search reads.fa dna.fa --dna --matrix dna.txt --gap-open 8 --gap-extend 6 --all-scores -o all.tsv
quietly search reads.fa dna.fa --dna --match 5 --mismatch=-4 --gap-open 8 --gap-extend 6 -o hits.tsv
awk -F'\t' 'NR == FNR { if (FNR > 1) score[$1, $2] = $3; next } FNR > 1 && score[$1, $2] > $3 { exit 1 }' all.tsv expected.tsv ||
  fail "N of -4 in a file scores more than the mean"
quietly search reads.fa dna.fa --dna --matrix dna.txt --gap-open 8 --gap-extend 6 -o hits.tsv
body hits.tsv | awk -F'\t' '$5 == "nan" { exit 1 }' || fail "scores are known whatever the name of the file"

# Alignments on both strands.
quietly search reads.fa dna.fa --dna --align --max-hits 20 --evalue 1e-3 -o align.tsv
head -1 align.tsv | grep -q '	subject_length	strand	query_start	' || fail "header line"
awk -v check=align.tsv -v dna=1 -v match_score=2 -v mismatch=-3 -v open=5 -v extend=2 -v queries=reads.fa -v subjects=dna.fa \
  -f "$SOURCE/scores.awk" || fail "alignments"
# A reverse complement is found on the other strand.
body align.tsv | awk -F'\t' '$2 ~ /like/ { turned = $2 ~ /-$/; if (turned != ($8 == "-")) { print; exit 1 } ++seen[turned] }
  END { exit !(seen[0] > 1 && seen[1] > 1) }' || fail "strands"
for strand in plus minus; do
  quietly search reads.fa dna.fa --dna --align --max-hits 20 --evalue 1e-3 --strand $strand -o $strand.tsv
done
quietly search reads.fa dna.fa --dna --align --max-hits 20 --evalue 1e-3 --strand - -o sign.tsv
body minus.tsv >words
body sign.tsv | cmp - words || fail "--strand - is not --strand minus"
{ body plus.tsv; body minus.tsv; } | sort >both
body align.tsv | sort | cmp - both || fail "--strand plus and minus are not both"

# BLAST turns the subject; so does the report, down to its letters.
quietly search reads.fa dna.fa --dna --format blast6 --max-hits 20 --evalue 1e-3 -o hits.b6
body align.tsv | awk -F'\t' -v OFS='\t' '{ print $1, $2, $9, $10, $8 == "-" ? $12 : $11, $8 == "-" ? $11 : $12 }' >places
cut -f1,2,7-10 hits.b6 | cmp - places || fail "blast6: places"
quietly search reads.fa dna.fa --dna --format pairwise --max-hits 20 --evalue 1e-3 -o hits.txt
awk 'function out() { if (qs != "") print qs "-" qe " " ss "-" se; qs = "" }
     /^>/ { out() } /^Query= / { out() }
     /^Query  / { if (qs == "") { qs = $2; fresh = 1 } qe = $4 }
     /^Sbjct  / { if (fresh) ss = $2; fresh = 0; se = $4 } END { out() }' hits.txt >shown
awk -F'\t' '{ print $3 "-" $4 " " $5 "-" $6 }' places | cmp - shown || fail "pairwise: places"
grep -q '^ Strand=Plus/Minus$' hits.txt && grep -q '^ Strand=Plus/Plus$' hits.txt || fail "pairwise: strands"
awk '/^Query  / { q = $3 } /^Sbjct  / { s = $3; n = 0
       for (i = 1; i <= length(q); ++i) if (substr(q, i, 1) == substr(s, i, 1)) ++n
       bars += n } /^ Identities = / { split($3, f, "/"); identities += f[1] }
     END { exit bars != identities || bars < 100 }' hits.txt || fail "pairwise: letters"

# SAM: letters and qualities turned with the read.
awk '/^>/ { if (name != "") put(); name = substr($1, 2); text = ""; next } { text = text $0 } END { put() }
     function put(   i) { printf "@%s\n%s\n+\n", name, text; for (i = 0; i < length(text); ++i) printf "%c", 33 + i % 40; print "" }' reads.fa >reads.fq
quietly search reads.fq dna.fa --dna --format sam --max-hits 20 --evalue 1e-3 -o hits.sam
records hits.sam | awk -F'\t' 'function turned(text,   i, r) { r = ""; for (i = length(text); i > 0; --i) r = r substr("TGCA", index("ACGT", substr(text, i, 1)), 1); return r }
    function back(text,   i, r) { r = ""; for (i = length(text); i > 0; --i) r = r substr(text, i, 1); return r }
    NR == FNR { if (FNR % 4 == 1) name = substr($1, 2); if (FNR % 4 == 2) text[name] = $1; if (FNR % 4 == 0) quality[name] = $0; next }
    { reverse = int($2 / 16) % 2; ++count[reverse]
      if ($10 != (reverse ? turned(text[$1]) : text[$1]) || $11 != (reverse ? back(quality[$1]) : quality[$1])) { print; exit 1 } }
    END { exit !(count[0] > 1 && count[1] > 1) }' reads.fq - || fail "SAM: letters"
records hits.sam | awk -F'\t' '$2 != 4 { print $1 "\t" $3 "\t" $4 "\t" (int($2 / 16) % 2 ? "-" : "+") }' >sam
body align.tsv | awk -F'\t' -v OFS='\t' '{ print $1, $2, $11, $8 }' | cmp - sam || fail "SAM: places"
if command -v samtools >/dev/null; then
  samtools quickcheck hits.sam || fail "quickcheck"
  quietly search reads.fq dna.fa --dna --format bam --max-hits 20 --evalue 1e-3 -o hits.bam
  samtools view hits.bam | cut -f1-15 >viewed
  records hits.sam | cut -f1-15 | cmp - viewed || fail "SAM and BAM differ"
  samtools calmd hits.sam dna.fa 2>/dev/null | grep -v '^@' | grep -o '^[^	]*\|NM:i:[0-9]*' >theirs
  records hits.sam | grep -o '^[^	]*\|NM:i:[0-9]*' | cmp - theirs || fail "NM is not that of samtools calmd"
else
  echo "$test_name: left out without samtools: quickcheck, BAM, calmd"
fi
