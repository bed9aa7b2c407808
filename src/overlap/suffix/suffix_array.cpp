#include "genocl/overlap/suffix_array.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/suffix/build.hpp"
#include "runtime/access.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

namespace {

constexpr runtime::Names<Algorithm, 4> names = {{{Algorithm::automatic, "auto"},
                                                 {Algorithm::dc3, "dc3"},
                                                 {Algorithm::hybrid, "hybrid"},
                                                 {Algorithm::published, "published"}}};

}  // namespace

std::string_view to_string(Algorithm algorithm) noexcept { return runtime::name_of(names, algorithm); }

Algorithm algorithm_named(std::string_view name) { return runtime::value_named(names, "suffix array algorithm", name); }

struct SuffixArray::State {
  Text text;
  Array<std::uint32_t> positions;
  BuildReport report;

  void build(const SuffixArrayOptions& options);
};

namespace {

/// Text::State allocates so much.
std::uint64_t text_bytes(std::uint64_t size, unsigned bits, bool has_breaks) {
  const std::uint64_t blocks = runtime::ceil_div(size, 32);
  return (blocks * bits / 2 + Text::State::margin_words) * 8 + (has_breaks ? (blocks + 6) * 4 : 4);
}

std::uint64_t scratch_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks,
                            Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::dc3:
      return dc3_bytes(device, size, bits, has_breaks);
    case Algorithm::published:
      return published_bytes(device, size);
    default:
      return hybrid_bytes(device, size, bits, has_breaks);
  }
}

/// `size` elements in the memory of `old` where that is enough.
Array<std::uint32_t> in_place_of(const Device& device, Array<std::uint32_t>& old, std::size_t size) {
  if (runtime::may_swap_memory(old, device)) {
    runtime::Memory memory;
    runtime::swap_memory(old, memory);
    if (memory.bytes >= size * sizeof(std::uint32_t)) {
      auto array = Array<std::uint32_t>::adopt(device, *memory.buffer, size);
      runtime::swap_memory(array, memory);
      return array;
    }
  }
  old = {};
  return Array<std::uint32_t>(device, size);
}

}  // namespace

void SuffixArray::State::build(const SuffixArrayOptions& options) {
  const Text::State& state = text.state();
  const Device& device = state.device;
  report = {};
  report.algorithm = options.algorithm == Algorithm::automatic ? Algorithm::hybrid : options.algorithm;
  const std::uint64_t scratch = scratch_bytes(device, state.size, state.bits, state.has_breaks, report.algorithm);
  report.peak_bytes = text_bytes(state.size, state.bits, state.has_breaks) + 4 * state.size + scratch;
  const std::uint64_t held =
      runtime::may_swap_memory(positions, device) && positions.size() >= state.size ? 0 : 4 * state.size;
  try {
    runtime::check_capacity(device, "a suffix array", 4 * state.size, held + scratch);
    positions = in_place_of(device, positions, state.size);
    if (report.algorithm == Algorithm::dc3)
      build_dc3(device, state, positions, options, report);
    else if (report.algorithm == Algorithm::published)
      build_published(device, state, positions, options, report);
    else
      build_hybrid(device, state, positions, options, report);
  } catch (...) {
    positions = Array<std::uint32_t>(device, 0);
    throw;
  }
  if (options.progress) options.progress({1, state.size, state.size});
}

SuffixArray::SuffixArray(const Text& text, const SuffixArrayOptions& options)
    : state_(std::make_unique<State>(State{text, {}, {}})) {
  state_->build(options);
}

SuffixArray::SuffixArray(const Device& device, std::span<const std::uint8_t> bytes, const SuffixArrayOptions& options)
    : SuffixArray(Text(device, bytes), options) {}

SuffixArray::SuffixArray(const Text& text, Array<std::uint32_t> positions)
    : state_(std::make_unique<State>(State{text, std::move(positions), {}})) {
  if (size() != text.size())
    throw InputError("positions", {}, std::to_string(size()),
                     std::to_string(text.size()) + ", as many as the text has");
}

SuffixArray::SuffixArray(SuffixArray&&) noexcept = default;
SuffixArray& SuffixArray::operator=(SuffixArray&&) noexcept = default;
SuffixArray::~SuffixArray() = default;

void SuffixArray::rebuild(const Text& text, const SuffixArrayOptions& options) {
  state_->text = text;
  state_->build(options);
}

const Device& SuffixArray::device() const noexcept { return state_->text.device(); }
const Text& SuffixArray::text() const noexcept { return state_->text; }
std::uint64_t SuffixArray::size() const noexcept { return state_->positions.size(); }
const Array<std::uint32_t>& SuffixArray::positions() const noexcept { return state_->positions; }
const BuildReport& SuffixArray::report() const noexcept { return state_->report; }

std::uint64_t SuffixArray::peak_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks,
                                      Algorithm algorithm) {
  return text_bytes(size, bits, has_breaks) + 4 * size + scratch_bytes(device, size, bits, has_breaks, algorithm);
}

}  // namespace genocl::overlap
