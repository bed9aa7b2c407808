// Checks of suffix arrays, read mapping and position weight matrices.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "devices/selftest.hpp"
#include "genocl/marose.hpp"
#include "genocl/overlap.hpp"
#include "genocl/pwm.hpp"

namespace program {
namespace {

using genocl::Code;
using genocl::Device;
using genocl::SequenceSet;
namespace overlap = genocl::overlap;
namespace marose = genocl::marose;
namespace pwm = genocl::pwm;

std::string random_bases(std::mt19937& random, std::size_t count) {
  std::string text(count, ' ');
  for (char& letter : text) letter = "ACGT"[random() % 4];
  return text;
}

std::string reverse_complement(const std::string& text) {
  std::string result(text.rbegin(), text.rend());
  for (char& letter : result) letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  return result;
}

/// A text with long repeats, so that suffixes have long common prefixes.
std::string repetitive_text() {
  std::mt19937 random(31);
  std::string text = random_bases(random, 9'000);
  text += text.substr(1'000, 3'000) + random_bases(random, 2'000) + text.substr(1'500, 700) + std::string(500, 'A');
  for (unsigned i = 0; i < 60; ++i) text += "ACACAGT";
  return text;
}

std::uint32_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::uint32_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Suffixes by comparison, and common prefixes of neighbours.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> sorted_suffixes(std::string_view text) {
  std::vector<std::uint32_t> positions(text.size()), lcp(text.size());
  std::iota(positions.begin(), positions.end(), 0U);
  std::ranges::sort(positions, {}, [&](std::uint32_t i) { return text.substr(i); });
  for (std::size_t i = 1; i < text.size(); ++i)
    lcp[i] = common_prefix(text.substr(positions[i - 1]), text.substr(positions[i]));
  return {std::move(positions), std::move(lcp)};
}

void check_suffix_array(const Device& device, overlap::Algorithm algorithm, overlap::LcpMethod method) {
  const std::string text = repetitive_text();
  const auto [positions, lcp] = sorted_suffixes(text);
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  const overlap::SuffixArray suffixes(device, bytes, {.algorithm = algorithm});
  expect_equal("the suffix array", suffixes.download(), positions);
  expect_equal("longest common prefixes", overlap::Lcp(suffixes, method).download(), lcp);
}

void check_default_suffix_array(const Device& device) {
  check_suffix_array(device, overlap::Algorithm::automatic, overlap::LcpMethod::irreducible);
}
void check_published_suffix_array(const Device& device) {
  check_suffix_array(device, overlap::Algorithm::published, overlap::LcpMethod::kasai);
}

void check_rmq(const Device& device) {
  constexpr std::uint32_t size = 20'011;
  std::mt19937 random(32);
  std::vector<std::uint32_t> values(size);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random() % 1'000);
  std::vector<overlap::RangeQuery> queries;
  std::vector<std::uint32_t> minima, places;
  for (unsigned i = 0; i < 2'000; ++i) {
    const auto first = static_cast<std::uint32_t>(random() % size);
    const auto last =
        std::min<std::uint32_t>(size - 1, first + static_cast<std::uint32_t>(random() % (i % 2 == 0 ? 90 : size)));
    queries.push_back({first, last});
    const auto found = std::min_element(values.begin() + first, values.begin() + last + 1);
    minima.push_back(*found);
    places.push_back(static_cast<std::uint32_t>(found - values.begin()));
  }
  const genocl::Array<std::uint32_t> array(device, std::span<const std::uint32_t>(values));
  for (const auto structure :
       {overlap::RmqStructure::block, overlap::RmqStructure::sparse, overlap::RmqStructure::bv1}) {
    std::vector<std::uint32_t> found, found_places;
    for (const overlap::RangeMinimum& one : overlap::Rmq(device, array, structure).minima(queries)) {
      found.push_back(one.value);
      found_places.push_back(one.position);
    }
    expect_equal("range minima (" + std::string(to_string(structure)) + ")", found, minima);
    expect_equal("places of range minima (" + std::string(to_string(structure)) + ")", found_places, places);
  }
}

/// All maximal exact matches of at least `min_length`, as (length, first, second) by brute force over diagonals.
using Match = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
std::vector<Match> matches_by_diagonals(std::string_view a, std::string_view b, std::uint64_t min_length) {
  std::vector<Match> all;
  std::vector<std::uint32_t> before(b.size() + 1), row(b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = a[i] == b[j] ? before[j] + 1 : 0;
      const bool ends = i + 1 == a.size() || j + 1 == b.size() || a[i + 1] != b[j + 1];
      if (ends && row[j + 1] >= min_length) all.emplace_back(row[j + 1], i + 1 - row[j + 1], j + 1 - row[j + 1]);
    }
    std::swap(before, row);
  }
  std::ranges::sort(all);
  return all;
}

void check_matches(const Device& device) {
  std::mt19937 random(33);
  const std::string a = random_bases(random, 3'000);
  const std::string b = random_bases(random, 700) + a.substr(500, 120) + random_bases(random, 600) + a.substr(540, 60);
  SequenceSet first, second;
  first.append_letters("a", a);
  second.append_letters("b", b);
  constexpr std::uint64_t min_length = 8;
  const std::vector<Match> expected = matches_by_diagonals(a, b, min_length);
  std::vector<Match> found;
  for (const auto& match : overlap::maximal_matches(device, first, second, {.min_length = min_length}))
    found.emplace_back(match.length, match.reference_position, match.query_position);
  std::ranges::sort(found);
  expect_value("the number of maximal matches", found.size(), expected.size());
  if (found != expected) throw Mismatch("the maximal matches differ");
  const std::uint64_t longest = std::get<0>(expected.back());
  const auto regions = overlap::longest_common(device, first, second);
  if (regions.empty()) throw Mismatch("no longest common region");
  expect_value("the length of the longest common region", regions.front().length, longest);
  expect_value("its place", regions.front().in_first.front().position, std::get<1>(expected.back()));
}

/// [0]: the reads' strand, [1]: reverse complements.
struct Reads {
  SequenceSet reference, reads;
  std::string genome;
  std::vector<std::array<std::string, 2>> strands;
};

Reads drawn_reads(bool with_gaps) {
  constexpr std::size_t length = 100;
  std::mt19937 random(34);
  Reads drawn;
  drawn.genome = random_bases(random, 20'000);
  drawn.genome += drawn.genome.substr(3'000, 400);  // its reads occur twice
  drawn.reference.append_letters("chr", drawn.genome);
  for (unsigned i = 0; i < 40; ++i) {
    const std::size_t at = i < 4 ? 3'000 + 50 * i : random() % (drawn.genome.size() - 2 * length);
    std::string read = drawn.genome.substr(at, length);
    for (unsigned change = 0; change < i % 5; ++change) {
      const std::size_t place = 5 + random() % 90;
      if (with_gaps && change == 1)
        read = (read.substr(0, place) + read.substr(place + 1) + "A").substr(0, length);
      else
        read[place] = read[place] == 'A' ? 'C' : 'A';
    }
    if (i % 2 == 1) read = reverse_complement(read);
    drawn.reads.append_letters("r" + std::to_string(i), read);
    drawn.strands.push_back({read, reverse_complement(read)});
  }
  return drawn;
}

constexpr std::uint32_t max_errors = 4;

/// Every place with at most max_errors substitutions.
void check_hamming(const Device& device) {
  const Reads drawn = drawn_reads(false);
  const marose::IndexOptions how{.errors = {.count = max_errors}, .model = marose::Model::hamming};
  const auto index = marose::Index::build(device, drawn.reference, how);
  const marose::Mapper mapper(device, index,
                              {.errors = how.errors, .model = how.model, .report = marose::Report::all()});
  const marose::Hits hits = mapper.map(drawn.reads);
  for (std::size_t r = 0; r < drawn.strands.size(); ++r) {
    std::vector<std::tuple<std::uint64_t, bool, std::uint32_t>> expected, found;
    for (const bool reverse : {false, true}) {
      const std::string& read = drawn.strands[r][reverse ? 1 : 0];
      for (std::size_t at = 0; at + read.size() <= drawn.genome.size(); ++at) {
        std::uint32_t errors = 0;
        for (std::size_t i = 0; i < read.size() && errors <= max_errors; ++i) errors += read[i] != drawn.genome[at + i];
        if (errors <= max_errors) expected.emplace_back(at, reverse, errors);
      }
    }
    for (const marose::Hit& hit : hits.of(r))
      found.emplace_back(hit.position, hit.strand == genocl::Strand::reverse, hit.errors);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    expect_value("the number of hits of read " + std::to_string(r), found.size(), expected.size());
    if (found != expected) throw Mismatch("the hits of read " + std::to_string(r) + " differ");
  }
}

/// The lowest edit distance of the whole read to any part of the text.
std::uint32_t best_distance(const std::string& read, const std::string& text) {
  std::vector<std::uint32_t> column(read.size() + 1);
  std::iota(column.begin(), column.end(), 0U);
  std::uint32_t best = column.back();
  for (const char letter : text) {
    std::uint32_t diagonal = 0;
    for (std::size_t i = 1; i <= read.size(); ++i) {
      const std::uint32_t changed = diagonal + (read[i - 1] != letter);
      diagonal = column[i];
      column[i] = std::min({changed, column[i] + 1, column[i - 1] + 1});
    }
    best = std::min(best, column.back());
  }
  return best;
}

void check_levenshtein(const Device& device) {
  const Reads drawn = drawn_reads(true);
  const auto index = marose::Index::build(device, drawn.reference);
  const marose::Mapper mapper(device, index, {.errors = {.count = 7}});
  const marose::Hits hits = mapper.map(drawn.reads);
  for (std::size_t r = 0; r < drawn.strands.size(); ++r) {
    const std::uint32_t expected =
        std::min(best_distance(drawn.strands[r][0], drawn.genome), best_distance(drawn.strands[r][1], drawn.genome));
    const std::string what = "read " + std::to_string(r);
    if (hits.of(r).empty()) throw Mismatch(what + " has no hit");
    for (const marose::Hit& hit : hits.of(r)) {
      expect_value("the errors of " + what, std::uint32_t{hit.errors}, expected);
      const bool reverse = hit.strand == genocl::Strand::reverse;
      const std::string there = drawn.genome.substr(hit.position, hit.length);
      // The distance of the whole read to the text at its position must be this one.
      expect_value("the errors at the hit of " + what, best_distance(drawn.strands[r][reverse ? 1 : 0], there),
                   expected);
    }
  }
}

/// Matrices of 6 to 19 columns.
std::vector<pwm::ScoreMatrix> random_matrices() {
  std::mt19937 random(35);
  std::vector<pwm::ScoreMatrix> matrices;
  for (const std::size_t length : {6U, 8U, 13U, 19U}) {
    std::vector<std::array<double, 4>> columns(length);
    for (auto& column : columns)
      for (double& score : column) score = static_cast<double>(random() % 4'001) / 1'000 - 3;
    matrices.emplace_back("m" + std::to_string(length), "", columns);
  }
  return matrices;
}

void check_scan_of_matrices(const Device& device) {
  const std::vector<pwm::ScoreMatrix> matrices = random_matrices();
  std::vector<double> thresholds;
  for (const pwm::ScoreMatrix& matrix : matrices)
    thresholds.push_back(matrix.highest() - 0.3 * (matrix.highest() - matrix.lowest()));
  std::mt19937 random(36);
  SequenceSet text;
  for (const std::size_t length : {5U, 20'000U, 777U, 30'001U}) {
    std::string letters = random_bases(random, length);
    if (length > 1'000) letters[500] = 'N';
    text.append_letters("t" + std::to_string(length), letters);
  }
  std::vector<pwm::Hit> expected;
  for (std::uint32_t m = 0; m < matrices.size(); ++m) {
    const std::size_t length = matrices[m].length();
    for (std::size_t r = 0; r < text.size(); ++r)
      for (std::size_t at = 0; at + length <= text.length(r); ++at) {
        const std::span<const Code> word = text[r].subspan(at, length);
        if (std::ranges::any_of(word, [](Code code) { return code > 3; })) continue;
        std::vector<Code> other(word.rbegin(), word.rend());
        for (Code& code : other) code = static_cast<Code>(3 - code);
        double forward = 0, backward = 0;
        for (std::size_t i = 0; i < length; ++i) forward += matrices[m](i, word[i]);
        for (std::size_t i = 0; i < length; ++i) backward += matrices[m](i, other[i]);
        if (forward >= thresholds[m]) expected.push_back({m, r, at, forward, false});
        if (backward >= thresholds[m]) expected.push_back({m, r, at, backward, true});
      }
  }
  const std::vector<pwm::Hit> found = pwm::Scanner(device, matrices, thresholds).scan(text);
  expect_value("the number of hits", found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i]) throw Mismatch("hit " + std::to_string(i) + " differs");
}

void check_p_values(const Device& device) {
  const pwm::ScoreMatrix matrix = random_matrices()[1];
  const std::size_t words = std::size_t{1} << (2 * matrix.length());
  std::vector<double> scores(words);
  for (std::size_t word = 0; word < words; ++word)
    for (std::size_t i = 0; i < matrix.length(); ++i) scores[word] += matrix(i, static_cast<Code>(word >> (2 * i) & 3));
  std::ranges::sort(scores, std::greater{});
  for (const std::size_t rank : {0U, 10U, 655U, 30'000U}) {
    const auto at_least =
        static_cast<std::uint64_t>(std::ranges::count_if(scores, [&](double score) { return score >= scores[rank]; }));
    const pwm::PValue found = pwm::p_value(device, matrix, scores[rank]);
    expect_value("words of at least the score of rank " + std::to_string(rank), found.words.value_or(0), at_least);
  }
}

}  // namespace

std::vector<SelftestCheck> sequence_checks() {
  return {{"overlap suffix_array", check_default_suffix_array},
          {"overlap published", check_published_suffix_array},
          {"overlap rmq", check_rmq},
          {"overlap matches", check_matches},
          {"marose substitutions", check_hamming},
          {"marose edits", check_levenshtein},
          {"pwm scan", check_scan_of_matrices},
          {"pwm p_value", check_p_values}};
}

}  // namespace program
