#include "bench/pwm/pwm_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::SequenceSet;
using namespace genocl::pwm;

/// How many of JASPAR 2024's matrices are so long: 2,346 of 22,090 columns.
constexpr std::pair<std::size_t, std::size_t> jaspar_lengths[] = {
    {4, 21},  {5, 48},  {6, 284}, {7, 347}, {8, 454}, {9, 280}, {10, 281}, {11, 157},
    {12, 97}, {13, 99}, {14, 85}, {15, 72}, {16, 40}, {17, 21}, {18, 14},  {19, 19},
    {20, 8},  {21, 11}, {22, 1},  {24, 2},  {29, 2},  {30, 1},  {31, 1},   {33, 1}};

/// Of a random word.
double best_word_probability(const ScoreMatrix& matrix) {
  double p = 1;
  for (const auto& column : matrix.columns()) {
    const double best = *std::max_element(column.begin(), column.end());
    p *= static_cast<double>(std::count(column.begin(), column.end(), best)) / 4;
  }
  return p;
}

}  // namespace

ScoreMatrix drawn_matrix(Drawn& drawn, std::size_t length) {
  Motif motif{"m", "", {}, 0};
  for (std::size_t i = 0; i < length; ++i) {
    const double most = std::floor(8 + 12 * drawn.unit()), second = std::floor((20 - most) * drawn.unit());
    std::array<double, 4> counts = {most, second, 20 - most - second, 0};
    std::rotate(counts.begin(), counts.begin() + drawn() % 4, counts.end());
    motif.counts.push_back(counts);
  }
  return log_odds(motif);
}

ScoreMatrix distinct_matrix(std::size_t length) {
  const std::vector<std::uint32_t> words = random_words(4 * length, length);
  std::vector<std::array<double, 4>> columns(length);
  for (std::size_t i = 0; i < length; ++i)
    for (std::size_t x = 0; x < 4; ++x) columns[i][x] = words[4 * i + x] / 4294967296.0 * 6 - 4;
  return {"drawn", "", std::move(columns)};
}

const std::vector<Motif>& bench_motifs() {
  static const std::vector<Motif> motifs = [] {
    const char* const given = std::getenv("GENOCL_BENCH_MOTIFS");
    const std::string path = given != nullptr ? given : test_data("motifs/jaspar2024.jaspar.gz");
    return path.empty() ? std::vector<Motif>() : parse_motifs(read_file(path), path);
  }();
  return motifs;
}

std::vector<ScoreMatrix> bench_matrices() {
  std::vector<ScoreMatrix> matrices;
  for (const Motif& motif : bench_motifs()) matrices.push_back(log_odds(motif));
  if (!matrices.empty()) return matrices;
  Drawn drawn(3);
  for (const auto& [length, count] : jaspar_lengths)
    for (std::size_t i = 0; i < count; ++i) matrices.push_back(drawn_matrix(drawn, length));
  return matrices;
}

Collection::Collection(std::vector<ScoreMatrix> matrices, double p) : matrices_(std::move(matrices)), p_(p) {
  for (const ScoreMatrix& matrix : matrices_)
    if (best_word_probability(matrix) <= p_) columns_ += matrix.length();
}

const std::vector<double>& Collection::thresholds(const genocl::Device& device) {
  if (thresholds_.empty())
    for (const auto& found : genocl::pwm::thresholds(std::span(&device, 1), matrices_, std::span(&p_, 1)))
      thresholds_.push_back(found.front().none ? std::numeric_limits<double>::quiet_NaN() : found.front().score);
  return thresholds_;
}

const Text& ResidentText::of(std::uint64_t size) {
  if (!text_ || size_ != size) {
    text_.reset();
    text_.emplace(device_, bench_text(size));
    size_ = size;
  }
  return *text_;
}

double bucket_words(std::size_t length, unsigned slices) {
  double words = 0;
  for (std::size_t s = 0, left = length; s < slices; ++s) {
    const std::size_t columns = (left + slices - s - 1) / (slices - s);
    words += std::ldexp(1.0, static_cast<int>(2 * columns));
    left -= columns;
  }
  return words;
}

}  // namespace genocl_bench
