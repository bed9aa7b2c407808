// SAM records of mapped reads: alignments made by hand, and batches of the mappers.
#include "genocl/marose/sam.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::marose;

namespace {

/// A contig of random bases and its index.
struct Genome {
  std::string text;
  Index index;

  static std::string random_text() {
    genocl_test::Random random(11);
    std::string bases(3000, 'A');
    for (char& letter : bases) letter = "ACGT"[random() % 4];
    return bases;
  }
  static Index index_of(const std::string& bases) {
    SequenceSet reference(Alphabet::dna);
    reference.append_letters("chr", bases);
    reference.append_letters("other", bases.substr(500, 40));
    return Index::build(genocl_test::device_under_test(), reference);
  }
  Genome() : text(random_text()), index(index_of(text)) {}
};

const Genome& genome() {
  static const Genome made;
  return made;
}

std::string reverse_complement(std::string letters) {
  std::string turned;
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter)
    turned += *letter == 'A' ? 'T' : *letter == 'C' ? 'G' : *letter == 'G' ? 'C' : *letter == 'T' ? 'A' : 'N';
  return turned;
}

ReadAlignment alignment_at(std::uint64_t position, std::initializer_list<CigarRun> runs, std::int32_t score,
                           Strand strand = Strand::forward) {
  ReadAlignment alignment{.contig = 0, .strand = strand, .mapq = 60, .position = position, .score = score, .cigar = {}};
  for (const CigarRun& run : runs) alignment.cigar.append(run);
  return alignment;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// The lines of a read, or of two mates.
std::vector<std::string> lines_of(SamFormatter& formatter, const SamRead& first, const SamRead* second = nullptr) {
  sam::LineFormatter lines(formatter.header());
  std::vector<std::string> result;
  const auto sink = [&](const sam::Record& record) {
    result.emplace_back();
    lines.append(record, result.back());
    result.back().pop_back();
  };
  second != nullptr ? formatter.add(first, *second, sink) : formatter.add(first, sink);
  return result;
}

bool has(const std::string& line, const std::string& field) {
  return ("\t" + line + "\t").find("\t" + field + "\t") != std::string::npos;
}

}  // namespace

TEST_CASE("marose: names of templates") {
  CHECK(template_name("a/1") == "a");
  CHECK(template_name("a/x") == "a/x");
  CHECK(template_name("/1") == "/1");
  CHECK(template_name("a/1", "a/2") == "a");
  CHECK(template_name("a.1", "a.2") == "a");
  CHECK(template_name("a_1", "a_2") == "a");
  CHECK(template_name("same", "same") == "same");
  CHECK_FALSE(template_name("a.1", "b.2"));
  CHECK_FALSE(template_name("a.2", "a.1"));
  CHECK_FALSE(template_name("a1", "a2"));
}

TEST_CASE("marose: records of a split read, hard or soft clipped") {
  const std::string letters = genome().text.substr(100, 60) + reverse_complement(genome().text.substr(1000, 40));
  const std::vector<Code> codes = encode(Alphabet::dna, letters);
  const std::vector<std::uint8_t> quality(100, 20);
  AlignedRead aligned;
  aligned.alignments = {alignment_at(100, {{60, 'M'}, {40, 'S'}}, 120),
                        alignment_at(1000, {{40, 'M'}, {60, 'S'}}, 80, Strand::reverse)};
  aligned.best_count = 1;
  const SamRead read{.name = "r/1", .codes = codes, .quality = quality, .tags = "BC:Z:AC", .aligned = &aligned};
  SamFormatter hard(genome().index, {}, {.read_group = "g"}), soft(genome().index, {}, {.soft_supplementary = true});
  const std::vector<std::string> lines = lines_of(hard, read);
  REQUIRE(lines.size() == 2);
  const std::string scores(100, '5');
  CHECK(lines[0] == "r\t0\tchr\t101\t60\t60M40S\t*\t0\t0\t" + letters + "\t" + scores +
                        "\tNM:i:0\tMD:Z:60\tAS:i:120\tXS:i:0\tSA:Z:chr,1001,-,40M60S,60,0;\tNH:i:1\tHI:i:1\tX0:i:1\t"
                        "X1:i:0\tRG:Z:g\tBC:Z:AC");
  CHECK(lines[1] == "r\t2064\tchr\t1001\t60\t40M60H\t*\t0\t0\t" + genome().text.substr(1000, 40) + "\t" +
                        scores.substr(0, 40) +
                        "\tNM:i:0\tMD:Z:40\tAS:i:80\tSA:Z:chr,101,+,60M40S,60,0;\tNH:i:1\tHI:i:1\tRG:Z:g\tBC:Z:AC");
  CHECK(fields_of(lines_of(soft, read)[1])[5] == "40M60S");
  CHECK(fields_of(lines_of(soft, read)[1])[9].size() == 100);
}

