#include "align/search_command.hpp"
#include "genocl/error.hpp"

namespace program {

std::unique_ptr<SearchEngine> make_engine(std::span<const genocl::Device> devices, const align::Database& database,
                                          const align::SearchOptions& options, const std::string& schedule) {
  if (!schedule.empty())
    throw genocl::InputError("--schedule", {}, "for many processes", "genocl-align-mpi, started by mpirun");
  return std::make_unique<EngineOf<align::Searcher>>(align::Searcher(devices, database, options));
}

}  // namespace program
