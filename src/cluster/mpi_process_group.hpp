// The ranks of a communicator as a jacobi::ProcessGroup.
#pragma once

#include "cluster/communicator_state.hpp"
#include "jacobi/process_group.hpp"

namespace genocl::cluster {

class MpiProcessGroup : public jacobi::ProcessGroup {
 public:
  /// Collective.
  explicit MpiProcessGroup(const Communicator& ranks);

  std::size_t rank() const override { return static_cast<std::size_t>(ranks_.rank()); }
  std::size_t size() const override { return static_cast<std::size_t>(ranks_.size()); }
  std::string machine() const override;
  std::size_t machine_size() const override { return static_cast<std::size_t>(ranks_.node_size()); }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override;
  void broadcast(std::vector<std::byte>& bytes) override { ranks_.broadcast(bytes); }
  void sum(std::span<std::uint64_t> values) override { ranks_.sum(values); }
  std::unique_ptr<jacobi::MessageTransfer> send(std::size_t to, jacobi::MessageKind kind,
                                                std::span<const std::byte> bytes) override;
  std::unique_ptr<jacobi::MessageTransfer> receive(std::size_t from, jacobi::MessageKind kind,
                                                   std::span<std::byte> bytes) override;

 private:
  Communicator ranks_;
  OwnComm comm_;  // for messages between two ranks; collectives use another communicator
};

}  // namespace genocl::cluster
