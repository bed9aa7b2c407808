// The processes that do one run together. How they reach one another is not known here: see src/cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace genocl::jacobi {

/// A message under way. Its memory stays where it is until it is done.
class MessageTransfer {
 public:
  virtual ~MessageTransfer() = default;
  virtual bool done() = 0;
};

/// What messages are about: those of one kind come in the order in which they were sent.
enum class MessageKind : std::uint8_t { halo_down, halo_up, slices };

/// One process's view of all of them. An error of one is thrown there; the others wait for it in vain.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  virtual std::string machine() const = 0;
  /// So many of them share this machine's memory.
  virtual std::size_t machine_size() const = 0;

  /// All processes call these, in one order: [rank], what each gave; the bytes of process 0, for all; sums.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  virtual void broadcast(std::vector<std::byte>& bytes) = 0;
  virtual void sum(std::span<std::uint64_t> values) = 0;

  /// Any thread may call these. The receiver knows how many bytes come.
  virtual std::unique_ptr<MessageTransfer> send(std::size_t to, MessageKind kind, std::span<const std::byte> bytes) = 0;
  virtual std::unique_ptr<MessageTransfer> receive(std::size_t from, MessageKind kind, std::span<std::byte> bytes) = 0;
};

/// What all processes gave, one after the other; of a process alone (null) its own.
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

/// Makes everybody's values those of process 0.
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
