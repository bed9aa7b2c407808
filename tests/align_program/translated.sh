#!/bin/sh
# Translated searches: what NCBI BLAST 2.12.0+ printed for the same sequences, without sum statistics.
test_name=translated
. "$(dirname "$0")/common.sh"

cat >prot.fa <<'END'
>p1 a protein
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEP
ERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRHPYFYAPELLFFAKRYKAAFTECCQAADKAACLLPKLDELRDEGKASSAKQR
>p2 a relative
AAAGSGMKWVTFISLLFLSSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVADXX
>p3
GGSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFAGGS
END
# n1 codes for a part of p1, n2 on its minus strand, n3 with a stop codon, n4 with a shift of the frame, and n5 with
# ambiguous bases.
cat >nuc.fa <<'END'
>n1 plus two
GGATCACAGTCTACACTGCTCACTCCAACCCATGAAATGGGTGACCTTTATCAGCCTGCTGTTTCTGTTTAGCAGCGCGTATAGCCGTGGCGTGTTTCGTCGTGATGCGCATAAAAGCGA
AGTGGCGCATCGTTTTAAAGATCTGGGCGAAGAAAACTTTAAAGCGCTGGTGCTGATCGCGTTTGCGCAGTATCTGCAGCAGTGCCCGTTTGAAGATCATGTGAAACTGGTGAACGAAGT
GACCGAATTTGCGAAAACCTGCGTGGCGGATCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGGG
>n2 minus
CATTGAACCGTATTGACGGTGCACAGTTTATCGCCAAACAGGGTATGCAGGCTTTTATCGCAGTTTTCCGCGCTTTCATCCGCCACGCAGGTTTTCGCAAATTCGGTCACTTCGTTCACC
AGTTTCACATGATCTTCAAACGGGCACTGCTGCAGATACTGCGCAAACGCGATCAGCACCAGCGCTTTAAAGTTTTCTTCGCCCAGATCTTTAAAACGATGCGCCACTTCGCTTTTATGC
GCATCACGACGAAACACGCCACGGCTATACGCGCTGCTAAACAGAAAGTGCCCTCCGCCGTATCCTA
>n3 stop
CCCTACTGCATATGAAATGGGTGACCTTTATCAGCCTGCTGTTTCTGTTTAGCAGCGCGTATAGCCGTGGCGTGTTTCGTCGTGATGCGCATAAAAGCGAAGTGGCGCATCGTTTTAAAG
ATCTGGGCGAAGAAAACTTTAAAGCGCTGGTGCTGATCGCGTTTGCGCAGTATCTGCAGCAGTGCCCGTTTTAAGAAGATCATGTGAAACTGGTGAACGAAGTGACCGAATTTGCGAAAA
CCTGCGTGGCGGATGAAAGCGCGGAAAACTGCGATAAAAGCCTGCATACCCTGTTTGGCGATAAACTGTGCACCGTGGCGACCCTGCGTGAAACCTATGGCGAAATGGCGGATTGCTGCG
CGAAACAGGAACCGGCTCTTGT
>n4 shift
GGTTCATCTGCATGAAATGGGTGACCTTTATCAGCCTGCTGTTTCTGTTTAGCAGCGCGTATAGCCGTGGCGTGTTTCGTCGTGATGCGCATAAAAGCGAAGTGGCGCATCGTTTTAAAG
ATCTGGGCGAAGAAAACTTTAAAGCGCTGGTGCTGATCGCGATTTGCGCAGTATCTGCAGCAGTGCCCGTTTGAAGATCATGTGAAACTGGTGAACGAAGTGACCGAATTTGCGAAAACC
TGCGTGGCGGATGAAAGCGCGGAAAACTGCGATAAAAGCCTGCATACCCTGTTTGGCGATAAACTGTGCACCGTGGCGACCCTGCGTGAAACCTATGGCGAAATGGCGGATTGCTGCGCG
AAACAGGAACCGATGGAGAGGCGCGGTGCACATCACATCCACTTCCGGACGCACCAGACGCGGCAGGTTCGGGTTATCATCTTTATGCTGCAGAAAGCATTCGTTACGTTCCGGTTCCTG
TTTCGCGCAGCAATCCGCCATTTCGCCATAGGTTTCACGCAGGGTCGCCAC
>n5 amb
GTGGATGAAATGGGTGACCTTTATCAGCCTGCTGTTTCTGTTTAGCAGCGCGTATAGCCGTGGCGTGTTTCGTCGTGATGCGCATAAAAGCGAAGTGGCGCATCGTTTTAAAGATCTGGG
CGAAGGNAAYGARNNNYTGCTGGTGCTGATCGCGTTTGCGCAGTATCTGCAGCAGTGCCCGTTTGAAGATCATGTGAAACTGGTGAACGAAGTGACCGAATTTGCGAAAACCTGCGTGGC
GGATGCA
END
columns="qseqid sseqid pident nident length mismatch positive gapopen gaps ppos qstart qend sstart send qseq sseq evalue bitscore score qframe sframe frames btop sstrand qcovs qcovhsp qlen slen"
few="qseqid sseqid length qstart qend sstart send score bitscore frames qcovs qcovhsp"

