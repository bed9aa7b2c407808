#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/by_key.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/unique.hpp"
#include "primitives/expression.hpp"
#include "primitives/look_back.hpp"
#include "primitives/runs_cpu.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::OperatorScan;

constexpr std::uint64_t scan_streams = 4;

constexpr const char* scan_results = R"(
#define INCLUSIVE_RESULT(up_to) (up_to)
#define EXCLUSIVE_RESULT(before, mine) (before)
)";

// `head`: the part has the first element of a run of equal keys, and `value` combines the elements from the last such
// on.
constexpr const char* keyed_accumulator = R"(
typedef VALUE RESULT;
typedef struct { VALUE value; uint head; } ACCUMULATOR;
static inline ACCUMULATOR accumulator_of(VALUE value, uint head) {
  ACCUMULATOR one;
  one.value = value;
  one.head = head;
  return one;
}
static inline ACCUMULATOR accumulator_identity(void) { return accumulator_of(genocl_operator_identity(), 0); }
static inline ACCUMULATOR accumulator_combine(ACCUMULATOR a, ACCUMULATOR b) {
  return accumulator_of(b.head != 0 ? b.value : genocl_operator(a.value, b.value), a.head | b.head);
}
#define HEAD_AT(at) ((at) == 0 || DIFFERENT(keys[at], keys[(at) == 0 ? 0 : (at) - 1]))
#define HEAD_AFTER_FIRST(at) DIFFERENT(keys[at], keys[(at) - 1])
#define ACCUMULATOR_AT(at) accumulator_of(VALUE_AT(at), HEAD_AT(at))
#define INCLUSIVE_RESULT(up_to) ((up_to).value)
#define EXCLUSIVE_RESULT(before, mine) ((mine).head != 0 ? genocl_operator_identity() : (before).value)
)";

/// How values travel between the items of a warp and through tiles' states, for operator_scan_one_pass.cl.
std::string bits_of_values(ElementType type) {
  const std::string name = type_name(type);
  const bool wide = element_bytes(type) == 8;
  const std::string bits = wide ? "ulong" : "uint";
  const std::string to = is_real(type) ? "as_" + bits : "(" + bits + ")",
                    from = is_real(type) ? "as_" + name : "(VALUE)";
  return "#define VALUE_WORDS " + std::string(wide ? "2" : "1") + "\n#define VALUE_BITS(value) " + to +
         "(value)\n#define BITS_VALUE(bits) " + from + "(bits)\n";
}

ExpressionSource scan_source(const OperatorScan& job, bool one_pass) {
  ExpressionSource source;
  if (job.expression != nullptr)
    source.add_expression(*job.expression, std::span(&job.input, 1), job.type);
  else
    source.add_input(job.type);
  source.add_operator(job.combine, job.type);
  if (job.length.bytes != 0) source.add_length("genocl_operator_identity()");
  const std::string key = type_of_size(std::max<std::size_t>(1, job.key_bytes));
  if (one_pass) {
    source.add(bits_of_values(job.type)).add("typedef " + key + " KEY;\n");
    source.add("#define KEY_WORDS " + std::to_string(ceil_div(std::max<std::size_t>(4, job.key_bytes), 4)) + "\n");
  }
  if (job.key_bytes == 0) return one_pass ? source : source.add_value_accumulator().add(scan_results);
  // The second argument is the key before.
  if (job.keys_are_heads)
    source.add("#define DIFFERENT(a, b) ((a) != 0)\n");
  else
    source.add(job.key_bytes == 16 ? "#define DIFFERENT(a, b) any((a) != (b))\n"
                                   : "#define DIFFERENT(a, b) ((a) != (b))\n");
  if (one_pass) return source;
  // Keys come after the input among the parameters of a kernel.
  source.add("#define KEYED_INPUT " + std::string(type_name(job.input.type)) + "* genocl_input0, __global const " +
             key + "* keys,\n#undef INPUT_PARAMETERS\n#define INPUT_PARAMETERS __global const KEYED_INPUT\n");
  return source.add(keyed_accumulator);
}

std::size_t accumulator_bytes(std::size_t value_bytes, bool by_key) {
  if (!by_key) return value_bytes;
  return value_bytes == 8 ? 16 : 8;
}

Shares scan_shares(const Device& device, std::uint64_t values, const LaunchTuning& tuning) {
  return share_out(device, tuning, values, scan_streams * 64, 8192);
}

/// Larger groups would exceed the local memory of some devices: a tile of 256 items takes up to 24 KiB.
unsigned scan_group(const Device& device, const LaunchTuning& tuning) {
  return std::min(group_size(device, tuning), 256u);
}

