#!/bin/sh
# --umi-separator: UMIs at the ends of names become tags RX, in the form of the SAM specification, and names stay as they are.
# samtools markdup --barcode-tag RX tells duplicates by them.
test_name=umi
. "$(dirname "$0")/common.sh"

quietly index ref.fa -o ref.mrs -e 5
# named FILE FIELD: each read gets a UMI, in the forms of BCL Convert (also turned), fastp and umi_tools, behind C. `wanted` has the
# name and RX.
names='function form(i,  j, letters) {
    letters = ""
    for (j = 0; j < 4; ++j) letters = letters substr("ACGT", int(i / 4 ^ j) % 4 + 1, 1)
    return letters
  }
  function umi(i) { return form(i) (i % 4 == 1 ? "+" form(i + 7) : i % 4 == 2 ? "+rACCTN" : i % 4 == 3 ? "_" form(i + 3) : "") }
  function tag(i) { return form(i) (i % 4 == 1 ? "-" form(i + 7) : i % 4 == 2 ? "-NAGGT" : i % 4 == 3 ? "-" form(i + 3) : "") }
  function named(name, i,  end) { end = ""; if (match(name, /\/[12]$/)) { end = substr(name, RSTART); name = substr(name, 1, RSTART - 1) } return name ":" umi(i) end }'
for file in single_40 pairs_1 pairs_2; do
  awk "$names"' FNR % 4 == 1 { $0 = named($1, n++) } { print }' $file.fq >u_$file.fq
done
tags() { records "$1" | awk -F'\t' '{ for (i = 12; i <= NF; ++i) if ($i ~ /^RX:/) print $1 "\t" $i }'; }
quietly map ref.mrs u_single_40.fq --umi-separator : -o single.sam
well_made single.sam u_single_40.fq
awk "$names"' FNR % 4 == 1 { print substr(named($1, n), 2) "\tRX:Z:" tag(n++) }' single_40.fq >wanted
tags single.sam >got
diff wanted got >&2 || fail "tags of single reads"
grep -q 'RX:Z:[ACGT]*-NAGGT$' got || fail "no turned UMI"
# Nothing else changes, and unmapped reads have the tag.
quietly map ref.mrs u_single_40.fq -o plain.sam
records single.sam | sed 's/	RX:Z:[ACGTN-]*//' >a
records plain.sam | cmp - a >&2 || fail "--umi-separator changes other fields"
[ "$(records single.sam | awk -F'\t' '$2 == 4' | grep -c 'RX:Z:')" -gt 0 ] || fail "tags of unmapped reads"
# Pairs, in files, interleaved, and as unaligned BAM; mates have the tag of their template.
quietly map ref.mrs u_pairs_1.fq u_pairs_2.fq --umi-separator : -o pairs.sam
well_made pairs.sam u_pairs_1.fq u_pairs_2.fq
awk "$names"' FNR % 4 == 1 { name = substr(named($1, n), 2); sub(/\/1$/, "", name); print name "\tRX:Z:" tag(n); print name "\tRX:Z:" tag(n++) }' pairs_1.fq >wanted
tags pairs.sam | diff wanted - >&2 || fail "tags of pairs"
awk 'BEGIN { while ((getline line <"u_pairs_1.fq") > 0) { print line; for (i = 0; i < 3; ++i) { getline line <"u_pairs_1.fq"; print line }
  for (i = 0; i < 4; ++i) { getline line <"u_pairs_2.fq"; print line } } }' >u_both.fq
quietly map ref.mrs -p u_both.fq --umi-separator : -o both.sam
without_pg pairs.sam >a
without_pg both.sam | cmp - a >&2 || fail "interleaved pairs"
# Another separator; mates that are named q_1 and q_2.
awk 'FNR % 4 == 1 { sub(/:[^:]*$/, "_ACGTN") } { print }' u_single_40.fq >tools.fq
quietly map ref.mrs tools.fq --umi-separator _ -o tools.sam
tags tools.sam | awk -F'\t' '$1 !~ /_ACGTN$/ || $2 != "RX:Z:ACGTN" { exit 1 } END { exit NR < 100 }' || fail "--umi-separator _"
for mate in 1 2; do
  awk -v mate=$mate 'FNR % 4 == 1 { sub(/\/[12]$/, ""); $0 = $0 ":GATTACA_" mate } { print }' pairs_$mate.fq >n_$mate.fq
