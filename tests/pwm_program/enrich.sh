#!/bin/sh
# Enrichment: planted sites come first against every kind of controls. Counts are those of scan. Other programs read the
# table and the page. Errors.
test_name=enrich
. "$(dirname "$0")/common.sh"

# A genome of two contigs with stretches of different GC contents and an N region; peaks with a site of gata in
# every second one. Motifs: gata, and random ones of 7 to 17 columns.
awk 'function base(gc) { return rand() < gc ? (rand() < 0.5 ? "C" : "G") : (rand() < 0.5 ? "A" : "T") }
  BEGIN {
    srand(11)
    for (c = 1; c <= 2; ++c) {
      s = ""
      for (i = 0; i < 60000; ++i) { if (i % 1000 == 0) gc = 0.35 + 0.3 * rand(); s = s (i >= 30000 && i < 31000 ? "N" : base(gc)) }
      for (p = 0; p < 40; ++p) {
        at = 700 * p + int(400 * rand()) + (p >= 20 ? 20000 : 0)
        if (p % 2) { in_peak = at + int(180 * rand()); s = substr(s, 1, in_peak) (rand() < 0.5 ? "AGATAAGA" : "TCTTATCT") substr(s, in_peak + 9) }
        place[p] = at
      }
      print ">chr" c >"genome.fa"; print s >"genome.fa"
      for (p = 0; p < 40; ++p) print ">chr" c ":" place[p] "-" (place[p] + 200) "\n" substr(s, place[p] + 1, 200) >"peaks.fa"
    }
    print ">G1 gata" >"motifs.jaspar"
    split("20 0 20 0 20 20 0 20,0 0 0 0 0 0 0 0,0 20 0 0 0 0 20 0,0 0 0 20 0 0 0 0", rows, ",")
    for (x = 1; x <= 4; ++x) print rows[x] >"motifs.jaspar"
    for (m = 1; m <= 11; ++m) {
      print ">R" m " random" >"motifs.jaspar"
      columns = 6 + m
      for (i = 1; i <= columns; ++i) best[i] = 1 + int(4 * rand())
      for (x = 1; x <= 4; ++x) { row = ""; for (i = 1; i <= columns; ++i) row = row " " (best[i] == x ? 30 : int(9 * rand())); print row >"motifs.jaspar" }
    }
  }'

