#!/bin/sh
# Masks, and statistics by composition: what NCBI BLAST 2.12.0+ printed for the same sequences.
test_name=composition
. "$(dirname "$0")/common.sh"

cat >query.fa <<'END'
>c1 a protein of few kinds of letters
MSAAKKEEAAKKAAEEAKKAAEAAKKEAEKAAKEAAEKAAKKEEEKKAAAKAEAEKAKAEAAKKEAEAKKAEEAAKKAAEEKAKKLAEEAAKKA
>c2 an ordinary one
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEPERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRHPYFYAPELLFFAKRYKAAFTECCQAADKAACLLPKLDELRDEGKASSAKQ
>c3 of two kinds alone
QQQQQQQQHQQQQQQQQQQQHHQQQQQQQQQQQQQQQQQQQQHQQQQQQQQQQQQQQ
END
cat >subjects.fa <<'END'
>t1 much like c1
MAAKKEEAEKAAKKAAEEAKKAEEAAKKEAEKAAKEAAEKAKKEEEKKAAAKAEAEKAKAEAAKAEAKKAEEAAKKAAEEKAKKLAEEAAKKAGSWYTCHP
>t2 nearly c2
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEPERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRHPYFYAPELLFFAKRYKAAFTECCQAADKAACLLPKLDELRDEGKASSAKQ
>t3 a cousin of c2
MKWVEFLSAIALLGGAYARGHLKRDAFKSEIAHRFNDLGEKNFRGLVLVTFSQYLQKAPFEDQVKLAAEVTQFAKTCVANEKAENCDKALHTLFGDKLCAIPTLRDSYGDLADCCAKQDPERHQCFLNHKDENPALPPFVRPEADVMCAAFQENKDHFLGKYLHEVARRNPYFYGPELLYYAEQYKAVMTECCEVADKAACLTPKLDALKEKGLLSSANQ
>t4 with glutamines
MSTPQQQQQQQQHQQQQQQQQPQQQQQQLNDSGSRKWTTPHDEVLQQLQQQQQAAGHYWPRKTSLQQQHQQQQSVTLLKQAEDFGHIKLMNPRS
>t5 another
MADSERLSAPGCWAACTNFSRTRKGILLFAEIILCLVILICFSASTPGYSSLSVIEMILAAIFFVVYMCDLHTKIPFINWPWSDFFRTLIAAILYLITSIVVLVERGNHSKIVAGVLGLIATCLFGYDAYVTFPVRQPRHTAAPTDPADGPV
END
# printed STATISTICS MATRIX: every line of standard input, query, subject, score, bits and E-value, is one of ours. Ours may have more:
# those that BLAST's heuristics miss.
printed() {
  cat >expected
  quietly search query.fa subjects.fa --comp-based-stats "$1" --matrix "$2" --format blast6 \
    --columns qseqid,sseqid,score,bitscore,evalue -o table
  while read -r line; do grep -qxF "$line" table || { cat table >&2; fail "-comp_based_stats $1 -matrix $2: $line"; }; done <expected
}
# blastp -use_sw_tback -comp_based_stats STATISTICS -matrix MATRIX -seg no -max_hsps 1 -outfmt "6 qseqid sseqid score bitscore evalue"
printed 0 BLOSUM62 <<'END'
c1	t1	362	144	1.09e-50
c1	t3	32	16.9	0.33
c1	t2	31	16.5	0.45
c2	t2	1175	457	1.17e-170
c2	t3	845	330	2.29e-120
c2	t1	37	18.9	0.18
c2	t4	29	15.8	1.9
c2	t5	28	15.4	3.0
c3	t4	141	58.9	8.65e-18
END
printed 0 BLOSUM45 <<'END'
c1	t1	407	119	2.58e-41
c2	t2	1420	404	2.29e-150
c2	t3	1028	294	4.17e-107
c2	t5	41	16.5	1.1
c3	t4	166	51.7	2.95e-15
END
printed 0 PAM70 <<'END'
c1	t1	454	194	1.15e-64
c2	t2	1453	613	0.0
c2	t3	982	415	2.03e-140
c3	t4	206	89.9	7.49e-27
END
printed 1 BLOSUM62 <<'END'
c2	t2	1088	423	2.25e-157
c2	t3	800	312	1.39e-113
c2	t5	28	15.4	2.6
c2	t4	28	15.4	2.6
END
printed 1 BLOSUM45 <<'END'
c2	t2	1188	339	1.04e-124
c2	t3	902	258	3.00e-93
c2	t5	37	15.4	2.5
END
printed 1 PAM70 <<'END'
c2	t2	1377	581	0.0
c2	t3	957	405	2.23e-136
END
printed 2 BLOSUM62 <<'END'
c1	t2	28	15.4	1.3
c1	t3	27	15.0	1.3
c2	t2	1167	454	2.26e-169
c2	t3	838	327	2.53e-119
c2	t5	32	16.9	0.87
c2	t4	28	15.4	2.3
END
printed 2 BLOSUM45 <<'END'
c2	t2	1605	456	7.74e-171
c2	t3	1152	329	8.44e-121
c2	t5	45	17.6	0.45
END
printed 2 PAM70 <<'END'
c2	t2	1061	448	5.47e-153
c2	t3	786	333	2.39e-109
END
# The adjusted score of R with R lies 2e-6 below half a unit, that of E with K 3e-4: both are rounded as in blastp.
printf '>P01111\n%s\n' >rasn.fa \
  MTEYKLVVVGAGGVGKSALTIQLIQNHFVDEYDPTIEDSYRKQVVIDGETCLLDILDTAGQEEYSAMRDQYMRTGEGFLCVFAINNSKSFADINLYREQIKRVKDSDDVPMVLVGNKCDLPTRTVDTKQAHELAKSYGIPFIETSAKTRQGVEDAFYTLVREIRQYRMKKLNSSDDGTQGCMGLPCVVM
