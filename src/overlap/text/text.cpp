#include "overlap/text/text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/host_text.hpp"
#include "genocl/overlap/text.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

Meaning of_bytes() {
  Meaning meaning;
  for (unsigned byte = 0; byte < 256; ++byte) meaning.symbol[byte] = static_cast<std::uint8_t>(byte);
  meaning.matches.fill(true);
  return meaning;
}

Meaning of_codes(Alphabet alphabet, bool bases_only) {
  if (alphabet == Alphabet::bytes) return of_bytes();
  Meaning meaning;
  const std::string_view letters = alphabet == Alphabet::dna ? dna::letters : protein::letters;
  for (std::size_t code = 0; code < letters.size(); ++code) {
    meaning.symbol[code] = static_cast<std::uint8_t>(letters[code]);
    meaning.matches[code] = !bases_only || code < 4;
  }
  return meaning;
}

std::vector<std::uint8_t> symbols_among(const Meaning& meaning, const std::array<bool, 256>& present,
                                        bool& has_breaks) {
  std::array<bool, 256> occurs{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!present[byte]) continue;
    if (meaning.matches[byte])
      occurs[meaning.symbol[byte]] = true;
    else
      has_breaks = true;
  }
  std::vector<std::uint8_t> symbols;
  for (unsigned symbol = 0; symbol < 256; ++symbol)
    if (occurs[symbol]) symbols.push_back(static_cast<std::uint8_t>(symbol));
  return symbols;
}

std::array<std::uint16_t, 256> codes_of(std::span<const std::uint8_t> alphabet, const Meaning& meaning) {
  std::array<std::uint16_t, 256> code_of{}, codes{};
  code_of.fill(break_code);
  for (std::size_t code = 0; code < alphabet.size(); ++code) code_of[alphabet[code]] = static_cast<std::uint16_t>(code);
  for (unsigned byte = 0; byte < 256; ++byte)
    codes[byte] = meaning.matches[byte] ? code_of[meaning.symbol[byte]] : break_code;
  return codes;
}

namespace {

using runtime::ceil_div;
using runtime::launch_items;

/// Places that a work-item packs.
constexpr std::uint64_t places_of_item = 32;

void check_size(std::uint64_t size) {
  if (size > Text::longest)
    throw InputError("a text of " + std::to_string(size) + " symbols: at most " + std::to_string(Text::longest));
}

/// The symbols that occur get codes in ascending order.
void number_symbols(Text::State& state, const Meaning& meaning, std::span<const std::uint32_t> present) {
  std::array<bool, 256> occurs{};
  for (unsigned byte = 0; byte < 256; ++byte) occurs[byte] = (present[byte / 32] >> byte % 32 & 1) != 0;
  state.alphabet = symbols_among(meaning, occurs, state.has_breaks);
  state.bits = bits_for(state.alphabet.size());
}

/// Which bytes there are, bit byte % 32 of word byte / 32. `usual`: four that most texts are made of.
std::vector<std::uint32_t> symbols_in(const Device& device, const runtime::Scratch& staged, std::uint64_t size,
                                      std::uint32_t usual) {
  runtime::ScratchArray<std::uint32_t> present(device, 8);
  present.fill(0);
  if (size != 0 && runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, size, 4096, 1 << 16);
    runtime::Kernel(device, "overlap/text/find_symbols.cl", "find_symbols", runtime::Defines().set("ONLY_CPU", 1))
        .args(staged, usual, present, size, shares.share)
        .run(shares.workers, 1, size);
  } else if (size != 0) {
    const unsigned group = runtime::group_size(device);
    const std::uint64_t most = 2 * runtime::groups_that_fill(device);
    runtime::Kernel(device, "overlap/text/find_symbols.cl", "find_symbols_gpu",
                    runtime::Defines().set("ONLY_GPU", 1).set("GROUP_SIZE", group))
        .args(staged, present, size)
        .run(std::min(ceil_div(size, std::uint64_t{16} * group), most), group, size);
  }
  return present.download();
}