header='RANK	DB	ID	ALT_ID	CONSENSUS	TP	TP%	FP	FP%	ENR_RATIO	SCORE_THR	PVALUE	LOG_PVALUE	EVALUE	LOG_EVALUE	QVALUE	LOG_QVALUE'
# first FILE OPTIONS...: gata is the first row, with nearly all planted sites and few controls.
first() {
  what=$1
  shift
  quietly enrich motifs.jaspar peaks.fa "$@" -o table.tsv
  [ ! -s said ] || { cat said; fail "$what: --quiet"; }
  [ "$(head -n 1 table.tsv)" = "$header" ] || { head -n 1 table.tsv; fail "header"; }
  awk -F'\t' 'NR == 2 && !($1 == 1 && $2 == "motifs.jaspar" && $3 == "G1" && $4 == "gata" && $5 == "AGATAAGA" && $6 >= 40 && $8 <= 12 &&
    $10 > 3 && $12 < 1e-6 && $14 < 1e-5 && $16 < 1e-5) { exit 1 } NF != 17 { exit 1 } END { exit NR < 2 }' table.tsv ||
    { cat table.tsv; fail "$what"; }
}
first shuffled -p 1e-3 --html page.html
cp table.tsv shuffled.tsv
first "seed 2" -p 1e-3 --seed 2 --shuffles 3 --kmer 3
first rank-sum --test rank-sum
first matched -p 1e-3 --background matched --genome genome.fa --seed 5
cp table.tsv matched.tsv
# The same bytes for a seed, on any number of threads; other ones for another seed.
quietly enrich motifs.jaspar peaks.fa -p 1e-3 --seed 1 -t 1 -o again.tsv
same shuffled.tsv again.tsv
quietly enrich motifs.jaspar peaks.fa -p 1e-3 --background matched --genome genome.fa --seed 5 --evalue 100 -o wide.tsv
quietly enrich motifs.jaspar peaks.fa -p 1e-3 --background matched --genome genome.fa --seed 6 --evalue 100 -o other.tsv
cmp -s wide.tsv other.tsv && fail "--seed does nothing"
[ "$(body wide.tsv | wc -l)" = 12 ] || fail "--evalue 100 has not all motifs"
# Counts are those of scan, by sequences with a hit.
quietly enrich motifs.jaspar peaks.fa --bfile uniform --background peaks.fa --evalue 100 -o own.tsv
quietly scan motifs.jaspar peaks.fa -o hits.tsv
body hits.tsv | cut -f1,3 | sort -u | cut -f1 | sort | uniq -c | awk '{ print $2, $1 }' >by_scan
body own.tsv | awk -F'\t' '$6 > 0 && $6 == $8 { print $3, $6 } $12 != "1.00e0" && $12 + 0 < 0.4 { exit 1 }' | sort >by_enrich
diff by_enrich by_scan >&2 || fail "counts of scan"
# Controls of a file; limits; one motif.
quietly enrich motifs.jaspar peaks.fa --background genome.fa --motif gata -o one.tsv
[ "$(body one.tsv | cut -f3)" = G1 ] || fail "--motif"
quietly enrich motifs.jaspar peaks.fa -p 1e-3 --q-threshold 1e-3 -o few.tsv
[ "$(body few.tsv | cut -f3)" = G1 ] || { cat few.tsv; fail "--q-threshold"; }
awk '/^>/ { print; next } { print $0 $0 }' peaks.fa >longer.fa
expect 0 "longer.fa: controls of 400 letters on average are trimmed to 200" enrich motifs.jaspar peaks.fa --background longer.fa -o x.tsv
expect 0 "longer ones have more hits by chance" enrich motifs.jaspar peaks.fa --background longer.fa --notrim -o x.tsv
grep -q '^12 motifs in 80 sequences against 80 controls; ' said || { cat said; fail "summary"; }
awk '/^>/ { sub("chr", "c"); print $1 (++n <= 60 ? "x" : ""); next } 1' peaks.fa >unnamed.fa
expect 0 "60 sequences have no place in the name" enrich motifs.jaspar unnamed.fa --background matched --genome genome.fa -o x.tsv
grep -q 'genome.fa: no sequence c2: controls may overlap sequences' said || { cat said; fail "a name that the genome does not have"; }

# The page is well-formed and has the rows of the table with a logo each; the table in pandas.
if command -v python3 >/dev/null; then
  python3 - <<'END' || fail "the page"
import html.parser, xml.etree.ElementTree as tree
page = tree.parse("page.html").getroot()
rows = page.findall("body/table/tbody/tr")
table = [line.rstrip("\n").split("\t") for line in open("shuffled.tsv")][1:]
assert len(rows) == len(table) > 0
letters = {path.get("id") for path in page.iter("path")}
for row, fields in zip(rows, table):
    cells = row.findall("td")
    assert cells[0].text == fields[0] and cells[1].find("small").text == fields[2] and cells[3].text == fields[11]
    uses = cells[2].findall("svg/use")
    assert len(uses) >= len(fields[4]) and all(use.get("href")[1:] in letters for use in uses)
assert "http" not in open("page.html").read()
class Parser(html.parser.HTMLParser):
    tables = 0
    def handle_starttag(self, tag, attributes):
        self.tables += tag == "table"
parser = Parser()
parser.feed(open("page.html").read())
assert parser.tables == 1
END
else
  echo "$test_name: left out without python3: the page"
fi
pandas=
for python in python3 /usr/bin/python3; do
  if [ -z "$pandas" ] && $python -c "import pandas" 2>/dev/null; then pandas=$python; fi
done
if [ -n "$pandas" ]; then
  $pandas - <<'END' || fail "pandas does not read the table"
import pandas
table = pandas.read_csv("wide.tsv", sep="\t", comment="#")
assert len(table) == 12 and table["PVALUE"].is_monotonic_increasing and (table["QVALUE"] <= 1).all()
assert table["TP"].dtype == "int64" and (abs(table["TP%"] - 100 * table["TP"] / 80) < 0.006).all()
assert (abs(table["EVALUE"] / table["PVALUE"] - 12) < 0.13).all()
END
else
  echo "$test_name: left out without pandas: the table"
