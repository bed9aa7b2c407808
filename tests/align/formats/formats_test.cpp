// Output formats of a search: exact text for hits made by hand.
#include "genocl/align/formats.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;

namespace {

/// A protein query with two subjects: a gap in one, titles with ^A and a comma in the other.
struct Proteins {
  SequenceSet subjects{Alphabet::protein}, queries{Alphabet::protein};
  std::vector<Hit> hits;
  SearchOptions search;

  Proteins() {
    subjects.append_letters("first\1second", "MKTAYIAKQRQISFVKSHFSRQ", "one, \"two\"\1three four");
    subjects.append_letters("gapped", "AYIAKQISFW");
    queries.append_letters("query", "AYIAKQRNISFV", "of a test");
    search.align = search.by_subject = true;
    Hit best{.subject = 0, .score = 55, .bits = 25.8, .evalue = 1.25e-4};
    best.alignment = Alignment{.score = 55,
                               .query_begin = 0,
                               .query_end = 12,
                               .subject_begin = 3,
                               .subject_end = 15,
                               .identities = 11,
                               .positives = 11,
                               .gap_opens = 0,
                               .runs = {{7, '='}, {1, 'X'}, {4, '='}}};
    Hit other{.subject = 1, .score = 20, .bits = 100.7, .evalue = 3.4};
    other.alignment = Alignment{.score = 20,
                                .query_begin = 0,
                                .query_end = 11,
                                .subject_begin = 0,
                                .subject_end = 9,
                                .identities = 9,
                                .positives = 9,
                                .gap_opens = 1,
                                .runs = {{6, '='}, {2, 'I'}, {3, '='}}};
    hits = {best, other};
  }
};

/// A DNA hit on the minus strand, with N aligned to N.
struct Dna {
  SequenceSet subjects{Alphabet::dna}, queries{Alphabet::dna, true};
  std::vector<Hit> hits;
  SearchOptions search;

  Dna() {
    subjects.append_letters("chr", "GGGACGTNTTACCC");
    subjects.append_letters("chr", "AC");
    subjects.append_letters("empty", "");
    // Its reverse complement is CACGTNTTAG.
    const std::vector<std::uint8_t> quality = {30, 31, 32, 33, 34, 35, 36, 37, 38, 39};
    queries.append_letters("read", "CTAANACGTG", {}, quality);
    search.matrix = Matrix::dna();
    search.gap = {5, 2};
    search.evalues = false;
    search.align = search.by_subject = true;
    Hit hit{.subject = 0, .score = 12, .minus = true};
    hit.bits = hit.evalue = std::numeric_limits<double>::quiet_NaN();
    hit.alignment = Alignment{.score = 12,
                              .query_begin = 1,
                              .query_end = 9,
                              .subject_begin = 3,
                              .subject_end = 11,
                              .identities = 8,
                              .positives = 7,
                              .gap_opens = 0,
                              .runs = {{8, '='}}};
    hits = {hit};
  }
};

template <class Case>
std::string text_of(const Case& of, Format format, const FormatOptions& options = {}) {
  HitFormatter formatter(format, Database::build(of.subjects), of.search, options);
  std::string text;
  formatter.add(of.queries, 0, of.hits, text);
  formatter.finish(text);
  return text;
}

/// True if the text has this piece.
bool has(const std::string& text, std::string_view piece) { return text.find(piece) != std::string::npos; }

}  // namespace

TEST_CASE("align: blast6 and its columns") {
  const Proteins proteins;
  CHECK(text_of(proteins, Format::blast6) ==
        "query\tfirst\t91.667\t12\t1\t0\t1\t12\t4\t15\t1.25e-04\t25.8\n"
        "query\tgapped\t81.818\t11\t0\t1\t1\t11\t1\t9\t3.4\t100\n");
  CHECK(text_of(proteins, Format::blast6,
                {.columns = "qseq sseq, btop gaps positive ppos qcovs qcovhsp sallseqid salltitles"}) ==
        "AYIAKQRNISFV\tAYIAKQRQISFV\t7NQ4\t0\t11\t91.67\t100\t100\tfirst;second;three\t"
        "first<>second one, \"two\"<>three four\n"
        "AYIAKQRNISF\tAYIAKQ--ISF\t6R-N-3\t2\t9\t81.82\t92\t92\tgapped\tgapped\n");
  // The last column may occur before.
  CHECK(text_of(proteins, Format::blast6, {.columns = "score,slen,score"}) == "55\t22\t55\n20\t10\t20\n");
  CHECK(text_of(Dna(), Format::blast6, {.columns = "qstart,qend,sstart,send,sstrand,frames,qseq,sseq,evalue"}) ==
        "2\t9\t11\t4\tminus\t1/-1\tTAANACGT\tTAANACGT\tnan\n");
}

