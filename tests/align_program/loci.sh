#!/bin/sh
# A gene with seven copies in a genome: all of them, at blastn's coordinates, with and without masks.
test_name=loci
. "$(dirname "$0")/common.sh"
data=$DATA
genome=$data/dna/ecoli_k12.fa.gz
[ -f "$genome" ] || { echo "$test_name: left out without $genome"; exit 0; }

# rrsH, 16S ribosomal RNA
gzip -dc "$genome" | awk '!/^>/ { printf "%s", $0 }' | cut -c 223771-225312 | awk 'BEGIN { print ">rrsH" } { print }' >rrsH.fa
# blastn -task blastn -evalue 1e-3 of NCBI BLAST 2.12.0+, with -dust no and yes
cat >printed <<'END'
rrsH	NC_000913.3	1	1542	223771	225312	3084	0.0
rrsH	NC_000913.3	1	1542	4166659	4168200	3038	0.0
rrsH	NC_000913.3	1	1542	4208147	4209688	3038	0.0
rrsH	NC_000913.3	1	1542	4035531	4037072	3033	0.0
rrsH	NC_000913.3	1	1542	3941808	3943349	3008	0.0
rrsH	NC_000913.3	1	1542	2731157	2729616	2998	0.0
rrsH	NC_000913.3	1	1542	3428762	3427221	2993	0.0
END
for mask in none dust; do
  quietly search --dna rrsH.fa "$genome" --mask $mask --evalue 1e-3 --format blast6 --columns qseqid,sseqid,qstart,qend,sstart,send,score,evalue -o got
  same got printed
done
