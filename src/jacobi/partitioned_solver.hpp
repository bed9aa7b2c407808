// Relaxes a grid in shares, one for each device that takes part.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "jacobi/balance.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition_worker.hpp"

namespace genocl::jacobi {

// Each device has one host thread, and the caller's thread directs them.

class Team {
 public:
  explicit Team(std::size_t members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// job(i) on thread i, for every member; returns when all are done. Meanwhile `look` is called here now and then. The
  /// first exception of any of them raises the stop flag, and is thrown here again when all have ended.
  void run(const std::function<void(std::size_t)>& job, const std::function<void()>& look);

  const StopFlag& stop() const noexcept { return stop_; }

 private:
  void work(std::size_t member);
  void fail(std::exception_ptr error) noexcept;

  StopFlag stop_ = false;
  std::mutex mutex_;  // guards what follows
  std::condition_variable called_, ended_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t calls_ = 0, running_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

/// The shares as parts of the grid, in the order of the devices; a device without a share has an empty one. `first`:
/// the number of the grid's first slice (Layout).
std::vector<Part> parts_of(const Shares& shares, std::uint64_t first = 0);

/// What a device has done in a run.
struct WorkDone {
  Spent spent;
  double updates = 0;
};

/// Is told now and then, on the thread that runs, how many iterations are done; may throw.
using Tell = std::function<void(double iterations)>;

/// Shares, parts and their numbers are those of all devices of the roster; whatever else is asked for is of this
/// process's. start(), load(), move(), change() and store() are collective, as is advance() with a share anywhere. All
/// of them throw DeviceFailed for the device, by its number here, that made them fail: the run is then of no more use.
template <class T>
class ShareRun {
 public:
  /// `tell` may be empty. `roomy`: devices take memory for more than their share, so that slices can be moved.
  ShareRun(std::span<const Worker> workers, Roster roster, const RunSettings& settings, const Hooks& hooks, Tell tell,
           bool roomy);

  /// Memory and kernels for what may come later, where they are not there from the first. Before start().
  void reserve(const Shares& first, const Shares& later, std::span<const SweepLevels> levels);
  /// Gives the devices their first shares, with the cells, and kernels for sweeps of those numbers of levels.
  void start(const Shares& shares, const HostGrid<T>& grid, std::span<const SweepLevels> levels);
  /// Gives them other cells, with which they begin anew.
  void restart(const HostGrid<T>& grid);
  /// Compiles what sweeps of those numbers of levels need.
  void prepare(std::span<const SweepLevels> levels);
  /// Gives them other shares: slices go through host memory.
  void move(const Shares& shares);
  /// Seconds that it took. `with_change`: change() then is that of the last iteration. What `tell` throws ends it at
  /// the next exchange that all devices reach: it is thrown again then, and the run may go on. (With several processes
  /// it is an error like others.)
  double advance(std::uint64_t iterations, bool with_change);
  Change change();
  /// Gives the cells to the caller: all of them, or with functions those of each device in the slices' order.
  void store(const HostGrid<T>& grid);
  /// Iterations since the cells came.
  std::uint64_t iterations() const noexcept { return iterations_; }

  const Shares& shares() const noexcept { return shares_; }
  /// What the last advance() took of each device.
  std::span<const Spent> spent() const noexcept { return spent_; }
  std::span<const WorkDone> done() const noexcept { return done_; }

 private:
  ShareRunner<T>& runner(std::size_t member) { return *runners_[member - roster_.first]; }
  std::vector<Part> parts(const Shares& shares) const { return parts_of(shares, settings_.layout.first()); }
  Part room_for(std::size_t member, const Part& part) const;
  void place(const Shares& shares);
  /// use(upper, lower) for every two devices with shares of neighbouring slices.
  template <class Use>
  void for_neighbours(const Shares& shares, Use&& use) const;
  const std::shared_ptr<Border<T>>& border(std::size_t upper, std::size_t lower);
  void make_piece();
  /// `there`: the number that the part's first slice has where it goes.
  void pass_on(std::size_t from, std::size_t to, const Part& part, std::uint64_t there);
  void pass_on(std::size_t to, const Part& part, std::span<const T> slices);
  void load(const HostGrid<T>& grid);
  void send(std::size_t process, std::span<const T> cells);
  void receive(std::size_t process, std::span<T> cells);
  template <class Do>
  void on_runners(Do&& what) {  // one device after the other
    for (std::size_t i = 0; i < runners_.size(); ++i) on_device(roster_.first + i, [&] { what(*runners_[i], i); });
  }
  template <class Do>
  void transfer_all(Do&& what) {  // all at once
    team_.run(
        [&](std::size_t i) {
          if (i < runners_.size()) transfer(roster_.first + i, [&] { what(*runners_[i]); });
        },
        [] {});
  }
  template <class Do>
  void transfer(std::size_t member, Do&& what) {
    on_device(member, [&] {
      if (fail_transfer_) fail_transfer_(member);
      what();
    });
  }
  void look();

  std::vector<Worker> workers_;
  Roster roster_;
  RunSettings settings_;
  Tell tell_;
  std::function<void(std::size_t)> fail_transfer_;
  std::uint64_t iterations_ = 0;
  bool roomy_ = false, played_ = false;
  std::vector<std::unique_ptr<ShareRunner<T>>> runners_;
  std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<Border<T>>> borders_;  // by the two devices
  Courier<T> courier_;
  Shares shares_;
  std::vector<Spent> spent_;
  std::vector<WorkDone> done_;
  HostArray<T> piece_;           // of what is moved
  std::vector<double> squares_;  // of each row of the grid
  Gate gate_;
  Team team_;  // last: its threads end before what they use
};

extern template class ShareRun<float>;
extern template class ShareRun<double>;

}  // namespace genocl::jacobi
