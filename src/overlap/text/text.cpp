#include "overlap/text/text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "genocl/opencl.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

using runtime::ceil_div;
using runtime::launch_items;

constexpr std::uint16_t separator_code = 256;
/// Positions of a work-item of the packing kernels, and of a word of separators.
constexpr std::uint64_t item_positions = 32;
/// Positions of a task of a host thread, whole words of separators.
constexpr std::uint64_t block_positions = std::uint64_t{1} << 20;

void check_size(std::uint64_t size) {
  if (size > Text::longest)
    throw InputError("a text of " + std::to_string(size) + " symbols: at most " + std::to_string(Text::longest));
}

/// Calls `task(first)` for each block of [0, size) on the host's threads.
template <class Task>
void for_each_block(std::uint64_t size, const Task& task) {
  const std::uint64_t blocks = ceil_div(size, block_positions);
  runtime::parallel_for(blocks, runtime::threads_for(blocks, 1),
                        [&](std::size_t block) { task(block * block_positions); });
}

/// The bytes that occur in the uploaded text. `usual`: four bytes that most texts consist of.
std::array<bool, 256> bytes_on_device(const Device& device, const runtime::Scratch& bytes, std::uint64_t size,
                                      std::uint32_t usual) {
  runtime::ScratchArray<std::uint32_t> present(device, 8);
  present.fill(0);
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, size, 4096, 1 << 16);
    runtime::Kernel(device, "overlap/text/find_symbols.cl", "find_symbols", runtime::Defines().set("ONLY_CPU", 1))
        .args(bytes, usual, present, size, shares.share)
        .run(shares.workers, 1, size);
  } else {
    const unsigned group = runtime::group_size(device);
    const std::uint64_t most = 2 * runtime::groups_that_fill(device);
    runtime::Kernel(device, "overlap/text/find_symbols.cl", "find_symbols_gpu",
                    runtime::Defines().set("ONLY_GPU", 1).set("GROUP_SIZE", group))
        .args(bytes, present, size)
        .run(std::min(ceil_div(size, std::uint64_t{16} * group), most), group, size);
  }
  const std::vector<std::uint32_t> words = present.download();
  std::array<bool, 256> occurs{};
  for (unsigned byte = 0; byte < 256; ++byte) occurs[byte] = (words[byte / 32] >> byte % 32 & 1) != 0;
  return occurs;
}

/// Packs uploaded bytes, without separators.
void pack_bytes(Text::State& state, const runtime::Scratch& bytes, const std::array<std::uint16_t, 256>& codes,
                const runtime::Defines& defines) {
  const std::uint64_t items = ceil_div(state.size, item_positions);
  const runtime::ItemLaunch launch{.items = items, .bytes = state.size + state.bytes(), .least = 64};
  if (state.bits == 2) {
    std::uint32_t bytes_of_codes = 0, used = 0;
    for (std::uint32_t byte = 0; byte < 256; ++byte)
      if (const unsigned code = codes[byte]; code != separator_code) {
        bytes_of_codes |= byte << 8 * code;
        used |= 0xffu << 8 * code;
      }
    launch_items(state.device(), "overlap/text/pack.cl", "pack_bases", defines, launch, bytes, state.size,
                 bytes_of_codes, used, state.words, state.separators, items);
  } else {
    const Array<std::uint16_t> code_table(state.device(), codes);
    launch_items(state.device(), "overlap/text/pack.cl", "pack", defines, launch, bytes, state.size, code_table,
                 state.words, state.separators, items);
  }
}

}  // namespace

unsigned bits_for(std::size_t symbols) { return symbols <= 4 ? 2 : symbols <= 16 ? 4 : 8; }

std::vector<std::uint8_t> symbols_of(Alphabet alphabet, Letters letters) {
  std::vector<std::uint8_t> symbols;
  if (alphabet == Alphabet::bytes) {
    for (unsigned byte = 0; byte < 256; ++byte) symbols.push_back(static_cast<std::uint8_t>(byte));
    return symbols;
  }
  const bool only_bases = alphabet == Alphabet::dna && letters == Letters::bases;
  const std::string_view all = alphabet == Alphabet::dna ? dna::letters : protein::letters;
  for (const char letter : only_bases ? all.substr(0, 4) : all) symbols.push_back(static_cast<std::uint8_t>(letter));
  std::ranges::sort(symbols);
  return symbols;
}