fi

# Sites of CTCF and GATA1 among motifs of JASPAR.
if [ -e "$DATA/motifs/jaspar2024.jaspar.gz" ]; then
  gzip -dc "$DATA/motifs/jaspar2024.jaspar.gz" | awk '/^>/ { on = ++n % 120 == 0 || /CTCF$|GATA1$/ } on' >jaspar
  for planted in MA0139 MA0035; do
    gzip -dc "$DATA/motifs/jaspar2024.jaspar.gz" | awk -v id="^>$planted" '
      /^>/ { on = $0 ~ id; row = 0; next }
      on { gsub(/[][ACGT]/, ""); n = split($0, counts); for (i = 1; i <= n; ++i) matrix[++total[i], i] = counts[i] }
      END {
        srand(3)
        for (p = 1; p <= 120; ++p) {
          s = ""
          for (i = 0; i < 200; ++i) s = s substr("ACGT", 1 + int(4 * rand()), 1)
          site = ""
          for (i = 1; i <= n; ++i) {
            sum = 0
            for (x = 1; x <= 4; ++x) sum += matrix[x, i]
            draw = sum * rand()
            for (x = 1; x < 4 && draw >= matrix[x, i]; ++x) draw -= matrix[x, i]
            site = site substr("ACGT", x, 1)
          }
          at = int((200 - n) * rand())
          print ">peak" p "\n" (p % 3 ? substr(s, 1, at) site substr(s, at + n + 1) : s)
        }
      }' >planted.fa
    quietly enrich jaspar planted.fa -o planted.tsv
    sed -n 2p planted.tsv | grep -q "	$planted" || { head -n 5 planted.tsv; fail "$planted is not the first"; }
    awk -F'\t' 'NR == 2 { exit !($16 < 1e-5) }' planted.tsv || { head -n 5 planted.tsv; fail "$planted: q-value"; }
  done
else
  echo "$test_name: left out without $DATA/motifs/jaspar2024.jaspar.gz: real motifs"
fi

expect 1 "--background matched without --genome" enrich motifs.jaspar peaks.fa --background matched
expect 1 "--genome is an option of --background matched" enrich motifs.jaspar peaks.fa --genome genome.fa
expect 1 "--kmer is an option of --background shuffled" enrich motifs.jaspar peaks.fa --background longer.fa --kmer 1
expect 1 "--seed does not apply to controls from a file" enrich motifs.jaspar peaks.fa --background longer.fa --seed 3
expect 1 "--notrim is an option of --background FILE" enrich motifs.jaspar peaks.fa --notrim
expect 1 "-p: 0; expected a probability" enrich motifs.jaspar peaks.fa -p 0
expect 1 "--evalue: -1; expected 0 or more" enrich motifs.jaspar peaks.fa --evalue -1
expect 1 "--kmer" enrich motifs.jaspar peaks.fa --kmer 7
: >empty.fa
expect 1 "empty.fa" enrich motifs.jaspar empty.fa
expect 1 "empty.fa" enrich motifs.jaspar peaks.fa --background empty.fa
expect 1 "empty.fa" enrich empty.fa peaks.fa
printf '>a\nACGTAC\n>b\nACGT\n' >short.fa
expect 1 "short.fa: sequences of 6 letters at most; expected 17, the length of motif R11" enrich motifs.jaspar short.fa
expect 1 "short.fa: controls of 6 letters at most; expected 17, the length of motif R11" enrich motifs.jaspar peaks.fa --background short.fa
expect 1 "short.fa: the genome has 0 pieces of 200 letters outside the sequences; expected at least 80" \
  enrich motifs.jaspar peaks.fa --background matched --genome short.fa --quiet
expect 1 "missing.fa" enrich motifs.jaspar peaks.fa --background missing.fa
printf '>a\nAAAAAAAAAAAAAAAAAAAAAA\n' >poly.fa
expect 1 "--bfile: input, " enrich motifs.jaspar poly.fa
expect 1 "standard input can be read once only" enrich - -
untouched peaks.fa enrich motifs.jaspar peaks.fa -o peaks.fa
untouched peaks.fa enrich motifs.jaspar peaks.fa --html peaks.fa -o x.tsv