printf '>G0S4J9\n%s\n' >rho.fa \
  MANDRNAQNVIRRKLVIIGDGACGKTSLLSVFTLGYFPTHYIPTVFENYVTDCRVDGKSVQLALWDTAGQEDYERLRPLAYAKAHVILIGFSVDTPDSLDNVKHKWVVEANERCPGVPIILVGLKKDLRDDPVAIEEMRKKSLRFVSPQDGESMAKEIGARKYLECSSLSGEGVDDVFEAATRASLLMFEKNEGPGCCVIL
quietly search rasn.fa rho.fa --comp-based-stats 2 --max-hsps 1 --format blast6 --columns score,bitscore,evalue,qstart,qend,sstart,send -o table
[ "$(cat table)" = "$(printf '169\t69.7\t8.52e-20\t5\t161\t14\t183')" ] || { cat table >&2; fail "scores near half a unit"; }
# Alignments are those of the adjusted scores, in all formats, in parts and with further ones.
quietly search query.fa subjects.fa --comp-based-stats 2 --align -o align.tsv
body align.tsv | awk -F'\t' '!(($1, $2) in seen) { seen[$1, $2] = 1; print }' | cut -f1-7 >scores
quietly search query.fa subjects.fa --comp-based-stats 2 -o plain.tsv
body plain.tsv | cmp - scores || fail "hits with and without alignments"
quietly search query.fa subjects.fa --comp-based-stats 2 --align --batch-queries 1 --chunk 100 -o other.tsv
same align.tsv other.tsv
for part in 0 1; do quietly search query.fa subjects.fa --comp-based-stats 2 --align --max-hsps 3 --shard $part/2 -o part.$part; done
quietly merge part.0 part.1 -o merged.tsv
quietly search query.fa subjects.fa --comp-based-stats 2 --align --max-hsps 3 -o all.tsv
same all.tsv merged.tsv
quietly search query.fa subjects.fa --comp-based-stats 2 --align --max-hsps 1 -o one.tsv
[ "$(wc -l <all.tsv)" -gt "$(wc -l <one.tsv)" ] || fail "--max-hsps"
for statistics in 0 1 2; do quietly search query.fa subjects.fa --comp-based-stats $statistics -o of_$statistics.tsv; done
cmp -s of_0.tsv of_1.tsv && fail "--comp-based-stats 1 changes nothing"
cmp -s of_1.tsv of_2.tsv && fail "--comp-based-stats 2 changes nothing"

