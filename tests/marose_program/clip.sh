#!/bin/sh
# Reads with adapters, ends of low quality and ends that match nothing.
test_name=clip
. "$(dirname "$0")/common.sh"

# 100 reads of 80 bases; behind 60 of them comes an adapter, other bases, or bases of low quality. Every other one is
# turned round, which an adapter is not.
awk 'BEGIN { RS = ">"; FS = "\n" } NR == 2 { s = ""; for (i = 2; i <= NF; ++i) s = s toupper($i); print s }' ref.fa >letters
awk 'function turned(s,   r, i) { r = ""; for (i = length(s); i > 0; --i) r = r c[substr(s, i, 1)]; return r }
    BEGIN { c["A"] = "T"; c["C"] = "G"; c["G"] = "C"; c["T"] = "A"; srand(3); n = split("adapter junk quality", kinds, " ") }
    { for (i = 0; i < 99; ++i) {
        kind = kinds[i % n + 1]; first = 1 + int(rand() * (length($0) - 100)); s = substr($0, first, 60)
        if (s !~ /^[ACGT]*$/) { --i; continue }
        if (i % 2) s = turned(s)
        junk = ""; for (k = 0; k < 20; ++k) junk = junk substr("ACGT", 1 + int(rand() * 4), 1)
        tail = kind == "adapter" ? "AGATCGGAAGAGCACACGTC" : junk
        bad = kind == "quality" ? "####################" : "IIIIIIIIIIIIIIIIIIII"
        print "@" i ":" kind ":" first ":" i % 2 "\n" s tail "\n+\n" sprintf("%60s", "") bad
      } }' letters | sed 's/^ \{60\}/IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII/' >tails.fq

# Reads of a kind that are mapped with these CIGARs.
count() { records "$1" | awk -F'\t' -v kind=":$2:" -v cigar="$3" '$1 ~ kind && $6 ~ cigar { ++n } END { print n + 0 }'; }

quietly index ref.fa -o ref.mrs
quietly map ref.mrs tails.fq -e 3 --unit-costs -o whole.sam
well_made whole.sam tails.fq
[ "$(records whole.sam | awk -F'\t' '$6 ~ /S/' | wc -l)" = 0 ] || fail "clips without being asked"
quietly map ref.mrs tails.fq -e 3 --unit-costs --adapter illumina -o adapter.sam
well_made adapter.sam tails.fq
[ "$(count adapter.sam adapter '^60M20S$|^20S60M$')" = 33 ] || fail "adapters are not cut off"
[ "$(count adapter.sam junk M)" = "$(count whole.sam junk M)" ] || fail "--adapter maps other reads"
quietly map ref.mrs tails.fq -e 3 --unit-costs --trim-quality 15 -o quality.sam
well_made quality.sam tails.fq
[ "$(count quality.sam quality '^60M20S$|^20S60M$')" = 33 ] || fail "low qualities are not cut off"
quietly map ref.mrs tails.fq -e 3 --unit-costs --clip --adapter illumina --trim-quality 15 -o clip.sam
well_made clip.sam tails.fq
[ "$(count clip.sam '[a-z]*' S)" = 99 ] || fail "--unit-costs --clip maps $(count clip.sam '[a-z]*' S) of 99"
# By default all of them are clipped where they end, and not further.
quietly map ref.mrs tails.fq -e 3 -o clip.sam
well_made clip.sam tails.fq
exact=$(records clip.sam | awk -F'\t' '$6 ~ /^(5[5-9]|6[0-5])M[0-9]+S$|^[0-9]+S(5[5-9]|6[0-5])M$/' | wc -l)
[ "$exact" -ge 95 ] || fail "$exact of 99 ends are clipped near the 60th base"
[ "$(count clip.sam '[a-z]*' S)" = 99 ] || fail "--clip maps $(count clip.sam '[a-z]*' S) of 99"
# The letters are all there, and the place is that of the genome unless it is in a repeat.
records clip.sam | awk -F'\t' '{ split($1, p, ":"); shift = int($2 / 16) % 2 != 0 && $6 ~ /^[0-9]+S/
    if (length($10) != 80) exit 1
    if ($5 > 20 && ($4 < p[3] - 3 || $4 > p[3] + 3)) { print; exit 1 } }' || fail "places of clipped reads"
