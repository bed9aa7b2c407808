#!/bin/sh
# --sort: records by coordinate, BAM with its index.
test_name=sort
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
# Records with the number of the contig, the position, the strand and their place in the file in front; those without a place last.
keyed() { awk -F'\t' -v OFS='\t' '/^@SQ/ { number[substr($2, 4)] = ++contigs } /^@/ { next }
    { print $3 == "*" ? contigs + 1 : number[$3], $4, $3 == "*" ? 0 : int($2 / 16) % 2, ++n, $0 }' "$1"; }
by_coordinate() { keyed "$1" | sort -t '	' -k1,1n -k2,2n -k3,3n -k4,4n | cut -f5-; }

# Many records, so that the least memory is not enough for them: reads of other names, mates, ones without a place.
for copy in 1 2 3 4 5 6 7 8; do
  for i in 1 2; do awk -v copy=$copy 'FNR % 4 == 1 { $0 = "@" copy substr($0, 2) } { print }' pairs_$i.fq >>many_$i.fq; done
done
for reads in "single_40.fq -e 2 --hamming" "pairs_1.fq pairs_2.fq -e 2 --no-rescue" "pairs_1.fq pairs_2.fq -e 5 --report all" \
  "many_1.fq many_2.fq -e 5 --report all --sort-memory 1M"; do
  unsorted=$(echo "$reads" | sed 's/--sort-memory 1M//')
  # shellcheck disable=SC2086
  quietly map ref.mrs $unsorted -o unsorted.sam
  by_coordinate unsorted.sam >wanted
  fastq=$(echo "$reads" | sed 's/ -e.*//')
  # shellcheck disable=SC2086
  well_made unsorted.sam $fastq
  for output in sorted.sam sorted.sam.gz sorted.bam; do
    rm -f sorted.*
    # shellcheck disable=SC2086
    quietly map ref.mrs $reads --sort -o $output
    case $output in
      *.gz) gzip -dc $output >plain.sam ;;
      *.bam)
        [ -s sorted.bam.bai ] || fail "no index"
        if ! command -v samtools >/dev/null; then continue; fi
        samtools quickcheck sorted.bam || fail "quickcheck"
        samtools view -h sorted.bam | grep -v '^@PG	ID:samtools' >plain.sam
        samtools view -b unsorted.sam | samtools sort -o other.bam - 2>/dev/null
        samtools view other.bam >other
        samtools view sorted.bam | cmp - other || fail "not in the order of samtools sort: $reads"
        for contig in contig1 contig2 contig3 contig1:5000-6000; do
          [ "$(samtools view -c sorted.bam $contig)" = "$(samtools index other.bam && samtools view -c other.bam $contig)" ] || fail "the index: $contig"
        done ;;
      *) cp $output plain.sam ;;
    esac
    # shellcheck disable=SC2086
    well_made plain.sam $fastq --unsorted-ok
    head -1 plain.sam | grep -q '^@HD	VN:1.6	SO:coordinate$' || fail "@HD of $output"
    records plain.sam | cmp - wanted || fail "$output is not sorted: $reads"
  done
done
records unsorted.sam | wc -c | awk '{ exit $1 < 2000000 }' || fail "too few records for more than one run"
for left in .genocl* sorted.bam.csi sorted.sam.*; do [ ! -e "$left" ] || fail "$left is left behind"; done

# Standard output has no index; devices neither.
quietly map ref.mrs single_40.fq -e 3 --hamming --sort -o sorted.sam
quietly map ref.mrs single_40.fq -e 3 --hamming --sort >stdout.sam
records sorted.sam >wanted && records stdout.sam | cmp - wanted || fail "standard output"
quietly map ref.mrs single_40.fq -e 3 --hamming --sort --format bam -o /dev/null
[ ! -e /dev/null.bai ] || fail "an index of a device"

# A program that is ended leaves nothing, however far it came.
mkdir ended
mkfifo feed
"$PROGRAM" map ref.mrs -U feed -e 5 --sort --sort-memory 1M --batch-reads 100 -o ended/x.bam --quiet 2>said &
program=$!
{ cat many_1.fq; sleep 2; kill -TERM $program; } >feed
got=0
wait $program || got=$?
[ "$got" = 143 ] || { cat said; fail "status $got at SIGTERM"; }
[ -z "$(ls -A ended)" ] || { ls -A ended; fail "files left behind"; }

# Errors.
expect 1 "--sort: for a table" map ref.mrs single_40.fq --sort -o x.tsv
expect 1 "--sort-memory: \"999999\"; expected 1M at least" map ref.mrs single_40.fq --sort --sort-memory 999999 -o x.bam
expect 1 "--sort-memory: \"much\"" map ref.mrs single_40.fq --sort --sort-memory much -o x.bam
expect 1 "--sort" map ref.mrs single_40.fq --sort-memory 2M -o x.bam
expect 1 "/dev/full: cannot be written: No space left on device" map ref.mrs single_40.fq --sort -o /dev/full
cp single_40.fq reads.bam.bai
untouched reads.bam.bai map ref.mrs reads.bam.bai --sort -o reads.bam
mkdir y.bam.bai
expect 1 "y.bam.bai: cannot be written: Is a directory" map ref.mrs single_40.fq --sort -o y.bam
[ ! -e x.bam ] && [ ! -e y.bam ] || fail "a file in spite of an error"
