#include "jacobi/halo.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

namespace genocl::jacobi {

namespace {

/// Between two looks, where nothing has gone on for so long. What comes after long is looked for seldom: devices that
/// are CPUs need the cores, and a look in vain every 100 us cost them a tenth of their speed. Messages `under_way` need
/// looks to get on.
void rest(std::chrono::nanoseconds idle, bool under_way) {
  using namespace std::chrono_literals;
  if (idle < 200us)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::clamp<std::chrono::nanoseconds>(idle / 8, 50us, under_way ? 50us : 1000us));
}

}  // namespace

template <class T>
MpiHaloLink<T>::~MpiHaloLink() {
  disconnect();
}

template <class T>
void MpiHaloLink<T>::disconnect() {
  for (Link& link : links_) {
    // After an error the other side may still read or write there, and nothing takes a message back: the memory is left
    // to the process, which is about to end.
    if (link.sending || link.receiving) static_cast<void>(new std::shared_ptr<HaloLink<T>>(link.border));
    link = {};
  }
}

template <class T>
void MpiHaloLink<T>::connect_above(std::size_t process, const std::shared_ptr<HaloLink<T>>& border,
                                   std::size_t elements) {
  links_[0] = {.border = border,
               .out = &border->up,
               .in = &border->down,
               .out_kind = MessageKind::halo_up,
               .in_kind = MessageKind::halo_down,
               .process = process,
               .elements = elements};
}

template <class T>
void MpiHaloLink<T>::connect_below(std::size_t process, const std::shared_ptr<HaloLink<T>>& border,
                                   std::size_t elements) {
  links_[1] = {.border = border,
               .out = &border->down,
               .in = &border->up,
               .out_kind = MessageKind::halo_down,
               .in_kind = MessageKind::halo_up,
               .process = process,
               .elements = elements};
}

// An exchange begins with the device's frontier: until then its slot for what comes may be in use, since only who sends
// exchange n has taken n - 2 out of it. And n is handed over only when n - 1 has left: the device may write n + 1 into
// the slot of n - 1 from then on.
template <class T>
bool MpiHaloLink<T>::go_on(Link& link) {
  if (link.exchange == link.end) return false;
  if (!link.sending && !link.receiving) {
    if (!link.out->has(link.exchange)) return false;
    const std::span<T> out(link.out->slot(link.exchange), link.elements),
        in(link.in->slot(link.exchange), link.elements);
    link.receiving = processes_->receive(link.process, link.in_kind, std::as_writable_bytes(in));
    link.sending = processes_->send(link.process, link.out_kind, std::as_bytes(out));
    return true;
  }
  bool moved = false;
  if (link.receiving && link.receiving->done()) {
    link.receiving.reset();
    link.in->send(link.exchange);
    moved = true;
  }
  if (link.sending && link.sending->done()) {
    link.sending.reset();
    moved = true;
  }
  if (!link.sending && !link.receiving) ++link.exchange;
  return moved;
}

template <class T>
void MpiHaloLink<T>::carry(std::uint64_t exchanges, const StopFlag& stop) {
  for (Link& link : links_)
    if (link.border) link.end += exchanges;
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  while (links_[0].exchange != links_[0].end || links_[1].exchange != links_[1].end) {
    if (stop.load(std::memory_order_relaxed)) throw Stopped();
    const bool above = go_on(links_[0]), below = go_on(links_[1]);
    const auto time = Clock::now();
    if (above || below)
      last = time;
    else
      rest(time - last, links_[0].sending || links_[0].receiving || links_[1].sending || links_[1].receiving);
  }
}

template class MpiHaloLink<float>;
template class MpiHaloLink<double>;

}  // namespace genocl::jacobi
