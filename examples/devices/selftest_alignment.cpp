// Checks of pairwise alignment and of the search of databases.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <utility>

#include "devices/operations.hpp"
#include "devices/selftest.hpp"
#include "genocl/align.hpp"
#include "genocl/pairwise.hpp"

namespace program {
namespace {

using genocl::Alphabet;
using genocl::Code;
using genocl::Device;
using genocl::SequenceSet;
namespace pairwise = genocl::pairwise;

constexpr std::string_view bases = "ACGT", residues = "ACDEFGHIKLMNPQRSTVWY";
/// Below every score of an alignment; sums do not overflow.
constexpr int impossible = std::numeric_limits<int>::min() / 4;

/// Substitutions, insertions and deletions at a twentieth of the letters.
std::string mutated(std::mt19937& random, std::string_view letters, const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const auto draw = random() % 60;
    if (draw == 0) continue;
    result += draw == 1 ? letters[random() % letters.size()] : letter;
    if (draw == 2) result += random_letters(random, letters, 1 + random() % 5);
  }
  return result;
}

/// Pairs of related sequences from a few letters to several tiles.
std::pair<SequenceSet, SequenceSet> related_pairs(Alphabet alphabet) {
  const std::string_view letters = alphabet == Alphabet::dna ? bases : residues;
  std::mt19937 random(21);
  SequenceSet a(alphabet), b(alphabet);
  for (unsigned i = 0; i < 70; ++i) {
    const std::string one = random_letters(random, letters, i == 69 ? 1'500 : 1 + random() % 300);
    const std::string other =
        i % 5 == 0 ? random_letters(random, letters, 1 + random() % 300) : mutated(random, letters, one);
    a.append_letters("a" + std::to_string(i), one);
    b.append_letters("b" + std::to_string(i), other.empty() ? one : other);
  }
  return {std::move(a), std::move(b)};
}

std::uint32_t edit_distance(std::span<const Code> a, std::span<const Code> b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint32_t diagonal = row[0];
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// Gotoh 1982.
std::int32_t affine_score(std::span<const Code> a, std::span<const Code> b, const pairwise::PairOptions& options) {
  const bool local = options.mode == pairwise::PairMode::local;
  const int first = options.gap.first(), extend = options.gap.extend;
  std::vector<int> h(b.size() + 1), f(b.size() + 1, impossible);
  for (std::size_t j = 1; j <= b.size(); ++j) h[j] = local ? 0 : -(first + static_cast<int>(j - 1) * extend);
  int best = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = h[0], e = impossible;
    h[0] = local ? 0 : -(first + static_cast<int>(i - 1) * extend);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      e = std::max(e - extend, h[j - 1] - first);
      f[j] = std::max(f[j] - extend, h[j] - first);
      int score = std::max({diagonal + options.matrix(a[i - 1], b[j - 1]), e, f[j]});
      if (local) score = std::max(score, 0);
      diagonal = std::exchange(h[j], score);
      best = std::max(best, score);
    }
  }
  return local ? best : h[b.size()];
}

void check_edit_distances(const Device& device) {
  const auto [a, b] = related_pairs(Alphabet::dna);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(edit_distance(a[i], b[i]));
  expect_equal("edit distances", pairwise::edit_distances(device, a, b), expected);
}

void check_full_alignments(const Device& device, Alphabet alphabet, pairwise::PairMode mode) {
  const auto [a, b] = related_pairs(alphabet);
  pairwise::PairOptions options{.mode = mode};
  if (alphabet == Alphabet::dna) options.matrix = pairwise::Matrix::dna(2, -3), options.gap = {5, 2};
  std::vector<std::int32_t> expected;
  for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(affine_score(a[i], b[i], options));
  expect_equal("scores of pairs", pairwise::score_pairs(device, a, b, options), expected);
  const std::vector<pairwise::Alignment> alignments = pairwise::align_pairs(device, a, b, options);
  expect_value("the number of alignments", alignments.size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string what = "alignment " + std::to_string(i);
    expect_value(what + "'s score", alignments[i].score, expected[i]);
    expect_value(what + "'s score by its runs",
                 pairwise::score_of(alignments[i], a[i], b[i], options.matrix, options.gap), std::int64_t{expected[i]});
  }
}

void check_pairs(const Device& device) {
  check_full_alignments(device, Alphabet::protein, pairwise::PairMode::local);
  check_full_alignments(device, Alphabet::dna, pairwise::PairMode::global);
}

/// The highest score plus end bonuses of the alignments in a band, gaps in two pieces; at least 0.
int banded_score(std::span<const Code> query, std::span<const Code> text, std::int64_t first_diagonal,
                 const pairwise::BandedOptions& options) {
  const pairwise::DnaScoring& s = options.scoring;
  const std::array<int, 2> open = {s.gap_open, s.gap_open2}, extend = {s.gap_extend, s.gap_extend2};
  const std::size_t width = text.size() + 1;
  struct Cell {
    int column = impossible;  // ends with a column of two bases
    int any = impossible;
    std::array<int, 2> query_gap = {impossible, impossible}, text_gap = {impossible, impossible};
  };
  std::vector<Cell> above(width), row(width);
  int best = 0;
  for (std::size_t i = 1; i <= query.size(); ++i) {
    std::fill(row.begin(), row.end(), Cell{});
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const std::int64_t diagonal = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i) - first_diagonal;
      if (diagonal < 0 || diagonal >= options.diagonals) continue;
      Cell& cell = row[j];
      const int pair = query[i - 1] == text[j - 1] ? s.match : -s.mismatch;
      const int begin = i == 1 ? s.end_bonus : 0;
      cell.column = pair + std::max(begin, above[j - 1].any);
      cell.any = cell.column;
      for (std::size_t piece = 0; piece < 2; ++piece) {
        cell.query_gap[piece] = std::max(row[j - 1].query_gap[piece], row[j - 1].any - open[piece]) - extend[piece];
        cell.text_gap[piece] = std::max(above[j].text_gap[piece], above[j].any - open[piece]) - extend[piece];
        cell.any = std::max({cell.any, cell.query_gap[piece], cell.text_gap[piece]});
      }
      best = std::max(best, cell.column + (i == query.size() ? s.end_bonus : 0));
    }
    std::swap(above, row);
  }
  return best;
}

