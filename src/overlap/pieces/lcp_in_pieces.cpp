#include "overlap/pieces/lcp_in_pieces.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "overlap/pieces/prefix_bits.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/chunks.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::pieces {
namespace {

constexpr std::uint64_t usual_values = std::uint64_t{1} << 24, least_values = std::uint64_t{1} << 12;
/// Fewer altogether are copied in less time than another queue costs.
constexpr std::uint64_t two_queues_from = std::uint64_t{1} << 24;
/// Results that may wait for an earlier one, for each worker.
constexpr unsigned window = 2;

struct LcpPlan {
  std::uint64_t most = 0;  ///< values of a piece
  unsigned workers = 1;    ///< of each device
  std::uint64_t device_bytes = 0, host_bytes = 0;
};

LcpPlan plan_of(std::span<const Device> devices, const HostText& text, const LcpPieceOptions& options) {
  const std::uint64_t size = text.size();
  LcpPlan plan;
  for (const Device& device : devices)
    if (!device.info().host_unified_memory && size >= two_queues_from) plan.workers = 2;
  plan.most = std::min(options.piece_values != 0 ? std::min(options.piece_values, usual_values) : usual_values, size);
  const std::uint64_t host = runtime::available_host_memory(), workers = devices.size() * plan.workers;
  const auto on_device = [&](std::uint64_t most) {
    return text.bytes() + prefix_bytes(size) + plan.workers * prefix_piece_bytes(most);
  };
  // A piece that is read, and those that are made or wait.
  const auto on_host = [&](std::uint64_t most) {
    return (1 + (1 + window) * workers) * 16 * most + (devices.size() > 1 ? 4 * prefix_words(size) : 0);
  };
  // Of a device's memory nine tenths: buffers are kept in sizes that were asked for before.
  const auto fits = [&](std::uint64_t most) {
    return on_host(most) <= host && std::ranges::all_of(devices, [&](const Device& device) {
             return on_device(most) <= runtime::usable_memory(device) / 10 * 9 &&
                    8 * most < device.info().max_allocation;
           });
  };
  while (plan.most > least_values && !fits(plan.most)) plan.most /= 2;
  plan.device_bytes = on_device(plan.most);
  plan.host_bytes = on_host(plan.most);
  runtime::check_host_memory("common prefixes in pieces", plan.host_bytes, host);
  for (const Device& device : devices)
    runtime::check_capacity(device, "common prefixes in pieces",
                            std::max({text.bytes(), largest_prefix_buffer(size), 8 * plan.most}), plan.device_bytes);
  return plan;
}

template <class Value>
class PiecewiseLcp {
 public:
  PiecewiseLcp(std::span<const Device> devices, const HostText& text, std::uint64_t base,
               const PositionSource& positions, const LcpPieceOptions& options)
      : devices_(devices.begin(), devices.end()),
        text_(text),
        base_(base),
        positions_(positions),
        options_(options),
        plan_(plan_of(devices, text, options)),
        bits_(devices.size()) {}

  LcpPieceReport run(const PositionSink<Value>& sink) {
    report(0);
    runtime::parallel_for(devices_.size(), devices_.size(), [&](std::size_t i) {
      bits_[i] = std::make_unique<PrefixBits>(bring_to(devices_[i], text_), base_);
    });
    take_heads();
    LcpPieceReport told;
    told.irreducible = see();
    look_up(sink);
    told.pieces = runtime::ceil_div(text_.size(), plan_.most);
    told.largest_piece = plan_.most;
    told.device_bytes = plan_.device_bytes;
    told.host_bytes = plan_.host_bytes;
    return told;
  }

 private:
  /// Positions of a piece, in front of them one that is not its own.
  struct Piece {
    std::uint64_t first = 0;
    std::vector<std::uint64_t> positions;
    std::span<const std::uint64_t> own() const { return std::span(positions).subspan(1); }
  };

