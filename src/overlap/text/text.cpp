// Brings texts to a device: they are staged as bytes and packed there.
#include "genocl/overlap/text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/symbol_codes.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
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

}  // namespace genocl::overlap