unsigned items_of(std::size_t accumulator) { return accumulator > 8 ? 4 : 8; }

std::uint64_t scan_chunk(const Device& device, std::uint64_t count, std::size_t accumulator,
                         const LaunchTuning& tuning) {
  constexpr std::uint64_t max_chunks = 4096;
  const std::uint64_t tile = std::uint64_t{scan_group(device, tuning)} * items_of(accumulator);
  return std::max(tile, round_up(ceil_div(count, max_chunks), tile));
}

bool in_one_pass(const Device& device, const LaunchTuning& tuning) {
  return !uses_cpu_kernels(device) && device.has_ptx() && tuning.group_size == 0;
}

/// The tiles of operator_scan_one_pass.cl.
struct OnePassTiles {
  unsigned group_size, items;
  std::uint64_t count;
  std::uint64_t state_bytes;
};

OnePassTiles one_pass_tiles(std::uint64_t count, std::size_t value_bytes, bool reduce) {
  // Many elements in registers are many memory accesses in flight. Sums of 2^28 floats on an H200, with by key and
  // reduced by key: 128 x 32 elements 389, 279, 240 G/s, 256 x 16 362, 253, 262.
  OnePassTiles tiles{256, value_bytes == 8 ? 8u : 16u, 0, 0};
  if (value_bytes != 8 && !reduce) tiles = {128, 32, 0, 0};
  tiles.count = std::max<std::uint64_t>(1, ceil_div(count, std::uint64_t{tiles.group_size} * tiles.items));
  const std::uint64_t states = tiles.count + 2 * (tiles.count / 32);
  tiles.state_bytes = 16 + states * (value_bytes == 8 ? 16 : 8) + (reduce ? states * 8 : 0);
  return tiles;
}

std::uint64_t scan_scratch(const Device& device, std::uint64_t count, std::size_t value_bytes, bool by_key,
                           const LaunchTuning& tuning, bool reduce = false) {
  if (in_one_pass(device, tuning)) return one_pass_tiles(count, value_bytes, reduce).state_bytes;
  const std::size_t accumulator = accumulator_bytes(value_bytes, by_key);
  if (uses_cpu_kernels(device)) return scan_shares(device, count, tuning).workers * scan_streams * accumulator;
  return std::max<std::uint64_t>(1, ceil_div(count, scan_chunk(device, count, accumulator, tuning))) * accumulator;
}

/// Launches operator_scan_one_pass.cl. `length` is read if the job has one. `outputs`: the kernel's last arguments.
template <class... Outputs>
void run_one_pass(const Device& device, const OperatorScan& job, const cl::Buffer& input, const cl::Buffer& keys,
                  const cl::Buffer& length, bool reduce, std::uint64_t output_bytes, const Outputs&... outputs) {
  const OnePassTiles tiles = one_pass_tiles(job.input.size(), element_bytes(job.type), reduce);
  const TileStates states = tile_states(device, tiles.state_bytes);
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("INCLUSIVE", job.inclusive ? 1 : 0).set("KEYED", job.key_bytes != 0 ? 1 : 0);
  defines.set("REDUCE", reduce ? 1 : 0).set("GROUP_SIZE", tiles.group_size).set("ITEMS", tiles.items);
  const char* const name = "operator_scan_one_pass";
  runtime::Kernel kernel =
      expression_kernel(device, "primitives/operator_scan_one_pass.cl", name, scan_source(job, true), defines);
  kernel.args(input);
  if (job.length.bytes != 0) kernel.append(length);
  if (job.key_bytes != 0) kernel.append(keys);
  kernel.append(std::uint64_t{job.input.size()}, tiles.count, states.memory, states.cleared_words, outputs...)
      .run(static_cast<std::size_t>(tiles.count), tiles.group_size,
           job.input.view.bytes + job.keys.bytes + output_bytes);
}

/// The launches of one scan. The frame's operands: input, keys, results, length.
class OperatorScanner {
 public:
  OperatorScanner(const CallFrame& frame, const OperatorScan& job, const cl::Buffer& results,
                  std::uint64_t results_count, const LaunchTuning& tuning)
      : frame_(frame),
        device_(frame.device()),
        job_(job),
        source_(scan_source(job, false)),
        results_(results),
        results_count_(results_count),
        tuning_(tuning),
        count_(job.input.size()),
        accumulator_(accumulator_bytes(element_bytes(job.type), job.key_bytes != 0)),
        totals_(device_, static_cast<std::size_t>(
                             scan_scratch(device_, count_, element_bytes(job.type), job.key_bytes != 0, tuning))) {}

