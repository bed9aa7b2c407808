#!/bin/sh
# Every hit, in every format, by every method.
test_name=scan
. "$(dirname "$0")/common.sh"

# By sequence, position, motif and strand, as the text has them: by_place TABLE.
awk '/^>/ { print substr($1, 2) "\t" ++n }' text.fa >order
by_place() {
  awk -F'\t' -v OFS='\t' 'NR == FNR { number[$1] = $2; next } { print number[$3], $4, FNR, $0 }' order "$1" |
    sort -t '	' -k1,1n -k2,2n -k3,3n | cut -f4-
}
awk -f "$SOURCE/scan.awk" -v threshold=4.37 motifs.jaspar text.fa >by_motif
by_place by_motif >expected
[ "$(wc -l <expected)" -gt 50 ] || fail "too few hits to test with"
quietly scan motifs.jaspar text.fa --score 4.37 -o hits.tsv
printf 'motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence\n' >header
head -n 1 hits.tsv | cmp - header || fail "header"
# The last digit is rounding's.
rounded() { awk -F'\t' -v OFS='\t' -v s="$1" '{ $s = sprintf("%.6f", $s + 1e-10); print }'; }
body hits.tsv | cut -f1-7,10 | rounded 7 >found
rounded 7 <expected | cmp - found || fail "hits differ from a plain scan"
for method in naive naive-matrix lookahead kmp slices loss; do
  quietly scan motifs.jaspar text.fa --score 4.37 --method $method -o method.tsv
  same hits.tsv method.tsv
done
for columns in 1 4 8; do
  quietly scan motifs.jaspar text.fa --score 4.37 --method slices --slice-columns $columns -o method.tsv
  same hits.tsv method.tsv
done
quietly scan - text.fa --score 4.37 -o stdin.tsv <motifs.jaspar
same hits.tsv stdin.tsv
gzip -c text.fa >text.fa.gz
gzip -c motifs.jaspar >motifs.gz
quietly scan motifs.gz text.fa.gz --score 4.37 >zipped.tsv
same hits.tsv zipped.tsv
# Two files are one text.
awk '/^>r4/ { second = 1 } { print > (second ? "second.fa" : "first.fa") }' text.fa
quietly scan motifs.jaspar first.fa second.fa --score 4.37 -o parts.tsv
same hits.tsv parts.tsv

for strand in + -; do
  case $strand in +) word=plus ;; *) word=minus ;; esac
  quietly scan motifs.jaspar text.fa --score 4.37 --strand $word -o word.tsv
  quietly scan motifs.jaspar text.fa --score 4.37 --strand $strand -o strand.tsv
  awk -F'\t' -v s="$strand" 'NR == 1 || $6 == s' hits.tsv | cmp - strand.tsv || fail "--strand $strand"
  cmp word.tsv strand.tsv || fail "--strand $word"
done
awk -f "$SOURCE/scan.awk" -v threshold=3 -v base=2.718281828459045 motifs.jaspar text.fa >by_motif
by_place by_motif | cut -f1-6 >natural
quietly scan motifs.jaspar text.fa --score 3 --log-base e -o e.tsv
body e.tsv | cut -f1-6 | cmp - natural || fail "--log-base e"

# Other formats tell the same hits.
quietly scan motifs.jaspar text.fa --score 4.37 --format bed -o hits.bed
body hits.tsv | awk -F'\t' -v OFS='\t' '{ print $3, $4 - 1, $5, $1, $6 }' >places
cut -f1-4,6 hits.bed | cmp - places || fail "bed"
awk -F'\t' '$5 !~ /^[0-9]+$/ || $5 > 1000 { exit 1 }' hits.bed || fail "bed: scores"
quietly scan motifs.jaspar text.fa --score 4.37 --format gff3 --q-values -o hits.gff3
quietly scan motifs.jaspar text.fa --score 4.37 --q-values -o q.tsv
[ "$(head -n 1 hits.gff3)" = "##gff-version 3" ] || fail "gff3: header"
body q.tsv | awk -F'\t' -v OFS='\t' '{ print $3, "genocl-pwm", "nucleotide_motif", $4, $5, $7, $6, ".",
  "Name=" $1 ";Alias=" $2 ";pvalue=" $8 ";qvalue=" $9 ";sequence=" $10 }' >gff
body hits.gff3 | cmp - gff || fail "gff3"
quietly scan motifs.jaspar text.fa --score 4.37 --format counts -o counts.tsv
body hits.tsv | awk -F'\t' -v OFS='\t' 'BEGIN { print "motif_id", "strand", "hits" } { ++n[$1, $6] }
  END { for (m = 1; m <= 4; ++m) { print "M" m, "+", n["M" m, "+"] + 0; print "M" m, "-", n["M" m, "-"] + 0 } }' |
  cmp - counts.tsv || fail "counts"

# P-values are shares of all words; q-values are Benjamini and Hochberg's over the places of both strands.
cut -f1-8,10 q.tsv >without_q
cut -f1-8,10 hits.tsv | cmp - without_q || fail "--q-values changes other columns"
awk '/^>/ { print ""; next } { printf "%s", toupper($0) } END { print "" }' text.fa >lines
body q.tsv | cut -f1,7-9 | sort -k1,1 -k2,2gr >by_score
for m in 1 2 3 4; do
  awk -F'\t' -v m=M$m '$1 == m' by_score >one
  [ -s one ] || continue
  width=$(body hits.tsv | awk -F'\t' -v m=M$m '$1 == m { print length($10); exit }')
  places=$(awk -v w="$width" '{ for (p = 1; p + w - 1 <= length($0); ++p) if (substr($0, p, w) ~ /^[ACGT]*$/) ++n } END { print n + 0 }' lines)
  awk -F'\t' -v tests=$((2 * places)) '{ score[NR] = $2; p[NR] = $3; q[NR] = $4 }
    END { least = 1
      for (i = NR; i > 0; --i) { j = i; while (j < NR && score[j + 1] == score[i]) ++j
        now = p[i] * tests / j; if (now < least) least = now
        if (q[i] < least * 0.98 || q[i] > least * 1.02) { print i, q[i], least; exit 1 } } }' one || fail "q-values of M$m"
