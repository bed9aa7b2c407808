# awk -v seed=N -v pairs=N -v out=PREFIX -f illumina.awk LETTERS: pairs of reads as an Illumina machine gives them, of 100
# bases, from templates of 40 to 400 bases of one contig (its letters in one line). Scores fall along the read and errors
# follow them, bases of the lowest score are N, and what lies behind a short template is adapter. A read's name is
# number:start (from 1):bases of the template:strand of the first read.
function turned(s,   r, i) { r = ""; for (i = length(s); i > 0; --i) r = r complement[substr(s, i, 1)]; return r }
function sequenced(s,   r, q, i, score, letter) {
  r = q = ""
  s = s adapter sprintf("%100s", ""); gsub(/ /, "G", s)
  for (i = 1; i <= 100; ++i) {
    score = int(39 - 14 * (i / 100) ^ 3 - (rand() < 0.15 * i / 100 ? rand() * 20 : rand() * 4))
    if (i > bad) score = 2
    letter = substr(s, i, 1)
    if (score <= 2 && rand() < 0.1) letter = "N"
    else if (rand() < 10 ^ (-score / 10)) letter = substr("ACGT", 1 + int(rand() * 4), 1)
    r = r letter; q = q sprintf("%c", 33 + score)
  }
  return r "\n+\n" q
}
BEGIN {
  srand(seed); split("A C G T", from, " "); split("T G C A", to, " "); for (i in from) complement[from[i]] = to[i]
  adapter = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA"
}
{
  for (i = 1; i <= pairs; ++i) {
    bases = 40 + int(rand() * 361); start = 1 + int(rand() * (length($0) - bases)); text = substr($0, start, bases)
    if (text !~ /^[ACGT]*$/) { --i; continue }
    strand = rand() < 0.5 ? "+" : "-"
    if (strand == "-") text = turned(text)
    bad = rand() < 0.1 ? 40 + rand() * 60 : 100  # the end of some reads is of no use
    name = "@" i ":" start ":" bases ":" strand
    print name "/1\n" sequenced(text) >(out "_1.fq")
    print name "/2\n" sequenced(turned(text)) >(out "_2.fq")
  }
}
