#include "overlap/rmq/rmq.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/rmq.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/text/text.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

ArgminTable make_argmin_table(const Device& device, const cl::Buffer& values, std::uint64_t size, unsigned log_unit) {
  using runtime::launch_items;
  constexpr const char* file = "overlap/rmq/rmq_table.cl";
  const TableShape shape = TableShape::of(size, log_unit);
  ArgminTable table;
  table.units = shape.units;
  table.low = Array<std::uint16_t>(device, shape.low_bytes() / 2);
  table.high = Array<std::uint32_t>(device, shape.high_bytes() / 4);
  const unsigned levels = static_cast<unsigned>(std::bit_width(shape.units));
  if (levels == 0 || (levels == 1 && log_unit == 0)) return table;

  const runtime::Defines defines = runtime::Defines().set("LOG_UNIT", log_unit);
  const runtime::Scratch first(device, 4 * shape.units), second(device, 4 * shape.units);
  cl::Buffer before = values, minima = first.buffer(), spare = second.buffer();
  if (log_unit != 0) {
    launch_items(device, file, "table_units", defines,
                 {.items = shape.units, .bytes = 4 * size + 6 * shape.units, .least = 64}, before, size, minima,
                 table.low, shape.units);
    before = std::exchange(minima, spare);
  }
  for (std::uint32_t level = 1; level < levels; ++level) {
    launch_items(device, file, "table_level", defines,
                 {.items = shape.units,
                  .bytes = (12 + 3 * std::uint64_t{level < 17 - log_unit ? 2u : 4u}) * shape.units,
                  .least = 1024},
                 before, minima, table.low, table.high, level, shape.units);
    const bool of_caller = before() == values();
    const cl::Buffer done = before;
    before = minima;
    minima = of_caller ? spare : done;
  }
  return table;
}

namespace {

using runtime::launch_items;

constexpr runtime::Names<RmqStructure, 3> rmq_names = {
    {{RmqStructure::block, "block"}, {RmqStructure::sparse, "sparse"}, {RmqStructure::bv1, "bv1"}}};

/// Blocks have 32 values.
constexpr unsigned log_block = 5;
constexpr std::uint64_t max_values = 0xffff'fffeu;
/// Queries of a batch on the device.
constexpr std::size_t batch = std::size_t{1} << 24;

}  // namespace

RmqMemory rmq_memory(RmqStructure structure, std::uint64_t size) {
  if (size == 0) return {};
  if (structure == RmqStructure::bv1) return bv1_memory(size);
  const TableShape shape = TableShape::of(size, structure == RmqStructure::block ? log_block : 0);
  return {.kept = shape.bytes(),
          .peak = shape.bytes() + shape.scratch_bytes(),
          .largest = std::max({shape.low_bytes(), shape.high_bytes(), shape.scratch_bytes() / 2})};
}

struct Rmq::State {
  Device device;
  cl::Buffer values;
  std::uint64_t size = 0;
  RmqStructure structure = RmqStructure::block;
  ArgminTable table{};  // of `block` and `sparse`
  Bv1 bv1{};

  void answer(const cl::Buffer& queries, const cl::Buffer& answers, std::uint64_t count) const;
};

void Rmq::State::answer(const cl::Buffer& queries, const cl::Buffer& answers, std::uint64_t count) const {
  if (count == 0) return;
  const std::uint64_t bytes = count * (sizeof(RangeQuery) + sizeof(RangeMinimum));
  if (structure == RmqStructure::bv1 && size != 0) {
    launch_items(device, "overlap/published/rmq_bv1.cl", "query_bv1", runtime::Defines().set("LOG_UNIT", bv1.log_block),
                 {.items = count, .bytes = bytes}, values, size, bv1.firsts, bv1.tour, bv1.depths, bv1.steps,
                 bv1.in_block, bv1.blocks.low, bv1.blocks.high, bv1.blocks.units, queries, answers, count);
  } else if (structure == RmqStructure::sparse || size == 0) {
    launch_items(device, "overlap/rmq/rmq_sparse.cl", "query_sparse", {}, {.items = count, .bytes = bytes}, values,
                 size, table.low, table.high, queries, answers, count);
  } else {
    launch_items(device, "overlap/rmq/rmq_block.cl",
                 runtime::uses_cpu_kernels(device) ? "query_block_cpu" : "query_block_gpu",
                 runtime::Defines().set("LOG_UNIT", log_block), {.items = count, .bytes = bytes}, values, size,
                 table.low, table.high, queries, answers, count);
  }
}

std::string_view to_string(RmqStructure structure) noexcept { return runtime::name_of(rmq_names, structure); }

RmqStructure rmq_structure_named(std::string_view name) {
  return runtime::value_named(rmq_names, "structure for range minima", name);
}

Rmq::Rmq(const Device& device, Span<const std::uint32_t> values, RmqStructure structure) {
  const std::uint64_t size = values.size(), most = structure == RmqStructure::bv1 ? Bv1::max_values : max_values;
  if (size > most)
    throw InputError("range minima (" + std::string(to_string(structure)) + ") of " + std::to_string(size) +
                     " values: at most " + std::to_string(most));
  state_ = std::make_unique<State>(State{.device = device,
                                         .values = runtime::operand_buffer(device, values.view()),
                                         .size = size,
                                         .structure = structure});
  if (size == 0) {
    // Any query is out of range; the sparse kernel reports this.
    state_->table = make_argmin_table(device, state_->values, 0, 0);
    state_->values = state_->table.low.buffer();
    return;
  }
  const RmqMemory memory = rmq_memory(structure, size);
  runtime::check_capacity(device, ("range minima (" + std::string(to_string(structure)) + ")").c_str(), memory.largest,
                          memory.peak);
  if (structure == RmqStructure::bv1)
    state_->bv1 = make_bv1(device, state_->values, size);
  else
    state_->table = make_argmin_table(device, state_->values, size, structure == RmqStructure::block ? log_block : 0);
}