  bool report(std::uint64_t done) const {
    const std::uint64_t total = 2 * text_.size();
    if (options_.progress && !options_.progress({static_cast<double>(done) / static_cast<double>(total), done, total}))
      throw Cancelled();
    return true;
  }

  /// Memory is taken again: new memory costs more than a copy.
  template <class Number>
  std::vector<Number> room(std::vector<std::vector<Number>>& rooms, std::uint64_t count) {
    std::vector<Number> taken;
    {
      const std::lock_guard lock(mutex_);
      if (!rooms.empty()) {
        taken = std::move(rooms.back());
        rooms.pop_back();
      }
    }
    taken.resize(count);
    return taken;
  }
  template <class Number>
  void give(std::vector<std::vector<Number>>& rooms, std::vector<Number>&& numbers) {
    const std::lock_guard lock(mutex_);
    rooms.push_back(std::move(numbers));
  }

  /// The array from its beginning, piece by piece.
  auto pieces() {
    return [this, first = std::uint64_t{0}, last = std::uint64_t{0}]() mutable -> std::optional<Piece> {
      if (first == text_.size()) return std::nullopt;
      const std::uint64_t count = std::min(plan_.most, text_.size() - first);
      Piece piece{first, room(positions_rooms_, count + 1)};
      positions_(first, std::span(piece.positions).subspan(1));
      piece.positions.front() = last;
      last = piece.positions.back();
      first += count;
      return piece;
    };
  }

  runtime::ChunkOptions chunk_options(std::uint64_t done_before) {
    runtime::ChunkOptions options{.workers_per_device = plan_.workers, .window_per_worker = window};
    options.progress = [this, done_before](const ProgressState& state) {
      return report(done_before + state.items_done);
    };
    return options;
  }

  /// Pieces of any beginnings.
  auto pieces_from(std::vector<std::uint64_t> firsts) {
    return [this, firsts = std::move(firsts), next = std::size_t{0}]() mutable -> std::optional<Piece> {
      if (next == firsts.size()) return std::nullopt;
      const std::uint64_t first = firsts[next++], count = std::min(plan_.most, text_.size() - first);
      Piece piece{first, room(positions_rooms_, count + 1)};
      positions_(first - (first != 0 ? 1 : 0), std::span(piece.positions).subspan(first != 0 ? 0 : 1));
      return piece;
    };
  }

  /// What a device has found is on it alone: where it fails, the others take its pieces again.
  void take_heads() {
    std::vector<std::uint64_t> lost = take_pieces(pieces(), chunk_options(0));
    while (!lost.empty()) {
      runtime::ChunkOptions options = chunk_options(0);
      options.progress = [this](const ProgressState&) { return report(text_.size()); };
      lost = take_pieces(pieces_from(std::move(lost)), options);
    }
  }

  /// Returns where the pieces begin that devices had which have failed; these are left out from now on.
  template <class Source>
  std::vector<std::uint64_t> take_pieces(Source&& source, const runtime::ChunkOptions& options) {
    struct Taken {
      std::vector<std::uint64_t> firsts;
      bool failed = false;
    };
    std::vector<Taken> taken(devices_.size());
    runtime::for_each_chunk(
        devices_, source,
        [&](const Device& device, std::size_t on, Piece&& piece) {
          const std::uint64_t count = piece.own().size();
          std::uint64_t right = 0;
          try {
            right = bits_[on]->take(device, piece.positions, piece.first == 0);
          } catch (const DeviceError&) {
            const std::lock_guard lock(mutex_);
            taken[on].failed = true;
            throw;
          }
          if (right != count)
            throw InputError("position " + std::to_string(piece.own()[right]) + " at index " +
                             std::to_string(piece.first + right) + " of a suffix array of " +
                             std::to_string(text_.size()) + " symbols");
          give(positions_rooms_, std::move(piece.positions));
          const std::lock_guard lock(mutex_);
          taken[on].firsts.push_back(piece.first);
          return count;
        },
        [](std::uint64_t&& count) { return count; }, options);
    std::vector<std::uint64_t> lost;
    for (std::size_t on = taken.size(); on-- > 0;) {
      if (!taken[on].failed) continue;
      lost.insert(lost.end(), taken[on].firsts.begin(), taken[on].firsts.end());
      devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(on));
      bits_.erase(bits_.begin() + static_cast<std::ptrdiff_t>(on));
    }
    return lost;
  }