/// `bytes` are staged as they are; `separators`: places that become breaks whatever stands there. `symbols`: those that
/// have codes, ascending; nullopt: those that occur.
void pack(Text::State& state, std::span<const std::uint8_t> bytes, const Meaning& meaning,
          std::span<const std::uint32_t> separators,
          std::optional<std::span<const std::uint8_t>> symbols = std::nullopt) {
  const Device& device = state.device;
  state.size = bytes.size();
  const std::uint64_t items = ceil_div(state.size, places_of_item);
  runtime::check_capacity(device, "a text", std::max<std::uint64_t>(bytes.size(), 64),
                          2 * std::uint64_t{bytes.size()} + bytes.size() / 8);
  // Whole items are read.
  const runtime::Scratch staged(device, std::max<std::uint64_t>(items, 1) * places_of_item);
  if (!bytes.empty()) runtime::upload(device, staged.buffer(), 0, bytes.data(), bytes.size());
  const std::uint32_t usual = meaning.symbol[0] == 'A' ? 0x03020100 : 0x54474341;  // codes 0 to 3, or ACGT
  if (symbols) {
    state.alphabet.assign(symbols->begin(), symbols->end());
    state.bits = bits_for(symbols->size());
    state.has_breaks = true;
  } else {
    number_symbols(state, meaning, symbols_in(device, staged, state.size, usual));
    state.has_breaks = state.has_breaks || !separators.empty();
  }
  const std::array<std::uint16_t, 256> codes = codes_of(state.alphabet, meaning);

  const std::uint64_t words = items * state.bits / 2;
  state.words = runtime::ScratchArray<std::uint64_t>(device, words + Text::State::margin_words);
  runtime::fill(device, state.words.buffer(), "\0", 1, state.words.bytes());
  state.breaks = runtime::ScratchArray<std::uint32_t>(device, state.has_breaks ? items + 6 : 1);
  state.breaks.fill(0);
  if (items == 0) return;
  const runtime::ItemLaunch launch{.items = items, .bytes = state.size + state.bytes(), .least = 64};
  cl_bool little_endian = CL_TRUE;
  device.opencl_device().getInfo(CL_DEVICE_ENDIAN_LITTLE, &little_endian);
  const runtime::Defines defines = state.defines().set("FIRST_HALF_IS_HIGH", little_endian == CL_TRUE ? 0 : 1);
  if (state.bits == 2) {
    std::uint32_t bytes_of_codes = 0, used = 0;
    for (std::uint32_t byte = 0; byte < 256; ++byte)
      if (const unsigned code = codes[byte]; code != break_code) {
        bytes_of_codes |= byte << 8 * code;
        used |= 0xffu << 8 * code;
      }
    launch_items(device, "overlap/text/pack.cl", "pack_bases", defines, launch, staged, state.size, bytes_of_codes,
                 used, state.words, state.breaks, items);
  } else {
    const Array<std::uint16_t> code_table(device, codes);
    launch_items(device, "overlap/text/pack.cl", "pack", defines, launch, staged, state.size, code_table, state.words,
                 state.breaks, items);
  }
  if (!separators.empty()) {
    const Array<std::uint32_t> places(device, separators);
    launch_items(device, "overlap/text/pack.cl", "break_at", defines,
                 {.items = separators.size(), .bytes = separators.size_bytes()}, places, state.words, state.breaks,
                 std::uint64_t{separators.size()});
  }
  device.finish();
}

/// Records one after the other, a place for a break behind each.
struct Staged {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> separators;
  std::vector<std::uint64_t> begins;

  void reserve(std::uint64_t symbols, std::size_t records) {
    check_size(symbols + records);
    bytes.reserve(symbols + records);
    separators.reserve(records);
    begins.reserve(records + 1);
  }
  void append(std::span<const std::uint8_t> record, std::uint8_t filler) {
    begins.push_back(bytes.size());
    bytes.insert(bytes.end(), record.begin(), record.end());
    separators.push_back(static_cast<std::uint32_t>(bytes.size()));
    bytes.push_back(filler);
  }
  void append_reverse_complement(std::span<const Code> record) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    begins.push_back(bytes.size());
    bytes.resize(bytes.size() + record.size());
    const std::span<Code> turned(bytes.data() + begins.back(), record.size());
    const std::size_t tasks = ceil_div(record.size(), piece);
    runtime::parallel_for(tasks, runtime::threads_for(tasks, 2), [&](std::size_t task) {
      const std::size_t first = task * piece, count = std::min(piece, record.size() - first);
      dna::reverse_complement(record.subspan(first, count), turned.subspan(record.size() - first - count, count));
    });
    separators.push_back(static_cast<std::uint32_t>(bytes.size()));
    bytes.push_back(0);
  }
};

}  // namespace

Text::Text(const Device& device, std::span<const std::uint8_t> bytes) {
  check_size(bytes.size());
  auto state = std::make_shared<State>(State{.device = device});
  pack(*state, bytes, of_bytes(), {});
  state->begins = {0, bytes.size()};
  state_ = std::move(state);
}