# Profiles: all modes scale their scores.
cat >rows.fa <<'END'
>query
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEPERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRHPYFYAPELLFFAKRYKAAFTECCQAADKAACLLPKLDELRDEGKASSAKQ
>t3
MKWVEFLSAIALLGGAYARGHLKRDAFKSEIAHRFNDLGEKNFRGLVLVTFSQYLQKAPFEDQVKLAAEVTQFAKTCVANEKAENCDKALHTLFGDKLCAIPTLRDSYGDLADCCAKQDPERHQCFLNHKDENPALPPFVRPEADVMCAAFQENKDHFLGKYLHEVARRNPYFYGPELLYYAEQYKAVMTECCEVADKAACLTPKLDALKEKGLLSSANQ
>r1
MKWVTFASLLFAFSSAASRGVARRDAAKSEVAHRFKALGEEAFKALALIAFAQYLQACPFEAHVKLANEVTAFAKTAVADEAAENCAKSLHALFGDALCTVATLREAYGEMADCCAAQEPEANECFAQHKDANPNLARLVRAEVDVACTA----------------------------------------------------------------------
END
cat subjects.fa - >with_codes.fa <<'END'
>t6 like t3, with letters that are no amino acids
MKWVEFLSAIBLLGGAYARGHLKZDAFKSEIAHRFNJLGEKNFRGLVLVUFSQYLQKAPFEDXVKLAAEVTQFAK*CVANEKAENCDKOLHTLFGDKLCAIBTLRDSYGDLADCZAKQDPERHQCFLJHKDENPALPPFVUPEADVMCAAFQEXKDHFLGKYLHEV*RRNPYFYGPELLOYAEQYKAVMTECBEVADKAACLTPKZDALKEKGLLSSAJQ
END
# printed_of_profile MATRIX: as printed, with psiblast -in_msa rows.fa -use_sw_tback -comp_based_stats 1.
printed_of_profile() {
  cat >expected
  for statistics in 1 2; do
    quietly search --msa rows.fa with_codes.fa --comp-based-stats $statistics --matrix "$1" --evalue 100 --format blast6 \
      --columns sseqid,score,bitscore,evalue,qstart,qend,sstart,send -o table
    while read -r line; do grep -qxF "$line" table || { cat table >&2; fail "profile, -matrix $1: $line"; }; done <expected
  done
}
printed_of_profile BLOSUM62 <<'END'
t2	981	382	5.92e-141	1	220	1	220
t3	966	376	1.01e-138	1	220	1	220
t6	853	333	1.77e-121	1	220	1	220
t4	25	14.2	8.7	55	68	78	91
END
printed_of_profile BLOSUM45 <<'END'
t2	1088	311	1.41e-113	1	220	1	220
t3	1080	308	8.70e-113	1	220	1	220
t6	961	275	1.14e-99	1	220	1	220
END
printed_of_profile PAM70 <<'END'
t2	1274	538	0.0	1	220	1	220
t3	1240	524	0.0	1	220	1	220
t6	1060	448	7.61e-153	1	220	1	220
END
# The profile of psiblast itself, in ASN.1, and the same without frequencies.
if command -v psiblast >/dev/null; then
  psiblast -in_msa rows.fa -subject with_codes.fa -comp_based_stats 1 -outfmt 6 -out_pssm rows.asn -save_pssm_after_last_round >said 2>&1
  columns="sseqid score bitscore evalue qstart qend sstart send"
  for statistics in 1 2; do
    psiblast -in_pssm rows.asn -subject with_codes.fa -use_sw_tback -comp_based_stats $statistics -outfmt "6 $columns" >expected 2>said
    [ "$(wc -l <expected)" -gt 2 ] || { cat said; fail "psiblast -in_pssm"; }
    quietly search --pssm rows.asn with_codes.fa --comp-based-stats $statistics --evalue 10 --format blast6 --columns "$columns" -o table
    while read -r line; do grep -qxF "$line" table || { cat table >&2; fail "psiblast -in_pssm -comp_based_stats $statistics: $line"; }; done <expected
    # psiblast finds the same with the profile that pssm writes as with the alignment.
    quietly pssm rows.fa --format asn1 -o written.asn
    psiblast -in_msa rows.fa -subject with_codes.fa -use_sw_tback -comp_based_stats $statistics -outfmt "6 $columns" >of_alignment 2>said
    psiblast -in_pssm written.asn -subject with_codes.fa -use_sw_tback -comp_based_stats $statistics -outfmt "6 $columns" >of_written 2>said
    diff of_alignment of_written >&2 || { cat said; fail "psiblast with the profile of pssm --format asn1"; }
  done
