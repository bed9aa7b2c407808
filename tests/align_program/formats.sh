#!/bin/sh
# Every format tells the same hits.
test_name=formats
. "$(dirname "$0")/common.sh"

quietly search queries.fa proteins.fa --align -o align.tsv
columns=$(body align.tsv | wc -l)
[ "$columns" -gt 20 ] || fail "too few hits"

quietly search queries.fa proteins.fa --format blast6 -o hits.b6
awk -F'\t' 'NF != 12 { exit 1 }' hits.b6 || fail "blast6: 12 columns"
cut -f1-3,7-10 hits.b6 >blast
body align.tsv | awk -F'\t' -v OFS='\t' '{ print $1, $2, $12, $8, $9, $10, $11 }' | cmp - blast || fail "blast6 and tsv differ"
# Columns, mismatches and gaps from the CIGAR.
body align.tsv | awk -F'\t' '{ rest = $13; columns = mismatches = gaps = 0
    while (match(rest, /^[0-9]+[=XID]/)) { n = substr(rest, 1, RLENGTH - 1) + 0; op = substr(rest, RLENGTH, 1)
      rest = substr(rest, RLENGTH + 1); columns += n; if (op == "X") mismatches += n; if (op ~ /[ID]/) ++gaps }
    print columns "\t" mismatches "\t" gaps }' >counted
cut -f4-6 hits.b6 | cmp - counted || fail "blast6: length, mismatch, gapopen"
awk -F'\t' '!($11 ~ /^[0-9]\.[0-9][0-9]e-[0-9]+$/ || $11 ~ /^0\.[0-9]+$/ || $11 ~ /^ ?[0-9]\.[0-9]$/ || $11 == "10" || $11 == "0.0") { print $11; exit 1 }' hits.b6 ||
  fail "blast6: E-values as BLAST writes them"

# SAM: proteins without letters, clipped, the best hit of each query first.
quietly search queries.fa proteins.fa --format sam -o hits.sam
records hits.sam | awk -F'\t' 'NR == FNR { tsv[FNR - 1] = $0; next }
    { split(tsv[FNR], f, "\t"); clip = ""
      front = f[8] - 1; back = f[6] - f[9]
      cigar = (front > 0 ? front "S" : "") f[13] (back > 0 ? back "S" : "")
      if ($1 != f[1] || $3 != f[2] || $4 != f[10] || $6 != cigar || $10 != "*" || $11 != "*" || $12 != "AS:i:" f[3]) { print; exit 1 }
      if ($2 != ($1 == last ? 256 : 0)) { print "flag: " $0; exit 1 }
      last = $1 }
    END { if (FNR < 20) exit 1 }' align.tsv - || fail "SAM and tsv differ"
grep -q '^@CO	scoring: BLOSUM62; gap penalties 11/1 .* 12/1 ' hits.sam || fail "@CO"
[ "$(grep -c '^@SQ' hits.sam)" = 49 ] || fail "@SQ"
quietly search queries.fa proteins.fa --format sam --cigar M -o m.sam
records m.sam | awk -F'\t' '$6 ~ /[=X]/ { exit 1 }' || fail "--cigar M"
quietly search queries.fa proteins.fa --align --cigar M -o m.tsv
body m.tsv | cut -f13 | grep -q '[=X]' && fail "--cigar M in tables"
# A query without a hit.
printf '>none\nWWWW\n' >none.fa
quietly search none.fa proteins.fa --min-score 1000 --format sam -o none.sam
[ "$(records none.sam)" = "none	4	*	0	0	*	*	0	0	*	*" ] || fail "SAM of a query without hits"
quietly search none.fa proteins.fa --min-score 1000 -o none.tsv
[ "$(wc -l <none.tsv)" = 1 ] || fail "table of a query without hits"
quietly search none.fa proteins.fa --min-score 1000 --format pairwise -o none.txt
grep -q 'No hits found' none.txt || fail "pairwise of a query without hits"

# Pairwise: the rows hold the letters of the alignment.
quietly search queries.fa proteins.fa --format pairwise -o hits.txt
grep -q '^gap penalties 11/1 .* 12/1 ' hits.txt || fail "pairwise: both conventions"
[ "$(grep -c '^>' hits.txt)" = "$(cut -f1,2 hits.b6 | uniq | wc -l)" ] || fail "pairwise: hits"
awk '/^Query  / { ++blocks; q = $3; query_row = $0; next }
     /^Sbjct  / { if (length($3) != length(q) || length(q) > 60) { print; exit 1 } }
     END { exit blocks < 20 }' hits.txt || fail "pairwise: rows"