# blastx -seg no -sum_stats F -comp_based_stats 0 -evalue 1e-3 -outfmt "6 $columns"
cat >expected <<'END'
n1	p1	100.000	80	80	0	80	0	0	100.00	32	271	1	80	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	2.71e-57	164	415	2	0	2/0	80	N/A	75	25	321	221
n1	p2	83.951	68	81	11	77	2	2	95.06	32	271	7	86	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVAD	7.36e-49	138	348	2	0	2/0	12F-11DE5VI4KN5-KNH2AG3IV2AS4QK2FY1DE9ED8	N/A	75	25	321	88
n1	p3	74.419	32	43	4	32	1	7	74.42	146	253	2	44	GEENFKALVLIAFAQYLQQCPF-------EDHVKLVNEVTEFA	GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	5.43e-18	59.3	142	2	0	2/0	1ESEGNGFS17-G-G-W-G-G-S-G14	N/A	34	11	321	47
n2	p1	96.842	92	95	3	94	0	0	98.95	287	3	11	105	FLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVNTVQ	FLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLR	1.51e-67	190	482	-3	0	-3/0	91NA1VLQR	N/A	93	31	307	221
n2	p2	82.353	56	68	11	65	1	1	95.59	278	78	19	86	SSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVAD	2.51e-41	119	298	-3	0	-3/0	11DE5VI4KN5-KNH2AG3IV2AS4QK2FY1DE9ED8	N/A	65	22	307	88
n2	p3	74.419	32	43	4	32	1	7	74.42	203	96	2	44	GEENFKALVLIAFAQYLQQCPF-------EDHVKLVNEVTEFA	GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	4.60e-18	59.3	142	-3	0	-3/0	1ESEGNGFS17-G-G-W-G-G-S-G14	N/A	35	12	307	47
n3	p1	99.174	120	121	0	120	1	1	99.17	12	374	1	120	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPF*EDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEP	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPF-EDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEP	2.18e-88	244	622	3	0	3/0	60*-60	N/A	95	32	382	221
n3	p2	82.927	68	82	11	77	3	3	93.90	12	254	7	86	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIAFAQYLQQCPF*EDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPY-EEHVKLVNEVTDFAKTCVAD	1.08e-46	134	336	3	0	3/0	12F-11DE5VI4KN5-KNH2AG3IV2AS4QK2FY*-1DE9ED8	N/A	64	21	382	88
n3	p3	74.419	32	43	5	32	1	6	74.42	126	236	2	44	GEENFKALVLIAFAQYLQQCPF------*EDHVKLVNEVTEFA	GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	2.84e-17	58.2	139	3	0	3/0	1ESEGNGFS17-G-G-W-G-G-S*G14	N/A	29	10	382	47
n4	p1	69.421	84	121	28	91	4	9	75.21	163	501	51	170	FAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEPMERRGA--HHIHFRTHQTRQVRVIIFMLQKAF----VTF--RFLFRAAIRH	FAQYLQQCPFEDHVKLVNEVTEFAKTCVADESAENCDKSLHTLFGDKLCTVATLRETYGEMADCCAKQEP-ERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRH	2.00e-51	152	384	1	0	1/0	70M-2RNGEAC-F-LHQ1IKHDFDRNTPHNQLTP1QL2VPIEIVFDMVLMQCKT2-H-D-N-EVE2-L-KRKFY1FYREAI1IR2	N/A	98	21	531	221
n4	p1	78.571	55	70	8	58	1	7	82.86	531	343	101	170	VATLRETYGEMADCCAKQEPERNECFLQHKDDNPNLPRLVRPEVDVMCTA-------PLHRFLFRAAIRH	VATLRETYGEMADCCAKQEPERNECFLQHKDDNPNLPRLVRPEVDVMCTAFHDNEETFLKKYLYEIARRH	4.12e-36	113	282	-1	0	-1/0	50-F-H-D-N-E-E-TPF1HKRKFY1FYREAI1IR2	N/A	98	12	531	221
n4	p1	100.000	50	50	0	50	0	0	100.00	12	161	1	50	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIA	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIA	8.23e-32	102	253	3	0	3/0	50	N/A	98	9	531	221
n4	p2	84.314	43	51	6	47	2	2	92.16	12	161	7	56	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIA	MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVA	8.09e-26	82.8	203	3	0	3/0	12F-11DE5VI4KN5-KNH2AG3IV1	N/A	45	9	531	88
n4	p2	83.333	25	30	5	30	0	0	100.00	163	252	57	86	FAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	FSQYLQKCPYEEHVKLVNEVTDFAKTCVAD	3.49e-17	60.5	145	1	0	1/0	1AS4QK2FY1DE9ED8	N/A	45	6	531	88
n4	p3	77.419	24	31	0	24	1	7	77.42	163	234	14	44	FAQYLQQCPF-------EDHVKLVNEVTEFA	FAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	1.23e-12	47.4	111	1	0	1/0	10-G-G-W-G-G-S-G14	N/A	14	5	531	47
n5	p1	95.000	76	80	4	76	0	0	95.00	5	244	1	80	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEGNEXLLVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	1.25e-53	154	388	2	0	2/0	40GE1EFXKLA35	N/A	97	32	247	221
n5	p2	80.247	65	81	14	73	2	2	90.12	5	244	7	86	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEGNEXL-LVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVAD	6.30e-46	130	326	2	0	2/0	12F-11DE5VI4KN4GENKEHXFLK-G3IV2AS4QK2FY1DE9ED8	N/A	97	32	247	88
n5	p3	72.093	31	43	5	31	1	7	72.09	119	226	2	44	GEGNEXLLVLIAFAQYLQQCPF-------EDHVKLVNEVTEFA	GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	3.37e-18	58.9	141	2	0	2/0	1ES1NGESXKLA15-G-G-W-G-G-S-G14	N/A	44	15	247	47
END
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --format blast6 --columns "$columns" -o table
cmp expected table || { diff expected table >&2; fail "blastx"; }
# -strand leaves the other frames out. The coverage of a subject by all alignments may change.
for strand in plus minus; do
  quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --strand $strand --format blast6 --columns "$columns" -o table
  awk -F'\t' -v strand=$strand '($20 > 0) == (strand == "plus")' expected | cut -f1-24,26- >wanted
  cut -f1-24,26- table | cmp - wanted || fail "--strand $strand"
