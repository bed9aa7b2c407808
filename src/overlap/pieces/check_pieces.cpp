// first_error() of arrays in host memory, piece by piece.
#include "overlap/pieces/sort_in_pieces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/text/text.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using runtime::ScratchArray;

constexpr const char* const check_pieces_file = "overlap/pieces/piece_check.cl";
constexpr std::uint32_t none = 0xffff'ffffu;
/// Maximum positions that are checked at a time.
constexpr std::uint64_t max_checked = std::uint64_t{1} << 26;

class Check {
 public:
  Check(const Device& device, std::shared_ptr<const Text::State> text, const PositionSource& source,
        std::uint64_t piece)
      : device_(device),
        text_(std::move(text)),
        source_(source),
        size_(text_->size),
        piece_(std::min(piece, size_)),
        symbols_(text_->alphabet.size()),
        ends_(symbols_),
        next_(symbols_),
        positions_(device, piece_),
        expected_(device, piece_),
        codes_(device, piece_),
        order_(device, piece_),
        wrong_(device, 2) {}

  std::optional<std::uint64_t> find(const Progress& progress) {
    count_symbols();
    if (const std::optional<std::uint64_t> error = check_last()) return error;
    for (std::uint64_t first = 0; first < size_; first += piece_) {
      const std::uint64_t count = std::min(piece_, size_ - first);
      if (const std::optional<std::uint64_t> error = check(first, count)) return error;
      const double done = static_cast<double>(first + count) / static_cast<double>(size_);
      if (progress && !progress({done, first + count, size_})) throw Cancelled();
    }
    return std::nullopt;
  }

 private:
  template <class... Arguments>
  void launch(const char* name, std::uint64_t count, unsigned bytes, const Arguments&... arguments) {
    launch_items(device_, check_pieces_file, name, text_->defines().set("NO_SYMBOL", symbols_),
                 {.items = count, .bytes = count * bytes}, arguments..., count);
  }

  /// [symbol]: its number in codes[0, count); the last element counts separators.
  std::vector<std::uint32_t> counted(std::uint64_t count) {
    Array<std::uint32_t> counts(device_, symbols_ + 1);
    primitives::histogram(device_, codes_.first(count), counts);
    return counts.download();
  }

  /// The ranks of the suffixes that begin with each symbol, after those that begin with a separator.
  void count_symbols() {
    std::vector<std::uint64_t> counts(symbols_ + 1, 0);
    for (std::uint64_t first = 0; first < size_; first += piece_) {
      const std::uint64_t count = std::min(piece_, size_ - first);
      launch("check_symbols", count, 5, text_->words, text_->separators, first, codes_);
      const std::vector<std::uint32_t> found = counted(count);
      for (std::size_t symbol = 0; symbol <= symbols_; ++symbol) counts[symbol] += found[symbol];
    }
    breaks_ = counts[symbols_];
    std::uint64_t begin = breaks_;
    for (std::size_t symbol = 0; symbol < symbols_; ++symbol) {
      next_[symbol] = begin;
      ends_[symbol] = begin += counts[symbol];
    }
  }

  /// The text's last symbol is the first suffix that begins with it.
  std::optional<std::uint64_t> check_last() {
    launch("check_symbols", 1, 5, text_->words, text_->separators, size_ - 1, codes_);
    std::uint32_t last = 0;
    codes_.download(std::span(&last, 1));
    if (last == symbols_) return std::nullopt;
    const std::uint64_t place = next_[last]++;
    std::uint64_t position = 0;
    source_(place, std::span(&position, 1));
    if (position != size_ - 1) return place;
    return std::nullopt;
  }

