#include "pairwise/pair_batch.hpp"

#include <algorithm>

#include "runtime/transfer.hpp"

namespace genocl::pairwise {
namespace {

constexpr std::uint64_t max_batch_pairs = std::uint64_t{1} << 20;
constexpr std::uint64_t max_batch_letters = std::uint64_t{128} << 20;

/// Uploads the queries or the subjects of the pairs, one after another. A sequence that follows itself is uploaded
/// once.
runtime::Scratch upload_texts(const Device& device, Texts texts, PairBatch& batch, std::uint64_t TilePlan::*where) {
  std::vector<std::span<const Code>> runs;  // contiguous in memory
  std::uint64_t letters = 0, last_begin = 0;
  std::span<const Code> last;
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    const std::span<const Code> text = texts[batch.pairs[i]];
    if (i == 0 || text.data() != last.data() || text.size() != last.size()) {
      if (!runs.empty() && runs.back().data() + runs.back().size() == text.data())
        runs.back() = {runs.back().data(), runs.back().size() + text.size()};
      else
        runs.push_back(text);
      last_begin = letters;
      letters += text.size();
      last = text;
    }
    batch.plans[i].*where = last_begin;
  }
  runtime::Scratch memory(device, letters);
  if (runs.size() == 1) {
    runtime::upload(device, memory.buffer(), 0, runs.front().data(), letters);
    return memory;
  }
  std::vector<Code> gathered;
  gathered.reserve(letters);
  for (const std::span<const Code> run : runs) gathered.insert(gathered.end(), run.begin(), run.end());
  runtime::upload(device, memory.buffer(), 0, gathered.data(), letters);
  return memory;
}

}  // namespace

std::uint64_t border_bytes_for(const Device& device, std::uint64_t wanted) {
  const DeviceInfo& info = device.info();
  if (wanted == 0) wanted = std::min<std::uint64_t>(std::uint64_t{512} << 20, runtime::usable_memory(device) / 8);
  return std::min(wanted, info.max_allocation);
}

PairBatch next_batch(const TileShape& shape, const PairScoring& scoring, Texts queries, Texts subjects,
                     std::size_t first, std::uint64_t border_bytes, bool keep) {
  PairBatch batch;
  std::uint64_t letters = 0;
  std::size_t pair = first;
  for (; pair < queries.size() && batch.pairs.size() < max_batch_pairs; ++pair) {
    const std::uint64_t both = queries[pair].size() + subjects[pair].size();
    if (queries[pair].empty() || subjects[pair].empty()) continue;
    TilePlan plan{.query_length = static_cast<std::uint32_t>(queries[pair].size()),
                  .subject_length = static_cast<std::uint32_t>(subjects[pair].size())};
    scoring.place_ends(plan);
    if (keep) {
      plan.row_step = 1;
      plan.keep_columns = 1;
    }
    std::uint64_t elements = place_borders(shape, plan, batch.border_elements);
    if (!batch.pairs.empty() &&
        ((batch.border_elements + elements) * border_element > border_bytes || letters + both > max_batch_letters))
      break;
    const bool alone = keep && elements * border_element > border_bytes;
    if (alone) {
      plan.row_step = TilePlan::all_in_place;
      plan.keep_columns = 0;
      elements = place_borders(shape, plan, 0);
    }
    plan.path = batch.path_bytes;
    batch.pairs.push_back(pair);
    batch.plans.push_back(plan);
    batch.border_elements += elements;
    letters += both;
    if (keep) batch.path_bytes += both;
    if (alone) {
      ++pair;
      break;
    }
  }
  batch.end = pair;
  return batch;
}

TileEnd best_end(TileEnd found, const TilePlan& plan, const PairScoring& scoring) noexcept {
  if (scoring.ends.local()) return found;
  found.score -= plan.zero;
  const BorderEnd border = border_end(scoring.ends, scoring.gap, plan.query_length, plan.subject_length);
  return border.found && ends_before(border.end, found) ? border.end : found;
}

BatchLetters::BatchLetters(const Device& device, Texts query_texts, Texts subject_texts, PairBatch& batch)
    : queries(upload_texts(device, query_texts, batch, &TilePlan::query)),
      subjects(upload_texts(device, subject_texts, batch, &TilePlan::subject)) {}

}  // namespace genocl::pairwise