expect 0 "in part" map ref.mrs tails.fq -e 3 --unit-costs --clip -o clip.sam
expect 0 "trimmed" map ref.mrs tails.fq -e 3 --adapter illumina -o clip.sam
expect 1 'adapter "ACXT"' map ref.mrs tails.fq --adapter ACXT -o none.sam
expect 1 'adapter "AC"' map ref.mrs tails.fq --adapter AC -o none.sam
[ ! -e none.sam ] || fail "an output in spite of an error"
expect 1 "--scoring: for end-to-end records" map ref.mrs tails.fq --hamming --scoring 1,4,6,1 -o none.sam
expect 1 "--min-score: for end-to-end records" map ref.mrs tails.fq --unit-costs --min-score 50 -o none.sam
expect 1 "--scoring: \"1,4\"" map ref.mrs tails.fq --scoring 1,4 -o none.sam
expect 1 "--scoring: scoring: mismatch -4" map ref.mrs tails.fq --scoring 1,-4,6,1 -o none.sam
expect 1 "beyond 16 bits" map ref.mrs tails.fq --scoring 30,4,6,1 -o none.sam
expect 1 "--adapter-overlap requires --adapter" map ref.mrs tails.fq --adapter-overlap 5 -o none.sam

# Mates.
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 --clip -o mates.sam
well_made mates.sam pairs_1.fq pairs_2.fq

# The most hits that are written.
quietly map ref.mrs pairs_1.fq -e 5 --report all -o all.sam
quietly map ref.mrs pairs_1.fq -e 5 --report all --max-hits 1 -o one.sam
well_made all.sam pairs_1.fq
well_made one.sam pairs_1.fq
[ "$(records one.sam | wc -l)" = 400 ] || fail "--max-hits"
records all.sam | awk -F'\t' 'int($2 / 256) % 2 == 0' | cut -f1-11 >all.primary
records one.sam | cut -f1-11 | cmp - all.primary || fail "other primary records with --max-hits"
expect 0 "not all written" map ref.mrs pairs_1.fq -e 5 --report all --max-hits 1 -o one.sam

# Affine alignments of all hits: every place has a record near it, and no secondary record scores more than the primary one.
quietly map ref.mrs pairs_1.fq -e 5 --report all --scoring 2,8,12,2,32,1 -o affine.sam
required_tags=NM,MD,AS well_made affine.sam pairs_1.fq
[ "$(records affine.sam | awk -F'\t' 'int($2 / 256) % 2' | wc -l)" -ge 10 ] || fail "few secondary records with --scoring"
records affine.sam >affine.records
records all.sam | awk -F'\t' '
  FNR == NR { n = ++count[$1]; flag[$1, n] = $2; contig[$1, n] = $3; place[$1, n] = $4
    for (i = 12; i <= NF; ++i) if ($i ~ /^AS:i:/) score[$1, n] = substr($i, 6)
    if (int($2 / 256) % 2 == 0) primary[$1] = score[$1, n]
    next }
  $3 == "*" { next }
  { near = 0
    for (n = 1; n <= count[$1]; ++n)
      if (contig[$1, n] == $3 && int(flag[$1, n] / 16) % 2 == int($2 / 16) % 2 && place[$1, n] - $4 < 20 && $4 - place[$1, n] < 20) near = 1
    if (!near) { print "no record near", $0; bad = 1; exit } }
  END { for (key in score) { split(key, k, SUBSEP); if (score[key] > primary[k[1]]) { print "a secondary score above", key; bad = 1 } } exit bad }
' affine.records - >affine.txt || fail "--report all --scoring: $(head -3 affine.txt)"
# Both records of a chimera have NH and HI.
awk '/^>/ { contig = substr($1, 2); line = 0 } { ++line } line == 20 && (contig == "contig1" || contig == "contig2") { text = text $0; names = names contig } END { print "@" names "\n" text "\n+\n" text }' ref.fa |
  sed '4s/./I/g' >chimera.fq
quietly map ref.fa chimera.fq -o chimera.sam
well_made chimera.sam chimera.fq
[ "$(records chimera.sam | cut -f2,3 | tr '\t\n' '  ')" = "0 contig1 2048 contig2 " ] || [ "$(records chimera.sam | cut -f2,3 | tr '\t\n' '  ')" = "0 contig2 2048 contig1 " ] ||
  { records chimera.sam; fail "records of a chimera"; }
[ "$(records chimera.sam | grep -c 'NH:i:1	HI:i:1')" = 2 ] || { records chimera.sam; fail "NH and HI of supplementary records"; }
