#!/bin/sh
# Several alignments of a query with a subject: none shares a pair of letters with a better one.
test_name=max_hsps
. "$(dirname "$0")/common.sh"

# Subjects that have a query several times, in DNA also turned.
repeat() {
  awk -v every="$1" -v turn="$2" 'function changed(text, from,   i, r) { r = ""; for (i = 1; i <= length(text); ++i) r = r ((i + from) % every == 0 ? "A" : substr(text, i, 1)); return r }
    function turned(text,   i, r) { r = ""; for (i = length(text); i > 0; --i) r = r substr("TGCA", index("ACGT", substr(text, i, 1)), 1); return r }
    /^>/ { name = substr($1, 2); next } { text[name] = text[name] $0 }
    END { for (name in text) { t = text[name]
            print ">many_" name "\n" changed(t, 1) changed(t, 2) (turn ? turned(changed(t, 3)) : changed(t, 3)) } }' "$3"
}
repeat 7 0 queries.fa >many.fa
cat proteins.fa >>many.fa
repeat 9 1 reads.fa >many_dna.fa
awk '/^>/ && $1 ~ /^>rare/ { exit } { print }' dna.fa >>many_dna.fa

# check TABLE FIRST: the columns of the table's places begin at FIRST. Scores fall within a pair, and no pair of letters comes twice.
check() {
  body "$1" | awk -F'\t' -v at="$2" '{ key = $1 SUBSEP $2
      if (key == last && $3 + 0 > before) { print "rises: " $0; exit 1 }
      if (key != last && (key in seen)) { print "apart: " $0; exit 1 }
      if (key == last) ++more
      seen[key] = 1; last = key; before = $3 + 0
      i = at > 8 && $8 == "-" ? -$(at + 1) : $at; j = $(at + 2); rest = $(at + 5)
      while (match(rest, /^[0-9]+[=XID]/)) { n = substr(rest, 1, RLENGTH - 1) + 0; op = substr(rest, RLENGTH, 1); rest = substr(rest, RLENGTH + 1)
        for (k = 0; k < n; ++k) { if (op ~ /[=X]/ && ((key, i, j) in taken)) { print "twice: " $0; exit 1 }
          if (op ~ /[=X]/) taken[key, i, j] = 1
          if (op != "D") ++i
          if (op != "I") ++j } } }
    END { if (more < 5) { print "only " more " further ones"; exit 1 } }' || fail "$1"
}
scoring="--matrix matrix.txt --gap-open 11 --gap-extend 1 --no-evalue"
# shellcheck disable=SC2086
quietly search queries.fa many.fa $scoring --min-score 25 --align --max-hsps 5 -o five.tsv
check five.tsv 8
awk -v check=five.tsv -v open=11 -v extend=1 -v matrix=matrix.txt -v queries=queries.fa -v subjects=many.fa \
  -f "$SOURCE/scores.awk" || fail "alignments do not add up"
# The first of each pair are those that are reported without; --max-hsps bounds how many there are.
# shellcheck disable=SC2086
quietly search queries.fa many.fa $scoring --min-score 25 --align -o one.tsv
body five.tsv | awk -F'\t' '!(($1, $2) in seen) { seen[$1, $2] = 1; print }' >first.tsv
body one.tsv | cmp - first.tsv || fail "the best alignments"
body five.tsv | awk -F'\t' '++seen[$1, $2] > 5 { exit 1 }' || fail "more than asked for"
# shellcheck disable=SC2086
quietly search queries.fa many.fa $scoring --min-score 25 --align --max-hsps 2 -o two.tsv
body five.tsv | awk -F'\t' '++seen[$1, $2] <= 2' >expected
body two.tsv | cmp - expected || fail "--max-hsps 2"
# Each is a hit: its E-value and score count.
quietly search queries.fa many.fa --align --max-hsps 9 --evalue 1 -o evalue.tsv
body evalue.tsv | awk -F'\t' '$5 + 0 > 1 { exit 1 } ++seen[$1, $2] > 1 { ++more } END { exit more < 5 }' || fail "--evalue"

quietly search reads.fa many_dna.fa --dna --min-score 18 --evalue 1000 --align --max-hsps 5 -o dna.tsv
check dna.tsv 9
body dna.tsv | awk -F'\t' '$2 ~ /^many/ { strands[$1 SUBSEP $8] = 1 } END { for (s in strands) { split(s, p, SUBSEP); ++of[p[1]] }
  for (r in of) if (of[r] == 2) ++both; exit both < 3 }' || fail "both strands"

# Every format has them all, and so has a search in parts.
quietly search queries.fa many.fa --align --max-hsps 3 -o all.tsv
body all.tsv | cut -f1,2,8-11 >places
quietly search queries.fa many.fa --max-hsps 3 --format blast6 -o hits.b6
cut -f1,2,7-10 hits.b6 | cmp - places || fail "blast6"
quietly search queries.fa many.fa --max-hsps 3 --format sam -o hits.sam
records hits.sam | awk -F'\t' '{ print $1 "\t" $3 "\t" $4 }' >sam
cut -f1,2,5 places | cmp - sam || fail "SAM"
quietly search queries.fa many.fa --max-hsps 3 --format pairwise -o hits.txt
[ "$(grep -c '^ Score = ' hits.txt)" = "$(wc -l <places)" ] || fail "pairwise: alignments"
[ "$(grep -c '^>' hits.txt)" = "$(cut -f1,2 places | uniq | wc -l)" ] || fail "pairwise: subjects"
quietly search queries.fa many.fa --align --max-hsps 3 --format json -o hits.json
[ "$(grep -o '"hsp":' hits.json | wc -l)" = "$(wc -l <places)" ] || fail "JSON"
# Letters of the query that any of the alignments has.
quietly search queries.fa many.fa --max-hsps 3 --format blast6 --columns qseqid,sseqid,qstart,qend,qlen,qcovs -o coverage
awk -F'\t' 'NR == FNR { for (i = $3; i <= $4; ++i) if (!(($1, $2, i) in seen)) { seen[$1, $2, i] = 1; ++letters[$1, $2] } next }
  { share = 100 * letters[$1, $2] / $5; if (share < 99) share += 0.5; if (int(share) != $6) { print; exit 1 } }' coverage coverage || fail "qcovs"