done
# -query_gencode 6 reads the stop codon of n3 as Q.
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --query-gencode 6 --format blast6 \
  --columns "qseqid qseq score" -o table
grep -q '^n3	[A-Z]*CPFQ-*EDH[A-Z]*	622$' table || { grep n3 table >&2; fail "--query-gencode 6"; }

# -comp_based_stats 2 -outfmt "6 $few evalue"
cat >expected <<'END'
n1	p1	80	32	271	1	80	416	164	2/0	75	25	1.70e-57
n1	p2	81	32	271	7	86	353	140	2/0	75	25	1.52e-49
n1	p3	44	146	256	2	45	150	62.4	2/0	35	12	3.06e-19
n2	p1	95	287	3	11	105	483	190	-3/0	93	31	1.13e-67
n2	p2	71	287	78	16	86	300	120	-3/0	68	23	1.10e-41
n2	p3	43	203	96	2	44	150	62.4	-3/0	35	12	2.53e-19
n3	p1	121	12	374	1	120	625	245	3/0	95	32	6.60e-89
n3	p2	82	12	254	7	86	343	136	3/0	64	21	9.81e-48
n3	p3	43	126	236	2	44	148	61.6	3/0	29	10	1.34e-18
n4	p1	121	163	501	51	170	381	151	1/0	98	21	6.26e-51
n4	p1	70	531	343	101	170	286	114	-1/0	98	12	1.21e-36
n4	p1	59	12	188	1	59	259	104	3/0	98	11	1.08e-32
n4	p2	60	12	188	7	65	204	83.2	3/0	45	11	5.03e-26
n4	p2	30	163	252	57	86	147	61.2	1/0	45	6	1.95e-17
n4	p3	31	163	234	14	44	120	50.8	1/0	14	5	6.97e-14
n5	p1	80	5	244	1	80	395	156	2/0	97	32	1.22e-54
n5	p2	81	5	244	7	86	330	131	2/0	97	32	1.46e-46
n5	p3	43	119	226	2	44	147	61.2	2/0	44	15	4.16e-19
END
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --comp-based-stats 2 --format blast6 \
  --columns "$few evalue" -o table
