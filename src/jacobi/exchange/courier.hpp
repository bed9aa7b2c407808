// Carries frontiers between a device of this process and its neighbour in another one. To the device it is a neighbour
// like any other: a Border, whose far side is here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "jacobi/exchange/exchange.hpp"
#include "jacobi/exchange/processes.hpp"

namespace genocl::jacobi {

template <class T>
class Courier {
 public:
  /// Null: there are no other processes.
  explicit Courier(Processes* processes) : processes_(processes) {}
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  /// Forgets all neighbours.
  void disconnect();
  /// The device at the border's lower (or upper) side is here, its neighbour in that process. Exchanges of `elements`
  /// are counted from 0.
  void connect_above(std::size_t process, const std::shared_ptr<Border<T>>& border, std::size_t elements);
  void connect_below(std::size_t process, const std::shared_ptr<Border<T>>& border, std::size_t elements);

  /// Carries so many exchanges; returns when all have come and gone. Throws Stopped when the flag goes up.
  void carry(std::uint64_t exchanges, const StopFlag& stop);

 private:
  struct Link {
    std::shared_ptr<Border<T>> border;  // null: no neighbour there
    Channel<T>*out = nullptr, *in = nullptr;
    Message out_kind = Message::frontier_down, in_kind = Message::frontier_up;
    std::size_t process = 0, elements = 0;
    std::uint64_t exchange = 0, end = 0;
    std::unique_ptr<Transfer> sending, receiving;
  };
  /// Whether anything went on.
  bool go_on(Link& link);

  Processes* processes_;
  std::array<Link, 2> links_;
};

extern template class Courier<float>;
extern template class Courier<double>;

}  // namespace genocl::jacobi