Rmq::Rmq(Rmq&&) noexcept = default;
Rmq& Rmq::operator=(Rmq&&) noexcept = default;
Rmq::~Rmq() = default;

std::uint64_t Rmq::size() const noexcept { return state_->size; }
RmqStructure Rmq::structure() const noexcept { return state_->structure; }
std::uint64_t Rmq::bytes() const noexcept { return state_->bv1.bytes() + state_->table.bytes(); }

std::vector<RangeMinimum> Rmq::minima(std::span<const RangeQuery> queries) const {
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (queries[i].first > queries[i].last || queries[i].last >= state_->size)
      throw InputError("range minimum query " + std::to_string(i) + ": " + std::to_string(queries[i].first) + " to " +
                       std::to_string(queries[i].last) + " of " + std::to_string(state_->size) + " values");
  std::vector<RangeMinimum> answers(queries.size());
  if (queries.empty()) return answers;
  const std::size_t most = std::min(batch, queries.size());
  runtime::check_capacity(state_->device, "a batch of range minimum queries", most * sizeof(RangeQuery),
                          most * (sizeof(RangeQuery) + sizeof(RangeMinimum)));
  const runtime::Scratch from(state_->device, most * sizeof(RangeQuery));
  const runtime::Scratch to(state_->device, most * sizeof(RangeMinimum));
  for (std::size_t first = 0; first < queries.size(); first += most) {
    const std::size_t count = std::min(most, queries.size() - first);
    runtime::upload(state_->device, from.buffer(), 0, &queries[first], count * sizeof(RangeQuery));
    state_->answer(from.buffer(), to.buffer(), count);
    runtime::download(state_->device, to.buffer(), 0, &answers[first], count * sizeof(RangeMinimum));
  }
  return answers;
}

void Rmq::minima(Span<const RangeQuery> queries, Span<RangeMinimum> answers) const {
  if (answers.size() < queries.size())
    throw InputError(std::to_string(queries.size()) + " range minimum queries, but an array of " +
                     std::to_string(answers.size()) + " answers");
  state_->answer(runtime::operand_buffer(state_->device, queries.view()),
                 runtime::operand_buffer(state_->device, answers.view()), queries.size());
}

namespace {

constexpr const char* extensions_file = "overlap/rmq/extensions.cl";
/// SEPARATOR_BLOCK of extensions.cl.
constexpr std::uint64_t separator_block = 1024;
/// Device memory of a pair in a batch.
constexpr std::uint64_t bytes_per_pair = sizeof(PositionPair) + sizeof(RangeQuery) + sizeof(RangeMinimum) + 4;

void check_memory(const Text::State& text, RmqStructure structure) {
  const RmqMemory rmq = rmq_memory(structure, text.size);
  runtime::check_capacity(text.device(), "longest common extensions", std::max(4 * text.size, rmq.largest),
                          8 * text.size + std::max(rmq.peak, 8 * text.size));
}

/// The next separator from each block on, counted from the end.
Array<std::uint32_t> separators_from_end(const Text::State& text) {
  const std::uint64_t blocks = text.has_separators ? runtime::ceil_div(text.size, separator_block) : 0;
  Array<std::uint32_t> from_end(text.device(), std::max<std::uint64_t>(blocks, 1));
  if (blocks == 0) return from_end;
  launch_items(
      text.device(), extensions_file, "find_separators", text.defines().set("SEPARATOR_BLOCK", separator_block),
      {.items = blocks, .bytes = text.separators.bytes(), .least = 16}, text.separators, text.size, from_end, blocks);
  primitives::inclusive_max_scan(text.device(), from_end, from_end);
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
        from_end(separators_from_end(runtime::state_of(text))) {}

  void answer(const cl::Buffer& pairs, const cl::Buffer& answers, std::size_t count) const;
};

void Extensions::State::answer(const cl::Buffer& pairs, const cl::Buffer& answers, std::size_t count) const {
  const Text::State& of = runtime::state_of(text);
  const runtime::ScratchArray<RangeQuery> queries(of.device(), count);
  runtime::ScratchArray<RangeMinimum> found(of.device(), count);
  launch_items(of.device(), extensions_file, "extension_ranges", of.defines().set("SEPARATOR_BLOCK", separator_block),
               {.items = count, .bytes = 24 * count}, pairs, ranks, of.size, queries, std::uint64_t{count});
  minima.minima(queries, found);
  launch_items(of.device(), extensions_file, "extension_lengths", of.defines().set("SEPARATOR_BLOCK", separator_block),
               {.items = count, .bytes = 20 * count}, pairs, found, of.separators, from_end, of.size, answers,
               std::uint64_t{count});
}

Extensions::Extensions(const SuffixArray& suffixes, RmqStructure structure) {
  check_memory(runtime::state_of(suffixes.text()), structure);
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

void Extensions::common(Span<const PositionPair> pairs, Span<std::uint32_t> answers) const {
  if (answers.size() < pairs.size())
    throw InputError(std::to_string(pairs.size()) + " pairs of positions, but an array of " +
                     std::to_string(answers.size()) + " answers");
  if (pairs.empty()) return;
  runtime::check_capacity(state_->text.device(), "a batch of pairs of positions", pairs.size() * sizeof(RangeQuery),
                          pairs.size() * (sizeof(RangeQuery) + sizeof(RangeMinimum)));
  const Device& device = state_->text.device();
  state_->answer(runtime::operand_buffer(device, pairs.view()), runtime::operand_buffer(device, answers.view()),
                 pairs.size());
}

}  // namespace genocl::overlap
