
#include "pwm/hits.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <tuple>

#include "pwm/output.hpp"

namespace program {

std::string HitMaker::operator()(const pwm::TextBatch& piece, std::span<const pwm::Hit> hits) const {
  std::uint64_t count = 0;
  std::string bytes(sizeof count, '\0'), letters;
  genocl::Packer packed;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::pair<double, std::size_t>> best;  // by sequence and motif
  const auto word_of = [&](const pwm::Hit& hit) -> const std::string& {
    pwm::hit_word(piece[hit.record], hit.position, matrices_[hit.matrix].length(), hit.reverse, letters);
    return letters;
  };
  constexpr std::size_t p_values_at_a_time = 256;
  std::size_t first_p = 0;
  std::vector<pwm::PValue> p_values;  // of hits from first_p on
  const auto p_of = [&](std::size_t i) {
    if (i >= first_p + p_values.size()) {
      first_p = i;
      p_values = (*p_values_)(hits.subspan(i, std::min(p_values_at_a_time, hits.size() - i)));
    }
    return one_of(p_values[i - first_p]);
  };
  const auto add_packed = [&](const pwm::Hit& hit, double p) {
    const pwm::SourceInterval& place = piece.intervals[hit.record];
    PackedHit{.motif = hit.matrix,
              .reverse = hit.reverse,
              .record = place.sequence,
              .begin = place.begin + hit.position,
              .score = hit.score,
              .p = p,
              .name = piece.name(hit.record),
              .letters = word_of(hit)}
        .add_to(packed);
  };
  constexpr std::size_t usual_line = 96;
  if (making_ == Making::text) bytes.reserve(bytes.size() + usual_line * hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const pwm::Hit& hit = hits[i];
    const pwm::ScoreMatrix& matrix = matrices_[hit.matrix];
    const pwm::SourceInterval& place = piece.intervals[hit.record];
    if (!place.owns(hit, matrix.length())) continue;
    ++count;
    switch (making_) {
      case Making::counts:
        counts_[2 * std::size_t{hit.matrix} + (hit.reverse ? 1 : 0)].fetch_add(1, std::memory_order_relaxed);
        break;
      case Making::text:
        format_.append({.motif_id = matrix.id(),
                        .motif_alt_id = matrix.alt_id(),
                        .sequence = piece.name(hit.record),
                        .begin = place.begin + hit.position,
                        .reverse = hit.reverse,
                        .score = hit.score,
                        .word = word_of(hit),
                        .p = p_of(i)},
                       bytes);
        break;
      case Making::packed:
        add_packed(hit, p_of(i));
        break;
      case Making::best: {
        const double p = p_of(i);
        const auto [one, is_new] = best.try_emplace({place.sequence, hit.matrix}, p, i);
        if (!is_new && p < one->second.first) one->second = {p, i};
        break;
      }
    }
  }
  for (const auto& [which, one] : best) add_packed(hits[one.second], one.first);
  std::memcpy(bytes.data(), &count, sizeof count);
  bytes += packed.bytes();
  return bytes;
}

void PackedHit::add_to(genocl::Packer& packer) const {
  packer.add(motif);
  packer.add(reverse);
  packer.add(record);
  packer.add(begin);
  packer.add(score);
  packer.add(p);
  packer.add_text(name);
  packer.add_text(letters);
}

PackedHit PackedHit::next(genocl::Unpacker& left) {
  PackedHit hit;
  hit.motif = left.next<std::uint32_t>();
  hit.reverse = left.next<bool>();
  hit.record = left.next<std::uint64_t>();
  hit.begin = left.next<std::uint64_t>();
  hit.score = left.next<double>();
  hit.p = left.next<double>();
  hit.name = left.next_text();
  hit.letters = left.next_text();
  return hit;
}

void HitSpill::add(std::string bytes) {
  if (bytes.empty()) return;
  if (!file_ && held_bytes_ + bytes.size() <= memory_) {
    held_bytes_ += bytes.size();
    held_.push_back(std::move(bytes));
    return;
  }
  if (!file_) file_.emplace();
  file_->append(std::as_bytes(std::span(bytes)));
  in_file_.push_back(bytes.size());
}

void HitSpill::read(const std::function<void(std::string_view)>& use) const {
  for (const std::string& block : held_) use(block);
  std::string block;
  std::uint64_t at = 0;
  for (const std::uint64_t size : in_file_) {
    block.resize(size);
    file_->read(at, std::as_writable_bytes(std::span(block)));
    at += size;
    use(block);
  }
}

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
