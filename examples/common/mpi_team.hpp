// The team of an MPI program.
#pragma once

#include <memory>

#include "common/team.hpp"
#include "genocl/cluster.hpp"

namespace program {

class MpiTeam : public Team {
 public:
  explicit MpiTeam(MPI_Comm comm);

  unsigned rank() const override { return static_cast<unsigned>(ranks_.rank()); }
  unsigned size() const override { return static_cast<unsigned>(ranks_.size()); }
  std::vector<genocl::Device> open_devices(const std::string& spec) const override;
  std::unique_ptr<Blocks> blocks(Blocks::Sink sink) const override;
  std::unique_ptr<Blocks> file_blocks(const std::string& path, std::uint64_t begin, Blocks::Sink sink,
                                      std::function<void(std::uint64_t)> done) const override;
  void share_standard_input() const override;
  std::vector<std::string> gather(std::string bytes) const override;
  void broadcast(std::string& bytes) const override;
  void sum(std::span<std::uint64_t> values) const override { ranks_.sum(values); }
  void greatest(std::span<double> values) const override { ranks_.max(values); }

  const genocl::cluster::Communicator& ranks() const { return ranks_; }
  /// Reports an error, once for all ranks, and ends the job with this status.
  [[noreturn]] void end(const char* program, int status, const std::string& wrong) const;

 private:
  genocl::cluster::Communicator ranks_;
  genocl::cluster::SharedCounter errors_;
};

/// The team of this process. Only in MPI programs.
const MpiTeam& mpi_team();

}  // namespace program