TEST_CASE("marose: other places in XA or in secondary records") {
  const std::string letters = genome().text.substr(200, 50);
  const std::vector<Code> codes = encode(Alphabet::dna, letters);
  AlignedRead aligned;
  aligned.alignments = {alignment_at(200, {{50, 'M'}}, 100)};
  aligned.secondary = {alignment_at(700, {{50, 'M'}}, 90, Strand::reverse)};
  aligned.second_score = 90;
  aligned.best_count = aligned.next_count = 1;
  const SamRead read{.name = "r", .codes = codes, .aligned = &aligned};
  MismatchTags tags;
  mismatch_tags(genome().index, codes, aligned.secondary[0], tags);
  SamFormatter formatter(genome().index, {});
  std::vector<std::string> lines = lines_of(formatter, read);
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0], "XA:Z:chr,-701,50M," + std::to_string(tags.edit_distance) + ";"));
  CHECK(has(lines[0], "XS:i:90"));
  SamFormatter none(genome().index, {}, {.max_xa = 0});
  CHECK(lines_of(none, read)[0].find("XA:Z:") == std::string::npos);
  SamFormatter records(genome().index, {}, {.secondary = true, .secondary_letters = false, .match_as_m = false});
  lines = lines_of(records, read);
  REQUIRE(lines.size() == 2);
  CHECK(fields_of(lines[0])[5] == "50=");
  CHECK(has(lines[0], "NH:i:2"));
  const std::vector<std::string> fields = fields_of(lines[1]);
  CHECK(fields[1] == "272");
  CHECK(fields[9] == "*");
  CHECK(fields[5].find('X') != std::string::npos);
  CHECK(has(lines[1], "MD:Z:" + tags.mismatches));
}

TEST_CASE("marose: records of mates, one of them unmapped") {
  const std::vector<Code> one = encode(Alphabet::dna, genome().text.substr(300, 50)),
                          two = encode(Alphabet::dna, reverse_complement(genome().text.substr(400, 50)));
  const std::vector<std::uint8_t> low(50, 14), high(50, 15);
  AlignedRead first, second;
  first.alignments = {alignment_at(300, {{50, 'M'}}, 100)};
  second.alignments = {alignment_at(400, {{50, 'M'}}, 100, Strand::reverse)};
  second.alignments[0].mapq = 7;
  first.proper_pair = second.proper_pair = true;
  const SamRead a{.name = "p.1", .codes = one, .quality = low, .aligned = &first},
      b{.name = "p.2", .codes = two, .quality = high, .aligned = &second},
      lost{.name = "p.2", .codes = two, .quality = high, .aligned = nullptr, .not_searched = true};
  SamFormatter formatter(genome().index, {});
  std::vector<std::string> lines = lines_of(formatter, a, &b);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("p\t99\tchr\t301\t60\t50M\t=\t401\t150\t"));
  CHECK(lines[1].starts_with("p\t147\tchr\t401\t7\t50M\t=\t301\t-150\t"));
  CHECK(has(lines[0], "MC:Z:50M\tMQ:i:7\tms:i:750"));
  CHECK(has(lines[1], "MC:Z:50M\tMQ:i:60\tms:i:0"));
  lines = lines_of(formatter, a, &lost);
  CHECK(lines[0].starts_with("p\t73\tchr\t301\t60\t50M\t=\t301\t0\t"));
  CHECK(lines[1].starts_with("p\t133\tchr\t301\t0\t*\t=\t301\t0\t"));
  CHECK(has(lines[1], "YF:Z:LN\tMC:Z:50M\tMQ:i:60\tms:i:0"));
  SamFormatter without(genome().index, {}, {.unmapped = false});
  CHECK(lines_of(without, a, &lost).size() == 1);
}

