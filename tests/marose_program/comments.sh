#!/bin/sh
# -C: the comments of reads become tags, as they are in the file.
test_name=comments
. "$(dirname "$0")/common.sh"

# Fields of every kind, by the number of the read; some reads have none.
comment='function comment(i) {
  if (i % 8 == 0) return ""
  if (i % 8 == 1) return "BC:Z:ACGT-" i
  if (i % 8 == 2) return "RX:Z:AC GT~\tQX:A:!\tzi:i:-2147483648\tzj:i:4294967295"
  if (i % 8 == 3) return "zf:f:-1.5\tzg:f:250"
  if (i % 8 == 4) return "zh:H:1AE301\tze:Z:"
  if (i % 8 == 5) return "B0:B:c,-128,127\tB1:B:C,255\tB2:B:s,-32768\tB3:B:S,65535,0"
  if (i % 8 == 6) return "B4:B:i,-2147483648\tB5:B:I,4294967295\tB6:B:f,1.5,-0.25"
  return "zi:i:" i }'
for file in single_40 pairs_1 pairs_2; do
  awk "$comment"' FNR % 4 == 1 { text = comment(n++); $0 = $0 (text == "" ? "" : " " text) } { print }' $file.fq >c_$file.fq
done
# What records have behind their own fields.
comments() { records "$1" | awk -F'\t' '{ t = ""; for (i = 12; i <= NF; ++i) if ($i !~ /^(NM|MD|NH|HI|XA|X0|X1|YF|RG|AS|XS|SA|MC|MQ|ms):/) t = t (t == "" ? "" : "\t") $i; print $1 "\t" t }'; }

quietly index ref.fa -o ref.mrs -e 5
quietly map ref.mrs single_40.fq -e 3 --hamming -R 'ID:x' -o plain.sam
quietly map ref.mrs c_single_40.fq -e 3 --hamming -R 'ID:x' -C -o c.sam
well_made c.sam c_single_40.fq
awk "$comment"' FNR % 4 == 1 { print substr($1, 2) "\t" comment(n++) }' single_40.fq >wanted
comments c.sam | cmp - wanted || fail "comments of single reads"
# Nothing else changes, and without -C comments are left out.
records plain.sam >plain.records
records c.sam | awk -F'\t' -v OFS='\t' '{ n = 0; for (i = 1; i <= NF; ++i) if (i < 12 || $i ~ /^(NM|MD|NH|HI|XA|X0|X1|YF|RG|AS|XS|SA|MC|MQ|ms):/) line[++n] = $i
  text = line[1]; for (i = 2; i <= n; ++i) text = text OFS line[i]; print text }' | cmp - plain.records || fail "-C changes other fields"
quietly map ref.mrs c_single_40.fq -e 3 --hamming -R 'ID:x' -o without.sam
records without.sam | cmp - plain.records || fail "comments without -C"
# Every record of a read has them, also those of unmapped reads; pairs have each its own; so does a FASTA.
quietly map ref.mrs c_single_40.fq -e 2 --hamming --report all -C -o all.sam
well_made all.sam c_single_40.fq
comments all.sam | awk -F'\t' 'NR == FNR { name = $1; sub(/^[^\t]*\t/, ""); want[name] = $0; next }
  { name = $1; sub(/^[^\t]*\t/, ""); if ($0 != want[name]) { print name; exit 1 } }' wanted - || fail "comments of all records"
[ "$(records all.sam | awk -F'\t' '$2 == 4' | grep -c 'BC:Z:')" -gt 0 ] || fail "comments of unmapped reads"
quietly map ref.mrs c_pairs_1.fq c_pairs_2.fq -e 5 -C -o pairs.sam
well_made pairs.sam c_pairs_1.fq c_pairs_2.fq
awk "$comment"' FNR % 4 == 1 { name = substr($1, 2); sub(/\/1$/, "", name); print name "\t" comment(n); print name "\t" comment(n++) }' pairs_1.fq >wanted.pairs
comments pairs.sam | cmp - wanted.pairs || fail "comments of pairs"
awk 'FNR % 4 == 1 { print ">" substr($0, 2) } FNR % 4 == 2' c_single_40.fq >c.fa
quietly map ref.mrs c.fa -e 3 --hamming -C -o fasta.sam
well_made fasta.sam c.fa
comments fasta.sam | cmp - wanted || fail "comments of FASTA"

