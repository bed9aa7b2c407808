#!/bin/sh
# Soft masks: masked letters start no hit, and alignments extend through them, as blastn and blastp -soft_masking true have it.
test_name=soft_masks
. "$(dirname "$0")/common.sh"

# Drawn DNA with a repeat of 80 bases, in unique bases or alone; every 17th base of some copies is another.
awk 'function draw(n,   t) { t = ""; while (n-- > 0) { x = x * 16807 % 2147483647; t = t substr("ACGT", int(x / 100) % 4 + 1, 1) } return t }
  function changed(t, every,   i, r) { r = ""; for (i = 1; i <= length(t); ++i) r = r (i % every ? substr(t, i, 1) : substr("CGTA", index("ACGT", substr(t, i, 1)), 1)); return r }
  function turned(t,   i, r) { r = ""; for (i = length(t); i > 0; --i) r = r substr("TGCA", index("ACGT", substr(t, i, 1)), 1); return r }
  function put(name, t) { print ">" name "\n" t >"subjects.fa" }
  BEGIN { x = 4711; left = draw(150); right = draw(150); repeat = ""; while (length(repeat) < 80) repeat = repeat "CA"
    print ">query\n" left repeat right >"query.fa"
    put("within", draw(80) changed(left repeat right, 17) draw(60))
    put("repeat_alone", draw(200) repeat draw(200))
    put("left_30", draw(200) substr(left, 121) repeat draw(200))
    put("right_25", draw(100) repeat substr(right, 1, 25) draw(300))
    put("left_14", draw(200) substr(left, 137) repeat draw(200))
    put("left_8", draw(200) substr(left, 143) repeat draw(200))
    put("apart", draw(100) substr(left, 21, 100) draw(300) repeat draw(100))
    put("twice", draw(50) changed(substr(left, 51) repeat substr(right, 1, 50), 23) draw(200) changed(substr(left, 101) repeat substr(right, 1, 100), 19) draw(20))
    put("turned", turned(draw(50) changed(substr(left, 101) repeat substr(right, 1, 100), 21) draw(10)))
    print ">repeat\n" repeat >"low.fa" }'
columns=qseqid,sseqid,qstart,qend,sstart,send,score,evalue
ours() { quietly search --dna query.fa subjects.fa --evalue 1e-3 --format blast6 --columns $columns "$@" -o got; sort got; }
blast() { blastn -task blastn -query query.fa -subject subjects.fa -dust yes -evalue 1e-3 -outfmt "6 $(echo $columns | tr , ' ')" "$@" | sort; }
# What NCBI BLAST 2.12.0+ printed.
sort >soft <<'END'
query	apart	20	121	100	201	204	2.90e-50
query	left_14	137	230	201	294	188	6.38e-46
query	left_30	121	231	201	311	222	3.77e-55
query	right_25	151	255	101	205	210	6.81e-52
query	turned	101	330	240	11	410	3.52e-106
query	twice	101	330	481	710	400	1.82e-103
query	twice	51	279	51	279	413	1.01e-106
query	within	1	380	81	460	650	2.52e-171
END
sort >hard <<'END'
query	apart	20	121	100	201	204	2.90e-50
query	left_30	121	150	201	230	60	3.53e-11
query	right_25	232	255	182	205	48	6.39e-08
query	turned	101	150	240	191	90	2.54e-19
query	turned	232	330	109	11	178	3.30e-43
query	twice	101	150	481	530	90	2.54e-19
query	twice	232	279	232	279	86	3.10e-18
query	twice	234	330	614	710	169	1.71e-40
query	twice	51	150	51	150	180	9.46e-44
query	within	1	150	81	230	260	1.83e-65
query	within	232	380	312	460	253	2.71e-63
END
ours --mask dust >got.soft
same got.soft soft
# Alignments of masked letters as N may join what blastn's heuristics keep apart; the best one of a subject is no worse.
ours --mask dust --mask-hard --max-hsps 1 >got.hard
awk 'NR == FNR { if ($7 > best[$2]) best[$2] = $7; next } { ++seen[$2]; if ($7 < best[$2]) { print; bad = 1 } }
  END { for (s in best) if (!seen[s]) { print s " is missing"; bad = 1 } exit bad }' hard got.hard || fail "--mask-hard"