void check_banded(const Device& device) {
  std::mt19937 random(22);
  const pairwise::BandedOptions options;
  pairwise::BandedPairs pairs;
  for (unsigned i = 0; i < 60; ++i) {
    const std::string text = random_letters(random, bases, 240);
    SequenceSet one;
    one.append_letters("query", mutated(random, bases, text.substr(60, 120 + random() % 31)));
    one.append_letters("text", text);
    pairs.add(one[0], one[1], 60 - static_cast<std::int32_t>(options.diagonals / 2));
  }
  const std::vector<pairwise::BandedAlignment> found = pairwise::align_banded(device, pairs, options);
  expect_value("the number of alignments", found.size(), pairs.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int bonus =
        options.scoring.end_bonus * ((found[i].query_begin == 0) + (found[i].query_end == pairs.query(i).size()));
    const int expected = banded_score(pairs.query(i), pairs.text(i), pairs.pairs()[i].first_diagonal, options);
    expect_value("alignment " + std::to_string(i) + "'s score with bonuses", found[i].score + bonus, expected);
  }
}

/// Subjects of many lengths; a third contains a mutated query.
void check_search(const Device& device, Alphabet alphabet) {
  const std::string_view letters = alphabet == Alphabet::dna ? bases : residues;
  std::mt19937 random(23);
  SequenceSet queries(alphabet), subjects(alphabet);
  std::vector<std::string> texts;
  for (const unsigned length : {7u, 90u, 333u}) texts.push_back(random_letters(random, letters, length));
  for (const std::string& text : texts) queries.append_letters("q" + std::to_string(text.size()), text);
  for (unsigned i = 0; i < 150; ++i) {
    std::string text = random_letters(random, letters, 1 + random() % 500);
    if (i % 3 == 0) text += mutated(random, letters, texts[i % texts.size()]) + "A";
    subjects.append_letters("s" + std::to_string(i), text);
  }
  genocl::align::SearchOptions options{.top = subjects.size(), .evalues = false};
  if (alphabet == Alphabet::dna) options.matrix = pairwise::Matrix::dna(2, -3), options.gap = {5, 2};
  options.strands = genocl::Strands::forward;
  const pairwise::PairOptions scoring{.matrix = options.matrix, .gap = options.gap};
  const auto result =
      genocl::align::Searcher(device, genocl::align::Database::build(subjects), options).search(queries);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<std::int32_t> expected(subjects.size()), found(subjects.size());
    for (std::size_t i = 0; i < subjects.size(); ++i) expected[i] = affine_score(queries[q], subjects[i], scoring);
    for (const genocl::align::Hit& hit : result.hits[q]) found.at(hit.subject) = hit.score;
    expect_equal("scores of query " + std::to_string(q), found, expected);
    if (!std::ranges::is_sorted(result.hits[q], std::greater{}, &genocl::align::Hit::score))
      throw Mismatch("the hits of query " + std::to_string(q) + " are not in the order of their scores");
  }
}

}  // namespace

std::vector<SelftestCheck> alignment_checks() {
  return {{"pairwise edit_distances", check_edit_distances},
          {"pairwise align_pairs", check_pairs},
          {"pairwise align_banded", check_banded},
          {"align search protein", [](const Device& device) { check_search(device, Alphabet::protein); }},
          {"align search DNA", [](const Device& device) { check_search(device, Alphabet::dna); }}};
}

}  // namespace program