body align.tsv | awk -F'\t' '{ print $8 "-" $9 " " $10 "-" $11 }' >places
awk 'function out() { if (qs != "") print qs "-" qe " " ss "-" se; qs = "" }
     /^>/ { out() } /^Query= / { out() } /^ Score = / { out() }
     /^Query  / { if (qs == "") { qs = $2; fresh = 1 } qe = $4 }
     /^Sbjct  / { if (fresh) ss = $2; fresh = 0; se = $4 } END { out() }' hits.txt | cmp - places || fail "pairwise: places"
# Without gaps the letters are those of the sequences.
awk '/^>/ { name = substr($1, 2); next } { text[name] = text[name] toupper($0) } END { for (n in text) print n "\t" text[n] }' proteins.fa >texts
awk -F'\t' 'NR == FNR { text[$1] = $2; next }
     /^>/ { split(substr($0, 2), w, " "); name = w[1] }
     /^Sbjct  / { split($0, f, " "); row = f[3]; gsub(/-/, "", row)
                  if (row != substr(text[name], f[2], f[4] - f[2] + 1)) { print; exit 1 } }' texts hits.txt || fail "pairwise: letters"

# JSON.
printf '>q"uo\\te with "quotes", a \\ and a \303\251 and a \351\n' >odd.fa
sed -n '/^>q4/,$p' queries.fa | tail -n +2 >>odd.fa
quietly search odd.fa proteins.fa --format json --align -o odd.json
quietly search queries.fa proteins.fa --format json --align -o hits.json
quietly search queries.fa proteins.fa --format json -o plain.json
quietly search none.fa proteins.fa --min-score 1000 --format json -o none.json
grep -q '"gap_penalties":{"ncbi":{"open":11,"extend":1},"first":{"first":12,"further":1}}' hits.json || fail "JSON: both conventions"
if command -v python3 >/dev/null; then
  python3 - <<'END' >from_json || fail "JSON is not well-formed"
import json
for name in ("odd", "hits", "plain", "none"):
    with open(name + ".json", encoding="utf-8") as file:
        data = json.load(file)
    if name == "odd":
        assert data["queries"][0]["name"] == 'q"uo\\te', data["queries"][0]["name"]
        assert data["queries"][0]["description"] == 'with "quotes", a \\ and a \u00e9 and a \u00e9'
    if name == "none":
        assert data["queries"] == [{"name": "none", "description": "", "length": 4, "hits": []}]
    if name == "plain":
        assert all("alignment" not in hit for query in data["queries"] for hit in query["hits"])
    if name == "hits":
        for query in data["queries"]:
            for hit in query["hits"]:
                a = hit["alignment"]
                print(query["name"], hit["subject"], hit["score"], query["length"], hit["length"], a["query_start"],
                      a["query_end"], a["subject_start"], a["subject_end"], a["cigar"], sep="\t")
END
  body align.tsv | cut -f1-3,6-11,13 | cmp - from_json || fail "JSON and tsv differ"
else
  echo "$test_name: left out without python3: JSON"
fi

# Without known statistics no E-value is written.
for format in blast6 sam pairwise json; do
  quietly search queries.fa proteins.fa --gap-open 5 --gap-extend 5 --no-evalue --format $format -o unknown.$format
done
awk -F'\t' '$11 != "nan" || $12 != "nan" { exit 1 }' unknown.blast6 || fail "blast6 without statistics"
records unknown.sam | grep -q 'EV:f' && fail "SAM without statistics"
grep -q 'Score = nan bits' unknown.pairwise || fail "pairwise without statistics"
grep -q '"statistics":null' unknown.json && grep -q '"evalue":null' unknown.json || fail "JSON without statistics"

# By the name of the output.
quietly search queries.fa proteins.fa --format blast6 -o hits.b6.gz
gzip -dc hits.b6.gz | cmp - hits.b6 || fail "compressed output"
if command -v samtools >/dev/null; then
  quietly search queries.fa proteins.fa --format bam -o hits.bam
  quietly search queries.fa proteins.fa --format bam >stdout.bam
  for file in hits.sam hits.bam stdout.bam; do samtools quickcheck $file || fail "quickcheck of $file"; done
  # E-values that single precision does not hold are 0 in BAM.
  for file in hits.bam stdout.bam; do
    samtools view $file | sed 's/	EV:f:.*//' >viewed
    records hits.sam | sed 's/	EV:f:.*//' | cmp - viewed || fail "SAM and BAM differ"
  done
  samtools sort -o sorted.bam hits.bam 2>/dev/null && samtools index sorted.bam || fail "sort and index"
else
  echo "$test_name: left out without samtools: quickcheck, BAM, sort, index"
fi
