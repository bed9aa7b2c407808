#include <optional>

#include "common/mpi_team.hpp"
#include "common/program.hpp"
#include "common/run_program.hpp"

int main(int argc, char** argv) {
  using namespace program;
  const std::string name = std::string(program_name) + "-mpi";
  prepare_for_signals(name.c_str());
  int threads = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS) return 2;
  std::optional<MpiTeam> team;
  const Team* const alone = team_of_process();
  const int status = status_of(
      [&] {
        team.emplace(MPI_COMM_WORLD);
        genocl::cluster::share_cores(team->ranks());
        team_of_process() = &*team;
        run(argc, argv);
        team->ranks().barrier();
      },
      [&](int failure, const std::string& text) {
        if (team) team->end(name.c_str(), failure, text);
        std::cerr << name << ": error: " << text << "\n";
        return failure;
      });
  team_of_process() = alone;
  team.reset();
  MPI_Finalize();
  return status;
}