cmp expected table || { diff expected table >&2; fail "blastx with composition"; }

# tblastn -seg no -sum_stats F -comp_based_stats 0 -evalue 1e-3 -outfmt "6 $few evalue"
cat >expected <<'END'
p1	n3	121	1	120	12	374	622	244	0/3	54	54	6.40e-88
p1	n2	95	11	105	287	3	482	190	0/-3	43	43	5.52e-67
p1	n1	80	1	80	32	271	415	164	0/2	36	36	9.47e-57
p1	n5	80	1	80	5	244	388	154	0/2	36	36	5.63e-53
p2	n1	81	7	86	32	271	348	138	0/2	91	91	1.02e-48
p2	n3	82	7	86	12	254	336	134	0/3	91	91	1.26e-46
p2	n5	81	7	86	5	244	326	130	0/2	91	91	1.13e-45
p2	n2	68	19	86	278	78	298	119	0/-3	77	77	3.66e-41
p3	n5	43	2	44	119	226	141	58.9	0/2	91	91	3.23e-18
p3	n2	43	2	44	203	96	142	59.3	0/-3	91	91	3.59e-18
p3	n1	43	2	44	146	253	142	59.3	0/2	91	91	4.03e-18
p3	n3	43	2	44	126	236	139	58.2	0/3	91	91	1.77e-17
END
quietly search --translate database prot.fa nuc.fa --evalue 1e-3 --format blast6 --columns "$few evalue" -o table
grep -v '	n4	' table | cmp expected - || { diff expected table >&2; fail "tblastn"; }
# The subject with hits in frames of different lengths: BLAST takes the length of one frame for all of its E-values.
cat >expected <<'END'
p1	n4	121	51	170	163	501	384	152	0/1	77	54
p1	n4	70	101	170	531	343	282	113	0/-1	77	32
p1	n4	50	1	50	12	161	253	102	0/3	77	23
p2	n4	51	7	56	12	161	203	82.8	0/3	91	57
p2	n4	30	57	86	163	252	145	60.5	0/1	91	34
p3	n4	31	14	44	163	234	111	47.4	0/1	66	66
END
grep '	n4	' table | cut -f1-12 | cmp expected - || { diff expected table >&2; fail "tblastn, several frames"; }
# The same with -comp_based_stats 2: from FASTA, from a database in chunks, in shards, and resumed.
cat >expected <<'END'
p1	n3	121	1	120	12	374	625	245	0/3	54	54	7.01e-85
p1	n2	95	11	105	287	3	483	190	0/-3	43	43	2.43e-64
p1	n1	80	1	80	32	271	416	164	0/2	36	36	3.23e-54
p1	n5	80	1	80	5	244	395	156	0/2	36	36	7.99e-52
p1	n4	121	51	170	163	501	381	151	0/1	77	54	3.10e-47
p1	n4	70	101	170	531	343	286	114	0/-1	77	32	7.74e-34
p1	n4	59	1	59	12	188	259	104	0/3	77	27	3.42e-30
p2	n1	81	7	86	32	271	353	140	0/2	91	91	7.73e-47
p2	n3	82	7	86	12	254	343	136	0/3	91	91	7.28e-45
p2	n5	81	7	86	5	244	330	131	0/2	91	91	2.95e-44
p2	n2	71	16	86	287	78	300	120	0/-3	81	81	3.33e-39
p2	n4	60	7	65	12	188	204	83.2	0/3	91	67	1.07e-24
p2	n4	30	57	86	163	252	147	61.2	0/1	91	34	6.94e-17
p3	n2	43	2	44	203	96	150	62.4	0/-3	91	91	3.45e-18
p3	n1	44	2	45	146	256	150	62.4	0/2	94	94	3.70e-18
p3	n5	43	2	44	119	226	147	61.2	0/2	91	91	7.02e-18
p3	n3	43	2	44	126	236	148	61.6	0/3	91	91	8.97e-18
p3	n4	31	14	44	163	234	120	50.8	0/1	66	66	6.30e-14
END
adjusted() {
  quietly search --translate database prot.fa "$@" --evalue 1e-3 --comp-based-stats 2 --format blast6 --columns "$few evalue"
}
adjusted nuc.fa -o table
cmp expected table || { diff expected table >&2; fail "tblastn with composition"; }
quietly makedb --dna nuc.fa -o nuc.gdb
adjusted nuc.gdb --chunk 200 -o table
cmp expected table || fail "tblastn of a database"
for i in 0 1 2; do adjusted nuc.gdb --shard $i/3 -o part.$i; done
quietly merge part.0 part.1 part.2 -o table
cmp expected table || fail "tblastn in shards"
adjusted nuc.gdb --resume -o table
cmp expected table || fail "tblastn, resumable"

