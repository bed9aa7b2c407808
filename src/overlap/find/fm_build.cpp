// The arrays of an FM-index, from a suffix array.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/find/fm_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* build_file = "overlap/find/fm_build.cl";

/// How often each letter occurs; [4]: separators.
std::array<std::uint64_t, 5> symbol_numbers(const Text& text) {
  const Text on_the_host = text.copy_to(on_host);
  const Text::State& state = runtime::state_of(on_the_host);
  std::array<std::uint64_t, 5> numbers{};
  constexpr std::uint64_t low_bits = 0x5555'5555'5555'5555u;
  // The code of a separator, and after the end, is 0.
  for (const std::uint64_t word : state.host_words) {
    const std::uint64_t low = word & low_bits, high = word >> 1 & low_bits;
    numbers[1] += static_cast<unsigned>(std::popcount(low & ~high));
    numbers[2] += static_cast<unsigned>(std::popcount(high & ~low));
    numbers[3] += static_cast<unsigned>(std::popcount(high & low));
  }
  if (state.has_separators)
    for (const std::uint32_t word : state.host_separators) numbers[4] += static_cast<unsigned>(std::popcount(word));
  numbers[0] = state.size - numbers[1] - numbers[2] - numbers[3] - numbers[4];
  return numbers;
}

}  // namespace

FmBuilder::FmBuilder(const Text& text) : text_(text) {
  const Device& device = text.device();
  if (text.bits() != 2)
    throw InputError("an FM-index of a text of " + std::to_string(text.alphabet().size()) + " symbols", {}, {},
                     "at most 4, as DNA of A, C, G and T");
  const std::array<std::uint64_t, 5> numbers = symbol_numbers(text);
  skipped_ = numbers[4];
  arrays_.rows = text.size() - skipped_;
  std::uint64_t row = 0;
  for (std::size_t letter = 0; letter < 4; ++letter) {
    arrays_.firsts[letter] = static_cast<std::uint32_t>(row);
    row += numbers[letter];
  }
  arrays_.firsts[4] = static_cast<std::uint32_t>(row);
  const std::uint64_t blocks = arrays_.block_count(), part = std::min(blocks, part_rows / fm_rows + 1);
  const std::uint64_t block_bytes = blocks * fm_words * 8, samples = runtime::ceil_div(arrays_.rows, fm_sample);
  runtime::check_capacity(device, "an FM-index", block_bytes, block_bytes + 4 * (blocks + samples) + 40 * part);
  arrays_.blocks = Array<std::uint64_t>(device, blocks * fm_words);
  arrays_.skips = Array<std::uint32_t>(device, blocks + 1);
  arrays_.samples = Array<std::uint32_t>(device, std::max<std::uint64_t>(1, samples));
}

void FmBuilder::add(const Array<std::uint32_t>& positions, std::uint64_t offset, std::uint64_t rows) {
  const Device& device = text_.device();
  const Text::State& text = runtime::state_of(text_);
  const bool is_last = taken_ + rows == arrays_.rows;
  const std::uint64_t blocks = is_last ? arrays_.block_count() - taken_ / fm_rows : rows / fm_rows;
  Array<std::uint32_t> numbers(device, 5 * blocks), sums(device, 5 * blocks);
  const runtime::ItemLaunch launch{.items = blocks, .bytes = rows * 9, .least = 16};
  runtime::launch_items(device, build_file, "fill_blocks", text.defines(), launch, text.words, text.separators,
                        positions, offset, taken_, rows, arrays_.blocks, arrays_.samples, numbers, blocks);
  std::array<std::uint32_t, 5> here{};
  for (std::size_t c = 0; c < 5; ++c) {
    primitives::exclusive_scan(device, numbers.subspan(c * blocks, blocks), sums.subspan(c * blocks, blocks));
    std::uint32_t last = 0, last_sum = 0;
    numbers.download(std::span(&last, 1), c * blocks + blocks - 1);
    sums.download(std::span(&last_sum, 1), c * blocks + blocks - 1);
    here[c] = last + last_sum;
  }
  const Array<std::uint32_t> before(device, std::span<const std::uint32_t>(before_));
  runtime::launch_items(device, build_file, "fill_ranks", text.defines(), {.items = blocks, .bytes = blocks * 40}, sums,
                        before, taken_, arrays_.blocks, arrays_.skips, blocks);
  if (here[4] != 0) {
    Array<std::uint32_t> skip_rows(device, here[4]), skip_positions(device, here[4]), begins(device, blocks);
    begins.copy_from(sums, blocks, 4 * blocks);
    runtime::launch_items(device, build_file, "list_skips", text.defines(), launch, text.separators, positions, offset,
                          taken_, rows, begins, skip_rows, skip_positions, blocks);
    const std::vector<std::uint32_t> more_rows = skip_rows.download(), more = skip_positions.download();
    skip_rows_.insert(skip_rows_.end(), more_rows.begin(), more_rows.end());
    skip_positions_.insert(skip_positions_.end(), more.begin(), more.end());
  }
  for (std::size_t c = 0; c < 5; ++c) before_[c] += here[c];
  taken_ += rows;
}

FmArrays FmBuilder::finish() {
  const Device& device = text_.device();
  if (taken_ == 0) add(Array<std::uint32_t>(device, 1), 0, 0);
  // The suffixes that a separator or the end follows at once are the first of their letter.
  std::array<std::uint32_t, 4> bases{};
  for (std::size_t c = 0; c < 4; ++c) bases[c] = arrays_.firsts[c + 1] - before_[c];
  const Array<std::uint32_t> on_device(device, std::span<const std::uint32_t>(bases));
  const std::uint64_t blocks = arrays_.block_count();
  runtime::launch_items(device, build_file, "add_bases", runtime::state_of(text_).defines(),
                        {.items = blocks, .bytes = blocks * 32}, on_device, arrays_.blocks, blocks);
  arrays_.skips.upload(std::span<const std::uint32_t>(&before_[4], 1), blocks);
  if (skip_rows_.empty()) skip_rows_.assign(1, 0), skip_positions_.assign(1, 0);
  arrays_.skip_rows = Array<std::uint32_t>(device, std::span<const std::uint32_t>(skip_rows_));
  arrays_.skip_positions = Array<std::uint32_t>(device, std::span<const std::uint32_t>(skip_positions_));
  device.finish();
  return std::move(arrays_);
}

}  // namespace genocl::overlap