  std::optional<std::uint64_t> check(std::uint64_t first, std::uint64_t count) {
    host_.resize(count);
    source_(first, host_);
    positions_.upload(host_);
    wrong_.fill(none);
    const std::uint64_t separators_left = breaks_ - std::min(breaks_, first);
    launch("check_before", count, 20, text_->words, text_->separators, size_, positions_, last_, first != 0 ? 1u : 0u,
           separators_left, codes_, order_, wrong_);
    last_ = host_.back();
    std::array<std::uint32_t, 2> wrong{};
    wrong_.download(wrong);
    if (wrong[0] != none) return first + wrong[0];

    const std::vector<std::uint32_t> counts = counted(count);
    const Span<std::uint32_t> codes = codes_.first(count);
    const Span<std::uint32_t> order = order_.first(count);
    primitives::sort(device_, codes, order, {.last_bit = static_cast<unsigned>(std::bit_width(symbols_))});
    std::vector<std::uint64_t> begins(symbols_ + 1, 0);
    std::uint64_t listed = 0;
    for (std::size_t symbol = 0; symbol < symbols_; ++symbol) {
      begins[symbol] = listed;
      const std::uint64_t here = counts[symbol];
      if (here == 0) continue;
      if (next_[symbol] + here > ends_[symbol]) return ends_[symbol] - 1;
      host_.resize(here);
      source_(next_[symbol], host_);
      expected_.upload(host_, listed);
      listed += here;
    }
    if (listed == 0) return std::nullopt;
    launch("check_longer", listed, 20, positions_, order_, expected_, wrong_);
    wrong_.download(wrong);
    for (std::size_t symbol = symbols_; wrong[1] != none && symbol-- > 0;)
      if (counts[symbol] != 0 && begins[symbol] <= wrong[1]) return next_[symbol] + wrong[1] - begins[symbol];
    for (std::size_t symbol = 0; symbol < symbols_; ++symbol) next_[symbol] += counts[symbol];
    return std::nullopt;
  }

  const Device& device_;
  std::shared_ptr<const Text::State> text_;
  const PositionSource& source_;
  std::uint64_t size_, piece_;
  std::size_t symbols_;
  std::vector<std::uint64_t> ends_, next_;  // [symbol]: the end of its suffixes, and of the checked ones
  std::uint64_t breaks_ = 0, last_ = 0;
  ScratchArray<std::uint64_t> positions_, expected_;
  ScratchArray<std::uint32_t> codes_, order_, wrong_;
  std::vector<std::uint64_t> host_;
};

template <class Position>
std::optional<std::uint64_t> error_of(const Device& device, const Text& text, std::span<const Position> positions) {
  return first_error(device, text, positions.size(), [positions](std::uint64_t first, std::span<std::uint64_t> some) {
    std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
  });
}

}  // namespace

namespace pieces {

std::optional<std::uint64_t> first_error(const Device& device, const Text& text, const PositionSource& positions,
                                         std::uint64_t piece, const Progress& progress) {
  if (text.size() == 0) return std::nullopt;
  // Positions, expected positions, symbols with order, and the scratch memory of their sort.
  const auto needed = [&](std::uint64_t count) {
    return text.bytes() + 24 * count + primitives::sort_scratch_bytes<std::uint32_t>(device, count, true);
  };
  // Nine tenths of the memory: counting takes some, and the pool keeps buffers of earlier sizes.
  std::uint64_t count = std::min(text.size(), piece);
  while (count > 4096 && needed(count) > runtime::usable_memory(device) / 10 * 9) count /= 2;
  runtime::check_capacity(device, "checking a suffix array", std::max(text.bytes(), 8 * count), needed(count));
  return Check(device, runtime::shared_state_of(text.copy_to(device)), positions, count).find(progress);
}

}  // namespace pieces

std::optional<std::uint64_t> first_error(const Device& device, const Text& text, std::uint64_t count,
                                         const PositionSource& positions, const Progress& progress) {
  if (count != text.size())
    throw InputError("a suffix array of " + std::to_string(count) + " positions for a text of " +
                     std::to_string(text.size()));
  return pieces::first_error(device, text, positions, max_checked, progress);
}

std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                         std::span<const std::uint64_t> positions) {
  return error_of(device, text, positions);
}

std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                         std::span<const std::uint32_t> positions) {
  return error_of(device, text, positions);
}

}  // namespace genocl::overlap
