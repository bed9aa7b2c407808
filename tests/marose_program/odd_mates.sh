#!/bin/sh
# Mates as people really have them: names, interleaved reads without a mate, files out of step.
test_name=odd_mates
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
quietly map ref.mrs pairs_1.fq pairs_2.fq -e 5 -o pairs.sam

# Mates distinguished by .1 and .2 or _1 and _2, in two files or one.
for sign in . _; do
  for i in 1 2; do sed "1~4s|/$i\$|$sign$i|" pairs_$i.fq >sign_$i.fq; done
  quietly map ref.mrs sign_1.fq sign_2.fq -e 5 --strict -o odd.sam
  records odd.sam >odd && records pairs.sam | cmp - odd || fail "mates $sign"
  paste -d '\n' sign_1.fq sign_2.fq | awk '{ line[NR % 8] = $0 } NR % 8 == 0 { for (k = 0; k < 2; ++k) for (i = 0; i < 4; ++i) print line[(2 * i + k + 1) % 8] }' >sign.fq
  quietly map ref.mrs sign.fq -p -e 5 --strict -o odd.sam
  records odd.sam >odd && records pairs.sam | cmp - odd || fail "interleaved mates $sign"
done
# Numbers of reads are no mates.
awk 'FNR % 4 == 1 { $0 = "@SRR7." int(FNR / 4) + 1 } { print }' single_40.fq >numbers.fq
quietly map ref.mrs numbers.fq -p -e 5 -o odd.sam
warned 1 "600 reads without a mate, mapped as single"
quietly map ref.mrs numbers.fq -e 5 -o single.sam
records single.sam >odd && records odd.sam | cmp - odd || fail "reads by number"

# Interleaved reads of which some have no mate: pairs are mapped as pairs and the others as single reads, in the order of the file.
paste -d '\n' pairs_1.fq pairs_2.fq | awk '{ line[NR % 8] = $0 } NR % 8 == 0 { n++
    for (k = 0; k < 2; ++k) if (n % 5 != k + 1 && n < 390 || n == 399) for (i = 0; i < 4; ++i) print line[(2 * i + k + 1) % 8] }' >mixed.fq
awk 'NR % 4 == 1 { name = substr($1, 2); key = name; sub(/\/[12]$/, "", key); count[key]++; full[key] = name } END { for (key in count) if (count[key] == 1) print full[key] }' mixed.fq | sort >alone
awk 'NR == FNR { alone["@" $1] = 1; next } FNR % 4 == 1 { on = $1 in alone } on' alone mixed.fq >alone.fq
awk 'NR == FNR { alone["@" $1] = 1; next } FNR % 4 == 1 { on = !($1 in alone) } on' alone mixed.fq >together.fq
quietly map ref.mrs alone.fq -e 5 -o alone.sam
quietly map ref.mrs together.fq -p -e 5 --insert 0:1000 -o together.sam
{ records alone.sam; records together.sam; } | sort >wanted
for batch in 0 2 7 100; do
  quietly map ref.mrs mixed.fq -p -e 5 --insert 0:1000 --batch-reads $batch -o mixed.sam
  warned 1 "mixed.fq:record 1 (p0:"
  warned 1 "$(wc -l <alone | tr -d ' ') reads without a mate, mapped as single"
  records mixed.sam | sort | cmp - wanted || fail "mixed pairs and single reads in batches of $batch"
done
records mixed.sam | cut -f1 | uniq >odd
awk 'NR % 4 == 1 { key = substr($1, 2); sub(/\/[12]$/, "", key); print key }' mixed.fq | uniq | cmp - odd || fail "order of mixed reads"
quickcheck mixed.sam
quietly map ref.mrs mixed.fq -p -e 5 -o mixed.tsv
cut -f1 mixed.tsv | grep -qxFf alone || fail "a table of single reads"
expect 1 "mixed.fq:record 2 (p1:" map ref.mrs mixed.fq -p -e 5 --strict -o strict.sam

# A mate that is missing in mid-file: the first record that does not match is named, whatever the batches.
awk 'FNR <= 4 * 120 || FNR > 4 * 121' pairs_2.fq >missing_2.fq
for batch in 2 100 100000; do
  expect 1 "missing_2.fq:record 121 (p121:" map ref.mrs pairs_1.fq missing_2.fq -e 5 --batch-reads $batch -o strict.sam
  expect 1 "pairs_2.fq:record 121 (p120:" map ref.mrs missing_2.fq pairs_2.fq -e 5 --batch-reads $batch -o strict.sam
done
[ ! -e strict.sam ] || fail "an output in spite of an error"
