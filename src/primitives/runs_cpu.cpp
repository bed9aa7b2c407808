#include "primitives/runs_cpu.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

constexpr std::uint64_t run_streams = 4;

Shares run_shares(const Device& device, std::uint64_t elements, const LaunchTuning& tuning) {
  return share_out(device, tuning, elements, run_streams * 64, 8192);
}

ExpressionSource run_source(const CpuRuns& runs) {
  const detail::OperatorScan& job = runs.job;
  ExpressionSource source;
  if (!runs.has_totals)
    source.add("typedef uchar VALUE;\n#define INPUT_PARAMETERS\n");
  else if (job.expression != nullptr)
    source.add_expression(*job.expression, std::span(&job.input, 1), job.type);
  else
    source.add_input(job.type);
  if (runs.has_totals) source.add_operator(job.combine, job.type);
  source.add("typedef " + std::string(type_of_size(job.key_bytes)) + " KEY;\n");
  return source.add(job.key_bytes == 16 ? "#define DIFFERENT(a, b) any((a) != (b))\n"
                                        : "#define DIFFERENT(a, b) ((a) != (b))\n");
}

}  // namespace

void reduce_runs_on_cpu(const Device& device, const CpuRuns& runs, const LaunchTuning& tuning) {
  const std::uint64_t elements = runs.job.keys.bytes / runs.job.key_bytes;
  const std::size_t value_bytes = runs.has_totals ? element_bytes(runs.job.type) : 1;
  const Shares shares = run_shares(device, elements, tuning);
  const std::size_t parts = shares.workers * run_streams;
  const runtime::Scratch counts(device, parts * sizeof(std::uint64_t)), leads(device, parts * value_bytes);
  const ExpressionSource source = run_source(runs);
  runtime::Defines defines;
  defines.set("ONLY_CPU", 1).set("STREAMS", run_streams).set("HAS_TOTALS", runs.has_totals ? 1 : 0);
  defines.set("MERGES", runs.merges ? 1 : 0);
  const auto kernel_of = [&](const char* name) {
    return expression_kernel(device, "primitives/runs_cpu.cl", name, source, defines);
  };
  if (elements <= 2048 && tuning.workers == 0) {
    runtime::Kernel small = kernel_of("runs_small_cpu");
    small.args();
    if (runs.has_totals) small.append(runs.values);
    return small
        .append(runs.keys, static_cast<std::uint32_t>(elements), runs.unique_keys, runs.key_capacity, runs.totals,
                runs.total_capacity, runs.count)
        .run(1, 1, runs.job.keys.bytes + runs.job.input.view.bytes);
  }
  kernel_of("runs_count_cpu")
      .args(runs.keys, elements, shares.share, counts)
      .run(shares.workers, 1, runs.job.keys.bytes);
  runtime::Kernel write = kernel_of("runs_write_cpu");
  write.args();
  if (runs.has_totals) write.append(runs.values);
  const std::uint64_t read = runs.job.keys.bytes + (runs.has_totals ? runs.job.input.view.bytes : 0);
  write
      .append(runs.keys, elements, shares.share, counts, leads, runs.unique_keys, runs.key_capacity, runs.totals,
              runs.total_capacity, runs.count)
      .run(shares.workers, 1, read);
  if (!runs.merges || elements <= shares.share / run_streams) return;
  kernel_of("runs_merge_cpu")
      .args(runs.keys, elements, shares.share / run_streams, counts, leads, runs.totals, runs.total_capacity)
      .run(1, 1);
}

std::uint64_t cpu_runs_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                     const LaunchTuning& tuning) {
  const std::size_t parts = run_shares(device, elements, tuning).workers * run_streams;
  return runtime::ScratchSize(device).add(parts * 8).add(parts * std::max<std::size_t>(1, value_bytes)).total();
}

}  // namespace genocl::primitives
