// Finds longest common extensions of pairs of positions.
#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/rmq.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/rmq/rmq_memory.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;

constexpr const char* file = "overlap/rmq/extensions.cl";
/// extensions.cl has it as BREAK_BLOCK.
constexpr std::uint64_t break_block = 1024;
/// So many pairs are on the device at once.
constexpr std::size_t batch = std::size_t{1} << 24;
constexpr std::uint64_t bytes_per_pair = sizeof(PositionPair) + sizeof(RangeQuery) + sizeof(RangeMinimum) + 4;

void check_memory(const Text::State& text, RmqStructure structure) {
  const RmqMemory rmq = rmq_memory(structure, text.size);
  runtime::check_capacity(text.device, "longest common extensions", std::max(4 * text.size, rmq.largest),
                          8 * text.size + std::max(rmq.peak, 8 * text.size));
}

/// Where the next break is from each block on.
Array<std::uint32_t> breaks_from_end(const Text::State& text) {
  const std::uint64_t blocks = text.has_breaks ? runtime::ceil_div(text.size, break_block) : 0;
  Array<std::uint32_t> from_end(text.device, std::max<std::uint64_t>(blocks, 1));
  if (blocks == 0) return from_end;
  launch_items(text.device, file, "find_breaks", text.defines().set("BREAK_BLOCK", break_block),
               {.items = blocks, .bytes = text.breaks.bytes(), .least = 16}, text.breaks, text.size, from_end, blocks);
  primitives::inclusive_max_scan(text.device, from_end, from_end);
  return from_end;
}

}  // namespace

struct Extensions::State {
  Text text;
  Array<std::uint32_t> ranks;
  Lcp lcp;
  Rmq minima;
  Array<std::uint32_t> from_end;

  State(const SuffixArray& suffixes, RmqStructure structure)
      : text(suffixes.text()),
        ranks(inverse(suffixes)),
        lcp(suffixes),
        minima(suffixes.device(), lcp.values(), structure),
        from_end(breaks_from_end(text.state())) {}

  void answer(const cl::Buffer& pairs, const cl::Buffer& answers, std::size_t count) const;
};

void Extensions::State::answer(const cl::Buffer& pairs, const cl::Buffer& answers, std::size_t count) const {
  const Text::State& of = text.state();
  const runtime::Scratch query_memory(of.device, count * sizeof(RangeQuery));
  const runtime::Scratch minimum_memory(of.device, count * sizeof(RangeMinimum));
  const auto queries = Array<RangeQuery>::adopt(of.device, query_memory.buffer(), count);
  auto found = Array<RangeMinimum>::adopt(of.device, minimum_memory.buffer(), count);
  launch_items(of.device, file, "extension_ranges", of.defines().set("BREAK_BLOCK", break_block),
               {.items = count, .bytes = 24 * count}, pairs, ranks, of.size, queries, std::uint64_t{count});
  minima.minima(queries, found);
  launch_items(of.device, file, "extension_lengths", of.defines().set("BREAK_BLOCK", break_block),
               {.items = count, .bytes = 20 * count}, pairs, found, of.breaks, from_end, of.size, answers,
               std::uint64_t{count});
}

Extensions::Extensions(const SuffixArray& suffixes, RmqStructure structure) {
  check_memory(suffixes.text().state(), structure);
  state_ = std::make_unique<State>(suffixes, structure);
}

Extensions::Extensions(Extensions&&) noexcept = default;
Extensions& Extensions::operator=(Extensions&&) noexcept = default;
Extensions::~Extensions() = default;

std::vector<std::uint32_t> Extensions::common(std::span<const PositionPair> pairs) const {
  const std::uint64_t size = state_->text.size();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (std::max(pairs[i].a, pairs[i].b) >= size)
      throw InputError("pair " + std::to_string(i) + ": positions " + std::to_string(pairs[i].a) + " and " +
                       std::to_string(pairs[i].b) + " of a text of " + std::to_string(size));
  std::vector<std::uint32_t> answers(pairs.size());
  if (pairs.empty()) return answers;
  const Device& device = state_->text.device();
  const std::size_t most = std::min(batch, pairs.size());
  runtime::check_capacity(device, "a batch of pairs of positions", most * sizeof(PositionPair), most * bytes_per_pair);
  const runtime::Scratch from(device, most * sizeof(PositionPair)), to(device, most * 4);
  for (std::size_t first = 0; first < pairs.size(); first += most) {
    const std::size_t count = std::min(most, pairs.size() - first);
    runtime::upload(device, from.buffer(), 0, &pairs[first], count * sizeof(PositionPair));
    state_->answer(from.buffer(), to.buffer(), count);
    runtime::download(device, to.buffer(), 0, &answers[first], count * 4);
  }
  return answers;
}

void Extensions::common(const Array<PositionPair>& pairs, Array<std::uint32_t>& answers) const {
  if (answers.size() < pairs.size())
    throw InputError(std::to_string(pairs.size()) + " pairs of positions but room for " +
                     std::to_string(answers.size()) + " answers");
  if (pairs.empty()) return;
  runtime::check_capacity(state_->text.device(), "a batch of pairs of positions", pairs.size() * sizeof(RangeQuery),
                          pairs.size() * (sizeof(RangeQuery) + sizeof(RangeMinimum)));
  state_->answer(pairs.buffer(), answers.buffer(), pairs.size());
}

}  // namespace genocl::overlap
