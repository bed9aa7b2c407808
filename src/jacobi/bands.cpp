#include "jacobi/bands.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/equation.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed) {
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  const auto slices = static_cast<double>(plan.slices), iterations = static_cast<double>(plan.iterations);
  const double up = (slices + 2 * iterations) * cells * static_cast<double>(element);
  const double down = slices * cells * static_cast<double>(element);
  BandCost cost;
  cost.transfer =
      plan.arrays < 4 ? (up + down) / speed.bytes : std::max(up / speed.bytes, (up + down) / speed.bytes_both);
  cost.computing = iterations * (slices + iterations - 1) * cells / speed.updates;
  cost.seconds = speed.overlaps ? std::max(cost.computing, cost.transfer) : cost.computing + cost.transfer;
  cost.useful = iterations * slices * cells / speed.updates / cost.seconds;
  return cost;
}

BandPlan plan_bands(const Layout& layout, const BandMemory& memory, unsigned max_iterations, unsigned fused_steps,
                    const BandSpeed& speed) {
  constexpr unsigned most_of_all = 4096;
  const std::uint64_t all = memory.max_slices * (2 * memory.element + memory.fields);
  const auto held = [&](unsigned arrays) { return all / (arrays * memory.element + (arrays - 1) * memory.fields); };
  // A band is at least as high as its halo, so that the halo belongs to its neighbours only.
  constexpr std::uint64_t least = 3;
  if (held(3) < least)
    throw CapacityError("a band of one slice with the halo of one iteration",
                        least * layout.slice() * (3 * memory.element + 2 * memory.fields), all * layout.slice());
  const auto planned = [&](unsigned arrays, std::uint64_t iterations) {
    BandPlan plan{std::min(held(arrays) - 2 * iterations, layout.slices), static_cast<unsigned>(iterations), arrays};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // bands of equal height
    plan.iterations = static_cast<unsigned>(std::min<std::uint64_t>(plan.iterations, plan.slices));
    return plan;
  };
  const auto useful = [&](const BandPlan& plan) { return cost_of_band(layout, memory.element, plan, speed).useful; };
  const std::uint64_t wanted = max_iterations != 0 ? max_iterations : most_of_all;
  BandPlan best = planned(3, std::min({held(3) / least, wanted, std::uint64_t{fused_steps}}));
  for (const unsigned arrays : {3U, 4U})
    for (std::uint64_t iterations = fused_steps; iterations <= std::min(held(arrays) / least, wanted);
         iterations += fused_steps)
      if (const BandPlan plan = planned(arrays, iterations); useful(plan) > useful(best)) best = plan;
  return best;
}

double useful_fraction(const Layout& layout, std::size_t element, const SkewedPlan& plan, const BandSpeed& speed) {
  // A copy of a slice takes as long as computing it four times: memory bounds both, and a sweep fuses iterations.
  constexpr double copied = 16;
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  const auto slices = static_cast<double>(plan.slices), iterations = static_cast<double>(plan.iterations);
  const double bytes = slices * cells * static_cast<double>(element);  // in each direction
  const double work = iterations * slices * cells / speed.updates;
  const double computing = work * (1 + copied / slices);
  const double transfer = std::max(bytes / speed.bytes, 2 * bytes / speed.bytes_both);
  return work / (speed.overlaps ? std::max(computing, transfer) : computing + transfer);
}

std::optional<SkewedPlan> plan_skewed(const Layout& layout, const BandMemory& memory, unsigned max_iterations,
                                      unsigned fused_steps, const BandSpeed& speed) {
  constexpr unsigned most_of_all = 4096;
  const std::uint64_t all = memory.max_slices * (2 * memory.element + memory.fields);
  const unsigned wanted = max_iterations != 0 ? max_iterations : most_of_all;
  std::optional<SkewedPlan> best;
  double most = 0;
  const auto consider = [&](unsigned iterations) {
    const unsigned fused = std::min(fused_steps, iterations);
    const std::uint64_t leaning = iterations + fused;
    const std::uint64_t taken = memory.element * (2 * leaning + 2 * iterations) + memory.fields * 2 * leaning;
    if (taken >= all) return false;
    const std::uint64_t held = std::min((all - taken) / (4 * memory.element + 2 * memory.fields), layout.slices);
    if (held == 0) return false;
    SkewedPlan plan{held, iterations, fused};
    const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
    plan.slices = (layout.slices + bands - 1) / bands;  // bands of equal height
    const double useful = useful_fraction(layout, memory.element, plan, speed);
    if (useful > most) {
      most = useful;
      best = plan;
    }
    return true;
  };
  if (wanted < fused_steps) {
    consider(wanted);
    return best;
  }
  for (unsigned iterations = fused_steps; iterations <= wanted && consider(iterations); iterations += fused_steps) {
  }
  if (!best)
    for (unsigned iterations = fused_steps - 1; iterations > 0 && !best; --iterations) consider(iterations);
  return best;
}

namespace {

std::uint64_t less(std::uint64_t slice, std::uint64_t by) { return slice - std::min(slice, by); }

}  // namespace

