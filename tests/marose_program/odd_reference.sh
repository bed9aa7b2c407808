#!/bin/sh
# References as people really have them: names that SAM does not allow, contigs without bases, ambiguity codes.
test_name=odd_reference
. "$(dirname "$0")/common.sh"

# Legal names stay as they are, HLA's among them.
sed 's/^>contig1.*/>HLA:HLA00001_A*01:01:01:01|x=y/; s/^>contig2.*/>chr|2.1=*#~/' ref.fa >legal.fa
quietly map legal.fa single_40.fq -e 3 -o legal.sam
[ ! -s said ] || { cat said; fail "a warning about legal names"; }
grep -qF 'SN:HLA:HLA00001_A*01:01:01:01|x=y	' legal.sam && grep -qF 'SN:chr|2.1=*#~	' legal.sam || fail "legal names"
quickcheck legal.sam

# Others get '_'; the command of the warning makes the FASTA agree.
sed "s/^>contig1.*/>*gi(1),<a>'b\"\`c\` described (here)/; s/^>contig2.*/>=$(printf 'caf\303\251')[{\\\\}]/" ref.fa >odd.fa
for end in '' '\r'; do
  sed "s/\$/$end/" odd.fa >"it's odd.fa"
  quietly map "it's odd.fa" single_40.fq -e 3 -o odd.sam
  warned 1 "it's odd.fa:contig 1 (*gi(1),<a>'b\"\`c\`): a name that SAM does not allow; 2 names have '_'"
  quickcheck odd.sam
  sed -n "s/.*this command makes the FASTA agree: //p" said >command.sh
  sh command.sh >agreed.fa
  quietly map agreed.fa single_40.fq -e 3 -o agreed.sam
  [ ! -s said ] || { cat said; fail "a warning about names that were changed"; }
  without_pg odd.sam >odd && without_pg agreed.sam | cmp - odd || fail "the names of the FASTA and of the index differ"
done
grep -q '^@SQ	SN:_gi_1___a__b__c_	' odd.sam && grep -q '^@SQ	SN:_caf_______	' odd.sam || { grep '^@SQ' odd.sam; fail "illegal names"; }
reference=agreed.fa well_made odd.sam single_40.fq
quietly index odd.fa -o odd.mrs -e 3
warned 1 "odd.fa:contig 1 "
quietly map odd.mrs single_40.fq -e 3 -o index.sam
without_pg index.sam | cmp - odd || fail "an index with changed names"
quietly map odd.fa single_40.fq -e 3 -o odd.cram
quickcheck odd.cram
expect 1 "odd.fa:contig 1 (*gi(1),<a>'b\"\`c\`): a name that SAM does not allow" map odd.fa single_40.fq -e 3 --strict -o strict.sam
expect 1 "odd.fa:contig 1 (*gi(1),<a>'b\"\`c\`): a name that SAM does not allow" index odd.fa --strict -o strict.mrs
sed 's/^>contig1.*/>a(1/; s/^>contig2.*/>a,1/' ref.fa >collide.fa
expect 1 "collide.fa:contig 2 (a,1): becomes a_1 where SAM does not allow characters, as contig 1 (a(1)" map collide.fa single_40.fq -e 3 -o strict.sam
sed 's/^>contig1.*/>a_1/; s/^>contig2.*/>a,1/' ref.fa >collide.fa
expect 1 "collide.fa:contig 2 (a,1): becomes a_1" index collide.fa -o strict.mrs

# Contigs of no bases are left out, wherever they are.
quietly map ref.fa single_40.fq -e 3 -o plain.sam
for place in first middle last; do
  awk -v place=$place 'place == "first" && FNR == 1 || place == "middle" && /^>contig2/ { print ">none and nothing\n>empty\n" } { print } END { if (place == "last") print ">none" }' ref.fa >empty.fa
  quietly map empty.fa single_40.fq -e 3 -o odd.sam
  grep -q "warning: empty.fa:contig [1-9] (none): has no bases; [12] contigs\{0,1\} \(is\|are\) left out" said || { cat said; fail "no warning"; }
  without_pg plain.sam >odd && without_pg odd.sam | cmp - odd || fail "empty contigs change the output"
  quickcheck odd.sam
done
quietly map empty.fa single_40.fq -e 3 -o odd.cram
quickcheck odd.cram
expect 1 "empty.fa:contig 4 (none): has no bases" map empty.fa single_40.fq -e 3 --strict -o strict.sam
printf '>a\n>b\n' >no_bases.fa
expect 1 "no_bases.fa: " map no_bases.fa single_40.fq -e 3 -o strict.sam

# MD has the letters of the FASTA, N and others, in either case; so has samtools calmd.
awk '/^>/ { print; next } { text = $0; if (FNR % 3 == 0 && length(text) == 70) { n++; i = FNR * 13 % 70 + 1; text = substr(text, 1, i - 1) substr("RYSWKMBDHVNryswkmbdhvn", n % 22 + 1, 1) substr(text, i + 1) } print text }' ref.fa >iupac.fa
for reads in single_40.fq "pairs_1.fq pairs_2.fq"; do
  for options in "" "--unit-costs" "--hamming" "--secondary --report all"; do
    [ "$reads$options" != single_40.fq ] || continue  # too short for the score that is asked for
    # shellcheck disable=SC2086
    quietly map iupac.fa $reads -e 8 $options --batch-reads 1000 -o odd.sam
    # shellcheck disable=SC2086
    required_tags=NM,MD reference=iupac.fa well_made odd.sam $reads
    records odd.sam | grep -q 'MD:Z:[0-9^A-Z]*[RYSWKMBDHV]' || fail "no letter of the FASTA in MD"
    if command -v samtools >/dev/null; then
      samtools calmd odd.sam iupac.fa 2>calmd.said >calmd.sam
      if grep -q "different" calmd.said; then cat calmd.said; fail "samtools calmd has other tags"; fi
    fi
  done
done
quietly index iupac.fa -o iupac.mrs -e 5
quietly map iupac.mrs single_40.fq -e 5 -o index.sam
quietly map iupac.fa single_40.fq -e 5 -o odd.sam
without_pg odd.sam >odd && without_pg index.sam | cmp - odd || fail "an index from a file has other letters"
[ ! -e strict.sam ] && [ ! -e strict.mrs ] || fail "an output in spite of an error"
