// Packs texts on the host.
#include "genocl/overlap/host_text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/host_text_state.hpp"
#include "overlap/text/symbol_codes.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::ceil_div;

/// Places that a host thread packs at a time, whole words of breaks.
constexpr std::uint64_t block_places = std::uint64_t{1} << 20, word_places = 32;

/// Letters of the text from `begin` on, backwards and as complements where they are `turned`.
struct Part {
  std::uint64_t begin = 0;
  std::span<const std::uint8_t> letters;
  bool turned = false;

  std::uint8_t letter(std::uint64_t place) const {
    return turned ? letters[letters.size() - 1 - (place - begin)] : letters[place - begin];
  }
};

class Packer {
 public:
  Packer(const Meaning& meaning, bool separated) : meaning_(meaning), separated_(separated) {}

  void append(std::span<const std::uint8_t> letters, bool turned = false) {
    parts_.push_back({size_, letters, turned});
    size_ += letters.size() + (separated_ ? 1 : 0);
  }

  std::shared_ptr<const HostText::State> pack() {
    auto state = std::make_shared<HostText::State>();
    state->size = size_;
    state->has_breaks = separated_ && !parts_.empty();
    state->alphabet = symbols_among(meaning_, bytes_present(), state->has_breaks);
    state->bits = bits_for(state->alphabet.size());
    const std::uint64_t items = ceil_div(size_, word_places), words = items * state->bits / 2;
    runtime::check_host_memory("a text of " + std::to_string(size_) + " symbols", words * 8 + items * 4);
    state->words.resize(words + Text::State::margin_words);
    state->breaks.resize(state->has_breaks ? items + 6 : 1);
    for (const Part& part : parts_)
      if (separated_) state->begins.push_back(part.begin);
    if (!separated_) state->begins = {0};
    state->begins.push_back(size_);
    codes_ = codes_of(state->alphabet, meaning_);
    const std::uint64_t blocks = ceil_div(size_, block_places);
    runtime::parallel_for(blocks, runtime::threads_for(blocks, 1),
                          [&](std::size_t block) { pack_block(*state, block * block_places); });
    return state;
  }

 private:
  /// Calls `take` with each part that has letters at places [first, end), and with the first and last of them.
  template <class Take>
  void each_part(std::uint64_t first, std::uint64_t end, Take&& take) const {
    auto part = std::ranges::upper_bound(parts_, first, {}, &Part::begin);
    for (part = part == parts_.begin() ? part : part - 1; part != parts_.end() && part->begin < end; ++part)
      take(*part, std::max(first, part->begin), std::min(end, part->begin + part->letters.size()));
  }

  std::array<bool, 256> bytes_present() const {
    std::array<std::atomic<bool>, 256> present{};
    const std::uint64_t blocks = ceil_div(size_, block_places);
    runtime::parallel_for(blocks, runtime::threads_for(blocks, 1), [&](std::size_t block) {
      const std::uint64_t first = block * block_places;
      std::array<std::array<bool, 256>, 2> own{};
      each_part(first, first + block_places, [&](const Part& part, std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t place = from; place < to; ++place) own[part.turned ? 1 : 0][part.letter(place)] = true;
      });
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (own[0][byte]) present[byte] = true;
        if (own[1][byte]) present[dna::complement(static_cast<Code>(byte))] = true;
      }
    });
    std::array<bool, 256> found{};
    for (unsigned byte = 0; byte < 256; ++byte) found[byte] = present[byte];
    return found;
  }

  /// The codes of places [first, first + codes.size()).
  void read(std::uint64_t first, std::span<std::uint16_t> codes) const {
    const std::uint64_t end = first + codes.size();
    each_part(first, end, [&](const Part& part, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t place = from; place < to; ++place) {
        const std::uint8_t letter = part.letter(place);
        codes[place - first] = codes_[part.turned ? dna::complement(letter) : letter];
      }
      const std::uint64_t behind = part.begin + part.letters.size();
      if (separated_ && behind >= first && behind < end) codes[behind - first] = break_code;
    });
  }

  void pack_block(HostText::State& state, std::uint64_t first) const {
    const std::uint64_t end = std::min(size_, first + block_places);
    std::vector<std::uint16_t> codes(runtime::round_up(end - first, word_places), 0);
    read(first, std::span(codes).first(end - first));
    const unsigned per_word = 64 / state.bits;
    for (std::size_t i = 0; i < codes.size(); i += per_word) {
      std::uint64_t word = 0;
      for (unsigned k = 0; k < per_word; ++k)
        word = word << state.bits | (codes[i + k] == break_code ? 0u : codes[i + k]);
      state.words[(first + i) / per_word] = word;
    }
    if (!state.has_breaks) return;
    for (std::size_t i = 0; i < codes.size(); i += word_places) {
      std::uint32_t broken = 0;
      for (unsigned k = 0; k < word_places; ++k) broken = broken << 1 | (codes[i + k] == break_code ? 1u : 0u);
      state.breaks[(first + i) / word_places] = broken;
    }
  }

  const Meaning& meaning_;
  bool separated_;
  std::vector<Part> parts_;
  std::uint64_t size_ = 0;
  std::array<std::uint16_t, 256> codes_{};
};

}  // namespace

