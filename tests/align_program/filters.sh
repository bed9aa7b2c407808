#!/bin/sh
# Filters of hits: identity, coverage, culling, effective sizes, and lists of subjects.
test_name=filters
. "$(dirname "$0")/common.sh"

columns=std,qlen,slen,score
# in_order TABLE: subjects of a query are adjacent, by their best E-value.
in_order() {
  awk -F'\t' '{ key = $1 SUBSEP $2 } $1 != query { query = $1; before = -1 }
    key != last { if (key in seen) { print "apart: " $0; exit 1 } if ($11 + 0 < before) { print "order: " $0; exit 1 } before = $11 + 0 }
    { seen[key] = 1; last = key }' "$1" || fail "$1"
}
# first_subjects N TABLE
first_subjects() { awk -F'\t' -v n="$1" '$1 != query { query = $1; subjects = 0; subject = "" } $2 != subject { subject = $2; ++subjects } subjects <= n' "$2"; }

# A filter keeps the alignments that awk keeps, and --max-hits counts those that are left.
quietly search queries.fa proteins.fa --evalue 1000 --max-hits 1000 --format blast6 --columns $columns -o all.b6
check() {
  awk -F'\t' "$1" all.b6 >expected
  shift
  quietly search queries.fa proteins.fa --evalue 1000 --max-hits 1000 --format blast6 --columns $columns "$@" -o some.b6
  [ -s some.b6 ] || fail "nothing left: $*"
  [ "$(wc -l <some.b6)" -lt "$(wc -l <all.b6)" ] || fail "nothing removed: $*"
  sort expected >a
  sort some.b6 | cmp - a || fail "$*"
  in_order some.b6
  quietly search queries.fa proteins.fa --evalue 1000 --max-hits 2 --format blast6 --columns $columns "$@" -o two.b6
  first_subjects 2 some.b6 | cmp - two.b6 || fail "--max-hits 2 after $*"
  quietly search queries.fa proteins.fa --evalue 1000 --max-hits 2 --max-hsps 1 --format blast6 --columns $columns "$@" -o one.b6
  awk -F'\t' '!(($1, $2) in seen) { seen[$1, $2] = 1; print }' two.b6 | cmp - one.b6 || fail "--max-hsps 1 after $*"
}
share='function covers(letters, all, least,   c) { c = 100 * letters / all; if (c < 99) c += 0.5; return c >= least }'
check '$3 >= 35' --min-identity 35
check "$share"' covers($8 - $7 + 1, $13, 40)' --query-coverage 40
check "$share"' covers($10 - $9 + 1, $14, 30)' --subject-coverage 30
check "$share"' $3 >= 30 && covers($8 - $7 + 1, $13, 20)' --perc_identity 30 --qcov_hsp_perc 20

# Culling: an alignment that a better one dominates on the query is removed.
cull='function dominates(a, b,   overlap, la, lb, d) { overlap = (e[a] < e[b] ? e[a] : e[b]) - (s[a] > s[b] ? s[a] : s[b]); la = e[a] - s[a]; lb = e[b] - s[b]
    if (2 * overlap < lb) return 0
    d = 4 * score[a] * la + 2 * score[a] * lb - 2 * score[b] * la - 4 * score[b] * lb
    if (d != 0 || score[a] != score[b]) return d != 0 ? d > 0 : score[a] > score[b]
    return subject[a] != subject[b] ? subject[a] < subject[b] : first[a] < first[b] }
  NR == FNR { if (/^>/) number[substr($1, 2)] = ++subjects; next }
  $1 != query { query = $1; n = 0; split("", gone) }
  { ++n; s[n] = $7 - 1; e[n] = $8; score[n] = $15; subject[n] = number[$2]; first[n] = $9; count[n] = 0
    for (i = 1; i < n; ++i) if (!(i in gone) && dominates(i, n)) ++count[n]
    if (count[n] >= limit) { gone[n] = 1; next }
    for (i = 1; i < n; ++i) if (!(i in gone) && dominates(n, i) && ++count[i] >= limit) gone[i] = 1
    all[query, n] = $0; last[query] = n; for (i = 1; i < n; ++i) if (i in gone) delete all[query, i] }
  END { for (k in all) print all[k] }'