TEST_CASE("marose: lines of batches, with and without affine gaps") {
  SequenceSet reads(Alphabet::dna);
  reads.append_letters("f/1", genome().text.substr(800, 100));
  reads.append_letters("f/2", reverse_complement(genome().text.substr(1000, 100)));
  reads.append_letters("n/1", std::string(100, 'N'));
  reads.append_letters("n/2", genome().text.substr(2000, 100));
  const auto source_of = [](SequenceSet set) {
    return [set = std::move(set)](SequenceSet& batch) mutable {
      batch = std::exchange(set, SequenceSet());
      return !batch.empty();
    };
  };
  for (const bool affine : {true, false}) {
    CAPTURE(affine);
    MapOptions options;
    if (!affine) options.align.reset();
    SamFormatter formatter(genome().index, options);
    std::string single, paired;
    Mapper(genocl_test::device_under_test(), genome().index, options)
        .map(source_of(reads), {}, [&](Mapper::Batch& batch) { formatter.append(batch, single); });
    PairMapper(genocl_test::device_under_test(), genome().index, {.map = options, .insert = InsertRange{0, 1000}})
        .map(source_of(reads), {}, [&](PairMapper::Batch& batch) { formatter.append(batch, paired); });
    CHECK(single.starts_with("f\t0\tchr\t801\t60\t100M\t*\t0\t0\t"));
    CHECK(single.find("\nf\t16\tchr\t1001\t60\t100M\t*\t0\t0\t") != std::string::npos);
    CHECK(single.find("\nn\t4\t*\t0\t0\t*\t*\t0\t0\t") != std::string::npos);
    CHECK(paired.starts_with("f\t99\tchr\t801\t60\t100M\t=\t1001\t300\t"));
    CHECK(paired.find("\nf\t147\tchr\t1001\t60\t100M\t=\t801\t-300\t") != std::string::npos);
    CHECK(paired.find("\nn\t69\tchr\t2001\t0\t*\t=\t2001\t0\t") != std::string::npos);
    CHECK((single.find("AS:i:") != std::string::npos) == affine);
  }
}

TEST_CASE("marose: reported hits of reads without affine gaps") {
  std::vector<Hit> hits(7);
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = {.position = 10 * i, .length = 50};
  for (std::size_t i = 4; i < hits.size(); ++i) hits[i].errors = 1;
  ReadSummary summary;
  summary.hits = 7;
  summary.best_hits = 4;
  using Numbers = std::vector<std::uint64_t>;
  MapOptions best;
  best.align.reset();
  SamFormatter xa(genome().index, best, {.max_xa = 3}), few(genome().index, best, {.max_xa = 2});
  CHECK(xa.report_hits(summary, hits, 1, false, false, false).numbers == Numbers{1, 0, 2, 3});
  CHECK(xa.report_hits(summary, hits, 1, true, false, true).numbers == Numbers{1});
  CHECK(few.report_hits(summary, hits, 1, false, false, false).numbers == Numbers{1});
  CHECK(few.report_hits(summary, hits, 1, false, false, false).next_count == 3);
  MapOptions all = best;
  all.report = Report::all();
  SamFormatter limited(genome().index, all, {.secondary = true, .max_hits = 5});
  const ReportedHits& reported = limited.report_hits(summary, hits, 0, true, false, false);
  CHECK(reported.numbers == Numbers{0, 1, 2, 3, 4});
  CHECK_FALSE(reported.all);
  CHECK(limited.report_hits({}, {}, 0, true, false, false).numbers.empty());
}