HostText::HostText(std::span<const std::uint8_t> bytes) {
  const Meaning meaning = of_bytes();
  Packer packer(meaning, false);
  packer.append(bytes);
  state_ = packer.pack();
}

HostText HostText::concatenated(const SequenceSet& records) {
  const Meaning meaning = of_codes(records.alphabet(), false);
  Packer packer(meaning, false);
  packer.append(records.codes());
  return HostText(packer.pack());
}

HostText HostText::separated(std::span<const SequenceSet* const> sets, const HostTextOptions& options) {
  const Alphabet alphabet = sets.empty() ? Alphabet::dna : sets.front()->alphabet();
  if (options.both_strands && alphabet != Alphabet::dna) throw InputError("both strands of what is not DNA");
  const Meaning meaning = of_codes(alphabet, alphabet == Alphabet::dna && options.letters == Letters::bases);
  Packer packer(meaning, true);
  for (const SequenceSet* set : sets) {
    if (set->alphabet() != alphabet) throw InputError("sets of different alphabets in one text");
    for (std::size_t record = 0; record < set->size(); ++record) {
      packer.append((*set)[record]);
      if (options.both_strands) packer.append((*set)[record], true);
    }
  }
  return HostText(packer.pack());
}

HostText HostText::separated(std::span<const std::span<const std::uint8_t>> records) {
  const Meaning meaning = of_bytes();
  Packer packer(meaning, true);
  for (const std::span<const std::uint8_t> record : records) packer.append(record);
  return HostText(packer.pack());
}

std::shared_ptr<const Text::State> bring_to(const Device& device, const HostText& text) {
  const HostText::State& from = text.state();
  const std::uint64_t largest = std::max(from.words.size() * 8, from.breaks.size() * 4);
  runtime::check_capacity(device, "a text", largest, text.bytes());
  auto state = std::make_shared<Text::State>(Text::State{.device = device});
  state->size = from.size;
  state->bits = from.bits;
  state->has_breaks = from.has_breaks;
  state->words = runtime::ScratchArray<std::uint64_t>(device, from.words.size());
  state->words.upload(from.words);
  state->breaks = runtime::ScratchArray<std::uint32_t>(device, from.breaks.size());
  state->breaks.upload(from.breaks);
  state->alphabet = from.alphabet;
  state->begins = from.begins;
  return state;
}

HostText copied(const Text& text) {
  const Text::State& from = text.state();
  HostText::State state{.size = from.size, .bits = from.bits, .has_breaks = from.has_breaks};
  state.words = from.words.download();
  state.breaks = from.breaks.download();
  state.alphabet = from.alphabet;
  state.begins = from.begins;
  return HostText::of(std::make_shared<const HostText::State>(std::move(state)));
}

std::uint64_t HostText::size() const noexcept { return state_->size; }
unsigned HostText::bits() const noexcept { return state_->bits; }
bool HostText::has_breaks() const noexcept { return state_->has_breaks; }
std::span<const std::uint8_t> HostText::alphabet() const noexcept { return state_->alphabet; }
std::span<const std::uint64_t> HostText::begins() const noexcept { return state_->begins; }
std::uint64_t HostText::bytes() const noexcept { return state_->words.size() * 8 + state_->breaks.size() * 4; }

}  // namespace genocl::overlap
