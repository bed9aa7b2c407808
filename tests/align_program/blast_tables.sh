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
# The same with -outfmt 5 and parsed identifiers, without the lines that name programs, files and identifiers.
cat >expected.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE BlastOutput PUBLIC "-//NCBI//NCBI BlastOutput/EN" "http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd">
<BlastOutput>
  <BlastOutput_program>blastp</BlastOutput_program>
  <BlastOutput_query-ID>Query_1</BlastOutput_query-ID>
  <BlastOutput_query-def>q1 a query</BlastOutput_query-def>
  <BlastOutput_query-len>80</BlastOutput_query-len>
  <BlastOutput_param>
    <Parameters>
      <Parameters_matrix>BLOSUM62</Parameters_matrix>
      <Parameters_expect>0.001</Parameters_expect>
      <Parameters_gap-open>11</Parameters_gap-open>
      <Parameters_gap-extend>1</Parameters_gap-extend>
      <Parameters_filter>F</Parameters_filter>
    </Parameters>
  </BlastOutput_param>
<BlastOutput_iterations>
<Iteration>
  <Iteration_iter-num>1</Iteration_iter-num>
  <Iteration_query-ID>Query_1</Iteration_query-ID>
  <Iteration_query-def>q1 a query</Iteration_query-def>
  <Iteration_query-len>80</Iteration_query-len>
<Iteration_hits>
<Hit>
  <Hit_num>1</Hit_num>
  <Hit_def>first subject, of two words</Hit_def>
  <Hit_len>88</Hit_len>
  <Hit_hsps>
    <Hsp>
      <Hsp_num>1</Hsp_num>
      <Hsp_bit-score>138.658</Hsp_bit-score>
      <Hsp_score>348</Hsp_score>
      <Hsp_evalue>1.47272e-49</Hsp_evalue>
      <Hsp_query-from>1</Hsp_query-from>
      <Hsp_query-to>80</Hsp_query-to>
      <Hsp_hit-from>7</Hsp_hit-from>
      <Hsp_hit-to>86</Hsp_hit-to>
      <Hsp_query-frame>0</Hsp_query-frame>
      <Hsp_hit-frame>0</Hsp_hit-frame>
      <Hsp_identity>68</Hsp_identity>
      <Hsp_positive>77</Hsp_positive>
      <Hsp_gaps>2</Hsp_gaps>
      <Hsp_align-len>81</Hsp_align-len>
      <Hsp_qseq>MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE-NFKALVLIAFAQYLQQCPFEDHVKLVNEVTEFAKTCVAD</Hsp_qseq>
      <Hsp_hseq>MKWVTFISLLFL-SSAYSRGVFRREAHKSEIAHRFNDLGEEKHFKGLVLVAFSQYLQKCPYEEHVKLVNEVTDFAKTCVAD</Hsp_hseq>
      <Hsp_midline>MKWVTFISLLFL SSAYSRGVFRR+AHKSE+AHRF DLGEE +FK LVL+AF+QYLQ+CP+E+HVKLVNEVT+FAKTCVAD</Hsp_midline>
    </Hsp>
  </Hit_hsps>
</Hit>
<Hit>
  <Hit_num>2</Hit_num>
  <Hit_def>No definition line</Hit_def>
  <Hit_len>47</Hit_len>
  <Hit_hsps>
    <Hsp>
      <Hsp_num>1</Hsp_num>
      <Hsp_bit-score>59.3066</Hsp_bit-score>
      <Hsp_score>142</Hsp_score>
      <Hsp_evalue>1.26893e-18</Hsp_evalue>
      <Hsp_query-from>39</Hsp_query-from>
      <Hsp_query-to>74</Hsp_query-to>
      <Hsp_hit-from>2</Hsp_hit-from>
      <Hsp_hit-to>44</Hsp_hit-to>
      <Hsp_query-frame>0</Hsp_query-frame>
      <Hsp_hit-frame>0</Hsp_hit-frame>
      <Hsp_identity>32</Hsp_identity>
      <Hsp_positive>32</Hsp_positive>
      <Hsp_gaps>7</Hsp_gaps>
      <Hsp_align-len>43</Hsp_align-len>
      <Hsp_qseq>GEENFKALVLIAFAQYLQQCPF-------EDHVKLVNEVTEFA</Hsp_qseq>
      <Hsp_hseq>GSGGSKALVLIAFAQYLQQCPFGGWGGSGEDHVKLVNEVTEFA</Hsp_hseq>
      <Hsp_midline>G    KALVLIAFAQYLQQCPF       EDHVKLVNEVTEFA</Hsp_midline>
    </Hsp>
  </Hit_hsps>
</Hit>
</Iteration_hits>
  <Iteration_stat>
    <Statistics>
      <Statistics_db-num>3</Statistics_db-num>
      <Statistics_db-len>205</Statistics_db-len>
      <Statistics_hsp-len>13</Statistics_hsp-len>
      <Statistics_eff-space>11122</Statistics_eff-space>
      <Statistics_kappa>0.041</Statistics_kappa>
      <Statistics_lambda>0.267</Statistics_lambda>
      <Statistics_entropy>0.14</Statistics_entropy>
    </Statistics>
  </Iteration_stat>
</Iteration>
<Iteration>
  <Iteration_iter-num>2</Iteration_iter-num>
  <Iteration_query-ID>Query_2</Iteration_query-ID>
  <Iteration_query-def>q2</Iteration_query-def>
  <Iteration_query-len>13</Iteration_query-len>