done
quietly map ref.mrs n_1.fq n_2.fq --umi-separator : -o numbered.sam
tags numbered.sam | awk -F'\t' '$1 !~ /:GATTACA$/ || $2 != "RX:Z:GATTACA" { exit 1 } END { exit NR < 100 }' || fail "mates named _1 and _2"
# A tag of the input is kept, with -C of FASTQ and in BAM.
awk 'FNR % 4 == 1 { $0 = $0 " BC:Z:AC\tRX:Z:CCCC" } { print }' single_40.fq >given.fq
quietly map ref.mrs given.fq -C --umi-separator : -o given.sam
[ "$(tags given.sam | cut -f 2 | sort -u)" = RX:Z:CCCC ] || fail "a tag of the comment"
awk 'FNR % 4 == 1 { $0 = $0 " BC:Z:AC" } { print }' u_single_40.fq >both.fq
quietly map ref.mrs both.fq -C --umi-separator : -o both.sam
awk -F'\t' '!/^@/ && !/\tBC:Z:AC\tRX:Z:/ { exit 1 }' both.sam || fail "a comment and a UMI"
if command -v samtools >/dev/null; then
  samtools import -0 u_single_40.fq -o unaligned.bam 2>/dev/null
  quietly map ref.mrs unaligned.bam --umi-separator : -o bam.sam
  records single.sam >a
  records bam.sam | cmp - a >&2 || fail "unaligned BAM"
  # Four copies of each pair with two UMIs: two of them are duplicates, with the tag, and by the UMI that samtools finds in names.
  for mate in 1 2; do
    awk -v mate=$mate 'FNR % 4 == 1 { ++n } { record[n] = record[n] (FNR % 4 == 1 ? "" : "\n" $0) }
      END { for (i = 1; i <= 60; ++i) for (copy = 1; copy <= 4; ++copy)
        print "@M:1:F:1:" i ":1:" copy ":" (copy % 2 ? "ACGTAC" : "ACGTAG") "/" mate record[i] }' pairs_$mate.fq >copies_$mate.fq
  done
  quietly map ref.mrs copies_1.fq copies_2.fq --umi-separator : --sort -o copies.bam
  samtools quickcheck copies.bam || fail "quickcheck"
  samtools markdup --barcode-tag RX copies.bam tag.bam 2>/dev/null || fail "samtools markdup --barcode-tag RX"
  samtools markdup --barcode-rgx '[^:]*:[^:]*:[^:]*:[^:]*:[^:]*:[^:]*:[^:]*:([ACGTN+]+)' copies.bam name.bam 2>/dev/null || fail "samtools markdup --barcode-rgx"
  for file in tag name; do samtools view -f 1024 $file.bam | cut -f 1,2 | sort >$file.marked; done
  same tag.marked name.marked
  samtools view -F 2316 -f 66 copies.bam | cut -f 1 | sort -u | wc -l >templates
  [ "$(cut -f 1 tag.marked | sort -u | wc -l)" -ge $(($(cat templates) / 2 - 4)) ] && [ "$(cat templates)" -gt 100 ] || fail "half of the copies are duplicates"
  samtools view -f 1024 tag.bam | cut -f 1 | sort -u | awk -F: '{ ++n[$5 ":" $8] } END { for (i in n) if (n[i] > 1) exit 1 }' || fail "copies with different UMIs are marked"
else
  echo "$test_name: left out without samtools: BAM, markdup"
fi

expect 1 "u_single_40.fq:record 1 (s0:" map ref.mrs u_single_40.fq --umi-separator _ -o x.sam
grep -qF "no UMI behind the last '_' of the name; expected bases, like name_ACGT or ACGT+TTGA" said || { cat said; fail "a name without a UMI"; }
awk 'FNR == 9 { $0 = "@name:ACXT" } { print }' u_single_40.fq >bad.fq
expect 1 "bad.fq:record 3 (name:ACXT): no UMI behind the last ':'" map ref.mrs bad.fq --umi-separator : -o x.sam
awk 'FNR == 9 { $0 = "@name:" } { print }' u_single_40.fq >bad.fq
expect 1 "bad.fq:record 3 (name:): no UMI" map ref.mrs bad.fq --umi-separator : -o x.sam
[ ! -e x.sam ] || fail "an output in spite of an error"
expect 1 "--umi-separator: for a table" map ref.mrs u_single_40.fq --umi-separator : -o x.tsv
for wrong in A 1 :: /; do expect 1 "--umi-separator: \"$wrong\"; expected one character" map ref.mrs u_single_40.fq --umi-separator $wrong -o x.sam; done