else
  echo "$test_name: left out without psiblast: its profiles"
fi
"$PROGRAM" pssm rows.fa -o rows.pssm 2>said || { cat said; fail pssm; }
quietly search --pssm rows.pssm with_codes.fa --comp-based-stats 1 --format blast6 --columns sseqid,score -o table
quietly search --msa rows.fa with_codes.fa --comp-based-stats 1 --format blast6 --columns sseqid,score -o exact
# Whole scores express the frequencies within a hundredth.
awk 'NR == FNR { score[$1] = score[$1] > $2 ? score[$1] : $2; next } $2 > 100 { if (($2 - score[$1]) ^ 2 > ($2 / 100) ^ 2) exit 1; ++seen }
  END { if (seen < 3) exit 1 }' exact table || { cat exact table >&2; fail "a profile without frequencies"; }

# Two hundred glutamines rank nothing at tiny E-values.
awk 'BEGIN { text = "Q"; while (length(text) < 200) text = text "Q"; print ">q\n" substr(text, 1, 200) }' >glutamines.fa
# lowest OPTION...: the lowest E-value of a hit.
lowest() { quietly search glutamines.fa subjects.fa "$@" -o table; body table | cut -f5 | sort -g | head -1; }
awk -v a="$(lowest)" -v b="$(lowest --comp-based-stats 1)" -v c="$(lowest --comp-based-stats 2)" \
  'BEGIN { exit !(a < 1e-15 && (b == "" || b > 1e-8) && (c == "" || c > 1e-8)) }' || fail "glutamines: $(lowest), $(lowest --comp-based-stats 2)"
[ -z "$(lowest --mask seg)" ] && [ -z "$(lowest --mask seg --mask-hard)" ] || fail "glutamines, masked"

# Hard-masked letters score as X, and are shown.
quietly search query.fa subjects.fa --mask seg --mask-hard -o masked.tsv
awk '/^>/ { name = $0; next } { text[name] = text[name] $0; if (!(name in seen)) { seen[name] = 1; order[++n] = name } }
     END { for (i = 1; i <= n; ++i) print order[i] "\n" text[order[i]] }' query.fa >lines.fa
# segmasker: record 1, letters 2 to 93, from 0
# segmasker: record 3, letters 0 to 56, from 0
segments="1:3-94 3:1-57"
awk -v segments="$segments" -v letter=x 'BEGIN { n = split(segments, s, " ") }
  /^>/ { ++record; print; next }
  { text = $0
    for (i = 1; i <= n; ++i) { split(s[i], p, /[:-]/); if (p[1] == record) for (k = p[2]; k <= p[3]; ++k) text = substr(text, 1, k - 1) "X" substr(text, k + 1) }
    print text }' lines.fa >unknown.fa
quietly search unknown.fa subjects.fa -o unknown.tsv
same masked.tsv unknown.tsv
awk -v segments="$segments" 'BEGIN { n = split(segments, s, " ") }
  /^>/ { ++record; print; next }
  { text = $0
    for (i = 1; i <= n; ++i) { split(s[i], p, /[:-]/); if (p[1] == record) text = substr(text, 1, p[2] - 1) tolower(substr(text, p[2], p[3] - p[2] + 1)) substr(text, p[3] + 1) }
    print text }' lines.fa >lower.fa