TEST_CASE("align: lists of columns") {
  CHECK(blast_columns("").size() == 12);
  CHECK(blast_columns(" qseqid ,\tstd score").size() == 14);
  CHECK(blast_columns("evalue") == std::vector<std::string>{"evalue"});
  CHECK_THROWS_AS(blast_columns("qseqid,,score"), InputError);
  CHECK_THROWS_AS(HitFormatter(Format::csv, Database::build(Proteins().subjects), {}, {.columns = "qseqids"}),
                  InputError);
}

TEST_CASE("align: csv quotes fields, blast7 counts") {
  const Proteins proteins;
  CHECK(text_of(proteins, Format::csv, {.columns = "sseqid,stitle"}) == "first,first\ngapped,gapped\n");
  CHECK(text_of(proteins, Format::csv, {.columns = "salltitles"}) ==
        "\"first<>second one, \"\"two\"\"<>three four\"\ngapped\n");
  CHECK(text_of(proteins, Format::blast7, {.program_version = "9.9", .database = "db", .columns = "sseqid score"}) ==
        "# genocl-align 9.9\n# Query: query of a test\n# Database: db\n# Fields: subject id, score\n# 2 hits found\n"
        "first\t55\ngapped\t20\n# BLAST processed 1 queries\n");
}

TEST_CASE("align: tsv with and without alignments") {
  Proteins proteins;
  CHECK(text_of(proteins, Format::tsv, {.match_as_m = true}) ==
        "query\tsubject\tscore\tbits\tevalue\tquery_length\tsubject_length\tquery_start\tquery_end\tsubject_start\t"
        "subject_end\tidentity\tcigar\n"
        "query\tfirst\1second\t55\t25.8\t0.000125\t12\t22\t1\t12\t4\t15\t91.667\t12M\n"
        "query\tgapped\t20\t100.7\t3.4\t12\t10\t1\t11\t1\t9\t81.818\t6M2I3M\n");
  proteins.search.align = false;
  for (Hit& hit : proteins.hits) hit.alignment.reset();
  CHECK(text_of(proteins, Format::tsv) ==
        "query\tsubject\tscore\tbits\tevalue\tquery_length\tsubject_length\n"
        "query\tfirst\1second\t55\t25.8\t0.000125\t12\t22\nquery\tgapped\t20\t100.7\t3.4\t12\t10\n");
}

TEST_CASE("align: json and xml are complete without queries") {
  for (const Format format : {Format::json, Format::xml}) {
    HitFormatter formatter(format, Database::build(Proteins().subjects), Proteins().search);
    std::string text;
    formatter.finish(text);
    CHECK(has(text, format == Format::json ? "\"queries\":[\n]}\n" : "</BlastOutput_iterations>\n</BlastOutput>\n\n"));
    CHECK(has(text, format == Format::json ? "{\"program\":\"genocl-align\"" : "<?xml version=\"1.0\"?>"));
  }
}

TEST_CASE("align: json and xml of hits") {
  const Proteins proteins;
  const std::string json = text_of(proteins, Format::json);
  CHECK(has(json,
            "\"scoring\":\"BLOSUM62\",\"gap_penalties\":{\"ncbi\":{\"open\":11,\"extend\":1},"
            "\"first\":{\"first\":12,\"further\":1}}"));
  CHECK(has(json,
            "{\"subject\":\"first\\u0001second\",\"description\":\"one, \\\"two\\\"\\u0001three four\",\"number\":1,"
            "\"length\":22,\"score\":55,\"bits\":25.8,\"evalue\":0.000125,\"alignment\":{\"hsp\":1,"));
  CHECK(has(json, "\"gap_opens\":1,\"gap_letters\":2,\"cigar\":\"6=2I3=\"}}]}\n]}\n"));
  const std::string xml = text_of(proteins, Format::xml, {.masked_queries = true});
  CHECK(has(xml,
            "      <Parameters_matrix>BLOSUM62</Parameters_matrix>\n      <Parameters_expect>10</Parameters_expect>"));
  CHECK(has(xml, "<Parameters_filter>L;m;</Parameters_filter>"));
  CHECK(has(xml, "  <Hit_id>first</Hit_id>\n  <Hit_def>&gt;second one, &quot;two&quot; &gt;three four</Hit_def>"));
  CHECK(has(xml,
            "      <Hsp_qseq>AYIAKQRNISF</Hsp_qseq>\n      <Hsp_hseq>AYIAKQ--ISF</Hsp_hseq>\n"
            "      <Hsp_midline>AYIAKQ  ISF</Hsp_midline>"));
  const std::string dna = text_of(Dna(), Format::xml);
  CHECK(has(dna,
            "      <Parameters_expect>0</Parameters_expect>\n      <Parameters_sc-match>2</Parameters_sc-match>\n"
            "      <Parameters_sc-mismatch>-3</Parameters_sc-mismatch>"));
  CHECK(has(dna, "<Hsp_hit-from>11</Hsp_hit-from>\n      <Hsp_hit-to>4</Hsp_hit-to>"));
}