Text::State::State(const Placement& where, TextShape shape) : TextShape(std::move(shape)) {
  if (where.is_host()) {
    runtime::check_host_memory("a text of " + std::to_string(size) + " symbols", bytes());
    host_words.resize(words_needed());
    host_separators.resize(separator_words_needed());
    return;
  }
  placement = where.device();
  words = runtime::ScratchArray<std::uint64_t>(*placement, words_needed());
  separators = runtime::ScratchArray<std::uint32_t>(*placement, separator_words_needed());
}

std::shared_ptr<const Text::State> stored(const Placement& where, TextShape shape, std::span<const std::uint64_t> words,
                                          std::span<const std::uint32_t> separators) {
  if (!where.is_host())
    runtime::check_capacity(where.device(), "a text", std::max(words.size_bytes(), separators.size_bytes()),
                            words.size_bytes() + separators.size_bytes());
  auto state = std::make_shared<Text::State>(where, std::move(shape));
  if (where.is_host()) {
    std::ranges::copy(words, state->host_words.begin());
    std::ranges::copy(separators, state->host_separators.begin());
  } else {
    state->words.upload(words);
    state->separators.upload(separators);
  }
  return state;
}

TextPacker::TextPacker(Alphabet alphabet, bool bases_only) : letters_are_codes_(alphabet != Alphabet::bytes) {
  if (!letters_are_codes_) {
    for (unsigned byte = 0; byte < 256; ++byte) symbol_[byte] = static_cast<std::uint8_t>(byte);
    matches_.fill(true);
    return;
  }
  const std::string_view letters = alphabet == Alphabet::dna ? dna::letters : protein::letters;
  for (std::size_t code = 0; code < letters.size(); ++code) {
    symbol_[code] = static_cast<std::uint8_t>(letters[code]);
    matches_[code] = alphabet != Alphabet::dna || !bases_only || code < 4;
  }
}

void TextPacker::append(std::span<const std::uint8_t> letters, bool reverse) {
  if (letters.empty()) return;
  parts_.push_back({size_, letters, reverse});
  size_ += letters.size();
}

void TextPacker::append_records(const SequenceSet& set, bool both_strands) {
  for (std::size_t record = 0; record < set.size(); ++record)
    for (const bool reverse : {false, true}) {
      if (reverse && !both_strands) continue;
      append(set[record], reverse);
      end_record();
    }
}

template <class Take>
void TextPacker::for_each_part(std::uint64_t first, std::uint64_t end, const Take& take) const {
  auto part = std::ranges::upper_bound(parts_, first, {}, &Part::begin);
  for (part = part == parts_.begin() ? part : part - 1; part != parts_.end() && part->begin < end; ++part) {
    const std::uint64_t from = std::max(first, part->begin), to = std::min(end, part->begin + part->letters.size());
    if (from >= to) continue;
    const std::uint64_t within = part->reverse ? part->begin + part->letters.size() - to : from - part->begin;
    take(part->letters.subspan(within, to - from), part->reverse, from - first);
  }
}

TextShape TextPacker::shape_of(const std::array<bool, 256>& present) const {
  TextShape shape{.size = size_, .has_separators = !separators_.empty() || symbols_.has_value()};
  if (symbols_) {
    shape.alphabet = *symbols_;
  } else {
    std::array<bool, 256> occurs{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!present[byte]) continue;
      occurs[symbol_[byte]] |= matches_[byte];
      shape.has_separators |= !matches_[byte];
    }
    for (unsigned symbol = 0; symbol < 256; ++symbol)
      if (occurs[symbol]) shape.alphabet.push_back(static_cast<std::uint8_t>(symbol));
  }
  shape.bits = bits_for(shape.alphabet.size());
  shape.begins = {0};
  for (const std::uint64_t separator : separators_) shape.begins.push_back(separator + 1);
  if (shape.begins.back() != size_) shape.begins.push_back(size_);
  return shape;
}

