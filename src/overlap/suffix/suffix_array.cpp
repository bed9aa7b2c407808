#include "overlap/suffix/suffix_array.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/access.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

namespace {

constexpr runtime::Names<Algorithm, 4> suffix_array_names = {{{Algorithm::automatic, "auto"},
                                                              {Algorithm::dc3, "dc3"},
                                                              {Algorithm::hybrid, "hybrid"},
                                                              {Algorithm::published, "published"}}};

}  // namespace

std::string_view to_string(Algorithm algorithm) noexcept { return runtime::name_of(suffix_array_names, algorithm); }

Algorithm algorithm_named(std::string_view name) {
  return runtime::value_named(suffix_array_names, "suffix array algorithm", name);
}

struct SuffixArray::State {
  Text text;
  Array<std::uint32_t> positions;
  BuildReport report;

  void build(const SuffixArrayOptions& options);
};

namespace {

std::uint64_t scratch_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators,
                            Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::dc3:
      return dc3_bytes(device, size, bits, has_separators);
    case Algorithm::published:
      return published_bytes(size);
    default:
      return hybrid_bytes(device, size, bits, has_separators);
  }
}

}  // namespace

void SuffixArray::State::build(const SuffixArrayOptions& options) {
  const Text::State& state = runtime::state_of(text);
  const Device& device = state.device();
  report = {};
  report.algorithm = options.algorithm == Algorithm::automatic ? Algorithm::hybrid : options.algorithm;
  const std::uint64_t scratch = scratch_bytes(device, state.size, state.bits, state.has_separators, report.algorithm);
  report.peak_bytes = state.bytes() + 4 * state.size + scratch;
  const std::uint64_t held = runtime::MemoryAccess::can_reuse(device, positions, state.size) ? 0 : 4 * state.size;
  try {
    runtime::check_capacity(device, "a suffix array", 4 * state.size, held + scratch);
    positions = runtime::MemoryAccess::reuse(device, std::move(positions), state.size);
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
  runtime::check_context(text.device(), state_->positions.buffer());
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

std::uint64_t SuffixArray::peak_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators,
                                      Algorithm algorithm) {
  const TextShape shape{.size = size, .bits = bits, .has_separators = has_separators};
  return shape.bytes() + 4 * size + scratch_bytes(device, size, bits, has_separators, algorithm);
}

std::optional<std::uint64_t> first_error(const Text& text, Span<const std::uint32_t> positions) {
  const Text::State& state = runtime::state_of(text);
  if (positions.size() != state.size)
    throw InputError("a suffix array of " + std::to_string(positions.size()) + " positions for a text of " +
                     std::to_string(state.size));
  if (state.size == 0) return std::nullopt;
  constexpr std::uint32_t none = 0xffff'ffffu;
  const Device& device = state.device();
  runtime::check_capacity(device, "checking a suffix array", state.size * 4, state.size * 4);
  const runtime::Scratch ranks(device, state.size * 4);
  runtime::fill(device, ranks.buffer(), &none, sizeof none, state.size * 4);
  Array<std::uint32_t> wrong(device, 2);
  wrong.fill(none);
  runtime::launch_items(device, "overlap/suffix/check.cl", "check_places", state.defines(),
                        {.items = state.size, .bytes = state.size * 8}, positions, ranks, state.size);
  runtime::launch_items(device, "overlap/suffix/check.cl", "check_order", state.defines(),
                        {.items = state.size, .bytes = state.size * 16}, state.words, state.separators, positions,
                        ranks, wrong, state.size);
  std::array<std::uint32_t, 2> found{};
  wrong.download(found);
  if (found[0] != none) return found[0];
  if (found[1] != none) return found[1];
  return std::nullopt;
}

}  // namespace genocl::overlap
