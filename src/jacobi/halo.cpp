#include "jacobi/halo.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "jacobi/partition.hpp"

namespace genocl::jacobi {
namespace {

/// Waits between two checks after `idle` without progress. Long waits are checked rarely: devices that are CPUs need
/// the cores, and a check every 100 us took a tenth of their speed. Pending messages progress only during checks.
void pause_after(std::chrono::nanoseconds idle, bool pending) {
  using namespace std::chrono_literals;
  if (idle < 200us)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::clamp<std::chrono::nanoseconds>(idle / 8, 50us, pending ? 50us : 1000us));
}

}  // namespace

template <class T>
HaloBuffer<T>::HaloBuffer(const Device& owner, std::size_t elements)
    : elements_(elements), own_(owner, 2 * slot_bytes(elements) / sizeof(T)) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = own_.data() + i * slot_bytes(elements) / sizeof(T);
}

template <class T>
HaloBuffer<T>::HaloBuffer(const Device& owner, std::size_t elements, std::byte* shared, bool page_locked)
    : elements_(elements) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == 8,
                "the counters are used by two processes");
  sent_ = reinterpret_cast<std::atomic<std::uint64_t>*>(shared);
  released_ = sent_ + 1;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    slots_[i] = reinterpret_cast<T*>(shared + header_bytes + i * slot_bytes(elements));
  if (page_locked) copy_ = HostArray<T>(owner, elements);
}

template <class T>
void HaloBuffer<T>::copy_halo(const T* from, T* to) noexcept {
  copy_cells<T>({from, elements_}, {to, elements_});
}

template <class T>
void SharedChannel<T>::send(std::span<const T> cells, const StopFlag& stop) {
  for (std::size_t first = 0; first < cells.size(); first += piece) {
    wait_until(stop, [&] { return out_.may_fill(); });
    const std::size_t count = std::min(piece, cells.size() - first);
    copy_cells<T>(cells.subspan(first, count), {out_.slot(), count});
    out_.send();
  }
}

template <class T>
void SharedChannel<T>::receive(std::span<T> cells, const StopFlag& stop) {
  for (std::size_t first = 0; first < cells.size(); first += piece) {
    wait_until(stop, [&] { return in_.has(); });
    const std::size_t count = std::min(piece, cells.size() - first);
    copy_cells<T>({in_.take(), count}, cells.subspan(first, count));
    in_.release();
  }
}

template <class T>
MpiHaloLink<T>::~MpiHaloLink() {
  disconnect();
}

template <class T>
void MpiHaloLink<T>::disconnect() {
  for (Neighbour& one : neighbours_) {
    // After an error the other side may still access the memory, and a message cannot be withdrawn. The memory is
    // leaked; the process is about to end.
    if (one.sending || one.receiving) static_cast<void>(new std::shared_ptr<HaloLink<T>>(one.link));
    one = {};
  }
}

template <class T>
void MpiHaloLink<T>::connect_above(std::size_t process, const std::shared_ptr<HaloLink<T>>& link,
                                   std::size_t elements) {
  neighbours_[0] = {.link = link,
                    .out = &link->up,
                    .in = &link->down,
                    .out_kind = MessageKind::halo_up,
                    .in_kind = MessageKind::halo_down,
                    .process = process,
                    .elements = elements};
}

template <class T>
void MpiHaloLink<T>::connect_below(std::size_t process, const std::shared_ptr<HaloLink<T>>& link,
                                   std::size_t elements) {
  neighbours_[1] = {.link = link,
                    .out = &link->down,
                    .in = &link->up,
                    .out_kind = MessageKind::halo_down,
                    .in_kind = MessageKind::halo_up,
                    .process = process,
                    .elements = elements};
}

// An exchange begins when the device has sent. Until then the slot of the incoming halo may be in use: the device that
// sends exchange n has read n - 2 from it. Exchange n is passed on only after n - 1 has been sent: from then on the
// device may write n + 1 into the slot of n - 1.
template <class T>
bool MpiHaloLink<T>::advance(Neighbour& one) {
  if (one.left == 0) return false;
  if (!one.sending && !one.receiving) {
    if (!one.out->has()) return false;
    const std::span<T> out(one.out->take(), one.elements), in(one.in->slot(), one.elements);
    one.receiving = processes_->receive(one.process, one.in_kind, std::as_writable_bytes(in));
    one.sending = processes_->send(one.process, one.out_kind, std::as_bytes(out));
    return true;
  }
  bool progress = false;
  if (one.receiving && one.receiving->done()) {
    one.receiving.reset();
    one.in->send();
    progress = true;
  }
  if (one.sending && one.sending->done()) {
    one.sending.reset();
    progress = true;
  }
  if (!one.sending && !one.receiving) --one.left;
  return progress;
}

template <class T>
void MpiHaloLink<T>::exchange(std::uint64_t exchanges, const StopFlag& stop) {
  for (Neighbour& one : neighbours_)
    if (one.link) one.left = exchanges;
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  auto& [above, below] = neighbours_;
  while (above.left != 0 || below.left != 0) {
    if (stop.load(std::memory_order_relaxed)) throw Stopped();
    const bool progress_above = advance(above), progress_below = advance(below);
    const auto time = Clock::now();
    if (progress_above || progress_below)
      last = time;
    else
      pause_after(time - last, above.sending || above.receiving || below.sending || below.receiving);
  }
}

template class HaloBuffer<float>;
template class HaloBuffer<double>;
template class SharedChannel<float>;
template class SharedChannel<double>;
template class MpiHaloLink<float>;
template class MpiHaloLink<double>;

}  // namespace genocl::jacobi
