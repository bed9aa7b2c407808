#!/bin/sh
# BLAST's tables: what NCBI BLAST 2.12.0+ printed for the same sequences, column by column.
test_name=blast_tables
. "$(dirname "$0")/common.sh"

names="qseqid sseqid pident nident length mismatch positive gapopen gaps ppos qstart qend sstart send qseq sseq evalue bitscore
score qframe sframe frames btop stitle salltitles sstrand qcovs qcovhsp qlen slen qacc qaccver sacc saccver"
columns=$(echo "$names" | tr -s ' \n' ,)
columns=${columns%,}
# Of a table, all but the lines that name a program or a file.
without_names() { grep -v -e '^# genocl-align ' -e '^# Database: ' "$1"; }

cat >query.fa <<'END'
>q1 a query
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD
>q2
WWCHHMPPWWCHH
END
cat >subjects.fa <<'END'
>s1 first subject, of two words
AAAGSGMKWVTFISLLFLSSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVADXX
>s2
GGSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFAGGS
>s3 third
MSTNPKPQRKTKRNTNRRPQDVKFPGGGQIVGGVYLLPRRGPRLGVRATRKTSERSQPRGRRQPIPKARR
END
# blastp -comp_based_stats 0 -seg no -max_hsps 1 -evalue 1e-3 -outfmt "7 $names"
cat >expected <<'END'
# Query: q1 a query
# Fields: query id, subject id, % identity, identical, alignment length, mismatches, positives, gap opens, gaps, % positives, q. start, q. end, s. start, s. end, query seq, subject seq, evalue, bit score, score, query frame, sbjct frame, query/sbjct frames, BTOP, subject title, subject titles, subject strand, % query coverage per subject, % query coverage per hsp, query length, subject length, query acc., query acc.ver, subject acc., subject acc.ver
# 2 hits found
q1	s1	83.951	68	81	11	77	2	2	95.06	1	80	7	86	MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD	MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVAD	1.47e-49	138	348	1	1	1/1	12F-11DE5VI4KN5-KNH2AG3IV2AS4QK2FY1DE9ED8	s1 first subject, of two words	s1 first subject, of two words	N/A	100	100	80	88	q1	q1	s1	s1
q1	s2	74.419	32	43	4	32	1	7	74.42	39	74	2	44	GEENFKALVLIAFAQYLQQCPF-------EDHVKLVNEVTEFA	GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA	1.27e-18	59.3	142	1	1	1/1	1ESEGNGFS17-G-G-W-G-G-S-G14	s2	s2	N/A	45	45	80	47	q1	q1	s2	s2
# Query: q2
# 0 hits found
# BLAST processed 2 queries
END
quietly search query.fa subjects.fa --evalue 1e-3 --format blast7 --columns "$columns" -o table
without_names table | cmp - expected || fail "blast7"
grep -q '^# genocl-align [0-9]' table && grep -q '^# Database: subjects.fa$' table || fail "blast7: program and database"
quietly search query.fa subjects.fa --evalue 1e-3 --format blast6 --columns "$columns" -o table
grep -v '^#' expected | cmp - table || fail "blast6 with columns"

cat >query.fa <<'END'
>d1 a read
TGACCTGATTACGGATTACAGCATTCGGATCAGGCTTAACGGTACCATGCAAGTTCGACCTTGGATCCAA
END
cat >subjects.fa <<'END'
>e1 plus
CCCCCCTGATTACGGATTACAGCTTTCGGATCAGGCTTAACGGTACCATGCAAGTTCGACCAAAAAAAAA
>e2 turned
TTTTTTGGATCCAAGGTCGAACTTGCATGGTACCGTTAAGCCTGATCCATGCTGTAATCCGTAATCAGGTTTTTTTT
END
# blastn -task blastn -word_size 7 -reward 2 -penalty -3 -gapopen 5 -gapextend 2 -dust no -max_hsps 1 -evalue 1e-3
cat >expected <<'END'
d1	e2	97.059	66	68	0	66	1	2	97.06	3	70	70	5	ACCTGATTACGGATTACAGCATTCGGATCAGGCTTAACGGTACCATGCAAGTTCGACCTTGGATCCAA	ACCTGATTACGGATTACAGCAT--GGATCAGGCTTAACGGTACCATGCAAGTTCGACCTTGGATCCAA	2.56e-30	112	123	1	-1	1/-1	22T-C-44	e2 turned	e2 turned	minus	97	97	70	77	d1	d1	e2	e2
d1	e1	98.246	56	57	1	56	0	0	98.25	4	60	5	61	CCTGATTACGGATTACAGCATTCGGATCAGGCTTAACGGTACCATGCAAGTTCGACC	CCTGATTACGGATTACAGCTTTCGGATCAGGCTTAACGGTACCATGCAAGTTCGACC	1.61e-26	99.6	109	1	1	1/1	19AT37	e1 plus	e1 plus	plus	81	81	70	70	d1	d1	e1	e1
END
quietly search query.fa subjects.fa --dna --evalue 1e-3 --format blast6 --columns "$columns" -o table
cmp expected table || fail "blast6 of DNA"

# Lists: std stands for the columns that are written where nothing is said, alone and among others.
quietly search queries.fa proteins.fa --format blast6 -o usual
quietly search queries.fa proteins.fa --format blast6 --columns std -o table
same usual table
quietly search queries.fa proteins.fa --format blast6 --columns slen,std,qlen -o table
cut -f2-13 table | cmp - usual || fail "std among others"
quietly search queries.fa proteins.fa --format blast7 -o table
grep -v '^#' table | cmp - usual || fail "blast7 and blast6 differ"
grep -q '^# Fields: query acc.ver, subject acc.ver, % identity, alignment length, mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score$' table ||
  fail "blast7: fields"
[ "$(tail -1 table)" = "# BLAST processed 4 queries" ] || fail "blast7: last line"