TEST_CASE("align: reports number the letters of both sequences and show masked ones in lower case") {
  Proteins proteins;
  const Interval masked[] = {{2, 4}};
  proteins.queries.mask(0, masked);
  const std::string text = text_of(proteins, Format::pairwise);
  CHECK(has(text, "Query  1   AYiaKQRNISFV  12\n           AYIAKQR ISFV\nSbjct  4   AYIAKQRQISFV  15\n"));
  CHECK(has(text, " Identities = 9/11 (82%), Positives = 9/11 (82%), Gaps = 2/11 (18%)\n"));
  const std::string dna = text_of(Dna(), Format::pairwise);
  CHECK(has(dna, " Strand=Plus/Minus\n\nQuery  2   TAANACGT  9\n           ||||||||\nSbjct  11  TAANACGT  4\n"));
  Dna without;
  without.hits.clear();
  CHECK(has(text_of(without, Format::pairwise), "\n\nLength=10\n\n***** No hits found *****\n"));
}

TEST_CASE("align: SAM with unique references, mismatches of N, and unmapped queries") {
  Dna dna;
  std::vector<std::string> renamed;
  FormatOptions options{.database = "db.fa",
                        .renamed = [&](const InputError& why) { renamed.emplace_back(why.what()); }};
  options.program_version = "9.9";
  CHECK(text_of(dna, Format::sam, options) ==
        "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:chr\tLN:14\n@SQ\tSN:chr_2\tLN:2\n@PG\tID:genocl-align\t"
        "PN:genocl-align\tVN:9.9\n@CO\tscoring: match 2, mismatch -3; " +
            gap_text({5, 2}) +
            "\n@CO\tAS: score; no E-values are known for this scoring\n"
            "read\t16\tchr\t4\t255\t1S4=1X3=1S\t*\t0\t0\tCACGTNTTAG\tHGFEDCBA@?\tAS:i:12\tNM:i:1\tNH:i:1\tHI:i:1\n");
  REQUIRE(renamed.size() == 1);
  CHECK(renamed[0] == "db.fa:sequence 2: the name \"chr\" is \"chr_2\" in SAM");
  dna.hits.clear();
  CHECK(has(text_of(dna, Format::sam), "\nread\t4\t*\t0\t0\t*\t*\t0\t0\tCTAANACGTG\t?@ABCDEFGH\n"));
  // Proteins have no SEQ; an exception of the callback propagates.
  CHECK(has(
      text_of(Proteins(), Format::sam),
      "\nquery\t0\tfirst\t4\t255\t7=1X4=\t*\t0\t0\t*\t*\tAS:i:55\tNM:i:1\tNH:i:2\tHI:i:1\tBS:f:25.8\tEV:f:0.000125\n"
      "query\t256\tgapped\t1\t255\t6=2I3=1S\t"));
  options.renamed = [](const InputError& why) { throw InputError(why); };
  CHECK_THROWS_AS(text_of(dna, Format::sam, options), InputError);
}

TEST_CASE("align: records of a query are those of its lines") {
  const Dna dna;
  SamRecords records(Database::build(dna.subjects), dna.search);
  std::string lines;
  sam::LineFormatter formatter(records.header());
  records.add({dna.queries, 0, dna.hits}, [&](const sam::Record& record) {
    CHECK(record.flag == sam::Record::reverse);
    CHECK(record.reference == 0);
    formatter.append(record, lines);
  });
  CHECK(text_of(dna, Format::sam).ends_with("\n" + lines));
  SamRecords moved = std::move(records);
  CHECK(moved.header().references.size() == 2);
}