template <class T>
SkewedBands<T>::SkewedBands(const RunDevice& run_device, std::size_t number, const RunSettings& settings,
                            const Hooks& hooks, const SkewedPlan& plan)
    : number_(number),
      sweeps_(run_device.plan),
      settings_(settings),
      hooks_(hooks),
      plan_(plan),
      slice_cells_(settings.layout.slice()),
      device_(run_device.device.with_own_queue()),
      up_device_(run_device.device.with_own_queue()),
      down_device_(run_device.device.with_own_queue()),
      held_{HeldSlices(settings.layout), HeldSlices(settings.layout)},
      meter_(settings.has_double) {
  const std::uint64_t all = settings.layout.slices;
  for (std::uint64_t first = 0; first < all; first += plan.slices)
    bands_.push_back({first, std::min(first + plan.slices, all)});
  const std::uint64_t frame = std::min(plan.frame(), all) * slice_cells_;
  up_ = Array<T>(device_, plan.slices * slice_cells_);
  down_ = Array<T>(device_, plan.slices * slice_cells_);
  now_ = Array<T>(device_, frame);
  next_ = Array<T>(device_, frame);
  seam_ = Array<T>(device_, 2 * std::uint64_t{plan.iterations} * slice_cells_);
  for (HeldSlices& held : held_) {
    held.formula = settings.formula;
    if (!settings.fixed_cells.empty()) held.fixed = Array<std::uint8_t>(device_, frame);
  }
}

template <class T>
template <class Ready>
void SkewedBands<T>::wait(Flow& flow, Ready&& ready) const {
  std::unique_lock lock(flow.mutex);
  flow.changed.wait(lock, [&] { return flow.ended || ready(); });
  if (flow.ended) throw Stopped();
}

template <class T>
template <class Change>
void SkewedBands<T>::change(Flow& flow, Change&& what) const {
  const std::lock_guard lock(flow.mutex);
  what();
  flow.changed.notify_all();
}

/// An exception ends all three threads.
template <class T>
template <class Do>
void SkewedBands<T>::guarded(Flow& flow, Do&& what) const {
  try {
    attribute_errors(number_, std::forward<Do>(what));
  } catch (const Stopped&) {
  } catch (...) {
    change(flow, [&] {
      if (!flow.failure) flow.failure = std::current_exception();
      flow.ended = true;
    });
  }
}

template <class T>
std::uint64_t SkewedBands<T>::iterations_of(const Rounds& rounds, std::uint64_t round) const {
  return std::min(rounds.each, rounds.iterations - round * rounds.each);
}

template <class T>
SliceRange SkewedBands<T>::after(std::size_t band, std::uint64_t iterations) const {
  const SliceRange& range = bands_[band];
  return {less(range.begin, iterations), band + 1 == bands_.size() ? range.end : less(range.end, iterations)};
}

template <class T>
void SkewedBands<T>::copy(const Array<T>& from, std::uint64_t from_slice, Array<T>& to, std::uint64_t to_slice,
                          std::uint64_t count) {
  const std::uint64_t bytes = slice_cells_ * sizeof(T);
  runtime::copy(device_, from.buffer(), from_slice * bytes, to.buffer(), to_slice * bytes, count * bytes);
}

// A band is uploaded when its slices have been downloaded in the previous round; the next bands have the last of them.
template <class T>
void SkewedBands<T>::upload_bands(Flow& flow, std::span<T> cells, const Rounds& rounds) {
  const std::uint64_t all = settings_.layout.slices;
  std::uint64_t count = 0;
  for (std::uint64_t round = 0;; ++round)
    for (const SliceRange& band : bands_) {
      wait(flow, [&] {
        return round >= flow.rounds ||
               (flow.taken >= count && (round == 0 || flow.back >= (round - 1) * all + band.end));
      });
      {
        const std::lock_guard lock(flow.mutex);
        if (round >= flow.rounds) return;
      }
      HeldSlices& held = held_[count % 2];
      const std::uint64_t leaning = iterations_of(rounds, round) + plan_.fused_steps;
      held.first = less(band.begin, leaning);
      held.count = band.end - held.first;
      load_fields<T>(up_device_, held, std::min(plan_.frame(), all), settings_.readers<T>());
      if (settings_.has_fixed()) upload_fixed(up_device_, settings_, held.first, held.count, held.fixed);
      if (hooks_.fail_transfer) hooks_.fail_transfer(number_);
      const std::span<const T> slices = cells.subspan(band.begin * slice_cells_, band.size() * slice_cells_);
      runtime::upload(up_device_, up_.buffer(), 0, slices.data(), slices.size_bytes());
      up_device_.finish();
      ++count;
      change(flow, [&] { flow.up = count; });
    }
}