# tblastx -seg no -sum_stats F -evalue 1e-3: n5 with n1, and n2 with n3.
cat >expected <<'END'
n2	n3	40	135	16	197	316	8.45e-26	98.7	209	-2/2	94	13
n2	n3	40	136	17	196	315	4.48e-26	99.6	211	-1/1	94	13
n2	n3	40	17	136	315	196	2.57e-27	103	220	2/-2	94	13
n2	n3	43	10	138	322	194	3.82e-24	93.2	197	1/-1	94	14
n2	n3	45	137	3	195	329	9.79e-28	105	223	-3/3	94	15
n2	n3	45	18	152	314	180	1.24e-26	101	215	3/-3	94	15
n2	n3	49	139	285	190	44	5.68e-33	122	261	1/-1	94	16
n2	n3	50	287	138	42	191	1.06e-32	121	259	-3/3	94	16
n2	n3	51	286	134	43	195	1.47e-32	121	258	-1/1	94	17
n2	n3	53	129	287	200	42	9.79e-32	118	252	3/-3	94	17
n2	n3	53	134	292	195	37	4.14e-33	122	262	2/-2	94	17
n2	n3	53	291	133	38	196	2.78e-28	106	227	-2/2	94	17
n5	n1	79	242	6	269	33	1.13e-48	174	374	-3/-2	98	32
n5	n1	79	7	243	34	270	1.85e-46	166	358	1/1	98	32
n5	n1	80	243	4	270	31	6.09e-49	175	376	-2/-1	98	32
n5	n1	80	244	5	271	32	7.73e-52	184	397	-1/-3	98	32
n5	n1	80	5	244	32	271	1.35e-50	180	388	2/2	98	32
n5	n1	80	6	245	33	272	6.00e-49	175	376	3/3	98	32
END
quietly search --translate both nuc.fa nuc.fa --evalue 1e-3 --format blast6 \
  --columns "qseqid sseqid length qstart qend sstart send evalue bitscore score frames qcovs qcovhsp" -o all