grep -q repeat_alone got.hard && fail "--mask-hard: a hit within the repeat"
if command -v blastn >/dev/null; then
  blast -soft_masking true >theirs
  same theirs soft
  blast -soft_masking false >theirs
  same theirs hard
else
  echo "$test_name: left out without blastn: what it prints today"
fi
# The same hits without alignments, in parts, piece by piece, and with one alignment of a subject.
quietly search --dna query.fa subjects.fa --mask dust --evalue 1e-3 --strand plus -o scores.tsv
quietly search --dna query.fa subjects.fa --mask dust --evalue 1e-3 --strand plus --max-hsps 1 --align -o one.tsv
cut -f1-8 one.tsv | cmp - scores.tsv || fail "hits with and without alignments"
ours --mask dust --shard 0/2 >/dev/null && mv got part.0
ours --mask dust --shard 1/2 >/dev/null && mv got part.1
quietly merge part.1 part.0 -o merged
ours --mask dust >/dev/null
same got merged
mv got whole
ours --mask dust --resume --chunk 500 >/dev/null
same got whole
# A query that is a repeat has no hit; without a mask it has some.
quietly search --dna low.fa subjects.fa --mask dust --format blast6 -o got
[ ! -s got ] || fail "a hit of a masked query"
quietly search --dna low.fa subjects.fa --format blast6 -o got
[ -s got ] || fail "no hit of a query that is not masked"
# Letters in lower case are masked as those of DUST are.
awk '/^>/ { print; next } { print substr($0, 1, 149) tolower(substr($0, 150, 80)) substr($0, 230) }' query.fa >lower.fa
quietly search --dna lower.fa subjects.fa --mask lower --evalue 1e-3 --format blast6 --columns $columns -o got
same got whole
# Without E-values the best hits of masked letters are extended.
quietly search --dna query.fa subjects.fa --mask dust --no-evalue --min-score 30 --max-hits 3 --format blast6 --columns sseqid,score -o got
grep -q 'repeat_alone' got && fail "--no-evalue: a hit within the repeat"
[ "$(head -1 got)" = "$(grep within soft | cut -f2,7)" ] || { cat got >&2; fail "--no-evalue"; }

# Proteins: a segment of glutamines.
printf '>query\nMKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEV\n' >query.fa
printf '>within\nMKWVTFLSLLFLFSSAYARGVFRRDAHKSEIAHRQQQQQQQQQQQQQQQHQQQQQQQQQQQQQQFKDLGEDNFKALVLIAFAQYLQKCPFEDHVKLVNEV\n' >subjects.fa
printf '>alone\nMADSERLSAPGCWAACTNFSQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQIILCLVILICFSASTPGYSSLSVIEM\n' >>subjects.fa
printf '>flank\nMADSERLSAPGCWAACTNFSRTRKGILLFRDAHKSEVAHRQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQIILCLVILICFSASTPGYSSLSVIEM\n' >>subjects.fa
# blastp -use_sw_tback -seg yes -soft_masking true -max_hsps 1
check() {
  quietly search query.fa subjects.fa --mask seg --comp-based-stats "$1" --max-hsps 1 --evalue 1e-3 --format blast6 --columns $columns -o got
  same got printed
}
cat >printed <<'END'
query	within	1	100	1	100	494	3.44e-71
query	flank	24	64	30	70	208	1.13e-27
END
check 0
cat >printed <<'END'
query	within	1	100	1	100	299	1.87e-41
query	flank	24	34	30	40	63	5.79e-06
END
check 2
