// Runs the units of a search on the devices.
#pragma once

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "align/search/searcher_state.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What work() gives. Where the memory that was planned with is not there, since others have it, scratch memory that
/// nobody uses makes way, then the chunks that are kept on the device, and the work waits until it is alone there.
template <class Work>
auto Searcher::State::with_room(const Device& device, Work&& work) const {
  ResidentChunks& kept = resident_on(device);
  std::shared_lock beside_others(kept.at_work());
  std::unique_lock alone(kept.at_work(), std::defer_lock);
  while (true) {
    try {
      return work();
    } catch (const CapacityError&) {
      if (alone && !kept.give_up()) throw;
    } catch (const DeviceError& error) {
      // Drivers that give a buffer its memory when it is first used say so then.
      if (error.code() != CL_MEM_OBJECT_ALLOCATION_FAILURE || (alone && !kept.give_up())) throw;
    }
    if (!alone) {
      beside_others.unlock();
      alone.lock();
    }
    runtime::release_unused_scratch(device);
    runtime::release_unused_scratch(kept.device());
  }
}

/// Every unit of these queries, sorted by length, on the devices: take(device, unit, chunk, scores) -> Result on the
/// workers' threads, sink(unit, Result) on the calling one. Scores are those of pieces where the chunk has some.
/// `shares`: other processes do some of it (SearchOptions::share).
template <class Result, class Take, class Sink>
void Searcher::State::run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress,
                          SearchTally& tally, bool shares) const {
  const std::uint64_t cells = cells_of(queries);
  const bool all_held = std::all_of(resident.begin(), resident.end(), [](const auto& one) { return one->holds_all(); });
  const UnitLimits limits = unit_limits(devices, cells);
  const ChunkQueue queue = shares && options.share ? options.share(chunks.size()) : ChunkQueue();
  std::vector<Unit> units;
  if (!queue) units = units_of(chunks, queries, limits);
  if (all_held && devices.size() > 1) largest_first(units);
  const double begin = now();
  // Ends before what it refers to goes, whatever is thrown.
  std::future<void> ahead;
  if (!compiled) ahead = std::async([this, queries, first = units] { compile_ahead(queries, first); });
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<Unit> {
    while (next == units.size()) {
      const std::optional<std::size_t> chunk = queue ? queue() : std::nullopt;
      if (!chunk) return std::nullopt;
      if (*chunk >= chunks.size()) throw InputError("a shared search was given a chunk that there is not");
      units = units_of(std::span(chunks).subspan(*chunk, 1), queries, limits);
      for (Unit& unit : units) unit.chunk = *chunk;
      next = 0;
    }
    return units[next++];
  };
  struct Done {
    Unit unit;
    Result result;
  };
  const auto score_unit = [&](const Device& device, const Unit& unit) {
    const auto chunk = resident_on(device).get(device, unit.chunk, cut_of(chunks[unit.chunk], unit.overlap));
    std::vector<Query> batch;
    for (const StrandQuery& query : queries.subspan(unit.first_query, unit.query_count))
      batch.push_back({query.codes, query.profile});
    const std::size_t pairs = batch.size() * chunk->count();
    runtime::ScratchArray<DeviceScores::value_type> scores(device, pairs);
    const double start = now();
    const std::uint64_t again = score(device, *chunk, batch, scores);
    device.finish();
    const double end = now();
    Done done{unit, take(device, unit, *chunk, scores)};
    const std::lock_guard lock(tally.mutex);
    tally.counts.computed_again += again;
    SearchTally::Busy& busy = tally.busy[&runtime::core_of(device)];
    busy.seconds += std::max(0.0, end - std::max(start, busy.until));
    busy.until = std::max(busy.until, end);
    return done;
  };
  const auto work = [&](const Device& device, Unit&& unit) {
    return with_room(device, [&] { return score_unit(device, unit); });
  };
  runtime::ChunkOptions chunk_options;
  // With everything in place there is nothing to overlap: two queues would only take turns.
  for (const auto& one : resident) chunk_options.workers_of.push_back(one->holds_all() ? 1 : 2);
  chunk_options.items_total = cells;
  chunk_options.progress = progress;
  runtime::for_each_chunk(
      Devices(devices), source, work,
      [&](Done&& done) {
        sink(done.unit, std::move(done.result));
        tally.counts.cells += done.unit.cells;
        return done.unit.cells;
      },
      chunk_options);
  // Every worker has ended.
  tally.counts.seconds += now() - begin;
  for (const auto& [context, busy] : tally.busy)
    tally.counts.kernel_seconds = std::max(tally.counts.kernel_seconds, busy.seconds);
}

}  // namespace genocl::align