grep -e '^n5	n1	' -e '^n2	n3	' all | sort >table
cmp expected table || { diff expected table >&2; fail "tblastx"; }

# blastx -outfmt 5: the query n2.
cat >expected <<'END'
  <Iteration_query-len>307</Iteration_query-len>
  <Hit_len>221</Hit_len>
      <Hsp_bit-score>190.274</Hsp_bit-score>
      <Hsp_score>482</Hsp_score>
      <Hsp_evalue>1.50695e-67</Hsp_evalue>
      <Hsp_query-from>3</Hsp_query-from>
      <Hsp_query-to>287</Hsp_query-to>
      <Hsp_hit-from>11</Hsp_hit-from>
      <Hsp_hit-to>105</Hsp_hit-to>
      <Hsp_query-frame>-3</Hsp_query-frame>
      <Hsp_hit-frame>0</Hsp_hit-frame>
  <Hit_len>88</Hit_len>
      <Hsp_bit-score>119.398</Hsp_bit-score>
      <Hsp_score>298</Hsp_score>
      <Hsp_evalue>2.51198e-41</Hsp_evalue>
      <Hsp_query-from>78</Hsp_query-from>
      <Hsp_query-to>278</Hsp_query-to>
      <Hsp_hit-from>19</Hsp_hit-from>
      <Hsp_hit-to>86</Hsp_hit-to>
      <Hsp_query-frame>-3</Hsp_query-frame>
      <Hsp_hit-frame>0</Hsp_hit-frame>
  <Hit_len>47</Hit_len>
      <Hsp_bit-score>59.3066</Hsp_bit-score>
      <Hsp_score>142</Hsp_score>
      <Hsp_evalue>4.60313e-18</Hsp_evalue>
      <Hsp_query-from>96</Hsp_query-from>
      <Hsp_query-to>203</Hsp_query-to>
      <Hsp_hit-from>2</Hsp_hit-from>
      <Hsp_hit-to>44</Hsp_hit-to>
      <Hsp_query-frame>-3</Hsp_query-frame>
      <Hsp_hit-frame>0</Hsp_hit-frame>
      <Statistics_hsp-len>19</Statistics_hsp-len>
      <Statistics_eff-space>24817</Statistics_eff-space>
      <Statistics_kappa>0.041</Statistics_kappa>
      <Statistics_lambda>0.267</Statistics_lambda>
      <Statistics_entropy>0.14</Statistics_entropy>
END
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --format xml -o table
grep -q '<BlastOutput_program>blastx</BlastOutput_program>' table || fail "xml: program"
sed -n '/query-def>n2/,/<.Iteration>/p' table |
  grep -E 'Hsp_(bit|score|evalue|query|hit)|Hit_len|query-len|hsp-len|eff-space|kappa|lambda|entropy' |
  diff expected - >&2 || fail "xml"
# -outfmt 0 of blastx and tblastx.
cat >expected <<'END'
 Score = 190 bits (482),  Expect = 2e-67
 Identities = 92/95 (97%), Positives = 94/95 (99%), Gaps = 0/95 (0%)
 Frame = -3

Query  287  FLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEV  108
            FLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEV
Sbjct  11   FLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEV  70

Query  107  TEFAKTCVADESAENCDKSLHTLFGDKLCTVNTVQ  3
            TEFAKTCVADESAENCDKSLHTLFGDKLCTV T++
