// The processes of one run. The transport is elsewhere: src/cluster implements it with MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace genocl::jacobi {

/// A message in transit. Its memory must stay valid until done() returns true.
class MessageTransfer {
 public:
  virtual ~MessageTransfer() = default;
  virtual bool done() = 0;
};

/// Messages of one kind between two processes arrive in the order in which they were sent.
enum class MessageKind : std::uint8_t { halo_down, halo_up, slices, share };

/// The view of one process. An error in one process is thrown there; the other processes may wait forever.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  virtual std::string machine() const = 0;
  /// The number of processes on this machine, which share its memory.
  virtual std::size_t machine_size() const = 0;

  /// Collective, called in the same order by all processes: [rank], the bytes of each; the bytes of process 0; sums.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  virtual void broadcast(std::vector<std::byte>& bytes) = 0;
  virtual void sum(std::span<std::uint64_t> values) = 0;

  /// Collective for this process and another: memory that both share, zeroed, aligned for any type and valid as long as
  /// this object. Empty if they run on different machines, or if the system refuses.
  virtual std::span<std::byte> share(std::size_t with, std::size_t bytes) = 0;

  /// Thread-safe. The receiver passes a span of the message's size.
  virtual std::unique_ptr<MessageTransfer> send(std::size_t to, MessageKind kind, std::span<const std::byte> bytes) = 0;
  virtual std::unique_ptr<MessageTransfer> receive(std::size_t from, MessageKind kind, std::span<std::byte> bytes) = 0;
};

/// The values of all processes in the order of ranks; without processes (null) a copy of `own`.
template <class Value>
std::vector<Value> gather_values(ProcessGroup* processes, std::span<const Value> own) {
  if (processes == nullptr) return {own.begin(), own.end()};
  std::vector<Value> all;
  for (const std::vector<std::byte>& bytes : processes->gather(std::as_bytes(own))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Value));
    if (!bytes.empty()) std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

/// Replaces the values by those of process 0.
template <class Value>
void broadcast_values(ProcessGroup* processes, std::vector<Value>& values) {
  if (processes == nullptr) return;
  const auto own = std::as_bytes(std::span<const Value>(values));
  std::vector<std::byte> bytes(own.begin(), own.end());
  processes->broadcast(bytes);
  values.resize(bytes.size() / sizeof(Value));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
}

}  // namespace genocl::jacobi
