// The processes that do a program's job together. A plain program is a team of one; with MPI there may be many.
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

/// Numbered pieces of work: whoever is free takes the next, and the bytes that all make of them come together in order.
class Blocks {
 public:
  using Sink = std::function<void(std::string_view head, std::string_view bytes)>;

  virtual ~Blocks() = default;
  /// Any thread may ask.
  virtual std::uint64_t take() = 0;
  /// In the order in which they were taken, one thread at a time. The root's sink has them in the order of all blocks.
  /// There are two so that what is long need not be copied behind what is said of it.
  virtual void put(std::uint64_t block, std::string_view head, std::string_view bytes) = 0;
  /// Everybody calls it, after the last put(): returns when the sink has had all.
  virtual void finish() = 0;
};

/// One member's view of the team. All calls but rank(), size() and is_root() are made by every member, in one order.
class Team {
 public:
  virtual ~Team() = default;

  virtual unsigned rank() const { return 0; }
  virtual unsigned size() const { return 1; }
  /// The member that reads standard input, writes the output and says how it went.
  bool is_root() const { return rank() == 0; }

  /// The devices of this member: by `spec`, or the default where that is empty.
  virtual std::vector<genocl::Device> open_devices(const std::string& spec) const {
    return spec.empty() ? std::vector{genocl::Device::pick()} : genocl::Device::list(spec);
  }
  virtual std::unique_ptr<Blocks> blocks(Blocks::Sink sink) const;
  /// The same where each member writes the bytes of its blocks into a file itself, from byte `begin` on; path, begin,
  /// sink and done are the root's. The sink has no bytes; `done` is told by finish() where they end. Null where members
  /// do not share the file.
  virtual std::unique_ptr<Blocks> file_blocks(const std::string& /*path*/, std::uint64_t /*begin*/,
                                              Blocks::Sink /*sink*/,
                                              std::function<void(std::uint64_t)> /*done*/) const {
    return nullptr;
  }
  /// Everybody reads the root's standard input from here on.
  virtual void share_standard_input() const {}
  /// What each member gives, by rank; empty for all but the root.
  virtual std::vector<std::string> gather(std::string bytes) const { return {std::move(bytes)}; }
  /// Makes everybody's bytes the root's.
  virtual void broadcast(std::string&) const {}
  virtual void sum(std::span<std::uint64_t>) const {}
  virtual void greatest(std::span<double>) const {}
};

/// Those of a team of one.
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

/// The team of this process: of one, unless main() says otherwise before the work begins.
inline const Team*& team_of_process() {
  static const Team alone;
  static const Team* team = &alone;
  return team;
}
inline const Team& team() { return *team_of_process(); }

/// A command's work that one member does as well as many: the root's alone.
template <class Work>
auto on_root(Work work) {
  return [work] {
    if (team().is_root()) work();
  };
}

/// The part of numbers 0 to weights.size() - 1 that is this member's: [first, second). Parts follow one another by
/// rank, and are about as heavy as one another.
inline std::pair<std::size_t, std::size_t> own_part(std::span<const std::uint64_t> weights) {
  double total = 0, sum = 0;
  for (const std::uint64_t weight : weights) total += static_cast<double>(weight);
  const double share = total / team().size();
  // A number belongs to the part in which its middle lies.
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