done

# Where words are unequally probable on both strands, each has its own P-values.
printf '>A8\n8 8 8 8 8 8 8 8\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n' >a8.jaspar
printf '>x\nCCAAAAAAAACC\n>y\nGGTTTTTTTTGG\n' >a8.fa
uneven="--background 0.3,0.2,0.1,0.4"
quietly scan a8.jaspar a8.fa --score 12 $uneven -o uneven.tsv
body uneven.tsv | cut -f3,6,8 >p
printf 'x\t+\t6.56e-05\ny\t-\t0.000655\n' | cmp - p || fail "P-values of each strand"
quietly scan a8.jaspar a8.fa --score 12 $uneven --average-strands -o average.tsv
body average.tsv | cut -f3,6,8 >p
printf 'x\t+\t0.00036\ny\t-\t0.00036\n' | cmp - p || fail "--average-strands"
# So have thresholds: the word is rare enough on one strand only.
quietly scan a8.jaspar a8.fa $uneven -o usual.tsv
body usual.tsv | cut -f3,6,8 >p
printf 'x\t+\t6.56e-05\n' | cmp - p || fail "thresholds of each strand"
expect 0 "1 is too short to reach P <= 0.0001 on strand -" scan a8.jaspar a8.fa $uneven -o usual.tsv
quietly scan a8.jaspar a8.fa $uneven --strand - -o minus.tsv
[ -z "$(body minus.tsv)" ] || fail "--strand - with the threshold of strand +"
quietly scan a8.jaspar a8.fa $uneven -p 5e-4 --average-strands -o average.tsv
body average.tsv | cut -f3,6,8 >p
printf 'x\t+\t0.00036\ny\t-\t0.00036\n' | cmp - p || fail "-p with --average-strands"
# The more significant strand's hit has the lower q: 2 places of 5 words on both strands, the first of two hits.
quietly scan a8.jaspar a8.fa --score 12 $uneven --q-values -o q.tsv
body q.tsv | awk -F'\t' '{ q[$6] = $9 } END { exit !(q["+"] >= 0.00131 && q["+"] < 0.00132 && q["-"] > 0.00654 && q["-"] < 0.00656) }' ||
  { cat q.tsv; fail "q-values of each strand"; }

# --max-hits: enough, and one less.
count=$(body hits.tsv | wc -l)
quietly scan motifs.jaspar text.fa --score 4.37 --max-hits "$count" -o most.tsv
same hits.tsv most.tsv
# The first ones of the text are written, in every format, whatever is kept until the end.
for most in 1 7 $((count - 1)); do
  for format in tsv bed gff3; do
    quietly scan motifs.jaspar text.fa --score 4.37 --format $format -o every.$format
    quietly scan motifs.jaspar text.fa --score 4.37 --format $format --max-hits $most -o less.$format
    lines=$(($(wc -l <every.$format) - count + most))
    head -n "$lines" every.$format | cmp - less.$format || fail "--max-hits $most of $format"
  done
  quietly scan motifs.jaspar text.fa --score 4.37 --q-values -o every.tsv
  quietly scan motifs.jaspar text.fa --score 4.37 --q-values --max-hits $most -o less.tsv
  head -n $((most + 1)) every.tsv | cmp - less.tsv || fail "--max-hits $most with q-values"
  quietly scan motifs.jaspar text.fa --score 4.37 --best -o every.tsv
  quietly scan motifs.jaspar text.fa --score 4.37 --best --max-hits $most -o less.tsv
  head -n $((most + 1)) every.tsv | cmp - less.tsv || fail "--max-hits $most with --best"
done
"$PROGRAM" scan motifs.jaspar text.fa --score 4.37 --max-hits 7 -o less.tsv 2>said
grep -q "note: $((count - 7)) more hits are not written (--max-hits)" said || { cat said >&2; fail "hits that are not written"; }
expect 1 "--max-hits with --format counts" scan motifs.jaspar text.fa --score 4.37 --max-hits 7 --format counts

# Backgrounds: the text's own equals its letters counted here.
awk '!/^>/ { gsub(/[^ACGTacgt]/, ""); text = toupper($0); a += gsub(/[AT]/, "", text); c += length(text) }
  END { printf "A %.17g\nC %.17g\nG %.17g\nT %.17g\n", a / (a + c) / 2, c / (a + c) / 2, c / (a + c) / 2, a / (a + c) / 2 }' text.fa >bg.txt
quietly scan motifs.jaspar text.fa --score 4.37 --background input -o input.tsv
quietly scan motifs.jaspar text.fa --score 4.37 --background bg.txt -o file.tsv
quietly scan motifs.jaspar text.fa --score 4.37 --background "$(awk '{ printf "%s%s", (NR > 1 ? "," : ""), $2 }' bg.txt)" -o numbers.tsv
same file.tsv numbers.tsv
cut -f1-6,8,10 input.tsv >input && cut -f1-6,8,10 file.tsv | cmp - input || fail "--background input"
cut -f7 hits.tsv | cmp -s - numbers.tsv && fail "a background without effect"
# Nothing to be found.
printf '>n\nNNNNNNNNNNNN\n>short\nACG\n>none\n' >nothing.fa
quietly scan motifs.jaspar nothing.fa --score -100 -o nothing.tsv
cmp nothing.tsv header || fail "hits in nothing"