<Iteration_hits>
</Iteration_hits>
  <Iteration_stat>
    <Statistics>
      <Statistics_db-num>3</Statistics_db-num>
      <Statistics_db-len>205</Statistics_db-len>
      <Statistics_hsp-len>0</Statistics_hsp-len>
      <Statistics_eff-space>2665</Statistics_eff-space>
      <Statistics_kappa>0.041</Statistics_kappa>
      <Statistics_lambda>0.267</Statistics_lambda>
      <Statistics_entropy>0.14</Statistics_entropy>
    </Statistics>
  </Iteration_stat>
  <Iteration_message>No hits found</Iteration_message>
</Iteration>
</BlastOutput_iterations>
</BlastOutput>
END
quietly search query.fa subjects.fa --evalue 1e-3 --format xml -o table.xml
grep -v -e 'BlastOutput_[vrd]' -e 'Hit_id' -e 'Hit_accession' table.xml | sed '$d' | diff expected.xml - >&2 || fail "xml"
# -outfmt 10; a field with a comma is in quotes, which BLAST leaves out.
quietly search query.fa subjects.fa --evalue 1e-3 --format csv --columns "qseqid stitle evalue" -o table.csv
printf 'q1,"s1 first subject, of two words",1.47e-49\nq1,s2,1.27e-18\n' | diff - table.csv >&2 || fail "csv"
biopython=
for python in python3 /usr/bin/python3; do
  if [ -z "$biopython" ] && $python -c "import Bio" 2>/dev/null; then biopython=$python; fi
done
# Titles in Latin-1 and UTF-8, with the characters that XML reserves.
printf '>a\351 <b> & "c" \303\251\nMKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE\n' >dirty.fa
quietly search query.fa dirty.fa --evalue 1e-3 --format xml -o dirty.xml
printf '<Hit_def>&lt;b&gt; &amp; &quot;c&quot; \303\251</Hit_def>\n' >dirty.wanted
grep -o '<Hit_def>.*' dirty.xml | diff dirty.wanted - >&2 || fail "xml of an odd title"
grep -q '<Hit_id>a&#233;</Hit_id>' dirty.xml || { grep Hit_id dirty.xml >&2; fail "xml of an odd name"; }
if command -v python3 >/dev/null; then
  python3 -c 'import xml.etree.ElementTree as tree; tree.parse("dirty.xml")' || fail "xml is not well-formed"
fi
if [ -n "$biopython" ]; then
  $biopython - >read <<'END' || fail "Biopython does not read xml"
from Bio import SearchIO
for result in SearchIO.parse("table.xml", "blast-xml"):
    print(result.id, result.seq_len, len(result))
    for hit in result:
        for hsp in hit:
            print(hit.id, hit.description, hit.seq_len, hsp.bitscore_raw, hsp.evalue, hsp.query_start, hsp.query_end, hsp.hit_start,
                  hsp.hit_end, hsp.ident_num, hsp.pos_num, hsp.gap_num)
END
  diff - read >&2 <<'END' || fail "Biopython reads something else"
q1 80 2
s1 first subject, of two words 88 348 1.47272e-49 0 80 6 86 68 77 2
s2 No definition line 47 142 1.26893e-18 38 74 1 44 32 32 7
q2 13 0
END
else
  echo "$test_name: Biopython is missing: xml not read by it"
fi

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

# Lists: std stands for the default columns, alone and among others.
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

# Taxonomy from a map, as makeblastdb -taxid_map has it; the first header decides staxid.
cat >subjects.fa <<'END'
>sp|A1.2|ONE first
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEE
>B1 x^AC1.1 y
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGE
>D1 unmapped
MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLG
END
awk 'sub(/\^A/, "\001") || 1' subjects.fa >headers.fa
head -n 2 subjects.fa >query.fa
printf '# taxa\nA1\t9606\tHomo sapiens\nB1 10090\nC1\t9606\n' >taxa.map
quietly search query.fa headers.fa --evalue 1e-3 --format blast6 --columns qseqid,sallacc,staxid,ssciname,staxids,sscinames --taxid-map taxa.map -o table
printf '%s\t%s\t%s\t%s\t%s\t%s\n' 'sp|A1.2|ONE' 'sp|A1.2|ONE' 9606 'Homo sapiens' 9606 'Homo sapiens' \
  'sp|A1.2|ONE' 'B1;C1.1' 10090 N/A '9606;10090' 'Homo sapiens;N/A' 'sp|A1.2|ONE' D1 N/A N/A 0 N/A >expected
cmp expected table || { cat table; fail "taxonomy"; }
quietly search query.fa headers.fa --format blast7 --columns staxid,ssciname,staxids,sscinames --taxid_map taxa.map -o table
grep -q '^# Fields: subject tax id, subject sci name, subject tax ids, subject sci names$' table || fail "fields of taxonomy"
expect 1 "--taxid-map without one of the columns staxid, staxids" search query.fa headers.fa --format blast6 --taxid-map taxa.map
expect 1 "without --taxid-map" search query.fa headers.fa --format blast6 --columns staxids
printf 'A1\t9606\nB1\tman\n' >taxa.map
expect 1 "taxa.map:line 2: " search query.fa headers.fa --format blast6 --columns staxids --taxid-map taxa.map
