#!/bin/sh
# scan --vcf against a scan of whole haplotypes: best words, effects, places, scores and P-values of drawn variants, with
# one P-value for both strands and with one for each. VCF compressed by bcftools. Errors with record and place.
test_name=variants
. "$(dirname "$0")/common.sh"

# A genome with N, lower case and a short contig; variants of all kinds, also at the ends and next to N; alleles that
# share letters at both ends. chr4 is the best word of M3; after a deletion it is shorter than M3. haps.fa has both haplotypes of each allele with 30 letters on either side.
best=$(awk -F'[][ ]+' '/^>/ { on = $1 ~ /M3/; row = 0; next }
  on { ++row; for (i = 2; i <= NF; ++i) if ($i != "" && (row == 1 || $i > most[i])) { most[i] = $i; letter[i] = substr("ACGT", row, 1) } n = NF }
  END { for (i = 2; i <= n; ++i) printf "%s", letter[i] }' motifs.jaspar)
awk -v best="$best" 'function base() { return substr("ACGT", 1 + int(4 * rand()), 1) }
  function other(b,  o) { do o = base(); while (o == toupper(b)); return o }
  function word(n,  w) { w = ""; while (n-- > 0) w = w base(); return w }
  BEGIN {
    OFS = "\t"
    srand(3)
    for (c = 1; c <= 4; ++c) {
      length_of[c] = c == 4 ? length(best) : c == 3 ? 9 : 2500
      s = c == 4 ? best : ""
      for (i = length(s) + 1; i <= length_of[c]; ++i) s = s (c == 1 && i > 500 && i <= 520 ? "N" : rand() < 0.2 ? tolower(base()) : base())
      seq[c] = s
      print ">chr" c " contig\n" s >"genome.fa"
    }
    print "##fileformat=VCFv4.2\n##contig=<ID=chr1,length=2500>\n##contig=<ID=chr2,length=2500>\n##contig=<ID=chr3,length=9>\n##contig=<ID=chr4,length=" length(best) ">" >"in.vcf"
    print "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts" >"in.vcf"
    for (c = 1; c <= 4; ++c)
      for (at = c == 4 ? 3 : 1; at <= length_of[c]; at += c == 4 ? 99 : c == 3 ? 1 + int(2 * rand()) : 1 + int(20 * rand())) {
        kind = c == 4 ? 2 : int(6 * rand())
        n = c == 4 ? 2 : 1 + int(6 * rand())
        first = substr(seq[c], at, 1)
        if (toupper(first) == "N") continue
        ref = first
        if (kind == 0) alt = other(first)
        else if (kind == 1) alt = first word(n)
        else if (kind == 2 || kind == 3) {
          if (at + n > length_of[c]) continue
          ref = substr(seq[c], at, n + 1)
          if (ref ~ /[Nn]/) continue
          alt = kind == 2 ? first : other(substr(ref, 1, 1)) word(n)
        } else if (kind == 4) alt = other(first) "," first word(2) ",*," other(first)
        else alt = rand() < 0.3 ? "<DEL>" : rand() < 0.5 ? "." : other(first) word(n)
        id = rand() < 0.3 ? "rs" at : "."
        print "chr" c "\t" at "\t" id "\t" toupper(ref) "\t" alt "\t.\tPASS\t.\tGT\t0/1" >"in.vcf"
        m = split(alt, alts, ",")
        for (a = 1; a <= m; ++a) {
          if (alts[a] !~ /^[ACGTacgt]+$/) continue
          ++alleles
          from = at > 30 ? at - 30 : 1
          left = substr(seq[c], from, at - from); right = substr(seq[c], at + length(ref), 30)
          print ">" alleles ".ref\n" left ref right "\n>" alleles ".alt\n" left alts[a] right >"haps.fa"
          print alleles, "chr" c, at, id, toupper(ref), alts[a], from >"alleles"
        }
      }
  }'
[ "$(wc -l <alleles)" -gt 300 ] || fail "alleles"

# Thresholds between the scores of words.
quietly threshold motifs.jaspar -p 0.01 -o exact.tsv
body exact.tsv | awk -F'\t' '$4 != "none" { printf "%s\t%.6f\n", $1, $4 - 1e-5 }' >t.tsv
# expected NAME OPTIONS...: the table from a scan of the haplotypes for all words. A word of an allele has a letter that
# is not the same in both alleles, or both neighbours of a deletion.
expected() {
  name=$1
  shift
  quietly scan motifs.jaspar haps.fa -p 1 --exact "$@" -o words.tsv
  awk -F'\t' 'BEGIN { OFS = "\t" }
    FNR == 1 { ++file }
    file == 1 { threshold[$1] = $2; next }
    file == 2 { n = $1; chrom[n] = $2; at[n] = $3; id[n] = $4; ref[n] = $5; alt[n] = $6; from[n] = $7; alleles = n
      f = 0; r = $5; a = toupper($6); shorter = length(r) < length(a) ? length(r) : length(a)
      while (f < shorter && substr(r, f + 1, 1) == substr(a, f + 1, 1)) ++f
      l = 0
      while (l < shorter - f && substr(r, length(r) - l, 1) == substr(a, length(a) - l, 1)) ++l
      begin[n] = $3 - $7 + f  # of the changed letters in the haplotype, from 0
      size[n, "ref"] = length(r) - f - l; size[n, "alt"] = length(a) - f - l
      next }
    FNR == 1 { next }
    { split($3, name, "."); n = name[1]; side = name[2]
      start = $4 - 1; end = $5
      if (!(start < begin[n] + size[n, side] && end > begin[n])) next
      key = n SUBSEP $1 SUBSEP side
      if (!($1 in alt_id)) { alt_id[$1] = $2; order[++motifs] = $1 }
      if (!($1 in threshold)) next
      # A hit before other words; of equal words the first one. Strands with their own P-values are compared by them.
      is_hit = $7 >= threshold[$1]
      better = !(key in score) || is_hit > hit[key] || is_hit == hit[key] && (by_p ? $8 + 0 < p[key] + 0 || ($8 == p[key] && $6 == strand[key] && $7 > score[key]) : $7 > score[key])
      if (better) { hit[key] = is_hit; score[key] = $7; p[key] = $8; strand[key] = $6; first[key] = start; last[key] = end - 1; matched[key] = $10 } }
    function place(n, side, offset) {
      if (offset < begin[n]) return from[n] + offset
      if (offset >= begin[n] + size[n, side]) return from[n] + offset + size[n, "ref"] - size[n, side]
      offset -= begin[n]
      return from[n] + begin[n] - 1 + (offset + 1 < size[n, "ref"] ? offset + 1 : size[n, "ref"])
    }
    function fields(n, motif, side,  key) {
      key = n SUBSEP motif SUBSEP side
      if (!(key in score)) return ".\t.\t.\t.\t.\t."
      return place(n, side, first[key]) "\t" place(n, side, last[key]) "\t" strand[key] "\t" score[key] "\t" p[key] "\t" matched[key]
    }
    END {
      for (n = 1; n <= alleles; ++n)
        for (m = 1; m <= 4; ++m) {
          motif = "M" m
          r = n SUBSEP motif SUBSEP "ref"; a = n SUBSEP motif SUBSEP "alt"
          in_ref = (r in score) && hit[r]; in_alt = (a in score) && hit[a]
          if (!in_ref && !in_alt) continue
          if ((r in score) && (a in score) && score[r] == score[a] && p[r] == p[a]) continue
          effect = !in_ref ? "gain" : !in_alt ? "loss" : p[a] + 0 < p[r] + 0 || (p[a] == p[r] && score[a] > score[r]) ? "increase" : "decrease"
          print chrom[n], at[n], id[n], ref[n], alt[n], motif, "name " m, effect, fields(n, motif, "ref"), fields(n, motif, "alt")
        }
    }' by_p="$by_p" t.tsv alleles words.tsv >"$name"
}

by_p=0
expected want
quietly scan motifs.jaspar genome.fa --vcf in.vcf --thresholds t.tsv -o all.tsv
[ "$(head -n 1 all.tsv)" = 'sequence_name	position	variant_id	ref	alt	motif_id	motif_alt_id	effect	ref_start	ref_stop	ref_strand	ref_score	ref_p-value	ref_matched_sequence	alt_start	alt_stop	alt_strand	alt_score	alt_p-value	alt_matched_sequence' ] ||
  fail "header"
body all.tsv >got
diff want got >&2 || fail "changed hits"
for effect in gain loss increase decrease; do
  [ "$(cut -f 8 got | grep -c $effect)" -ge 3 ] || fail "no row to test: $effect"
done
cut -f 9,15 got | grep -q '\.' || fail "no row of an allele without a word"
# One strand; strands with their own P-values; small batches are the same.
expected want --strand -
quietly scan motifs.jaspar genome.fa --vcf in.vcf --thresholds t.tsv --strand - -o minus.tsv
body minus.tsv | diff want - >&2 || fail "--strand -"
by_p=1
expected want --background 0.3,0.2,0.1,0.4
quietly scan motifs.jaspar genome.fa --vcf in.vcf --thresholds t.tsv --background 0.3,0.2,0.1,0.4 -o uneven.tsv
# P-values are compared as they are printed; two strands may print the same one.
for file in want uneven.tsv; do
  grep -v '^sequence_name' $file | cut -f 1-8,13,19 | sed 's/increase/change/; s/decrease/change/' >$file.cut
done
diff want.cut uneven.tsv.cut >&2 || fail "strands with their own P-values"
[ "$(cut -f 11 uneven.tsv | sort -u | wc -l)" -ge 3 ] || fail "both strands"
by_p=0
# A motif, a P-value, standard input, summary.
quietly scan motifs.jaspar genome.fa --vcf in.vcf --thresholds t.tsv --motif M3 -o one.tsv
awk -F'\t' 'NR == 1 || $6 == "M3"' all.tsv | cmp - one.tsv >&2 || fail "--motif"
quietly scan motifs.jaspar genome.fa --vcf - --thresholds t.tsv <in.vcf | cmp - all.tsv >&2 || fail "standard input"
quietly scan motifs.jaspar genome.fa --vcf in.vcf -p 0.01 -o p.tsv
quietly scan motifs.jaspar genome.fa --vcf in.vcf --thresholds exact.tsv -o exact_hits.tsv
same p.tsv exact_hits.tsv
expect 0 "$(grep -vc '^#' in.vcf) records, $(wc -l <alleles) alleles, " scan motifs.jaspar genome.fa --vcf in.vcf --thresholds t.tsv -o x.tsv
grep -q " symbolic ones left out; $(wc -l <got) changed hits" said || { cat said; fail "summary"; }
# Windows line ends, gzip, bgzip by bcftools.
sed 's/$/\r/' in.vcf | gzip >crlf.vcf.gz
quietly scan motifs.jaspar genome.fa --vcf crlf.vcf.gz --thresholds t.tsv | cmp - all.tsv >&2 || fail "gzip with Windows line ends"
if command -v bcftools >/dev/null; then
  bcftools view -Oz -o in.vcf.gz in.vcf 2>/dev/null
  quietly scan motifs.jaspar genome.fa --vcf in.vcf.gz --thresholds t.tsv -o zipped.tsv
  same all.tsv zipped.tsv
  bcftools view -Ob -o in.bcf in.vcf 2>/dev/null
  expect 1 "in.bcf: BCF; expected VCF, as bcftools view writes it" scan motifs.jaspar genome.fa --vcf in.bcf
  # A record for each allele gives the same rows, up to the alleles that normalisation trims.
  bcftools norm -m- in.vcf 2>/dev/null >split.vcf
  quietly scan motifs.jaspar genome.fa --vcf split.vcf --thresholds t.tsv -o split.tsv
  cut -f 1,6,8,12-14,18-20 all.tsv | sort >a
  cut -f 1,6,8,12-14,18-20 split.tsv | sort >b
  diff a b >&2 || fail "records split by bcftools norm"
else
  echo "$test_name: left out without bcftools: its VCF"
fi

# Errors name the record and the place.
vcf() { { printf '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n'; printf "$@"; } >bad.vcf; }
bad() { text=$1; shift; vcf "$@"; expect 1 "$text" scan motifs.jaspar genome.fa --vcf bad.vcf -p 0.01; }
letter=$(sed -n 2p genome.fa | cut -c 100 | tr acgt ACGT)
wrong=A
[ "$letter" != A ] || wrong=C
bad "bad.vcf:3: REF has $wrong at chr1:100; expected $letter, as the sequence has" "chr1\t100\t.\t$wrong\tG\t.\t.\t.\n"
bad "bad.vcf:3: REF at chr3:9 is beyond the end" 'chr3\t9\t.\tAC\tA\t.\t.\t.\n'
bad "bad.vcf:3: REF at chr3:10 is beyond the end" 'chr3\t10\t.\tA\tC\t.\t.\t.\n'
bad 'bad.vcf:3: "x" for POS' 'chr1\tx\t.\tA\tC\t.\t.\t.\n'
bad 'bad.vcf:3: "A!" for REF' 'chr1\t1\t.\tA!\tC\t.\t.\t.\n'
bad 'bad.vcf:3: "Z" for ALT' 'chr1\t1\t.\tA\tZ\t.\t.\t.\n'
bad 'bad.vcf:3: a line of 2 fields' 'chr1\t1\n'
bad 'bad.vcf:3: a variant of chr9, and none of a sequence of the text' 'chr9\t1\t.\tA\tC\t.\t.\t.\n'
bad 'bad.vcf: no record in it' ''
printf 'chr1\t1\t.\tA\tC\n' >plain.vcf
expect 1 'plain.vcf:1: "chr1' scan motifs.jaspar genome.fa --vcf plain.vcf
# A sequence that the genome does not have gives a warning if others are right; N agrees with any letter.
vcf "chr1\t100\t.\tN\tA\t.\t.\t.\nchr9\t1\t.\tA\tC\t.\t.\t.\n"
expect 0 "bad.vcf:4: a variant of chr9, which the text does not have, is left out" scan motifs.jaspar genome.fa --vcf bad.vcf -p 0.01 -o x.tsv
expect 1 "bad.vcf:4: a variant of chr9" scan motifs.jaspar genome.fa --vcf bad.vcf -p 0.01 --strict
expect 1 "--vcf with --format bed" scan motifs.jaspar genome.fa --vcf in.vcf --format bed
expect 1 "--vcf with --best" scan motifs.jaspar genome.fa --vcf in.vcf --best
expect 1 "--vcf with q-values" scan motifs.jaspar genome.fa --vcf in.vcf --q-values
expect 1 "--vcf with --exact" scan motifs.jaspar genome.fa --vcf in.vcf --exact
expect 1 "--vcf with --regions" scan motifs.jaspar genome.fa --vcf in.vcf --regions in.vcf
expect 1 "missing.vcf: cannot be opened" scan motifs.jaspar genome.fa --vcf missing.vcf
expect 1 "standard input can be read once" scan - genome.fa --vcf - </dev/null
untouched in.vcf scan motifs.jaspar genome.fa --vcf in.vcf -o in.vcf
