#include "pwm/scan/hit_maker.hpp"

#include <map>

#include "pwm/numbers.hpp"
#include "pwm/scan/packed_hits.hpp"
#include "pwm/scan/place.hpp"

namespace program {

std::string HitMaker::operator()(const genocl::SequenceSet& piece, std::span<const pwm::Hit> hits) const {
  std::uint64_t count = 0;
  genocl::Packer packed;
  packed.add(count);
  std::string text;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::pair<double, std::size_t>> best;  // by stretch and motif
  std::uint64_t record = ~std::uint64_t{0};
  Place place;
  std::string letters;
  std::vector<genocl::Code> turned;
  const auto letters_of = [&](const pwm::Hit& hit) -> const std::string& {
    const std::size_t length = matrices_[hit.matrix].length();
    std::span<const genocl::Code> word = piece[hit.record].subspan(hit.position, length);
    turned.resize(length);
    if (hit.reverse) {
      genocl::dna::reverse_complement(word, turned);
      word = turned;
    }
    letters.resize(length);
    for (std::size_t i = 0; i < length; ++i) letters[i] = "ACGT"[word[i]];
    return letters;
  };
  const auto p_of = [&](const pwm::Hit& hit) { return one_of((*p_values_)(hit)); };
  const auto add_packed = [&](const pwm::Hit& hit, double p) {
    const Place of = Place::of(piece.description(hit.record));
    PackedHit{.motif = hit.matrix,
              .reverse = hit.reverse,
              .record = of.record,
              .begin = of.offset + hit.position,
              .score = hit.score,
              .p = p,
              .name = piece.name(hit.record),
              .letters = letters_of(hit)}
        .add_to(packed);
  };
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const pwm::Hit& hit = hits[i];
    if (hit.record != record) {
      record = hit.record;
      place = Place::of(piece.description(record));
    }
    const std::uint64_t begin = place.offset + hit.position;
    if (hit.position >= place.own_end || begin + matrices_[hit.matrix].length() <= place.beyond) continue;
    ++count;
    switch (making_) {
      case Making::counts:
        counts_[2 * std::size_t{hit.matrix} + (hit.reverse ? 1 : 0)].fetch_add(1, std::memory_order_relaxed);
        break;
      case Making::text:
        format_.append(text, {.matrix = matrices_[hit.matrix],
                              .sequence_name = piece.name(record),
                              .begin = begin,
                              .reverse = hit.reverse,
                              .score = hit.score,
                              .letters = letters_of(hit),
                              .p = p_of(hit)});
        break;
      case Making::packed:
        add_packed(hit, p_of(hit));
        break;
      case Making::best: {
        const double p = p_of(hit);
        const auto [one, is_new] = best.try_emplace({place.record, hit.matrix}, p, i);
        if (!is_new && p < one->second.first) one->second = {p, i};
        break;
      }
    }
  }
  for (const auto& [which, one] : best) add_packed(hits[one.second], one.first);
  std::string bytes = packed.take();
  std::memcpy(bytes.data(), &count, sizeof count);
  bytes += text;
  return bytes;
}

}  // namespace program