  void run() const { uses_cpu_kernels(device_) ? run_on_cpu() : run_on_gpu(); }

 private:
  void run_on_cpu() const {
    const Shares shares = scan_shares(device_, count_, tuning_);
    runtime::Defines defines;
    defines.set("ONLY_CPU", 1).set("INCLUSIVE", job_.inclusive ? 1 : 0).set("STREAMS", scan_streams);
    if (shares.workers > 1 || count_ == shares.share) {
      runtime::Kernel totals = kernel_of("operator_scan_totals_cpu", defines);
      totals.append(count_, shares.share, totals_).run(shares.workers, 1, input_bytes());
    }
    runtime::Kernel scan = kernel_of("operator_scan_cpu", defines);
    scan.append(count_, results_count_, shares.share, totals_, results_).run(shares.workers, 1, all_bytes());
  }

  void run_on_gpu() const {
    const unsigned size = scan_group(device_, tuning_);
    const std::uint64_t chunk = scan_chunk(device_, count_, accumulator_, tuning_);
    const auto chunks = static_cast<std::size_t>(std::max<std::uint64_t>(1, ceil_div(count_, chunk)));
    runtime::Defines defines;
    defines.set("ONLY_GPU", 1).set("INCLUSIVE", job_.inclusive ? 1 : 0).set("GROUP_SIZE", size);
    defines.set("ITEMS", items_of(accumulator_)).set("ONE_CHUNK", chunks == 1 ? 1 : 0).set("RUNS", 0);
    if (chunks > 1) {
      runtime::Kernel totals = kernel_of("operator_scan_totals_gpu", defines);
      totals.append(count_, chunk, totals_).run(chunks, size, input_bytes());
      const char* const file = "primitives/operator_scan.cl";
      expression_kernel(device_, file, "operator_scan_offsets_gpu", source_, defines)
          .args(totals_, static_cast<std::uint32_t>(chunks))
          .run(1, size);
    }
    runtime::Kernel scan = kernel_of("operator_scan_gpu", defines);
    scan.append(count_, results_count_, chunk, totals_, results_).run(chunks, size, all_bytes());
  }

  /// A kernel whose first arguments, the input and the keys, are set.
  runtime::Kernel kernel_of(const char* name, const runtime::Defines& defines) const {
    runtime::Kernel kernel = expression_kernel(device_, "primitives/operator_scan.cl", name, source_, defines);
    set_inputs(kernel, frame_, job_.key_bytes != 0 ? 2 : 1);
    if (job_.length.bytes != 0) kernel.append(frame_[3]);
    return kernel;
  }

  std::uint64_t input_bytes() const { return job_.input.view.bytes + job_.keys.bytes; }
  std::uint64_t all_bytes() const { return input_bytes() + results_count_ * element_bytes(job_.type); }

  const CallFrame& frame_;
  const Device& device_;
  const OperatorScan& job_;
  const ExpressionSource source_;
  const cl::Buffer& results_;
  const std::uint64_t results_count_;
  const LaunchTuning& tuning_;
  const std::uint64_t count_;
  const std::size_t accumulator_;
  const runtime::Scratch totals_;
};

/// True if the `gpu` kernels of operator_scan.cl scan the input in one launch.
bool is_one_chunk(const Device& device, const OperatorScan& job, const LaunchTuning& tuning) {
  const std::size_t accumulator = accumulator_bytes(element_bytes(job.type), job.key_bytes != 0);
  return job.input.size() <= std::uint64_t{scan_group(device, tuning)} * items_of(accumulator);
}

/// reduce_by_key() of one chunk in one launch. The frame's operands: input, keys, unique keys, totals, count.
void reduce_runs_at_once(const CallFrame& frame, const OperatorScan& job, std::uint64_t key_capacity,
                         std::uint64_t total_capacity) {
  const Device& device = frame.device();
  const unsigned size = scan_group(device, {});
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("INCLUSIVE", 1).set("GROUP_SIZE", size).set("ONE_CHUNK", 1).set("RUNS", 1);
  defines.set("ITEMS", items_of(accumulator_bytes(element_bytes(job.type), true)));
  ExpressionSource source = scan_source(job, false);
  source.add("typedef " + std::string(type_of_size(job.key_bytes)) + " KEY;\n");
  runtime::Kernel kernel =
      expression_kernel(device, "primitives/operator_scan.cl", "operator_runs_gpu", source, defines);
  set_inputs(kernel, frame, 2);
  kernel.append(job.input.size(), frame[2], key_capacity, frame[3], total_capacity, frame[4])
      .run(1, size, job.input.view.bytes + job.keys.bytes);
}

