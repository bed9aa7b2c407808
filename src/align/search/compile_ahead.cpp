#include <algorithm>
#include <exception>
#include <map>

#include "align/score/score_gpu_parts.hpp"
#include "align/search/searcher_state.hpp"
#include "align/steps.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// What other units launch is compiled by then, most of it.
constexpr std::size_t first_units = 64;
constexpr std::size_t threads = 16;

/// What follows the scores: run with a few.
void select_few(const Device& device) {
  const Device own = device.with_own_queue();
  constexpr std::uint32_t count = 64;
  DeviceScores scores(own, count);
  scores.fill(0);
  const std::int32_t cutoff = 0;
  select_top(own, scores, count, {&cutoff, 1}, 1);
  (void)saturated_kernel(own);
  own.finish();
}

}  // namespace

void Searcher::State::compile_ahead(std::span<const StrandQuery> queries, std::span<const Unit> units) const noexcept {
  try {
    if ((options.kernel != Kernel::automatic && options.kernel != Kernel::gpu) || compiled.exchange(true)) return;
    std::vector<const Device*> gpus;
    for (const Device& device : devices)
      if (device.info().type == DeviceType::gpu && device.family() == KernelFamily::gpu &&
          !runtime::takes_one_launch(device))
        gpus.push_back(&device);
    if (gpus.empty()) return;
    units = units.first(std::min(units.size(), first_units));
    struct Subjects {
      std::vector<std::uint32_t> lengths;
      std::uint64_t residues = 0;
    };
    std::map<std::pair<std::size_t, std::uint64_t>, Subjects> all;  // by chunk and overlap of pieces
    for (const Unit& unit : units) {
      Subjects& subjects = all[{unit.chunk, unit.overlap}];
      if (!subjects.lengths.empty()) continue;
      for (const Piece& piece : pieces_of(database, chunks[unit.chunk], cut_of(chunks[unit.chunk], unit.overlap))) {
        subjects.lengths.push_back(piece.length);
        subjects.residues += piece.length;
      }
    }
    const std::size_t tasks = (1 + units.size()) * gpus.size();
    runtime::parallel_for(tasks, std::min(tasks, threads), [&](std::size_t i) {
      const Device& device = *gpus[i % gpus.size()];
      if (i < gpus.size()) return select_few(device);
      const Unit& unit = units[i / gpus.size() - 1];
      std::vector<Query> batch;
      for (const StrandQuery& query : queries.subspan(unit.first_query, unit.query_count))
        batch.push_back({query.codes, query.profile});
      const Subjects& subjects = all.at({unit.chunk, unit.overlap});
      compile_score_gpu(device, table, batch, subjects.lengths, subjects.residues);
    });
  } catch (const std::exception&) {  // said where it is launched
  }
}

}  // namespace genocl::align
