// The ranks of a communicator as a jacobi::ProcessGroup.
#pragma once

#include <vector>

#include "cluster/communicator_state.hpp"
#include "jacobi/process_group.hpp"

namespace genocl::cluster {

class MpiProcessGroup : public jacobi::ProcessGroup {
 public:
  /// Collective. `share_memory` false: as if every rank ran on another machine.
  explicit MpiProcessGroup(const Communicator& ranks, bool share_memory = true);
  /// Collective, except after an exception, which leaves the shared memory to the end of the process.
  ~MpiProcessGroup() override;
  MpiProcessGroup(const MpiProcessGroup&) = delete;
  MpiProcessGroup& operator=(const MpiProcessGroup&) = delete;

  std::size_t rank() const override { return static_cast<std::size_t>(ranks_.rank()); }
  std::size_t size() const override { return static_cast<std::size_t>(ranks_.size()); }
  std::string machine() const override;
  std::size_t machine_size() const override { return static_cast<std::size_t>(ranks_.node_size()); }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override;
  void broadcast(std::vector<std::byte>& bytes) override { ranks_.broadcast(bytes); }
  void sum(std::span<std::uint64_t> values) override { ranks_.sum(values); }
  std::span<std::byte> share(std::size_t with, std::size_t bytes) override;
  std::unique_ptr<jacobi::MessageTransfer> send(std::size_t to, jacobi::MessageKind kind,
                                                std::span<const std::byte> bytes) override;
  std::unique_ptr<jacobi::MessageTransfer> receive(std::size_t from, jacobi::MessageKind kind,
                                                   std::span<std::byte> bytes) override;

 private:
  bool on_this_machine(std::size_t rank) const;
  /// Sends a byte to a rank and returns the one that it sends.
  std::byte swap_byte(std::size_t with, std::byte byte);

  Communicator ranks_;
  OwnComm comm_;  // for messages between two ranks; collectives use another communicator
  bool share_memory_ = true;
  int exceptions_ = 0;
  std::vector<MPI_Win> windows_;
};

}  // namespace genocl::cluster
