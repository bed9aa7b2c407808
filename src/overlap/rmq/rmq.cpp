// Range minimum queries: what the structures have in common.
#include "genocl/overlap/rmq.hpp"

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "overlap/rmq/rmq_bv1.hpp"
#include "overlap/rmq/rmq_memory.hpp"
#include "overlap/rmq/rmq_table.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;

constexpr runtime::Names<RmqStructure, 3> names = {
    {{RmqStructure::block, "block"}, {RmqStructure::sparse, "sparse"}, {RmqStructure::bv1, "bv1"}}};

/// Blocks have 32 values.
constexpr unsigned log_block = 5;
constexpr std::uint64_t most_values = 0xffff'fffeu;
/// So many queries are on the device at once.
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
    launch_items(device, "overlap/rmq/rmq_bv1.cl", "query_bv1", runtime::Defines().set("LOG_UNIT", bv1.log_block),
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

std::string_view to_string(RmqStructure structure) noexcept { return runtime::name_of(names, structure); }

RmqStructure rmq_structure_named(std::string_view name) {
  return runtime::value_named(names, "structure for range minima", name);
}

Rmq::Rmq(const Device& device, const Array<std::uint32_t>& values, RmqStructure structure) {
  const std::uint64_t size = values.size(), most = structure == RmqStructure::bv1 ? Bv1::most_values : most_values;
  if (size > most)
    throw InputError("range minima (" + std::string(to_string(structure)) + ") of " + std::to_string(size) +
                     " values: at most " + std::to_string(most));
  state_ =
      std::make_unique<State>(State{.device = device, .values = values.buffer(), .size = size, .structure = structure});
  if (size == 0) {
    // Any query is out of range, which the simplest kernel finds out too.
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

void Rmq::minima(const Array<RangeQuery>& queries, Array<RangeMinimum>& answers) const {
  if (answers.size() < queries.size())
    throw InputError(std::to_string(queries.size()) + " range minimum queries but room for " +
                     std::to_string(answers.size()) + " answers");
  state_->answer(queries.buffer(), answers.buffer(), queries.size());
}

}  // namespace genocl::overlap