template <class T>
void SkewedBands<T>::download_bands(Flow& flow, std::span<T> cells) {
  for (std::uint64_t count = 0;; ++count) {
    wait(flow, [&] { return flow.ready > count; });
    const SliceRange piece = flow.piece;  // unchanged until the download is counted
    if (hooks_.fail_transfer) hooks_.fail_transfer(number_);
    const std::span<T> slices = cells.subspan(piece.begin * slice_cells_, piece.size() * slice_cells_);
    runtime::download(down_device_, down_.buffer(), 0, slices.data(), slices.size_bytes());
    change(flow, [&] {
      ++flow.down;
      flow.back += piece.size();
    });
  }
}

template <class T>
typename SkewedBands<T>::Band SkewedBands<T>::compute(Flow& flow, const Rounds& rounds, std::uint64_t round,
                                                      std::size_t number) {
  const SliceRange& band = bands_[number];
  const std::uint64_t count = round * bands_.size() + number;
  const bool last_band = number + 1 == bands_.size();
  Band done{.iterations = iterations_of(rounds, round), .slices = band.size()};
  const double begin = now();
  wait(flow, [&] { return flow.up > count; });
  done.waiting = now() - begin;
  if (hooks_.fail_at) hooks_.fail_at(number_, rounds.first + round * rounds.each);
  const double start = now();
  const HeldSlices& held = held_[count % 2];
  copy(up_, 0, now_, band.begin - held.first, band.size());
  device_.finish();
  change(flow, [&] { flow.taken = count + 1; });

  const bool with_change = rounds.with_change && (round + 1) * rounds.each >= rounds.iterations;
  const std::uint64_t measured = with_change ? 1 : 0;
  for (std::uint64_t past = 0; past < done.iterations;) {
    const std::uint64_t left = done.iterations - past;
    const auto fused_steps =
        static_cast<unsigned>(left == measured ? 1 : std::min<std::uint64_t>(sweeps_.fused_steps, left - measured));
    // Two slices for each iteration: the fused_steps slices before the computed range, and as many that the previous
    // band computes in this sweep.
    const auto beside = [&](std::uint64_t end) {
      return SliceRange{less(end, past + 2 * fused_steps), less(end, past)};
    };
    const auto place = [&](const SliceRange& seam, std::uint64_t end) {  // slices before the grid have a place also
      return 2 * past + (seam.begin + past + 2 * fused_steps - end);
    };
    if (const SliceRange seam = beside(band.begin); number > 0 && seam.size() > 0)
      copy(seam_, place(seam, band.begin), now_, seam.begin - held.first, seam.size());
    if (const SliceRange seam = beside(band.end); !last_band && seam.size() > 0)
      copy(now_, seam.begin - held.first, seam_, place(seam, band.end), seam.size());
    past += fused_steps;
    const SliceRange range = after(number, past);
    if (range.size() == 0) continue;
    if (left == measured) {
      const std::uint64_t rows = settings_.layout.rows_per_slice;
      done.change = meter_.measure(device_, held, now_, next_, range.begin - held.first, range.end - held.first,
                                   rounds.squares.subspan(range.begin * rows, range.size() * rows));
    } else {
      sweep(device_, sweeps_, held, now_, next_, range.begin - held.first, range.end - held.first, fused_steps);
    }
    std::swap(now_, next_);
    done.slices_computed += range.size() * fused_steps;
  }
  device_.finish();
  done.computing = now() - start;

  const SliceRange result = after(number, done.iterations);
  for (SliceRange piece{result.begin, 0}; piece.begin < result.end; piece.begin = piece.end) {
    piece.end = std::min(piece.begin + plan_.slices, result.end);
    const double full = now();
    wait(flow, [&] { return flow.down == flow.ready; });
    done.waiting += now() - full;
    copy(now_, piece.begin - held.first, down_, 0, piece.size());
    device_.finish();
    change(flow, [&] {
      flow.piece = piece;
      ++flow.ready;
    });
  }
  return done;
}

template <class T>
void SkewedBands<T>::compute_all(Flow& flow, const Rounds& rounds, const BandCallback& on_band) {
  for (std::uint64_t round = 0; round < flow.rounds; ++round)
    for (std::size_t band = 0; band < bands_.size(); ++band)
      if (!on_band(compute(flow, rounds, round, band))) change(flow, [&] { flow.rounds = round + 1; });
  wait(flow, [&] { return flow.down == flow.ready; });
}

template <class T>
void SkewedBands<T>::advance(std::span<T> cells, const Rounds& rounds, const BandCallback& on_band) {
  Flow flow;
  flow.rounds = (rounds.iterations + rounds.each - 1) / rounds.each;
  std::vector<std::jthread> threads;
  // If a thread cannot be created, the other one must not wait forever.
  guarded(flow, [&] {
    threads.emplace_back([&] { guarded(flow, [&] { upload_bands(flow, cells, rounds); }); });
    threads.emplace_back([&] { guarded(flow, [&] { download_bands(flow, cells); }); });
    compute_all(flow, rounds, on_band);
  });
  change(flow, [&] { flow.ended = true; });
  threads.clear();
  if (flow.failure) std::rethrow_exception(flow.failure);
}

template class SkewedBands<float>;
template class SkewedBands<double>;

}  // namespace genocl::jacobi
