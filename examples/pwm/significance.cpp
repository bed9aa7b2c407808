#include "pwm/significance.hpp"

#include <algorithm>

#include "pwm/numbers.hpp"

namespace program {

void PlaceCount::add(std::span<const genocl::Code> record) {
  std::uint64_t bases = 0;
  for (const genocl::Code code : record) {
    if (genocl::dna::is_base(code)) {
      ++bases;
    } else if (bases > 0) {
      ++stretches_[bases];
      bases = 0;
    }
  }
  if (bases > 0) ++stretches_[bases];
}

std::uint64_t PlaceCount::places(std::size_t length) const {
  std::uint64_t places = 0;
  for (const auto& [bases, count] : stretches_)
    if (bases >= length) places += (bases - length + 1) * count;
  return places;
}

void fill_p(std::span<const genocl::Device> devices, std::span<const genocl::pwm::ScoreMatrix> matrices,
            const genocl::pwm::POptions& options, std::vector<ScoreTable>& tables) {
  // Only those that have hits.
  std::vector<genocl::pwm::ScoreMatrix> asked;
  std::vector<std::vector<double>> scores;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].empty()) continue;
    asked.push_back(matrices[i]);
    scores.emplace_back();
    for (const auto& [score, unused] : tables[i]) scores.back().push_back(score);
  }
  if (asked.empty()) return;
  const auto found = genocl::pwm::p_values(devices, asked, scores, options);
  std::size_t k = 0;
  for (ScoreTable& table : tables) {
    if (table.empty()) continue;
    std::size_t j = 0;
    for (auto& [score, significance] : table) significance.p = one_of(found[k][j++]);
    ++k;
  }
}

void fill_q(std::span<ScoreTable* const> tables, double tests) {
  std::vector<Significance*> all;
  for (ScoreTable* const table : tables)
    for (auto& [score, one] : *table) all.push_back(&one);
  std::ranges::stable_sort(all, {}, &Significance::p);
  std::uint64_t rank = 0;
  for (Significance* const one : all) {
    rank += one->hits;
    one->q = std::min(1.0, one->p * tests / static_cast<double>(rank));
  }
  double least = 1;
  for (auto one = all.rbegin(); one != all.rend(); ++one) (*one)->q = least = std::min(least, (*one)->q);
}

}  // namespace program