if command -v samtools >/dev/null; then
  quietly map ref.mrs c_single_40.fq -e 3 --hamming -R 'ID:x' -C -o c.bam
  samtools quickcheck c.bam || fail "quickcheck"
  samtools view c.bam >viewed.sam
  records c.sam | cmp - viewed.sam || fail "SAM and BAM differ"
else
  echo "$test_name: left out without samtools: BAM"
fi

# Text that is not a tag is left out, and the tags are kept; with --strict it is an error with file and record, and nothing is written.
wrong() { # TEXT COMMENT
  awk -v comment="$2" 'FNR == 9 { $0 = $0 " " comment } { print }' single_40.fq >bad.fq
  for output in x.sam x.bam; do
    expect 1 "bad.fq:record 3 (s2:" map ref.mrs bad.fq -e 3 --hamming -C -R 'ID:x' --strict -o $output
    grep -qF -- "$1" said || { cat said; fail "does not say $1"; }
    [ ! -e $output ] || fail "$output in spite of an error"
  done
  quietly map ref.mrs bad.fq -e 3 --hamming -C -R 'ID:x' -o y.sam
  grep -qF -- "${1%; expected*}" said || { cat said; fail "does not warn of $1"; }
  grep -q "warning: 1 read with comment fields that were left out" said || { cat said; fail "no count of comments"; }
  well_made y.sam single_40.fq
  [ "$(comments y.sam | awk -F'\t' '$1 ~ /^s2:/ { print $2 $3 }')" = "${3:-}" ] || fail "other fields than \"${3:-}\" are kept of $2"
}
wrong 'in its comment "1:N:0:ACGT" is no tag of SAM; expected like BC:Z:ACGT, with tabs between' '1:N:0:ACGT' ''
for tag in 'BC:Z' 'BCZ:x' '1C:Z:x' 'BC:Y:x' 'BC:A:' 'BC:A:xy' 'BC:i:' 'BC:i:1x' 'BC:i:4294967296' 'BC:i:-2147483649' 'BC:f:nan' 'BC:f:x' \
  'BC:H:1' 'BC:H:1G' 'BC:B:' 'BC:B:x,1' 'BC:B:c,128' 'BC:B:C,-1' 'BC:B:c,' 'BC:B:c1'; do
  wrong "\"$tag\" is no tag of SAM" "$tag"
done
wrong '"" is no tag of SAM' 'BC:Z:x\t\tBD:Z:y' BC:Z:xBD:Z:y
wrong '"length=40" is no tag of SAM' 'BC:Z:x\tlength=40' BC:Z:x
wrong 'a tag BC that comes twice' 'BC:Z:x\tRX:Z:y\tBC:i:1' BC:Z:xRX:Z:y
wrong 'a tag RG, which the record has already' 'RG:Z:y\tBC:Z:x' BC:Z:x
wrong 'a tag NM, which the record has already' 'NM:i:3'
wrong 'a tag RG, which the record has already' 'RG:Z:y'
awk 'FNR == 9 { $0 = $0 " 2:N:0" } { print }' pairs_2.fq >bad_2.fq
expect 1 'bad_2.fq:record 3 (p2:' map ref.mrs pairs_1.fq bad_2.fq -C --strict -o x.sam
quietly map ref.mrs pairs_1.fq bad_2.fq -C -o x.sam
grep -q 'bad_2.fq:record 3 (p2:' said || fail "no warning of a mate's comment"
well_made x.sam pairs_1.fq pairs_2.fq
rm x.sam
expect 1 "-C: for a table" map ref.mrs single_40.fq -C -o x.tsv
# A read group of the comment is used if there is no other.
awk 'FNR % 4 == 1 { $0 = $0 " RG:Z:y" } { print }' single_40.fq >group.fq
quietly map ref.mrs group.fq -e 3 --hamming -C -o group.sam
[ "$(records group.sam | grep -c 'RG:Z:y')" = 600 ] || fail "RG of the comment"