# Without --max-hsps there are all of them: of a subject together, by score, both strands as one, as BLAST has them. --max-hits
# counts subjects.
quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand -o blast.b6
awk -F'\t' '{ key = $1 SUBSEP $2 }
  key == last && $13 + 0 > score { print "rises: " $0; exit 1 } key != last && (key in seen) { print "apart: " $0; exit 1 }
  { seen[key] = 1; last = key; score = $13 + 0; if ($11 + 0 > 1e-3) exit 1
    strands[key, $14] = 1 } $2 == "many_" $1 { ++copies[$1] }
  END { for (r in copies) { ++reads; if (copies[r] < 3 || !((r SUBSEP "many_" r, "plus") in strands) || !((r SUBSEP "many_" r, "minus") in strands)) exit 1 }
    exit reads < 3 }' blast.b6 || fail "three copies of each read, one turned"
quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand --max-hits 1 -o top.b6
awk -F'\t' '$1 != last { last = $1; subject = $2 } $2 == subject' blast.b6 | cmp - top.b6 || fail "--max-hits 1 is one subject"
for hsps in 1 2; do
  quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand --max-hsps $hsps -o some.b6
  awk -F'\t' -v most=$hsps '++seen[$1, $2] <= most' blast.b6 | cmp - some.b6 || fail "--max-hsps $hsps of both strands"
done
for part in 0 1 2; do quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand --max-hits 2 --shard $part/3 -o part.$part; done
quietly merge part.2 part.0 part.1 -o merged.b6
quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand --max-hits 2 -o top.b6
same top.b6 merged.b6
quietly search reads.fa many_dna.fa --dna --evalue 1e-3 --format blast6 --columns std,score,sstrand --max-hits 2 --resume --chunk 500 -o resumed.b6
same top.b6 resumed.b6
for part in 0 1 2; do quietly search queries.fa many.fa --align --max-hsps 3 --shard $part/3 -o part.$part; done
quietly merge part.2 part.0 part.1 -o merged.tsv
same all.tsv merged.tsv
quietly search queries.fa many.fa --align --max-hsps 3 --resume --chunk 500 -o resumed.tsv
same all.tsv resumed.tsv

# Parts may differ in options that change no result; a query file that has changed is an error.
quietly search queries.fa many.fa --format blast6 -o all.b6
quietly search queries.fa many.fa --format blast6 --shard 0/2 -o part.0
"$PROGRAM" search queries.fa many.fa --format blast6 --shard 1/2 -o part.1 --stats --chunk 5k --kernel cpu --no-evalue >out 2>said || fail "a part"
expect 1 "part.1: is a part of another search than part.0" merge part.0 part.1 -o merged.b6
"$PROGRAM" search queries.fa many.fa --format blast6 --stats --kernel-times -t 1 --chunk 5k --kernel cpu --shard 1/2 -o part.1 >out 2>said || fail "a part"
quietly merge part.0 part.1 -o merged.b6
same all.b6 merged.b6
cp queries.fa kept.fa
sed '2s/^./W/' kept.fa >queries.fa
expect 1 "queries.fa: has changed since the parts were made" merge part.0 part.1 -o merged.b6
quietly search queries.fa many.fa --format blast6 --shard 1/2 -o part.1
expect 1 "part.1: is a part of another search than part.0" merge part.0 part.1 -o merged.b6
cp kept.fa queries.fa
# So is a database whose letters are in another order. --no-check leaves it unread.
quietly search queries.fa many.fa --format blast6 --shard 1/2 -o part.1
cp many.fa kept_many.fa
awk '/^>/ { print; next } { print substr($0, 2) substr($0, 1, 1) }' kept_many.fa >many.fa
expect 1 "many.fa: has changed since the parts were made" merge part.0 part.1 -o merged.b6
cp kept_many.fa many.fa
quietly merge part.0 part.1 -o merged.b6
same all.b6 merged.b6
quietly makedb many.fa -o many.gdb
quietly search queries.fa many.gdb --format blast6 --shard 0/2 --no-check -o part.0
quietly search queries.fa many.gdb --format blast6 --shard 1/2 -o part.1
quietly merge part.0 part.1 -o merged.b6
same all.b6 merged.b6
# Merging reads the queries again.
for queries in - /dev/stdin; do
  expect 1 "--shard with queries from standard input or a pipe, which merge cannot read again; expected a file" search $queries many.fa --shard 0/2 -o part.0 <queries.fa
done
mkfifo pipe.fa
expect 1 "--shard with queries from standard input or a pipe" search pipe.fa many.fa --shard 0/2 -o part.0