for limit in 1 3; do
  sed 's/ .*//' proteins.fa | awk -F'\t' -v limit=$limit "$cull" - all.b6 | sort >a
  quietly search queries.fa proteins.fa --evalue 1000 --max-hits 1000 --culling-limit $limit --format blast6 --columns $columns -o culled.b6
  [ "$(wc -l <culled.b6)" -lt "$(wc -l <all.b6)" ] || fail "nothing culled"
  sort culled.b6 | cmp - a || fail "--culling-limit $limit"
  in_order culled.b6
done

# All formats have the same hits, and a filter aligns those of the tables that need no alignment.
some="--evalue 1000 --max-hits 5 --min-identity 35 --culling-limit 4"
# shellcheck disable=SC2086
{
  quietly search queries.fa proteins.fa $some --format blast6 -o hits.b6
  n=$(wc -l <hits.b6)
  [ "$n" -gt 3 ] || fail "only $n hits"
  quietly search queries.fa proteins.fa $some -o hits.tsv
  [ "$(body hits.tsv | wc -l)" = "$n" ] || fail "tsv"
  body hits.tsv | cut -f1,2,8-11 >a
  cut -f1,2,7-10 hits.b6 | cmp - a || fail "tsv"
  quietly search queries.fa proteins.fa $some --format json -o hits.json
  [ "$(grep -o '"hsp":' hits.json | wc -l)" = "$n" ] || fail "json"
  quietly search queries.fa proteins.fa $some --format xml -o hits.xml
  [ "$(grep -c '<Hsp>' hits.xml)" = "$n" ] || fail "xml"
  quietly search queries.fa proteins.fa $some --format pairwise -o hits.txt
  [ "$(grep -c '^ Score = ' hits.txt)" = "$n" ] || fail "pairwise"
  quietly search queries.fa proteins.fa $some --format sam -o hits.sam
  [ "$(records hits.sam | awk -F'\t' '$3 != "*"' | wc -l)" = "$n" ] || fail "sam"
  # Searches in parts.
  for part in 0 1 2; do quietly search queries.fa proteins.fa $some --format blast6 --shard $part/3 -o part.$part; done
  quietly merge part.1 part.0 part.2 -o merged.b6
  same hits.b6 merged.b6
  quietly search queries.fa proteins.fa $some --format blast6 --resume --chunk 2000 -o resumed.b6
  same hits.b6 resumed.b6
  quietly search queries.fa proteins.fa $some --format blast6 --batch-queries 1 -o other.b6
  same hits.b6 other.b6
}
# DNA: both strands. Also with soft masks and adjusted scores.
quietly search reads.fa dna.fa --dna --evalue 1000 --max-hits 1000 --format blast6 --columns $columns -o all.b6
quietly search reads.fa dna.fa --dna --evalue 1000 --max-hits 1000 --min-identity 95 --format blast6 --columns $columns -o some.b6
awk -F'\t' '$3 >= 95' all.b6 | sort >a
sort some.b6 | cmp - a || fail "DNA"
in_order some.b6
for more in "--comp-based-stats 2" "--mask seg"; do
  # shellcheck disable=SC2086
  {
    quietly search queries.fa proteins.fa $more --max-hits 1000 --format blast6 -o all.b6
    quietly search queries.fa proteins.fa $more --max-hits 1000 --min-identity 30 --format blast6 -o some.b6
  }
  awk -F'\t' '$3 >= 30' all.b6 | sort >a
  sort some.b6 | cmp - a || fail "$more"
done

# The best hit is the first line of each query.
quietly search queries.fa proteins.fa --format blast6 -o all.b6
quietly search queries.fa proteins.fa --best-hit --format blast6 -o best.b6
awk -F'\t' '!seen[$1]++' all.b6 | cmp - best.b6 || fail "--best-hit"

# Listed subjects: as in a file of them alone, with its E-values.
awk '/^>/ { print substr($1, 2) }' proteins.fa | awk 'NR % 3 == 0' >ids
echo '# a comment' >>ids
awk 'NR == FNR { listed[">" $1] = 1; next } /^>/ { on = $1 in listed } on' ids proteins.fa >listed.fa
awk 'NR == FNR { listed[">" $1] = 1; next } /^>/ { on = !($1 in listed) } on' ids proteins.fa >others.fa
for format in blast6 tsv pairwise; do
  quietly search queries.fa proteins.fa --include ids --format $format -o included
  quietly search queries.fa listed.fa --format $format -o alone
  sed 's/listed.fa/proteins.fa/' alone | cmp - included || fail "--include with $format"
  quietly search queries.fa proteins.fa --exclude ids --format $format -o excluded
  quietly search queries.fa others.fa --format $format -o alone
  sed 's/others.fa/proteins.fa/' alone | cmp - excluded || fail "--exclude with $format"