std::array<bool, 256> TextPacker::bytes_present() const {
  std::array<std::atomic<bool>, 256> present{};
  for_each_block(size_, [&](std::uint64_t first) {
    std::array<std::array<bool, 256>, 2> own{};
    for_each_part(first, first + block_positions, [&](std::span<const std::uint8_t> letters, bool reverse, auto) {
      for (const std::uint8_t letter : letters) own[reverse ? 1 : 0][letter] = true;
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

std::array<std::uint16_t, 256> TextPacker::codes_of(std::span<const std::uint8_t> alphabet) const {
  std::array<std::uint16_t, 256> code_of{}, codes{};
  code_of.fill(separator_code);
  for (std::size_t code = 0; code < alphabet.size(); ++code) code_of[alphabet[code]] = static_cast<std::uint16_t>(code);
  for (unsigned byte = 0; byte < 256; ++byte) codes[byte] = matches_[byte] ? code_of[symbol_[byte]] : separator_code;
  return codes;
}

std::shared_ptr<const Text::State> TextPacker::pack(const Placement& where) const {
  return where.is_host() ? pack_on_host() : pack_on_device(where.device());
}

std::shared_ptr<const Text::State> TextPacker::pack_on_host() const {
  auto state = std::make_shared<Text::State>(on_host, shape_of(symbols_ ? std::array<bool, 256>{} : bytes_present()));
  const std::array<std::uint16_t, 256> codes = codes_of(state->alphabet);
  for_each_block(size_, [&](std::uint64_t first) { pack_block(*state, codes, first); });
  return state;
}

void TextPacker::pack_block(Text::State& state, const std::array<std::uint16_t, 256>& codes,
                            std::uint64_t first) const {
  const std::uint64_t end = std::min(size_, first + block_positions);
  std::vector<std::uint16_t> block(runtime::round_up(end - first, item_positions), 0);
  for_each_part(first, end, [&](std::span<const std::uint8_t> letters, bool reverse, std::uint64_t at) {
    const std::size_t count = letters.size();
    for (std::size_t i = 0; i < count; ++i)
      block[at + i] = codes[reverse ? dna::complement(letters[count - 1 - i]) : letters[i]];
  });
  for (auto separator = std::ranges::lower_bound(separators_, first);
       separator != separators_.end() && *separator < end; ++separator)
    block[*separator - first] = separator_code;
  pack_codes(
      block.size(), state.bits,
      [&](std::uint64_t i) { return block[i] == separator_code ? std::uint64_t{0} : block[i]; },
      state.host_words.data() + first / state.symbols_per_word());
  if (!state.has_separators) return;
  for (std::size_t i = 0; i < block.size(); i += item_positions) {
    std::uint32_t separators = 0;
    for (unsigned k = 0; k < item_positions; ++k)
      separators = separators << 1 | (block[i + k] == separator_code ? 1u : 0u);
    state.host_separators[(first + i) / item_positions] = separators;
  }
}

/// Uploads the letters in whole items. A letter that occurs replaces each separator.
runtime::Scratch TextPacker::upload(const Device& device) const {
  const std::uint64_t items = std::max<std::uint64_t>(ceil_div(size_, item_positions), 1);
  runtime::Scratch bytes(device, items * item_positions);
  if (parts_.size() == 1 && separators_.empty() && !parts_.front().reverse) {
    runtime::upload(device, bytes.buffer(), 0, parts_.front().letters.data(), size_);
  } else if (size_ != 0) {
    std::uint8_t filler = 0;
    if (!parts_.empty()) filler = parts_.front().letters.front();
    if (!parts_.empty() && parts_.front().reverse) filler = dna::complement(filler);
    std::vector<std::uint8_t> staged(size_, filler);
    for_each_block(size_, [&](std::uint64_t first) {
      for_each_part(first, std::min(size_, first + block_positions),
                    [&](std::span<const std::uint8_t> letters, bool reverse, std::uint64_t at) {
                      if (reverse)
                        dna::reverse_complement(letters, std::span(staged).subspan(first + at, letters.size()));
                      else
                        std::ranges::copy(letters, staged.begin() + static_cast<std::ptrdiff_t>(first + at));
                    });
    });
    runtime::upload(device, bytes.buffer(), 0, staged.data(), size_);
  }
  return bytes;
}

std::shared_ptr<const Text::State> TextPacker::pack_on_device(const Device& device) const {
  check_size(size_);
  runtime::check_capacity(device, "a text", std::max<std::uint64_t>(size_, 64), 2 * size_ + size_ / 8);
  const runtime::Scratch bytes = upload(device);
  const std::uint32_t usual = letters_are_codes_ ? 0x03020100 : 0x54474341;  // codes 0 to 3, or ACGT
  std::array<bool, 256> present{};
  if (!parts_.empty() && !symbols_) present = bytes_on_device(device, bytes, size_, usual);
  auto state = std::make_shared<Text::State>(device, shape_of(present));
  runtime::fill(device, state->words.buffer(), "\0", 1, state->words.bytes());
  state->separators.fill(0);
  if (size_ == 0) return state;
  cl_bool little_endian = CL_TRUE;
  device.opencl_device().getInfo(CL_DEVICE_ENDIAN_LITTLE, &little_endian);
  const runtime::Defines defines = state->defines().set("FIRST_HALF_IS_HIGH", little_endian == CL_TRUE ? 0 : 1);
  pack_bytes(*state, bytes, codes_of(state->alphabet), defines);
  if (!separators_.empty()) {
    const std::vector<std::uint32_t> narrow(separators_.begin(), separators_.end());
    const Array<std::uint32_t> places(device, std::span<const std::uint32_t>(narrow));
    launch_items(device, "overlap/text/pack.cl", "separate_at", defines,
                 {.items = narrow.size(), .bytes = places.bytes()}, places, state->words, state->separators,
                 std::uint64_t{narrow.size()});
  }
  device.finish();
  return state;
}

std::uint64_t RecordLocator::record(std::uint64_t position) {
  if (begins_[last_] <= position) {
    if (position < begins_[last_ + 1]) return last_;
    if (last_ + 2 < begins_.size() && position < begins_[last_ + 2]) return ++last_;
  }
  last_ = static_cast<std::uint64_t>(std::ranges::upper_bound(begins_, position) - begins_.begin()) - 1;
  return last_;
}

Array<std::uint32_t> upload_begins(const Text::State& text) {
  const std::vector<std::uint32_t> begins(text.begins.begin(), text.begins.end());
  return Array<std::uint32_t>(text.device(), std::span<const std::uint32_t>(begins));
}

std::shared_ptr<const Text::State> pack_as(const TextShape& coding, const Device& device, const SequenceSet& records,
                                           bool both_strands) {
  TextPacker packer(records.alphabet(), false);
  packer.restrict_to(coding.alphabet);
  packer.append_records(records, both_strands);
  return packer.pack(device);
}

namespace {

std::shared_ptr<const Text::State> separated_state(const Placement& where, std::span<const SequenceSet* const> sets,
                                                   const TextOptions& options) {
  const Alphabet alphabet = sets.empty() ? Alphabet::dna : sets.front()->alphabet();
  if (options.both_strands && alphabet != Alphabet::dna) throw InputError("both strands: expected a text of DNA");
  TextPacker packer(alphabet, options.letters == Letters::bases);
  for (const SequenceSet* set : sets) {
    if (set->alphabet() != alphabet) throw InputError("sets of different alphabets in one text");
    packer.append_records(*set, options.both_strands);
  }
  return packer.pack(where);
}

std::shared_ptr<const Text::State> whole_state(const Placement& where, std::span<const std::uint8_t> letters,
                                               Alphabet alphabet) {
  TextPacker packer(alphabet, false);
  packer.append(letters);
  return packer.pack(where);
}

}  // namespace

Text::Text(const Placement& where, std::span<const std::uint8_t> bytes)
    : state_(whole_state(where, bytes, Alphabet::bytes)) {}

Text Text::concatenated(const Placement& where, const SequenceSet& records) {
  return Text(whole_state(where, records.codes(), records.alphabet()));
}

Text Text::separated(const Placement& where, std::span<const SequenceSet* const> sets, const TextOptions& options) {
  return Text(separated_state(where, sets, options));
}

Text Text::separated(const Placement& where, const RecordsView& records, const TextOptions& options) {
  if (const SequenceSet* const set = records.set()) return separated(where, std::span(&set, 1), options);
  if (options.both_strands) throw InputError("both strands: expected a text of DNA");
  TextPacker packer(Alphabet::bytes, false);
  for (const std::span<const std::uint8_t> record : records.strings()) {
    packer.append(record);
    packer.end_record();
  }
  return Text(packer.pack(where));
}

Text Text::copy_to(const Placement& where) const {
  const State& from = *state_;
  if (where.is_host() ? is_on_host() : !is_on_host() && from.device() == where.device()) return *this;
  if (is_on_host()) return Text(stored(where, from, from.host_words, from.host_separators));
  return Text(stored(where, from, from.words.download(), from.separators.download()));
}

bool Text::is_on_host() const noexcept { return !state_->placement; }
const Device& Text::device() const { return state_->device(); }
std::uint64_t Text::size() const noexcept { return state_->size; }
unsigned Text::bits() const noexcept { return state_->bits; }
bool Text::has_separators() const noexcept { return state_->has_separators; }
std::span<const std::uint8_t> Text::alphabet() const noexcept { return state_->alphabet; }
std::span<const std::uint64_t> Text::begins() const noexcept { return state_->begins; }
std::uint64_t Text::bytes() const noexcept { return state_->bytes(); }

}  // namespace genocl::overlap