/// reduce_by_key() by a scan and two selections. The frame's operands: input, keys, unique keys, totals, count.
void select_totals(const CallFrame& frame, const OperatorScan& job, const MemoryView& unique_keys,
                   const MemoryView& totals, const MemoryView& count, const LaunchTuning& tuning) {
  const std::uint64_t elements = job.input.size();
  const std::size_t value_bytes = element_bytes(job.type);
  const Device& inner = frame.device();
  const auto size = static_cast<std::size_t>(elements);
  const runtime::Scratch scanned(inner, size * value_bytes), flags(inner, size);
  const auto operand = [&](std::size_t index, const MemoryView& view) {
    return view.bytes == 0 ? MemoryView{} : MemoryView{frame[index](), inner.context()(), 0, view.bytes};
  };
  // The last element of each run has the run's total.
  if (elements > 0) {
    OperatorScanner(frame, job, scanned.buffer(), elements, tuning).run();
    flag_runs(inner, frame[1], elements, job.key_bytes, RunFlag::end, flags.buffer(), tuning);
  }
  Call nested;
  nested.tuning = tuning;
  const MemoryView flag_view = flags.span<std::uint8_t>(size).view(), number = operand(4, count);
  detail::select(inner, {operand(1, job.keys), flag_view, operand(2, unique_keys), job.key_bytes, 1, false}, number,
                 nested);
  detail::select(
      inner, {scanned.span<std::byte>(size * value_bytes).view(), flag_view, operand(3, totals), value_bytes, 1, false},
      number, nested);
}

void check_scan(const Device& device, const char* name, const OperatorScan& job) {
  check_type(device, name, job.type);
  static const Expression itself("x");
  check_expression(device, name, job.expression != nullptr ? *job.expression : itself, std::span(&job.input, 1));
  if (job.key_bytes != 0 && job.keys.bytes / job.key_bytes != job.input.size())
    throw InputError(std::string(name) + ": " + std::to_string(job.keys.bytes / job.key_bytes) + " keys but " +
                     std::to_string(job.input.size()) + " values");
}

}  // namespace

bool selects_runs_directly(const Device& device, std::size_t value_bytes, const LaunchTuning& tuning) {
  return value_bytes <= 8 && (uses_cpu_kernels(device) || in_one_pass(device, tuning));
}

std::uint64_t direct_runs_scratch(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                  const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) return cpu_runs_scratch_bytes(device, elements, value_bytes, tuning);
  return runtime::ScratchSize(device).add(one_pass_tiles(elements, value_bytes, true).state_bytes).total();
}

void select_first_of_runs(const CallFrame& frame, const detail::UniqueOperands& operands, const LaunchTuning& tuning) {
  // Of two parts of a run the value of the first stays. Its identity is never used: the first element begins a run.
  static const Expression zero("0");
  const Operator first("a", "0");
  const bool has_values = operands.value_bytes != 0;
  const std::uint64_t elements = operands.keys.bytes / operands.key_bytes;
  ElementType type = ElementType::uint8;
  if (operands.value_bytes == 2) type = ElementType::uint16;
  if (operands.value_bytes == 4) type = ElementType::uint32;
  if (operands.value_bytes == 8) type = ElementType::uint64;
  // Without values the input is a byte for each key. The expression reads none.
  MemoryView values = has_values ? operands.values : operands.keys;
  values.bytes = elements * element_bytes(type);
  const OperatorScan job{
      has_values ? nullptr : &zero, {values, type}, first, type, true, operands.keys, operands.key_bytes};
  const std::uint64_t key_capacity = operands.unique_keys.bytes / operands.key_bytes,
                      value_capacity = has_values ? operands.unique_values.bytes / operands.value_bytes : 0;
  if (uses_cpu_kernels(frame.device()))
    return reduce_runs_on_cpu(
        frame.device(),
        {job, frame[1], frame[0], frame[2], key_capacity, frame[3], value_capacity, frame[4], has_values, false},
        tuning);
  run_one_pass(frame.device(), job, frame[has_values ? 1 : 0], frame[0], frame[4], true,
               operands.unique_keys.bytes + operands.unique_values.bytes, frame[2], key_capacity, frame[3],
               value_capacity, frame[4]);
}

