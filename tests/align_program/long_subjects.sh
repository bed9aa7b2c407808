#!/bin/sh
# Subjects of any length: reads in a chromosome of more than 2^24 letters, next to short sequences.
test_name=long_subjects
. "$(dirname "$0")/common.sh"

# 17 million letters, 1,000 a line; a read every 1,000,000, from the next line on; turned where the number is odd.
awk 'BEGIN { srand(11); split("A C G T", letter, " ")
  for (i = 0; i < 997; ++i) unit = unit letter[1 + int(rand() * 4)]
  print ">chromosome of 17 million"
  for (line = 0; line < 17000; ++line) {
    from = line * 37 % 997 + 1
    text = substr(unit, from) unit unit
    if (line % 1000 == 0) { read = ""; for (i = 0; i < 150; ++i) read = read letter[1 + int(rand() * 4)]
      turned = ""; for (i = 150; i > 0; --i) turned = turned substr("TGCA", index("ACGT", substr(read, i, 1)), 1)
      number = line / 1000
      print ">r" number "\n" (number % 2 ? turned : read) >"planted.fa"
      text = substr(text, 1, 400) read substr(text, 401) }
    print substr(text, 1, 1000) }
  print ">short\nACGTACGTTTGACA\n>empty" }' >genome.fa
quietly makedb --dna genome.fa -o genome.gdb
for options in "" "--chunk 3000000 --batch-queries 9" "--resume"; do
  # shellcheck disable=SC2086
  quietly search planted.fa genome.gdb --align --max-hits 1 $options -o hits.tsv
  body hits.tsv | awk -F'\t' 'BEGIN { OFS = "\t" } { n = substr($1, 2)
      if ($2 != "chromosome" || $3 != 300 || $7 != 17000000 || $8 != (n % 2 ? "-" : "+") || $11 != n * 1000000 + 401 || $12 != $11 + 149) { print; exit 1 } }
    END { exit NR != 17 }' || { cat hits.tsv >&2; fail "reads are not where they were planted: $options"; }
  [ -e first.tsv ] || cp hits.tsv first.tsv
  same first.tsv hits.tsv
done
# From FASTA, and as SAM has it.
quietly search planted.fa genome.fa --dna --align --max-hits 1 -o hits.tsv
same first.tsv hits.tsv
quietly search planted.fa genome.gdb --format sam --max-hits 1 -o hits.sam
records hits.sam | awk -F'\t' '{ n = substr($1, 2); if ($4 != n * 1000000 + 401 || $6 !~ /^150[=M]$/) { print; exit 1 } }' || fail "SAM"
# Several alignments of a read: the unit is there some 17,000 times.
printf '>unit\n' >unit.fa
sed -n 3p genome.fa | cut -c 100-199 >>unit.fa
quietly search unit.fa genome.gdb --align --max-hits 1 --max-hsps 4 --strand plus -o hits.tsv
body hits.tsv | awk -F'\t' '{ if ($3 != 200 || $11 <= last) exit 1; last = $11 } END { exit NR != 4 }' || { cat hits.tsv >&2; fail "--max-hsps"; }
# With --all-scores.
quietly search planted.fa genome.gdb --all-scores -o all.tsv
awk -F'\t' '/chromosome/ && $NF != 300 { print; exit 1 }' all.tsv || fail "--all-scores"
# Subjects that are not cut have a limit.
expect 1 "a subject of 17000000 letters" search planted.fa genome.gdb --gap-extend 0 --no-evalue