Sbjct  71   TEFAKTCVADESAENCDKSLHTLFGDKLCTVATLR  105
END
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 --format pairwise -o table
sed -n '/^Query= n2/,$p' table | sed -n '/^ Score/,$p' | head -n "$(wc -l <expected)" | diff expected - >&2 || fail "report of blastx"
cat >expected <<'END'
 Score = 122 bits (262),  Expect = 4e-33
 Identities = 51/53 (96%), Positives = 53/53 (100%), Gaps = 0/53 (0%)
 Frame = +2/-2

Query  134  LQTGTAADTAQTRSAPAL*SFLRPDL*NDAPLRFYAHHDETRHGYTRC*TESA  292
            L+TGTAADTAQTRSAPAL*SFLRPDL*NDAPLRFYAHHDETRHGYTRC*TE+A
Sbjct  195  LKTGTAADTAQTRSAPAL*SFLRPDL*NDAPLRFYAHHDETRHGYTRC*TETA  37
END
quietly search --translate both nuc.fa nuc.fa --evalue 1e-3 --format pairwise -o table
sed -n '/^Query= n2/,$p' table | sed -n '/^>n3/,$p' | sed -n '/^ Score/,$p' | head -n "$(wc -l <expected)" | diff expected - >&2 ||
  fail "report of tblastx"

# Formats of genocl: coordinates of nucleotides on the plus strand, and frames.
quietly search --translate both nuc.fa nuc.fa --evalue 1e-3 --align -o table
head -n 1 table | grep -q 'subject_length	query_frame	subject_frame	query_start' || { head -n 1 table >&2; fail "tsv"; }
awk -F'\t' 'NR > 1 && ($11 - $10 != $13 - $12 || ($11 - $10 + 1) % 3 != 0) { exit 1 }' table || fail "tsv: coordinates"
tail -n +2 table | cut -f1,2,3,8,9 | sort >a
cut -f1,2,10,11 all | awk -F'\t' -v OFS='\t' '{ split($4, frame, "/"); print $1, $2, $3, frame[1], frame[2] }' | sort >b
cmp a b || fail "tsv and blast6 differ"
quietly search --translate database prot.fa nuc.fa --evalue 1e-3 --format json -o table
grep -q '"subject":"n2".*"subject_frame":-3' table || fail "json"
quietly search --translate query nuc.fa prot.fa --evalue 1e-3 -o table
head -n 1 table | grep -q 'subject_length	query_frame$' || fail "tsv without alignments"

# A query shorter than a codon has no hit.
printf '>short\nAC\n>codon\nATG\n' >short.fa
quietly search --translate query short.fa prot.fa --format blast7 -o table
[ "$(grep -c '^# 0 hits found' table)" = 2 ] || fail "short queries"
quietly search --translate both nuc.fa short.fa --evalue 1e-3 -o table
[ "$(wc -l <table)" = 1 ] || fail "short subjects"

# Options that do not combine are errors.
quietly makedb prot.fa -o prot.gdb
expect 1 "--translate both for a database of proteins; expected --translate query" search --translate both nuc.fa prot.gdb
expect 1 "--translate query for a database of DNA" search --translate query nuc.fa nuc.gdb
expect 1 "with --format sam" search --translate query nuc.fa prot.fa --format sam
expect 1 "with --mask" search --translate query nuc.fa prot.fa --mask seg
expect 1 "with --strand" search --translate database prot.fa nuc.fa --strand plus
expect 1 "with --comp-based-stats" search --translate both nuc.fa nuc.fa --comp-based-stats 2
expect 1 "with --dna" search --translate query nuc.fa prot.fa --dna
expect 1 "--query-gencode without --translate" search prot.fa prot.fa --query-gencode 2
expect 1 "--db-gencode without --translate" search --translate query nuc.fa prot.fa --db-gencode 2
expect 1 "--query-gencode: 7; expected 1, 2, 3" search --translate query nuc.fa prot.fa --query-gencode 7
