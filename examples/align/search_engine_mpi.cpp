#include "align/search_command.hpp"
#include "common/mpi_team.hpp"

namespace program {

std::unique_ptr<SearchEngine> make_engine(std::span<const genocl::Device> devices, const align::Database& database,
                                          const align::SearchOptions& options, const std::string& schedule) {
  using genocl::cluster::Searcher;
  return std::make_unique<EngineOf<Searcher>>(
      Searcher(mpi_team().ranks(), devices, database, options,
               genocl::cluster::schedule_named(schedule.empty() ? "shared" : schedule)));
}

}  // namespace program
