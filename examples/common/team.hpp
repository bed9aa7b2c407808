// The processes of a program: one, or with MPI many. A process is a member of the team; rank 0 is the root.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/device.hpp"

namespace program {

/// Distributes numbered blocks of work to the members of a team, and passes their results to the root in the order of
/// the blocks.
class Blocks {
 public:
  using Sink = std::function<void(std::string_view head, std::string_view bytes)>;

  virtual ~Blocks() = default;
  /// Returns the number of the next block for this member. Thread-safe.
  virtual std::uint64_t take() = 0;
  /// Passes the result of a block. Blocks are put in the order in which this member took them, by one thread at a time.
  /// The root's sink receives them in the order of all blocks. `head` and `bytes` are separate so that long results are
  /// not copied behind their heads.
  virtual void put(std::uint64_t block, std::string_view head, std::string_view bytes) = 0;
  /// Every member calls it after its last put(). Returns when the sink has received all blocks.
  virtual void finish() = 0;
};

/// A member's view of the team. All members call the functions, except rank(), size() and is_root(), in the same order.
class Team {
 public:
  virtual ~Team() = default;

  virtual unsigned rank() const { return 0; }
  virtual unsigned size() const { return 1; }
  /// The root reads standard input, writes the output and the messages.
  bool is_root() const { return rank() == 0; }

  /// Opens the devices of this member: those of `spec`, or the default device if it is empty.
  virtual std::vector<genocl::Device> open_devices(const std::string& spec) const {
    return spec.empty() ? std::vector{genocl::Device::pick()} : genocl::Device::list(spec);
  }
  virtual std::unique_ptr<Blocks> blocks(Blocks::Sink sink) const;
  /// blocks() for members that write their bytes into one file themselves, from byte `begin` on. `path`, `begin`,
  /// `sink` and `done` are the root's. The sink receives heads without bytes. finish() passes the end of the written
  /// bytes to `done`. Null if the members do not share the file.
  virtual std::unique_ptr<Blocks> file_blocks(const std::string& /*path*/, std::uint64_t /*begin*/,
                                              Blocks::Sink /*sink*/,
                                              std::function<void(std::uint64_t)> /*done*/) const {
    return nullptr;
  }
  /// From here on, standard input of every member has the bytes of the root's.
  virtual void share_standard_input() const {}
  /// Returns the bytes of all members by rank on the root; empty on the others.
  virtual std::vector<std::string> gather(std::string bytes) const { return {std::move(bytes)}; }
  /// Replaces the bytes of every member by the root's.
  virtual void broadcast(std::string&) const {}
  virtual void sum(std::span<std::uint64_t>) const {}
  virtual void greatest(std::span<double>) const {}
};

/// Blocks of a team of one.
class OwnBlocks : public Blocks {
 public:
  explicit OwnBlocks(Sink sink) : sink_(std::move(sink)) {}
  std::uint64_t take() override { return next_++; }
  void put(std::uint64_t, std::string_view head, std::string_view bytes) override { sink_(head, bytes); }
  void finish() override {}

 private:
  Sink sink_;
  std::atomic<std::uint64_t> next_ = 0;
};

inline std::unique_ptr<Blocks> Team::blocks(Blocks::Sink sink) const {
  return std::make_unique<OwnBlocks>(std::move(sink));
}

/// The team of this process: a team of one, unless main() sets another before the work begins.
inline const Team*& team_of_process() {
  static const Team alone;
  static const Team* team = &alone;
  return team;
}
inline const Team& team() { return *team_of_process(); }

/// Returns a function that runs `work` on the root only, which is a team of one meanwhile.
template <class Work>
auto on_root(Work work) {
  return [work] {
    if (!team().is_root()) return;
    static const Team alone;
    const struct Restore {
      const Team* team = std::exchange(team_of_process(), &alone);
      ~Restore() { team_of_process() = team; }
    } restore;
    work();
  };
}

/// Returns this member's part [first, second) of the items 0 to weights.size() - 1. Parts are consecutive by rank and
/// have similar sums of weights.
inline std::pair<std::size_t, std::size_t> own_part(std::span<const std::uint64_t> weights) {
  double total = 0, sum = 0;
  for (const std::uint64_t weight : weights) total += static_cast<double>(weight);
  const double share = total / team().size();
  // An item belongs to the part that contains its middle.
  std::pair<std::size_t, std::size_t> part = {0, 0};
  for (const std::uint64_t weight : weights) {
    const double middle = sum + static_cast<double>(weight) / 2;
    sum += static_cast<double>(weight);
    if (middle < share * team().rank()) ++part.first;
    if (team().rank() + 1 == team().size() || middle < share * (team().rank() + 1)) ++part.second;
  }
  return part;
}

}  // namespace program
