#!/bin/sh
# Motif files in all formats: the program and Biopython read its output. HOMER's thresholds are those of the
# probabilities in the file. Errors.
test_name=convert
. "$(dirname "$0")/common.sh"

# Counts of one sum (40), 5 to 14 columns, a column of two letters and one of three.
awk 'BEGIN {
  srand(5)
  for (m = 1; m <= 6; ++m) {
    columns = m < 4 ? 4 + m : 6 + m + m % 2
    if (columns % 4 == 0) ++columns
    for (i = 1; i <= columns; ++i) {
      for (x = 1; x <= 4; ++x) count[x, i] = 0
      best = 1 + int(4 * rand())
      for (k = 1; k <= 40; ++k) ++count[rand() < 0.7 ? best : 1 + int(4 * rand()), i]
    }
    count[1, 2] = 20; count[2, 2] = 0; count[3, 2] = 20; count[4, 2] = 0
    count[1, 3] = 14; count[2, 3] = 13; count[3, 3] = 13; count[4, 3] = 0
    print ">T" m ".1\tfactor " m
    for (x = 1; x <= 4; ++x) {
      row = substr("ACGT", x, 1) "  ["
      for (i = 1; i <= columns; ++i) row = row sprintf(" %6d", count[x, i])
      print row " ]"
    }
  }
}' >source.jaspar
quietly convert source.jaspar --format jaspar -o again.jaspar
same source.jaspar again.jaspar
quietly convert source.jaspar --format pfm -o source.pfm

# close_to FILE FILE TOLERANCE: the numbers of two files of rows; names are compared unless a fourth argument is given.
close_to() {
  awk -v tolerance="$3" -v unnamed="${4-}" 'function off(a, b) { return a > b ? a - b : b - a }
    FNR == NR { first[FNR] = $0; n = FNR; next }
    /^>/ { if (unnamed == "" && $0 != first[FNR]) { print $0; exit 1 } next }
    { split(first[FNR], a, "\t"); for (i = 1; i <= 4; ++i) if (off(a[i], $i) > tolerance) { print FNR ": " first[FNR] " and " $0; bad = 1; exit 1 } }
    END { if (bad) exit 1; if (FNR != n) { print n " and " FNR " lines"; exit 1 } }' "$1" "$2" >&2 || fail "$1 and $2 differ"
}
for format in meme transfac pcm; do
  quietly convert source.jaspar --format $format -o "source.$format"
  quietly convert "source.$format" --format jaspar -o back.jaspar
  if [ $format = pcm ]; then sed 's/\tfactor_/\tfactor /' back.jaspar >a && mv a back.jaspar; fi
  same source.jaspar back.jaspar
done
for format in homer cisbp uniprobe pwm; do
  quietly convert source.jaspar --format $format -o "source.$format"
  quietly convert "source.$format" --format pfm -o "$format.pfm"
done
close_to source.pfm cisbp.pfm 1e-8
close_to source.pfm uniprobe.pfm 1e-8 unnamed
close_to source.pfm homer.pfm 0.0031 unnamed
# (count + ln(40) / 4) / (40 + ln(40))
awk 'BEGIN { a = log(40) } /^>/ { print; next } { for (i = 1; i <= 4; ++i) printf "%.9f%s", (40 * $i + a / 4) / (40 + a), i < 4 ? "\t" : "\n" }' source.pfm >expected.pfm
close_to expected.pfm pwm.pfm 1e-8
quietly convert source.jaspar --format consensus -o source.consensus
quietly convert source.consensus --format consensus -o again.consensus
same source.consensus again.consensus
[ "$(cut -c 2-3 source.consensus | sort -u)" = RV ] || { cat source.consensus; fail "codes of two and three bases"; }
# The hits of a converted file are those of the source.
quietly scan source.jaspar text.fa -p 1e-3 -o source.tsv
[ "$(wc -l <source.tsv)" -gt 10 ] || fail "no hits"
for format in meme transfac pcm; do
  quietly scan "source.$format" text.fa -p 1e-3 -o hits.tsv
  cut -f 1,3-6,8 source.tsv >a
  cut -f 1,3-6,8 hits.tsv >b
  diff a b >&2 || fail "hits of $format"
done
# HOMER's thresholds are those that the command threshold computes for the file.
quietly convert source.jaspar --format homer -p 1e-3 -o p3.homer
quietly threshold p3.homer -p 1e-3 --log-base e --pseudocount 0 -o thresholds.tsv
# A motif that is too short has the score of its best word.
quietly pvalue p3.homer --score 100% --log-base e --pseudocount 0 -o best.tsv
awk -F'\t' 'FNR == 1 { next } FNR == NR { best[$1] = $4; next } { if ($4 == "none") ++none; printf "%s\t%.9g\n", $1, $4 == "none" ? best[$1] : $4 }
  END { exit none != 1 }' best.tsv thresholds.tsv >b || fail "thresholds of short motifs"
