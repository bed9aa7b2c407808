#!/bin/sh
# Evaluation by variant calling: genocl-marose and bwa mem map simulated pairs of a diploid genome of 1 Mb, bcftools calls variants from
# both, and the table compares the calls and the positions of the reads with the truth. genocl-marose has to reach the floors below.
# HARD_PAIRS: number of pairs of 2 x 150 bases (46,667, 14 x). HARD_SEED: seed (1). Other values than these skip the floors.
# HARD_OPTIONS: options of genocl-marose map (none).
test_name=variants
set -eu
LC_ALL=C
export LC_ALL
for program in bwa bcftools samtools; do
  command -v $program >/dev/null || { echo "$test_name: left out without $program"; exit 77; }
done
rm -rf "${WORK:?}/$test_name"
mkdir -p "$WORK/$test_name"
cd "$WORK/$test_name"
fail() { echo "$test_name: $*" >&2; exit 1; }

# Calls by kind: minimum number found, maximum number of false calls.
call_floors='SNV 949 1
cluster 185 1
1-10 191 2
11-50 86 6
long 0 2
all 1415 8'
# Reads: minimum (>=) or maximum (<=) number.
read_floors='right >= 90650
right, MAPQ >= 20 >= 90600
wrong, MAPQ >= 20 <= 20
unmapped <= 60
adapter reads right >= 1800
foreign, MAPQ >= 20 <= 400
gaps in reads without one <= 5
gaps of 1 intact >= 650
gaps of 2-10 intact >= 985
gaps of 11-50 intact >= 600
chimeras clipped exactly >= 402
chimeras split exactly >= 392'

# run NAME COMMAND...: a mapper writes NAME.sam.
run() {
  name=$1
  shift
  "$@" 2>said >"$name.sam" || { cat said >&2; fail "$name: failed: $*"; }
}
# call NAME: calls variants from NAME.sam with bcftools' defaults, into NAME.vcf.
call() {
  samtools sort -l 1 -o "$1.bam" "$1.sam" 2>/dev/null || fail "$1: samtools sort"
  samtools index "$1.bam"
  bcftools mpileup -Ou -f ref.fa "$1.bam" 2>/dev/null | bcftools call -mv -Ou 2>/dev/null | normalise >"$1.vcf"
  grep -q '^#CHROM' "$1.vcf" || fail "$1: bcftools called nothing"
}
normalise() { bcftools norm -f ref.fa -m- - 2>/dev/null; }
# value FILE MAPPER WHAT FIELD
value() { awk -F'\t' -v mapper="$2" -v what="$3" -v field="$4" '$1 == mapper && $2 == what { print $field }' "$1"; }

"$SIMULATE_VARIANTS" "${HARD_SEED:-1}" "${HARD_PAIRS:-46667}" . || fail "no reads"
samtools faidx ref.fa
normalise <truth.vcf >normal_truth.vcf
bwa index ref.fa 2>/dev/null
run bwa bwa mem -t 2 ref.fa reads_1.fq reads_2.fq
# shellcheck disable=SC2086
run genocl "$BIN/genocl-marose" map ref.fa reads_1.fq reads_2.fq --quiet ${HARD_OPTIONS:-}
"$CHECK_SAM" ref.fa genocl.sam reads_1.fq reads_2.fq >checked || { cat checked >&2; fail "check_sam: genocl"; }
: >calls
: >places
for mapper in bwa genocl; do
  call $mapper
  "$JUDGE_CALLS" $mapper normal_truth.vcf $mapper.vcf 20 >>calls
  "$JUDGE_PLACES" $mapper <$mapper.sam >>places
done

printf '%-27s %8s %8s %8s\n' 'reads' bwa genocl of
cut -f2 places | awk '!seen[$0]++' | while IFS= read -r what; do
  printf '%-27s %8s %8s %8s\n' "$what" "$(value places bwa "$what" 3)" "$(value places genocl "$what" 3)" "$(value places genocl "$what" 4)"
done
printf '%-27s %17s %17s %8s\n' 'variants: found, false' bwa genocl of
cut -f2 calls | awk '!seen[$0]++' | while IFS= read -r kind; do
  printf '%-27s %10s %6s %10s %6s %8s\n' "$kind" "$(value calls bwa "$kind" 4)" "$(value calls bwa "$kind" 6)" \
    "$(value calls genocl "$kind" 4)" "$(value calls genocl "$kind" 6)" "$(value calls genocl "$kind" 3)"
done
[ "${HARD_PAIRS:-46667} ${HARD_SEED:-1}" = "46667 1" ] || exit 0

echo "$call_floors" | while read -r kind least most; do
  [ "$(value calls genocl "$kind" 4)" -ge "$least" ] || echo "$kind: $(value calls genocl "$kind" 4) found; expected $least at least"
  [ "$(value calls genocl "$kind" 6)" -le "$most" ] || echo "$kind: $(value calls genocl "$kind" 6) false; expected $most at most"
done >below
echo "$read_floors" | while IFS= read -r line; do
  bound=${line##* } rest=${line% *}
  sense=${rest##* } what=${rest% *}
  number=$(value places genocl "$what" 3)
  case $sense in
    '>=') [ "$number" -ge "$bound" ] || echo "$what: $number; expected $bound at least" ;;
    '<=') [ "$number" -le "$bound" ] || echo "$what: $number; expected $bound at most" ;;
  esac
done >>below
[ ! -s below ] || { cat below >&2; fail "$(wc -l <below) numbers beyond their floors"; }
