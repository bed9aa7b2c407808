#!/bin/sh
# Reads of real genomes, and a drawn genome with repeats like a human's.
test_name=real
. "$(dirname "$0")/common.sh"
there() { for file; do [ -e "$DATA/$file" ] || { echo "left out without $DATA/$file"; return 1; }; done; }
mapped() { records "$1" | awk -F'\t' 'int($2 / 256) % 2 == 0 && int($2 / 4) % 2 == 0 { ++n } END { print n + 0 }'; }
# sound REFERENCE FILE READS...: check_sam finds no fault, and samtools reads it.
sound() {
  reference=$1
  shift
  well_made "$@"
  if command -v samtools >/dev/null; then
    samtools quickcheck "$1" || fail "samtools quickcheck $1"
    samtools stats "$1" >stats || fail "samtools stats $1"
  fi
}

# Of these pairs, of 30 to 250 bases with many errors, bowtie2 maps 94.2%.
if there dna/lambda_virus.fa reads/lambda_reads_1.fq.gz reads/lambda_reads_2.fq.gz; then
  quietly map "$DATA/dna/lambda_virus.fa" "$DATA/reads/lambda_reads_1.fq.gz" "$DATA/reads/lambda_reads_2.fq.gz" -o lambda.sam
  sound "$DATA/dna/lambda_virus.fa" lambda.sam "$DATA/reads/lambda_reads_1.fq.gz" "$DATA/reads/lambda_reads_2.fq.gz"
  [ "$(mapped lambda.sam)" -ge 18840 ] || fail "$(mapped lambda.sam) of 20000 lambda reads by default"
  quietly map "$DATA/dna/lambda_virus.fa" "$DATA/reads/lambda_reads_1.fq.gz" "$DATA/reads/lambda_reads_2.fq.gz" --clip -o clip.sam
  sound "$DATA/dna/lambda_virus.fa" clip.sam "$DATA/reads/lambda_reads_1.fq.gz" "$DATA/reads/lambda_reads_2.fq.gz"
  [ "$(mapped clip.sam)" -ge 19300 ] || fail "$(mapped clip.sam) of 20000 lambda reads with --clip"
fi

if there dna/ecoli_k12.fa.gz; then
  quietly index "$DATA/dna/ecoli_k12.fa.gz" -o ecoli.mrs
  # Real reads of 100 bases.
  if there reads/reads_100bp_28160.fq.gz; then
    quietly map ecoli.mrs "$DATA/reads/reads_100bp_28160.fq.gz" -o single.sam
    sound "$DATA/dna/ecoli_k12.fa.gz" single.sam "$DATA/reads/reads_100bp_28160.fq.gz"
    [ "$(mapped single.sam)" = 28160 ] || fail "$(mapped single.sam) of 28160 reads of E. coli"
  fi
  # Drawn with the scores, adapters and Ns of a machine: nearly all map, and where they are sure they are right.
  gzip -dc "$DATA/dna/ecoli_k12.fa.gz" | awk '!/^>/ { printf "%s", toupper($0) } END { print "" }' >letters
  awk -v seed=5 -v pairs=5000 -v out=machine -f "$SOURCE/illumina.awk" letters
  quietly map ecoli.mrs machine_1.fq machine_2.fq --clip --adapter illumina --trim-quality 15 -o machine.sam
  sound "$DATA/dna/ecoli_k12.fa.gz" machine.sam machine_1.fq machine_2.fq
  [ "$(mapped machine.sam)" -ge 9950 ] || fail "$(mapped machine.sam) of 10000 reads of a machine"
  records machine.sam | awk -F'\t' '{ split($1, p, ":"); if ($5 < 20) next; ++sure
      if ($4 < p[2] - 20 || $4 > p[2] + p[3]) ++wrong } END { print sure, wrong + 0; exit sure < 9500 || wrong > 0 }' >sure ||
    fail "sure and wrong: $(cat sure)"
fi

# 60 Mb with repeats like a human's: as accurate as minimap2; of the reads with a high mapping quality at most 5 in 100,000 are wrong.
if there ../tools/simgenome.cpp ../tools/simcheck.py && command -v python3 >/dev/null; then
  c++ -O2 -std=c++20 -o simgenome "$DATA/../tools/simgenome.cpp"
  ./simgenome 60000000 7 genome.fa 20000 150 r1.fq r2.fq >/dev/null
  quietly index genome.fa -o genome.mrs
  quietly map genome.mrs r1.fq r2.fq -o drawn.sam
  sound genome.fa drawn.sam r1.fq r2.fq
  python3 "$DATA/../tools/simcheck.py" drawn.sam >checked
  awk '{ right = $7; wrong = $NF == "" ? 1 : 0; for (i = 1; i < NF; ++i) { if ($i == "right") right = $(i + 1); if ($i == "wrong") wrong = $(i + 1) }
      exit !(right >= 0.9985 && wrong <= 0.00005) }' checked || fail "$(cat checked)"
  rm -f genome.fa genome.mrs r1.fq r2.fq drawn.sam
fi
