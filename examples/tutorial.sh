#!/bin/sh
# tutorial.sh DIR: writes the small data of the guides in docs/ to the folder DIR. It needs only a POSIX awk and takes a
# second. Every run writes the same bytes. Genomes, reads and motifs are made up. Four globins are UniProt's (CC BY 4.0).
#
#   genome.fa              2 contigs of 60 and 40 kb; a repeat of 500 bases is on both; chr2 has 100 N
#   reads_1.fq reads_2.fq  6,700 pairs of 2 x 150 bases of a diploid sample, 20x
#   truth.vcf              the variants of the sample
#   strain.fa              a related genome: substitutions, a deletion, an insertion, an inversion, a translocation
#   fragments.fa           overlapping pieces of the first 3 kb of chr1, on both strands
#   probes.fa              short pieces of the genome
#   proteins.fa            400 random proteins, 4 globins, relatives of a random protein
#   queries.fa             a globin, a relative of the random protein, and a protein without relatives
#   globins.afa            an alignment of three of the globins
#   motifs.jaspar          three motifs
#   peaks.bed, peaks.fa    regions of the genome that contain a site of the first motif, and their sequences
#   notes.txt              lines of text, some of them twice
set -eu
[ $# -eq 1 ] || { echo "usage: tutorial.sh DIR" >&2; exit 1; }
mkdir -p "$1"
cd "$1"
LC_ALL=C
export LC_ALL

cat >motifs.jaspar <<'END'
>M1	insulator
A  [  4   2  88   2   1  60   4  10   2   1   4   1   3  10 ]
C  [ 86  90   2  92  94   4   2   2   2   1   1   4   1  80 ]
G  [  4   4   6   2   1  32  92  86  94  96  91  91  94   6 ]
T  [  6   4   4   4   4   4   2   2   2   2   4   4   2   4 ]
>M2	gata
A  [ 60   2  96   2  94  70  20 ]
C  [  6   2   1   2   1   6  20 ]
G  [  8  95   1   2   2  14  50 ]
T  [ 26   1   2  94   3  10  10 ]
>M3	box
A  [ 10   3   2   4   3   3  10 ]
C  [ 30   3   2   3  93   3  50 ]
G  [ 50   3  93   3   2   3  30 ]
T  [ 10  91   3  90   2  91  10 ]
END

awk '
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function below(n) { return int(uniform() * n) }
function base() { return substr("ACGT", 1 + below(4), 1) }
function other(b,  c) { do c = base(); while (c == b); return c }
function random_bases(n,  i, s) { s = ""; for (i = 0; i < n; i++) s = s base(); return s }
function reverse_complement(s,  i, r) {
  r = ""
  for (i = length(s); i > 0; i--) r = r complement[substr(s, i, 1)]
  return r
}
function replace(s, at, what) { return substr(s, 1, at) what substr(s, at + length(what) + 1) }  # at: from 0
# Substitutes bases with a probability; the distances of substitutions are drawn.
function mutate(s, rate,  at, out) {
  out = ""
  for (;;) {
    at = 1 + int(log(uniform()) / log(1 - rate))
    if (at > length(s)) return out s
    out = out substr(s, 1, at - 1) other(substr(s, at, 1))
    s = substr(s, at + 1)
  }
}
function fasta(file, name, s,  i) {
  print ">" name >file
  for (i = 1; i <= length(s); i += 60) print substr(s, i, 60) >file
}
# A site of the motif M1: each base with the probability of its column.
function site(  i, b, s, draw) {
  s = ""
  for (i = 1; i <= 14; i++) {
    draw = below(100)
    for (b = 1; b < 4 && draw >= column[b, i]; b++) draw -= column[b, i]
    s = s substr("ACGT", b, 1)
  }
  return s
}
function variant(contig, at, ref, alt, genotype) {  # at: from 0, in ascending order
  print contig, at + 1, ".", ref, alt, ".", "PASS", ".", "GT", genotype >"truth.vcf"
  take(1, contig, at, ref, alt)
  if (genotype == "1/1") take(2, contig, at, ref, alt)
}
function take(which, contig, at, ref, alt) {
  haplotype[which, contig] = haplotype[which, contig] substr(genome[contig], done[which, contig] + 1, \
    at - done[which, contig]) alt
  done[which, contig] = at + length(ref)
}
function snv(contig, at, genotype,  ref) {
  ref = substr(genome[contig], at + 1, 1)
  variant(contig, at, ref, other(ref), genotype)
}
function deletion(contig, at, n, genotype) {
  variant(contig, at, substr(genome[contig], at + 1, n + 1), substr(genome[contig], at + 1, 1), genotype)
}
function insertion(contig, at, n, genotype,  ref, first) {
  ref = substr(genome[contig], at + 1, 1)
  do first = other(ref); while (first == substr(genome[contig], at + 2, 1))
  variant(contig, at, ref, ref first random_bases(n - 1), genotype)
}
function read(file, name, s, tail,  n, i, at, quality) {
  s = substr(s tail random_bases(length(s) < 150 ? 150 : 0), 1, 150)
  quality = good
  n = 0
  while (uniform() < 0.25) n++
  for (i = 0; i < n; i++) {
    at = below(150)
    s = replace(s, at, other(substr(s, at + 1, 1)))
    quality = replace(quality, at, uniform() < 0.8 ? "," : "F")
  }
  print "@" name "\n" s "\n+\n" quality >file
}
function pair(name, fragment, reverse,  turned) {
  turned = reverse_complement(substr(fragment, length(fragment) < 150 ? 1 : length(fragment) - 149))
  if (reverse) {
    read("reads_1.fq", name, turned, "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA")
    read("reads_2.fq", name, substr(fragment, 1, 150), "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT")
  } else {
    read("reads_1.fq", name, substr(fragment, 1, 150), "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA")
    read("reads_2.fq", name, turned, "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT")
  }
}
/^>/ { motif++; next }
motif == 1 { row++; for (i = 1; i <= 14; i++) column[row, i] = $(i + 2) }
END {
  OFS = "\t"
  state = 20261127
  for (i = 1; i <= 4; i++) complement[substr("ACGT", i, 1)] = substr("TGCA", i, 1)
  complement["N"] = "N"
  for (i = 0; i < 150; i++) good = good (i < 130 ? "F" : ":")

  # The genome: random bases, a repeat, a gap and sites in peaks.
  genome["chr1"] = random_bases(60000)
  genome["chr2"] = random_bases(40000)
  genome["chr2"] = replace(genome["chr2"], 10000, substr(genome["chr1"], 20001, 500))
  hundred_n = "NNNNNNNNNN"
  hundred_n = hundred_n hundred_n hundred_n hundred_n hundred_n hundred_n hundred_n hundred_n hundred_n hundred_n
  genome["chr2"] = replace(genome["chr2"], 30000, hundred_n)
  for (i = 0; i < 20; i++) {
    contig = i < 12 ? "chr1" : "chr2"
    start = 2000 + (i < 12 ? i * 4700 : (i - 12) * 4600) + below(1000)
    word = site()
    if (uniform() < 0.5) word = reverse_complement(word)
    genome[contig] = replace(genome[contig], start + 20 + below(160), word)
    print contig, start, start + 200, "peak" (i + 1) >"peaks.bed"
    contig_of[i] = contig
    start_of[i] = start
  }
  for (i = 0; i < 20; i++)
    print ">" contig_of[i] ":" start_of[i] "-" (start_of[i] + 200) "\n" \
      substr(genome[contig_of[i]], start_of[i] + 1, 200) >"peaks.fa"
  fasta("genome.fa", "chr1", genome["chr1"])
  fasta("genome.fa", "chr2", genome["chr2"])

  # The sample: two haplotypes with known variants.
  print "##fileformat=VCFv4.2\n##contig=<ID=chr1,length=60000>\n##contig=<ID=chr2,length=40000>" >"truth.vcf"
  print "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">" >"truth.vcf"
  print "#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", "sample" >"truth.vcf"
  snv("chr1", 4711, "0/1"); snv("chr1", 9120, "1/1"); deletion("chr1", 13030, 3, "0/1"); snv("chr1", 17400, "0/1")
  insertion("chr1", 23500, 12, "0/1"); snv("chr1", 31001, "1/1"); snv("chr1", 38250, "0/1")
  deletion("chr1", 44444, 30, "1/1")
  snv("chr1", 51900, "0/1"); snv("chr1", 56789, "1/1")
  snv("chr2", 3333, "1/1"); insertion("chr2", 7070, 2, "1/1"); snv("chr2", 15150, "0/1"); snv("chr2", 21210, "0/1")
  deletion("chr2", 26500, 1, "0/1"); snv("chr2", 33900, "1/1"); snv("chr2", 37037, "0/1")
  for (which = 1; which <= 2; which++)
    for (i = 1; i <= 2; i++) {
      contig = "chr" i
      haplotype[which, contig] = haplotype[which, contig] substr(genome[contig], done[which, contig] + 1)
    }
  for (i = 1; i <= 6700; i++) {
    contig = uniform() < 0.6 ? "chr1" : "chr2"
    text = 1 + below(2)
    n = 220 + below(60) + below(60) + below(60)
    if (uniform() < 0.02) n = 90 + below(60)
    fragment = substr(haplotype[text, contig], 1 + below(length(haplotype[text, contig]) - n), n)
    if (i % 100 == 0) fragment = random_bases(n)
    strand = below(2)
    pair("read" i, fragment, strand)
    if (i % 50 == 0) pair("read" ++i, fragment, strand)
  }

  # A related genome.
  first = mutate(genome["chr1"], 0.01)
  second = mutate(genome["chr2"], 0.01)
  moved = substr(first, 50001, 5000)
  first = substr(first, 1, 10000) substr(first, 12501, 12500) reverse_complement(substr(first, 25001, 10000)) \
    substr(first, 35001, 15000) substr(first, 55001)
  second = substr(second, 1, 20000) moved substr(second, 20001, 8000) random_bases(1500) substr(second, 28001)
  fasta("strain.fa", "s1", first)
  fasta("strain.fa", "s2", second)

  # Pieces of the genome.
  for (i = 0; i < 10; i++) {
    piece = substr(genome["chr1"], 1 + 280 * i, 480)
    fasta("fragments.fa", "f" (i + 1), i % 3 == 2 ? reverse_complement(piece) : piece)
  }
  fasta("probes.fa", "p1", substr(genome["chr1"], 5001, 30))
  fasta("probes.fa", "p2", reverse_complement(substr(genome["chr2"], 20001, 30)))
  fasta("probes.fa", "p3", substr(genome["chr1"], 20101, 30))
  fasta("probes.fa", "p4", random_bases(30))
}' motifs.jaspar

cat >globins.afa <<'END'
>HBA_HUMAN P69905 hemoglobin subunit alpha
MV-LSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHF------DLSHGSAQVKGHGKKVADALTNAVAH
VDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR------
>HBB_HUMAN P68871 hemoglobin subunit beta
MVHLTPEEKSAVTALWGKV--NVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAH
LDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFGKEFTPPVQAAYQKVVAGVANALAHKYH------
>MYG_HUMAN P02144 myoglobin
MG-LSDGEWQLVLNVWGKVEADIPGHGQEVLIRLFKGHPETLEKFDKFKHLKSEDEMKASEDLKKHGATVLTALGGILKK
KGHHEAEIKPLAQSHATKHKIPVKYLEFISECIIQVLQSKHPGDFGADAQGAMNKALELFRKDMASNYKELGFQG
END

awk '
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function below(n) { return int(uniform() * n) }
# 1,000 letters with the frequencies of proteins (Robinson and Robinson 1991).
function letter() { return substr(pool, 1 + below(length(pool)), 1) }
function random_protein(n,  s) { s = "M"; while (length(s) < n) s = s letter(); return s }
function mutate(s, rate,  i, out) {
  out = ""
  for (i = 1; i <= length(s); i++) out = out (uniform() < rate ? letter() : substr(s, i, 1))
  return out
}
function fasta(file, name, s,  i) {
  print ">" name >file
  for (i = 1; i <= length(s); i += 60) print substr(s, i, 60) >file
}
/^>/ { name[++globins] = substr($0, 2); next }
{ gsub("-", ""); sequence[globins] = sequence[globins] $0 }
END {
  state = 19910101
  name[++globins] = "LGB1_VICFA P02232 leghemoglobin-1"
  sequence[globins] = "MGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMVRDSAVQLRATGEVVLDGKDG" \
    "SIHIQKGVLDPHFVVVKEALLKTIKEASGDKWSEELSAAWEVAYDGLATAIKAA"
  n = split("A78 R51 N45 D54 C19 Q43 E63 G74 H22 I51 L91 K57 M22 F39 P52 S71 T58 W13 Y32 V64", counts, " ")
  for (i = 1; i <= n; i++) for (k = 0; k < substr(counts[i], 2) + 0; k++) pool = pool substr(counts[i], 1, 1)
  for (i = 1; i <= 400; i++) {
    protein = random_protein(80 + below(500))
    fasta("proteins.fa", "r" i " random protein", protein)
    if (i == 100) ancestor = protein
    if (i % 100 == 50) { k = (i + 50) / 100; fasta("proteins.fa", name[k], sequence[k]) }
    if (i > 370 && i <= 374) fasta("proteins.fa", "relative" (i - 370) " of r100", mutate(ancestor, 0.2 * (i - 370)))
  }
  fasta("queries.fa", name[1], sequence[1])
  fasta("queries.fa", "relative of r100", mutate(substr(ancestor, 20, 200), 0.3))
  fasta("queries.fa", "orphan", random_protein(120))
}' globins.afa

cat >notes.txt <<'END'
Keep the samples at -20 degrees until they are sequenced.
The library has a mean template length of 310 bases.
Adapters are those of the vendor's kit.
The library has a mean template length of 310 bases.
Sequence the pool on one lane.
Keep the samples at -20 degrees until they are sequenced.
END
