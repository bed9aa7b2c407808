#include "pwm/scan/collected_hits.hpp"

#include <algorithm>
#include <tuple>

namespace program {

void CollectedHits::add(std::string bytes) {
  for (genocl::Unpacker left(bytes); !left.empty();) {
    const PackedHit hit = PackedHit::next(left);
    Significance& one = scores_[strand_of(hit.reverse)][hit.motif][hit.score];
    ++one.hits;
    one.p = hit.p;
  }
  spill_.add(std::move(bytes));
}

void CollectedHits::compute_p(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                              const StrandModel& model) {
  fill_p(devices, matrices, model.forward, scores_[0]);
  if (apart_) fill_p(devices, matrices, model.reverse, scores_[1]);
}

void CollectedHits::compute_q(const std::vector<double>& tests) {
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::array<ScoreTable*, 2> of_motif = {&scores_[0][i], &scores_[1][i]};
    fill_q(of_motif, tests[i]);
  }
}

void CollectedHits::read(const std::function<void(const PackedHit&, const Significance&)>& use) const {
  spill_.read([&](std::string_view bytes) {
    for (genocl::Unpacker left(bytes); !left.empty();) {
      const PackedHit hit = PackedHit::next(left);
      use(hit, scores_[strand_of(hit.reverse)][hit.motif].at(hit.score));
    }
  });
}

void BestHits::add(std::string_view bytes) {
  for (genocl::Unpacker left(bytes); !left.empty();) {
    const PackedHit hit = PackedHit::next(left);
    if (hit.record != record_) finish();
    record_ = hit.record;
    const auto [one, is_new] = best_.try_emplace(hit.motif);
    if (is_new || hit.p < one->second.hit.p) one->second = {hit, std::string(hit.name), std::string(hit.letters)};
  }
}

void BestHits::finish() {
  std::vector<const Kept*> sorted;
  for (auto& [motif, kept] : best_) {
    kept.hit.name = kept.name;
    kept.hit.letters = kept.letters;
    sorted.push_back(&kept);
  }
  std::ranges::sort(sorted, {}, [](const Kept* kept) { return std::tuple(kept->hit.begin, kept->hit.motif); });
  for (const Kept* const kept : sorted) use_(kept->hit);
  best_.clear();
}

}  // namespace program