done
quietly search queries.fa proteins.fa --include ids -o whole.tsv
for part in 0 1; do quietly search queries.fa proteins.fa --include ids --shard $part/2 -o part.$part; done
quietly merge part.0 part.1 -o merged.tsv
same whole.tsv merged.tsv
echo '# another comment' >>ids
expect 1 "has changed since the parts were made" merge part.0 part.1 -o merged.tsv
echo unknown >>ids
"$PROGRAM" search queries.fa proteins.fa --seqidlist ids --quiet -o other.tsv 2>said || fail "--seqidlist"
grep -q 'warning: ids: 1 of [0-9]* ids are not in proteins.fa, first "unknown"' said || { cat said; fail "no warning"; }
same whole.tsv other.tsv
echo unknown >ids
expect 1 "ids: none of the ids is in proteins.fa" search queries.fa proteins.fa --include ids
awk '/^>/ { print substr($1, 2) }' proteins.fa >ids
expect 1 "ids: all sequences of proteins.fa are excluded" search queries.fa proteins.fa --exclude ids
: >ids
expect 1 "ids: no id" search queries.fa proteins.fa --include ids
# Accessions of UniProt and NCBI, and names behind ^A.
awk '/^>/ { ++n; $1 = n == 1 ? ">sp|A00001.2|ONE" : n == 2 ? ">B2\001C3.1 other" : ">r" n } { print }' proteins.fa >named.fa
for id in A00001.2 A00001 B2 C3 C3.1 'sp|A00001.2|ONE'; do
  echo "$id" >ids
  quietly search named.fa named.fa --include ids --evalue 1e-9 -o x.tsv
  [ "$(body x.tsv | cut -f2 | sort -u | wc -l)" = 1 ] || fail "id $id"
done

# Effective sizes. With the finite-size correction, E-values are proportional to the database.
residues=$(awk '!/^>/ { n += length($0) } END { print n }' proteins.fa)
quietly search queries.fa proteins.fa --evalue 1e-3 -o own.tsv
quietly search queries.fa proteins.fa --evalue 1e-3 --dbsize "$residues" -o other.tsv
same own.tsv other.tsv
quietly search queries.fa proteins.fa --evalue 1e-2 --dbsize $((10 * residues)) -o other.tsv
body own.tsv | awk -F'\t' 'NR == FNR { e[$1, $2] = $5; next } FNR > 1 && (($1, $2) in e) { ++n; if (e[$1, $2] > 0 && ($5 / e[$1, $2] < 9.8 || $5 / e[$1, $2] > 10.2)) { print; exit 1 } }
  END { exit n < 3 }' - other.tsv || fail "--dbsize"
quietly search reads.fa dna.fa --dna --searchsp 1000000 -o one.tsv
quietly search reads.fa dna.fa --dna --searchsp 2000000 --evalue 20 -o two.tsv
body one.tsv | awk -F'\t' 'NR == FNR { e[$1, $2, $8] = $5; next } FNR > 1 && (($1, $2, $8) in e) { ++n; if ($5 / e[$1, $2, $8] < 1.96 || $5 / e[$1, $2, $8] > 2.04) { print; exit 1 } }
  END { exit n < 3 }' - two.tsv || fail "--searchsp"

expect 1 "--min-identity: 101.000000; expected a percentage, 0 to 100" search queries.fa proteins.fa --min-identity 101
expect 1 "--best-hit with --max-hits" search queries.fa proteins.fa --best-hit --max-hits 2
expect 1 "--include with --exclude" search queries.fa proteins.fa --include ids --exclude ids
expect 1 "--all-scores with --min-identity" search queries.fa proteins.fa --all-scores --min-identity 5
expect 1 "--no-evalue with --dbsize" search queries.fa proteins.fa --no-evalue --dbsize 5
expect 1 "--dbsize" search queries.fa proteins.fa --dbsize 0