void detail::operator_scan(const Device& device, const OperatorScan& job, const MemoryView& results, const Call& call) {
  const char* const name = job.key_bytes != 0 ? "scan_by_key" : "scan";
  check_scan(device, name, job);
  const std::uint64_t count = job.input.size(), results_count = results.bytes / element_bytes(job.type);
  const bool with_total = !job.inclusive && job.key_bytes == 0 && results_count == count + 1;
  if (results_count != count && !with_total)
    throw InputError(std::string(name) + ": " + std::to_string(count) + " values but " + std::to_string(results_count) +
                     " results");
  if (job.key_bytes != 0 && results.bytes != 0 && results.memory == job.keys.memory &&
      results.offset == job.keys.offset)
    throw InputError(std::string(name) + ": the results are the keys");
  const bool in_place = element_bytes(job.input.type) == element_bytes(job.type);
  CallFrame frame(device, call, name,
                  {{"values", job.input.view, Access::read},
                   {"keys", job.keys, Access::read},
                   {"results", results, Access::write, in_place},
                   {"length", job.length, Access::read}});
  if (results_count == 0) return frame.finish();
  if (!call.scratch.empty())
    frame.require_scratch(
        operator_scan_scratch_bytes(device, count, element_bytes(job.type), job.key_bytes != 0, call.tuning));
  if (in_one_pass(frame.device(), call.tuning) && !is_one_chunk(frame.device(), job, call.tuning))
    run_one_pass(frame.device(), job, frame[0], frame[1], frame[3], false, results.bytes, frame[2], results_count);
  else
    OperatorScanner(frame, job, frame[2], results_count, call.tuning).run();
  frame.finish();
}

std::uint64_t detail::operator_scan_scratch_bytes(const Device& device, std::uint64_t count, std::size_t value_bytes,
                                                  bool by_key, const LaunchTuning& tuning) {
  return runtime::ScratchSize(device).add(scan_scratch(device, count, value_bytes, by_key, tuning)).total();
}

void detail::reduce_by_key(const Device& device, const OperatorScan& job, const MemoryView& unique_keys,
                           const MemoryView& totals, const MemoryView& count, const Call& call) {
  check_scan(device, "reduce_by_key", job);
  if (count.bytes == 0) throw InputError("reduce_by_key: the count array is empty; it needs one element");
  const MemoryView first = runtime::part_of(count, 0, sizeof(std::uint64_t));
  CallFrame frame(device, call, "reduce_by_key",
                  {{"values", job.input.view, Access::read},
                   {"keys", job.keys, Access::read},
                   {"unique keys", unique_keys, Access::update},
                   {"totals", totals, Access::update},
                   {"count", first, Access::write}});
  const std::uint64_t elements = job.input.size();
  const std::size_t value_bytes = element_bytes(job.type);
  if (!call.scratch.empty())
    frame.require_scratch(reduce_by_key_scratch_bytes(device, elements, value_bytes, call.tuning));
  const std::uint64_t key_capacity = unique_keys.bytes / job.key_bytes, total_capacity = totals.bytes / value_bytes;
  if (uses_cpu_kernels(frame.device()))
    reduce_runs_on_cpu(frame.device(),
                       {job, frame[0], frame[1], frame[2], key_capacity, frame[3], total_capacity, frame[4]},
                       call.tuning);
  else if (call.tuning.group_size == 0 && is_one_chunk(frame.device(), job, call.tuning))
    reduce_runs_at_once(frame, job, key_capacity, total_capacity);
  else if (in_one_pass(frame.device(), call.tuning))
    run_one_pass(frame.device(), job, frame[0], frame[1], frame[4], true, unique_keys.bytes + totals.bytes, frame[2],
                 key_capacity, frame[3], total_capacity, frame[4]);
  else
    select_totals(frame, job, unique_keys, totals, first, call.tuning);
  frame.finish();
}

std::uint64_t detail::reduce_by_key_to_host(const Device& device, const OperatorScan& job,
                                            const MemoryView& unique_keys, const MemoryView& totals, const Call& call) {
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  reduce_by_key(device, job, unique_keys, totals, count.span<std::uint64_t>(1).view(), call);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

std::uint64_t detail::reduce_by_key_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                                  const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) return cpu_runs_scratch_bytes(device, elements, value_bytes, tuning);
  if (in_one_pass(device, tuning))
    return runtime::ScratchSize(device).add(one_pass_tiles(elements, value_bytes, true).state_bytes).total();
  return runtime::ScratchSize(device).add(elements * value_bytes).add(elements).total() +
         operator_scan_scratch_bytes(device, elements, value_bytes, true, tuning) +
         select_scratch_bytes(device, elements, tuning);
}

}  // namespace genocl::primitives
