// Counts the ranks of its job, each of which takes a piece of its work.
#include <array>
#include <iostream>

#include "genocl/cluster.hpp"
#include "genocl/error.hpp"

int main(int argc, char** argv) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
  try {
    const genocl::cluster::Communicator ranks(MPI_COMM_WORLD);
    genocl::cluster::SharedCounter counter(ranks);
    std::array<std::uint64_t, 1> sum = {counter.take()};
    ranks.sum(sum);
    if (ranks.is_root()) std::cout << ranks.size() << " ranks, sum of places " << sum[0] << '\n';
  } catch (const genocl::Error& error) {
    std::cerr << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