Text Text::concatenated(const Device& device, const SequenceSet& records) {
  check_size(records.residues());
  auto state = std::make_shared<State>(State{.device = device});
  pack(*state, records.codes(), of_codes(records.alphabet(), false), {});
  state->begins = {0, records.residues()};
  return Text(std::move(state));
}

Text Text::separated(const Device& device, std::span<const SequenceSet* const> sets, Letters letters) {
  Staged staged;
  std::uint64_t symbols = 0;
  std::size_t records = 0;
  for (const SequenceSet* set : sets) {
    if (set->alphabet() != sets.front()->alphabet()) throw InputError("sets of different alphabets in one text");
    symbols += set->residues();
    records += set->size();
  }
  staged.reserve(symbols, records);
  for (const SequenceSet* set : sets)
    for (std::size_t record = 0; record < set->size(); ++record) staged.append((*set)[record], 0);
  staged.begins.push_back(staged.bytes.size());
  const Alphabet alphabet = sets.empty() ? Alphabet::dna : sets.front()->alphabet();
  auto state = std::make_shared<State>(State{.device = device});
  pack(*state, staged.bytes, of_codes(alphabet, alphabet == Alphabet::dna && letters == Letters::bases),
       staged.separators);
  state->begins = std::move(staged.begins);
  return Text(std::move(state));
}

Text Text::separated(const Device& device, std::span<const std::span<const std::uint8_t>> records) {
  Staged staged;
  std::uint64_t symbols = 0;
  for (const std::span<const std::uint8_t> record : records) symbols += record.size();
  staged.reserve(symbols, records.size());
  // Something that occurs anyway, so that no symbol is added.
  std::uint8_t filler = 0;
  for (const std::span<const std::uint8_t> record : records)
    if (!record.empty()) filler = record.front();
  for (const std::span<const std::uint8_t> record : records) staged.append(record, filler);
  staged.begins.push_back(staged.bytes.size());
  auto state = std::make_shared<State>(State{.device = device});
  pack(*state, staged.bytes, of_bytes(), staged.separators);
  state->begins = std::move(staged.begins);
  return Text(std::move(state));
}

std::shared_ptr<const Text::State> coded_as(const Text::State& coding, const Device& device, const SequenceSet& records,
                                            bool both_strands) {
  Staged staged;
  const std::uint64_t strands = both_strands ? 2 : 1;
  staged.reserve(strands * records.residues(), strands * records.size());
  for (std::size_t record = 0; record < records.size(); ++record) {
    staged.append(records[record], 0);
    if (both_strands) staged.append_reverse_complement(records[record]);
  }
  staged.begins.push_back(staged.bytes.size());
  auto state = std::make_shared<Text::State>(Text::State{.device = device});
  pack(*state, staged.bytes, of_codes(records.alphabet(), false), staged.separators, coding.alphabet);
  state->begins = std::move(staged.begins);
  return state;
}

unsigned bits_for(std::size_t symbols) { return symbols <= 4 ? 2 : symbols <= 16 ? 4 : 8; }

std::vector<std::uint8_t> symbols_of(Alphabet alphabet, Letters letters) {
  const Meaning meaning = of_codes(alphabet, alphabet == Alphabet::dna && letters == Letters::bases);
  std::vector<std::uint8_t> symbols;
  for (unsigned byte = 0; byte < 256; ++byte)
    if (meaning.matches[byte]) symbols.push_back(meaning.symbol[byte]);
  std::ranges::sort(symbols);
  return symbols;
}

std::shared_ptr<Text::State> coded_by(std::span<const std::uint8_t> symbols, const Device& device, Alphabet alphabet,
                                      std::span<const std::uint8_t> codes, std::span<const std::uint32_t> separators) {
  check_size(codes.size());
  auto state = std::make_shared<Text::State>(Text::State{.device = device});
  pack(*state, codes, of_codes(alphabet, false), separators, symbols);
  state->begins = {0, codes.size()};
  return state;
}

const Device& Text::device() const noexcept { return state_->device; }
std::uint64_t Text::size() const noexcept { return state_->size; }
unsigned Text::bits() const noexcept { return state_->bits; }
bool Text::has_breaks() const noexcept { return state_->has_breaks; }
std::span<const std::uint8_t> Text::alphabet() const noexcept { return state_->alphabet; }
std::span<const std::uint64_t> Text::begins() const noexcept { return state_->begins; }

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
