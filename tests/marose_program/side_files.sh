#!/bin/sh
# --un, --un-conc and --coverage: unmapped reads and discordant pairs as FASTQ, and depth as bedGraph.
test_name=side_files
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
# Reads without a place, among the others.
awk 'NR % 40 == 1 { print "@x" NR " of no place\nACACACACGTGTGTGTAAACCCGGGTTTTACGACGATATTCGCG\n+\n" "IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII" } { print }' \
  single_40.fq >reads.fq
# four_lines FILE NAMES: the records of FASTQ whose names are in NAMES, without comments.
four_lines() { awk 'NR == FNR { want[$1] = 1; next } FNR % 4 == 1 { name = substr($1, 2); sub(/\/[12]$/, "", name); on = name in want; $0 = $1 } on' "$2" "$1"; }

quietly map ref.mrs reads.fq --un un.fq -o single.sam
records single.sam | awk -F'\t' 'int($2 / 4) % 2 { print $1 }' >names
[ -s names ] || fail "no unmapped reads"
four_lines reads.fq names | cmp - un.fq || fail "--un differs from the records with flag 4"
quietly map ref.mrs reads.fq --un un.fq.gz --batch-reads 100 -o again.sam
gzip -dc un.fq.gz | cmp - un.fq || fail "--un, compressed and in batches"
quietly map ref.mrs reads.fq -e 3 --hamming --format tsv --un table.fq -o table.tsv
awk -F'\t' 'NR == FNR { mapped[$1] = 1; next } FNR % 4 == 1 { name = substr($1, 2); sub(/ .*/, "", name); if (!(name in mapped)) print name }' \
  table.tsv reads.fq >names
four_lines reads.fq names | cmp - table.fq || fail "--un of a table"

quietly map ref.mrs pairs_1.fq pairs_2.fq --un none.fq --un-conc 'conc_%.fq' --coverage depth.bg -o pairs.sam
[ -e none.fq ] && [ ! -s none.fq ] || fail "--un has mates"
records pairs.sam | awk -F'\t' 'int($2 / 2) % 2 == 0 && $2 < 256 { print $1 }' | sort -u >names
[ -s names ] || fail "no discordant pairs"
for i in 1 2; do four_lines pairs_$i.fq names | cmp - conc_$i.fq || fail "--un-conc of mate $i"; done
quietly map ref.mrs pairs_1.fq pairs_2.fq --un-conc conc.d.fq -o again.sam
for i in 1 2; do same conc.d.$i.fq conc_$i.fq; done
# FASTA stays FASTA.
awk 'FNR % 4 == 1 { print ">" substr($1, 2) } FNR % 4 == 2' reads.fq >reads.fa
quietly map ref.mrs reads.fa --un un.fa -o fasta.sam
awk 'FNR % 4 == 1 { print ">" substr($1, 2) } FNR % 4 == 2' un.fq | cmp - un.fa || fail "--un of FASTA"

# The depth from the CIGARs of all records that are not secondary; more than 127 reads begin at one base.
awk 'NR <= 4' pairs_1.fq >one_1.fq
awk 'NR <= 4' pairs_2.fq >one_2.fq
for i in 1 2; do
  { for n in $(seq 300); do sed "1s/.*/@n$n/" one_$i.fq; done; cat pairs_$i.fq; } >deep_$i.fq
done
quietly map ref.mrs deep_1.fq deep_2.fq --batch-reads 100 --sort --coverage deep.bg -o deep.sam
awk -F'\t' -v OFS='\t' '/^@SQ/ { name[++n] = substr($2, 4); size[name[n]] = substr($3, 4) + 0; next } /^@/ || int($2 / 4) % 2 || int($2 / 256) % 2 { next }
  { at = $4 - 1; cigar = $6
    while (match(cigar, /^[0-9]+/)) { k = substr(cigar, 1, RLENGTH); letter = substr(cigar, RLENGTH + 1, 1); cigar = substr(cigar, RLENGTH + 2)
      if (letter == "M") { ++step[$3, at]; --step[$3, at + k] }
      if (letter ~ /[MD]/) at += k } }
  END { for (i = 1; i <= n; ++i) { begin = depth = 0
    for (at = 1; at <= size[name[i]]; ++at) {
      depth += step[name[i], at - 1]
      if (at < size[name[i]] && step[name[i], at] == 0) continue
      print name[i], begin, at, depth
      begin = at } } }' deep.sam >wanted.bg
same deep.bg wanted.bg
awk '$4 > 300 { found = 1 } END { exit !found }' deep.bg || fail "no deep base"
if command -v bedtools >/dev/null && command -v samtools >/dev/null; then
  samtools view -b deep.sam >deep.bam
  bedtools genomecov -bga -ibam deep.bam | sort -k1,1 -k2,2n >theirs.bg
  sort -k1,1 -k2,2n deep.bg | cmp - theirs.bg || fail "bedtools genomecov -bga"
  bedtools genomecov -bg -ibam deep.bam | sort -k1,1 -k2,2n >theirs.bg
  awk '$4 > 0' deep.bg | sort -k1,1 -k2,2n | cmp - theirs.bg || fail "bedtools genomecov -bg"
else
  echo "$test_name: left out without bedtools: genomecov"
fi
# With --resume, the kept parts include the data of these files.
quietly map ref.mrs deep_1.fq deep_2.fq --batch-reads 100 --resume --un-conc kept.fq --coverage kept.bg -o kept.sam
same kept.bg deep.bg

# Errors.
expect 1 "--coverage: for a table" map ref.mrs reads.fq --coverage x.bg -o x.tsv
expect 1 "--un-conc: two files for standard output" map ref.mrs pairs_1.fq pairs_2.fq --un-conc - -o x.sam
expect 1 "two outputs go to it" map ref.mrs reads.fq --un x.sam -o x.sam
untouched reads.fq map ref.mrs reads.fq --un reads.fq -o x.sam
expect 1 "/dev/full: cannot be written: No space left on device" map ref.mrs reads.fq --coverage /dev/full -o x.sam
[ ! -e x.sam ] && [ ! -e x.tsv ] || fail "a file in spite of an error"