grep '^>' p3.homer | cut -f 2,3 >a
diff a b >&2 || fail "thresholds of HOMER's file"
quietly convert p3.homer --format homer -p 0.5 -o kept.homer
cut -f 2 a >c
grep '^>' kept.homer | cut -f 3 | diff - c >&2 || fail "own thresholds are kept"
# Background of MEME's format, one motif, standard streams.
quietly convert source.jaspar --format meme --background 0.3,0.2,0.2,0.3 -o bg.meme
grep -q '^A 0.3 C 0.2 G 0.2 T 0.3$' bg.meme || fail "--background"
quietly convert bg.meme --format meme | cmp - bg.meme >&2 || fail "the background of a MEME file is kept"
quietly convert bg.meme --format meme --background uniform | cmp - source.meme >&2 || fail "--background uniform"
quietly convert - --format jaspar --motif "factor 2" <source.meme >one.jaspar
[ "$(grep -c '^>' one.jaspar)" = 1 ] && grep -q '^>T2.1	factor 2$' one.jaspar || fail "--motif"

# Biopython reads the formats that it knows, and its writers are read.
biopython=
for python in python3 /usr/bin/python3; do
  if [ -z "$biopython" ] && $python -c "import Bio" 2>/dev/null; then biopython=$python; fi
done
if [ -n "$biopython" ]; then
  $biopython - <<'END' || fail "Biopython"
from Bio import motifs
def read(file, format):
    with open(file) as handle:
        return list(motifs.parse(handle, format))
source = read("source.jaspar", "jaspar")
assert len(source) == 6 and source[1].matrix_id == "T2.1" and source[1].name == "factor"
def close(motif, expected, scale, tolerance):
    assert motif.length == expected.length
    for letter in "ACGT":
        for a, b in zip(motif.counts[letter], expected.counts[letter]):
            assert abs(a * scale - b) <= tolerance, (a, b)
for file, format, scale, tolerance in (("source.meme", "minimal", 1, 1e-6), ("source.transfac", "transfac", 1, 0),
        ("source.pcm", "clusterbuster", 1, 0), ("source.pcm", "pfm-four-columns", 1, 0), ("source.pfm", "pfm-four-columns", 40, 1e-6),
        ("source.cisbp", "pfm-four-columns", 40, 1e-6), ("source.homer", "pfm-four-columns", 40, 0.13)):
    found = read(file, format)
    assert len(found) == 6, (file, len(found))
    for motif, expected in zip(found, source):
        if format == "minimal":
            assert motif.num_occurrences == 40 and motif.name == expected.matrix_id
        close(motif, expected, scale, tolerance)
transfac = read("source.transfac", "transfac")
assert [m["AC"] for m in transfac] == [m.matrix_id for m in source] and transfac[0]["ID"] == "factor 1"
with open("source.consensus") as handle:
    assert [line.split()[0] for line in handle] == [str(m.degenerate_consensus) for m in source]
with open("bio.jaspar", "w") as out: out.write(motifs.write(source, "jaspar"))
with open("bio.transfac", "w") as out: out.write(motifs.write(transfac, "transfac"))
END
  for format in jaspar transfac; do
    quietly convert bio.$format --format pcm -o bio.pcm
    sed 's/ factor.*//' source.pcm >a
    sed 's/ factor.*//' bio.pcm >b
    same a b
  done
else
  echo "$test_name: left out without Biopython: its parsers"
fi

# JASPAR: counts of one sum come back through MEME.
if [ -e "$DATA/motifs/jaspar2024.jaspar.gz" ]; then
  quietly convert "$DATA/motifs/jaspar2024.jaspar.gz" --format jaspar -o jaspar
  awk '/^>/ { name = $0; next }
    { rows = rows $0 "\n"; for (i = 3; i < NF; ++i) sum[i] += $i
      if (++row == 4) { equal = 1; for (i in sum) if (sum[i] != sum[3]) equal = 0
        if (equal) printf "%s\n%s", name, rows; rows = ""; row = 0; for (i in sum) delete sum[i] } }' jaspar >equal.jaspar
  [ "$(grep -c '^>' equal.jaspar)" -gt 1000 ] || fail "motifs of JASPAR with equal sums"
  quietly convert equal.jaspar --format meme -o equal.meme
  quietly convert equal.meme --format jaspar -o back.jaspar
  same equal.jaspar back.jaspar
else
  echo "$test_name: left out without $DATA/motifs/jaspar2024.jaspar.gz: real motifs"
fi

expect 1 "--format" convert source.jaspar
expect 1 "--format" convert source.jaspar --format sites
expect 1 "-p is the P-value of thresholds" convert source.jaspar --format meme -p 1e-3
expect 1 "-p: 0; expected a probability" convert source.jaspar --format homer -p 0
expect 1 "--pseudocount is an option of --format pwm" convert source.jaspar --format pfm --pseudocount 1
expect 1 "--pseudocount: 0; expected above 0" convert source.jaspar --format pwm --pseudocount 0
expect 1 "--background is an option of --format meme" convert source.jaspar --format homer --background uniform
expect 1 "--motif: \"T9\"" convert source.jaspar --format meme --motif T9
expect 1 "missing.jaspar" convert missing.jaspar --format meme
untouched source.jaspar convert source.jaspar --format meme -o source.jaspar
