// Which band may go up, and which may come back. They come back into their own places on the host, where neighbours
// may still have to read, of this round or the last one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "jacobi/exchange/exchange.hpp"

namespace genocl::jacobi {

/// Ghosts of a band are of the bands beside it alone. Workers take the bands of a round in order, and round after
/// round: then nobody waits for what nobody does, as long as there are two workers.
class BandOrder {
 public:
  /// Rounds are counted from 0 again. Nothing may be under way.
  void restart(std::size_t bands) {
    up_.assign(bands, 0);
    back_.assign(bands, 0);
    stopped_ = false;
  }
  /// Ends all waiting, with Stopped.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Returns when the band and those beside it are back from the rounds before.
  void wait_to_go_up(std::uint64_t round, std::size_t band) {
    wait([&] { return beside(back_, round, band) && back_[band] >= round; });
  }
  void is_up(std::size_t band) { count(up_, band); }
  /// Returns when those beside it have taken their ghosts out of it.
  void wait_to_come_back(std::uint64_t round, std::size_t band) {
    wait([&] { return beside(up_, round + 1, band); });
  }
  void is_back(std::size_t band) { count(back_, band); }

 private:
  static bool beside(const std::vector<std::uint64_t>& rounds, std::uint64_t least, std::size_t band) {
    return (band == 0 || rounds[band - 1] >= least) && (band + 1 == rounds.size() || rounds[band + 1] >= least);
  }
  void count(std::vector<std::uint64_t>& rounds, std::size_t band) {
    const std::lock_guard lock(mutex_);
    ++rounds[band];
    changed_.notify_all();
  }
  template <class Ready>
  void wait(Ready&& ready) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || ready(); });
    if (stopped_) throw Stopped();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> up_, back_;  // rounds that each band has gone up, and come back
  bool stopped_ = false;
};

}  // namespace genocl::jacobi