  /// Every device gets to know what the others have found.
  std::uint64_t see() {
    if (devices_.size() > 1) {
      std::vector<std::uint32_t> words;
      for (const auto& bits : bits_) bits->exchange(words);
      for (const auto& bits : bits_) bits->set(words);
    }
    std::vector<std::uint64_t> heads(bits_.size());
    runtime::parallel_for(bits_.size(), bits_.size(), [&](std::size_t i) { heads[i] = bits_[i]->see(); });
    for (const Device& device : devices_) device.release_scratch();
    return heads.front();
  }

  void look_up(const PositionSink<Value>& sink) {
    runtime::for_each_chunk(
        devices_, pieces(),
        [&](const Device& device, std::size_t on, Piece&& piece) {
          std::vector<Value> values = room(values_rooms_, piece.own().size());
          bits_[on]->look_up(device, piece.own(), std::span(values));
          give(positions_rooms_, std::move(piece.positions));
          return values;
        },
        [&](std::vector<Value>&& values) {
          const std::uint64_t count = values.size();
          sink(values);
          give(values_rooms_, std::move(values));
          return count;
        },
        chunk_options(text_.size()));
  }

  std::vector<Device> devices_;  // those that have not failed
  const HostText& text_;
  std::uint64_t base_;
  const PositionSource& positions_;
  const LcpPieceOptions& options_;
  LcpPlan plan_;
  std::vector<std::unique_ptr<PrefixBits>> bits_;  // [device]
  std::mutex mutex_;                               // of the rooms, and of what devices have taken
  std::vector<std::vector<std::uint64_t>> positions_rooms_;
  std::vector<std::vector<Value>> values_rooms_;
};

}  // namespace

template <class Value>
LcpPieceReport lcp(std::span<const Device> devices, const HostText& text, std::uint64_t base, std::uint64_t count,
                   const PositionSource& positions, const PositionSink<Value>& sink, const LcpPieceOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (count != text.size())
    throw InputError("a suffix array of " + std::to_string(count) + " positions for a text of " +
                     std::to_string(text.size()));
  if (sizeof(Value) == 4 && count > Text::longest)
    throw InputError("a text of " + std::to_string(count) + " symbols: at most " + std::to_string(Text::longest) +
                     " with 32-bit values");
  if (count == 0) return {};
  return PiecewiseLcp<Value>(devices, text, base, positions, options).run(sink);
}
template LcpPieceReport lcp(std::span<const Device>, const HostText&, std::uint64_t, std::uint64_t,
                            const PositionSource&, const PositionSink<std::uint32_t>&, const LcpPieceOptions&);
template LcpPieceReport lcp(std::span<const Device>, const HostText&, std::uint64_t, std::uint64_t,
                            const PositionSource&, const PositionSink<std::uint64_t>&, const LcpPieceOptions&);

}  // namespace genocl::overlap::pieces

namespace genocl::overlap {

LcpPieceReport lcp_in_pieces(std::span<const Device> devices, const HostText& text, std::uint64_t count,
                             const PositionSource& positions, const PositionSink<std::uint64_t>& sink,
                             const LcpPieceOptions& options) {
  return pieces::lcp(devices, text, 0, count, positions, sink, options);
}

LcpPieceReport lcp_in_pieces(std::span<const Device> devices, const HostText& text, std::uint64_t count,
                             const PositionSource& positions, const PositionSink<std::uint32_t>& sink,
                             const LcpPieceOptions& options) {
  return pieces::lcp(devices, text, 0, count, positions, sink, options);
}

}  // namespace genocl::overlap