quietly search lower.fa subjects.fa --mask lower --mask-hard -o lower.tsv
same masked.tsv lower.tsv
quietly search lower.fa subjects.fa -o upper.tsv
quietly search query.fa subjects.fa -o none.tsv
same upper.tsv none.tsv
quietly search query.fa subjects.fa --mask none -o other.tsv
same other.tsv none.tsv
cmp -s masked.tsv none.tsv && fail "--mask seg changes nothing"
# Letters and identities are those of the query, in lower case in reports.
printf '>m\nMKWVTFISLLqqqqqqqqqqqqqqFLFSSAYSRGVFRRDAHKS\n' >low.fa
printf '>n\nMKWVTFISLLQQQQQQQQQQQQQQFLFSSAYSRGVFRRDAHKS\n' >high.fa
quietly search low.fa high.fa --mask lower --mask-hard --format blast6 --columns pident,length,qseq -o table
[ "$(cat table)" = "100.000	43	MKWVTFISLLQQQQQQQQQQQQQQFLFSSAYSRGVFRRDAHKS" ] || { cat table; fail "letters that are masked"; }
quietly search low.fa high.fa --mask lower --mask-hard --format pairwise -o report
grep -q '^Query  1   MKWVTFISLLqqqqqqqqqqqqqqFLFSSAYSRGVFRRDAHKS  43$' report || { cat report; fail "lower case in reports"; }
grep -q ' Identities = 43/43 (100%)' report || fail "identities"

# DNA, on both strands.
printf '>d\nGGCTTAACGGTACCATGCAAGTTCGACCTTGGAacacacacacacacacacacacacacacacacacTTACGGATTACAGCATTCGGATCAG\n' >repeat.fa
printf '>e\nTTTTCTGATCCGAATGCTGTAATCCGTAAGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGTTCCAAGGTCGAACTTGCATGGTACCGTTAAGCCTTTT\n' >turned.fa
for mask in dust lower; do quietly search repeat.fa turned.fa --dna --mask $mask --mask-hard --align -o $mask.tsv; done
awk '/^>/ { print; next } { gsub(/[acgt]/, "N"); print }' repeat.fa >unknown.fa
quietly search unknown.fa turned.fa --dna -o unknown.tsv
body lower.tsv | cut -f1-8 | head -1 | cmp - "$(body unknown.tsv | head -1 >first; echo first)" || fail "--mask lower for DNA"
body dust.tsv | awk -F'\t' '$8 == "-" { ++seen } END { exit seen < 1 }' || fail "--mask dust for DNA"
quietly search repeat.fa turned.fa --dna --align -o none.tsv
[ "$(body none.tsv | head -1 | cut -f3)" -gt "$(body dust.tsv | head -1 | cut -f3)" ] || fail "--mask dust changes nothing"

# Combinations of options.
expect 1 "--mask seg with --dna" search repeat.fa turned.fa --dna --mask seg
expect 1 "--mask dust without --dna" search query.fa subjects.fa --mask dust
expect 1 "--mask" search query.fa subjects.fa --mask all
expect 1 "--mask-hard without --mask" search query.fa subjects.fa --mask-hard
expect 1 "--all-scores with --mask" search query.fa subjects.fa --mask seg --all-scores
quietly search query.fa subjects.fa --mask seg --mask-hard --all-scores -o all.tsv
expect 1 "--comp-based-stats with --dna" search repeat.fa turned.fa --dna --comp-based-stats 1
expect 1 "--comp-based-stats: \"3\"; expected a whole number from 0 to 2" search query.fa subjects.fa --comp-based-stats 3
expect 1 "--all-scores with --comp-based-stats" search query.fa subjects.fa --comp-based-stats 2 --all-scores
expect 1 "no statistics are known for BLOSUM62 with gap penalties 5/5" search query.fa subjects.fa --comp-based-stats 2 --gap-open 5 --gap-extend 5
