#include "overlap/pieces/sort_in_pieces.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/pieces.hpp"
#include "overlap/pieces/piece_text.hpp"
#include "overlap/text/text.hpp"
#include "runtime/chunks.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

template <class Position>
HostPositions sorted(Devices devices, const Text& text, const PieceOptions& options) {
  const auto all = std::make_shared<std::vector<Position>>();
  runtime::check_host_memory("a suffix array", text.size() * sizeof(Position));
  all->reserve(text.size());
  sort_in_pieces(devices, text, PositionSink<Position>([&](std::span<const Position> some) {
                   all->insert(all->end(), some.begin(), some.end());
                 }),
                 options);
  HostPositions positions;
  if constexpr (sizeof(Position) == 8)
    positions.wide = *all;
  else
    positions.narrow = *all;
  positions.keeps = all;
  return positions;
}

}  // namespace

HostPositions sort_on_host(Devices devices, const Text& text, bool wide, const PieceOptions& options) {
  return wide ? sorted<std::uint64_t>(devices, text, options) : sorted<std::uint32_t>(devices, text, options);
}

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {
namespace {

constexpr std::uint64_t usual_values = std::uint64_t{1} << 24, min_values = std::uint64_t{1} << 12;
/// From this size on a second queue saves more time than it costs.
constexpr std::uint64_t two_queues_from = std::uint64_t{1} << 24;
/// Maximum number of results per worker that wait for an earlier one.
constexpr unsigned window = 2;

struct LcpPlan {
  std::uint64_t most = 0;  ///< values of a piece
  unsigned workers = 1;    ///< of each device
  std::uint64_t device_bytes = 0, host_bytes = 0;
};

LcpPlan plan_of(Devices devices, const Text& text, const LcpPieceOptions& options) {
  const std::uint64_t size = text.size();
  LcpPlan plan;
  for (const Device& device : devices)
    if (!device.info().host_unified_memory && size >= two_queues_from) plan.workers = 2;
  plan.most = std::min(options.piece_values != 0 ? std::min(options.piece_values, usual_values) : usual_values, size);
  const std::uint64_t host = runtime::available_host_memory(), workers = devices.size() * plan.workers;
  const auto on_device = [&](std::uint64_t most) {
    return text.bytes() + prefix_bytes(size) + plan.workers * prefix_piece_bytes(most);
  };
  // A piece that is read, and the pieces in work or waiting.
  const auto on_host = [&](std::uint64_t most) {
    return (1 + (1 + window) * workers) * 16 * most + (devices.size() > 1 ? 4 * prefix_words(size) : 0);
  };
  // Nine tenths of a device's memory: the pool keeps buffers of earlier sizes.
  const auto fits = [&](std::uint64_t most) {
    return on_host(most) <= host && std::ranges::all_of(devices, [&](const Device& device) {
             return on_device(most) <= runtime::usable_memory(device) / 10 * 9 &&
                    8 * most < device.info().max_allocation;
           });
  };
  while (plan.most > min_values && !fits(plan.most)) plan.most /= 2;
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
  PiecewiseLcp(Devices devices, const Text& text, std::uint64_t base, const PositionSource& positions,
               const LcpPieceOptions& options)
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
      bits_[i] = std::make_unique<PrefixBits>(runtime::shared_state_of(text_.copy_to(devices_[i])), base_);
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
  /// The positions of a piece after the last position of the previous piece.
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

  /// Reuses memory: new memory costs more than a copy.
  template <class Number>
  std::vector<Number> take_buffer(std::vector<std::vector<Number>>& idle, std::uint64_t count) {
    std::vector<Number> taken;
    {
      const std::lock_guard lock(mutex_);
      if (!idle.empty()) {
        taken = std::move(idle.back());
        idle.pop_back();
      }
    }
    taken.resize(count);
    return taken;
  }
  template <class Number>
  void give(std::vector<std::vector<Number>>& idle, std::vector<Number>&& numbers) {
    const std::lock_guard lock(mutex_);
    idle.push_back(std::move(numbers));
  }

  /// All pieces of the array, in order.
  auto pieces() {
    return [this, first = std::uint64_t{0}, last = std::uint64_t{0}]() mutable -> std::optional<Piece> {
      if (first == text_.size()) return std::nullopt;
      const std::uint64_t count = std::min(plan_.most, text_.size() - first);
      Piece piece{first, take_buffer(idle_positions_, count + 1)};
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

  /// The pieces from given first indices on.
  auto pieces_from(std::vector<std::uint64_t> firsts) {
    return [this, firsts = std::move(firsts), next = std::size_t{0}]() mutable -> std::optional<Piece> {
      if (next == firsts.size()) return std::nullopt;
      const std::uint64_t first = firsts[next++], count = std::min(plan_.most, text_.size() - first);
      Piece piece{first, take_buffer(idle_positions_, count + 1)};
      positions_(first - (first != 0 ? 1 : 0), std::span(piece.positions).subspan(first != 0 ? 0 : 1));
      return piece;
    };
  }

  /// The result of a device is only there: if it fails, the others take its pieces again.
  void take_heads() {
    std::vector<std::uint64_t> lost = take_pieces(pieces(), chunk_options(0));
    while (!lost.empty()) {
      runtime::ChunkOptions options = chunk_options(0);
      options.progress = [this](const ProgressState&) { return report(text_.size()); };
      lost = take_pieces(pieces_from(std::move(lost)), options);
    }
  }

  /// Drops the devices that fail. Returns the first indices of their pieces.
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
          give(idle_positions_, std::move(piece.positions));
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

  /// Merges the results of all devices.
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
          std::vector<Value> values = take_buffer(idle_values_, piece.own().size());
          bits_[on]->look_up(device, piece.own(), std::span(values));
          give(idle_positions_, std::move(piece.positions));
          return values;
        },
        [&](std::vector<Value>&& values) {
          const std::uint64_t count = values.size();
          sink(values);
          give(idle_values_, std::move(values));
          return count;
        },
        chunk_options(text_.size()));
  }

  std::vector<Device> devices_;  // those that have not failed
  const Text& text_;
  std::uint64_t base_;
  const PositionSource& positions_;
  const LcpPieceOptions& options_;
  LcpPlan plan_;
  std::vector<std::unique_ptr<PrefixBits>> bits_;  // [device]
  std::mutex mutex_;                               // of the pools, and of `taken`
  std::vector<std::vector<std::uint64_t>> idle_positions_;
  std::vector<std::vector<Value>> idle_values_;
};

}  // namespace

template <class Value>
LcpPieceReport lcp(Devices devices, const Text& text, std::uint64_t base, std::uint64_t count,
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
template LcpPieceReport lcp(Devices, const Text&, std::uint64_t, std::uint64_t, const PositionSource&,
                            const PositionSink<std::uint32_t>&, const LcpPieceOptions&);
template LcpPieceReport lcp(Devices, const Text&, std::uint64_t, std::uint64_t, const PositionSource&,
                            const PositionSink<std::uint64_t>&, const LcpPieceOptions&);

}  // namespace genocl::overlap::pieces

namespace genocl::overlap {

LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count, const PositionSource& positions,
                             const PositionSink<std::uint64_t>& sink, const LcpPieceOptions& options) {
  return pieces::lcp(devices, text, 0, count, positions, sink, options);
}

LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count, const PositionSource& positions,
                             const PositionSink<std::uint32_t>& sink, const LcpPieceOptions& options) {
  return pieces::lcp(devices, text, 0, count, positions, sink, options);
}

namespace {

/// Positions of a task of a host thread.
constexpr std::size_t looked_up_at_once = std::size_t{1} << 15;

/// Calls `task(first, end)` for ranges of [0, count).
template <class Task>
void for_ranges(std::size_t count, const Task& task) {
  const std::size_t tasks = runtime::ceil_div(count, looked_up_at_once);
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 4, 64), [&](std::size_t k) {
    task(k * looked_up_at_once, std::min(count, (k + 1) * looked_up_at_once));
  });
}

[[noreturn]] void not_below(std::uint64_t position, std::uint64_t size) {
  throw InputError("a position of a suffix array", {}, std::to_string(position), "below " + std::to_string(size));
}

std::uint8_t symbol_at(const Text::State& text, std::uint64_t position) {
  return text.alphabet[text.code_at(position)];
}

template <class Position>
void look_up_documents(const Text& text, std::span<const Position> positions, std::span<std::uint32_t> records) {
  if (positions.size() != records.size())
    throw InputError("records of positions", {}, std::to_string(records.size()), std::to_string(positions.size()));
  for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
    RecordLocator locator(text.begins());
    for (std::size_t i = first; i < end; ++i) {
      if (positions[i] >= text.size()) not_below(positions[i], text.size());
      records[i] = static_cast<std::uint32_t>(locator.record(positions[i]));
    }
  });
}

}  // namespace

BwtFromPieces::BwtFromPieces(const Text& text, std::uint8_t terminator)
    : text_(text.copy_to(on_host)), terminator_(terminator) {
  const auto& alphabet = runtime::state_of(text_).alphabet;
  if (text_.has_separators() && std::ranges::find(alphabet, terminator) != alphabet.end())
    throw InputError("the Burrows-Wheeler transform of records: the terminator is one of their letters");
}

template <class Position>
std::span<const std::uint8_t> BwtFromPieces::add_all(std::span<const Position> positions) {
  const Text::State& text = runtime::state_of(text_);
  if (positions.empty()) return {};
  if (text.has_separators) {
    symbols_.resize(positions.size());
    for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const std::uint64_t position = positions[i];
        if (position >= text.size) not_below(position, text.size);
        symbols_[i] = position == 0 || text.is_separator(position - 1) ? terminator_ : symbol_at(text, position - 1);
      }
    });
    taken_ += positions.size();
    return symbols_;
  }
  // The empty suffix comes first.
  const std::size_t before = taken_ == 0 ? 1 : 0;
  symbols_.resize(before + positions.size());
  if (before != 0) symbols_.front() = symbol_at(text, text.size - 1);
  for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if (positions[i] >= text.size) not_below(positions[i], text.size);
      symbols_[before + i] = positions[i] == 0 ? 0 : symbol_at(text, positions[i] - 1);
    }
  });
  if (primary_ == 0) {
    const auto whole = std::ranges::find(positions, Position{0});
    if (whole != positions.end()) {
      const std::ptrdiff_t row = whole - positions.begin();
      primary_ = taken_ + static_cast<std::uint64_t>(row) + 1;
      symbols_.erase(symbols_.begin() + static_cast<std::ptrdiff_t>(before) + row);
    }
  }
  taken_ += positions.size();
  return symbols_;
}
std::span<const std::uint8_t> BwtFromPieces::add(std::span<const std::uint32_t> positions) {
  return add_all(positions);
}
std::span<const std::uint8_t> BwtFromPieces::add(std::span<const std::uint64_t> positions) {
  return add_all(positions);
}

namespace {

constexpr const char* no_set = "a Burrows-Wheeler transform that no set of records has";

/// `next` is, for each row, the row of the suffix without the first symbol. Rows are sorted by their first symbols: the
/// k-th row that begins with a symbol continues at the k-th row that has this symbol.
template <class Row>
std::vector<std::vector<std::uint8_t>> records_of(std::span<const std::uint8_t> symbols, std::uint8_t terminator) {
  std::array<std::uint64_t, 257> begins{};  // [rank of the symbol]; the terminator is the first
  const auto rank = [terminator](std::uint8_t symbol) -> std::size_t {
    return symbol == terminator ? 0 : symbol < terminator ? symbol + std::size_t{1} : symbol;
  };
  for (const std::uint8_t symbol : symbols) ++begins[rank(symbol) + 1];
  for (std::size_t s = 1; s < begins.size(); ++s) begins[s] += begins[s - 1];
  const std::uint64_t count = begins[1];
  std::vector<Row> next(symbols.size()), starts;
  starts.reserve(count);
  {
    std::array<std::uint64_t, 257> at = begins;
    for (std::size_t row = 0; row < symbols.size(); ++row) {
      if (symbols[row] == terminator) starts.push_back(static_cast<Row>(row));
      next[at[rank(symbols[row])]++] = static_cast<Row>(row);
    }
  }
  const auto first_symbol = [&](Row row) {
    const auto s = static_cast<std::size_t>(std::ranges::upper_bound(begins, row) - begins.begin()) - 1;
    return static_cast<std::uint8_t>(s <= terminator ? s - 1 : s);
  };
  std::vector<std::vector<std::uint8_t>> records(count);
  std::vector<std::uint8_t> seen(count);
  std::atomic<std::uint64_t> total = 0;
  std::atomic<bool> wrong = false;
  for_ranges(starts.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      std::vector<std::uint8_t> record;
      Row row = starts[i];
      for (; row >= count && record.size() <= symbols.size(); row = next[row]) record.push_back(first_symbol(row));
      if (row >= count) {
        wrong = true;
        return;
      }
      total += record.size() + 1;
      records[row] = std::move(record);
      seen[row] = 1;
    }
  });
  if (wrong || total != symbols.size() || std::ranges::find(seen, 0) != seen.end()) throw InputError(no_set);
  return records;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> inverse_bwt_of_records(std::span<const std::uint8_t> symbols,
                                                              std::uint8_t terminator) {
  const bool wide = symbols.size() > std::numeric_limits<std::uint32_t>::max();
  runtime::check_host_memory("undoing a Burrows-Wheeler transform", symbols.size() * (wide ? 9 : 5));
  return wide ? records_of<std::uint64_t>(symbols, terminator) : records_of<std::uint32_t>(symbols, terminator);
}

InverseFromPieces::InverseFromPieces(std::uint64_t size, bool wide) {
  if (!wide && size > Text::longest)
    throw InputError("an inverse suffix array of 32 bits", {}, std::to_string(size) + " positions",
                     "at most " + std::to_string(Text::longest));
  runtime::check_host_memory("an inverse suffix array", size * (wide ? 8 : 4));
  if (wide)
    wide_.resize(size);
  else
    narrow_.resize(size);
}

template <class Position>
void InverseFromPieces::add_all(std::vector<Position>& ranks, std::span<const Position> positions) {
  if (positions.size() > ranks.size() - std::min<std::uint64_t>(taken_, ranks.size()))
    throw InputError("positions of an inverse suffix array", {}, std::to_string(taken_ + positions.size()),
                     "at most " + std::to_string(ranks.size()));
  for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if (positions[i] >= ranks.size()) not_below(positions[i], ranks.size());
      ranks[positions[i]] = static_cast<Position>(taken_ + i);
    }
  });
  taken_ += positions.size();
}
void InverseFromPieces::add(std::span<const std::uint32_t> positions) { add_all(narrow_, positions); }
void InverseFromPieces::add(std::span<const std::uint64_t> positions) { add_all(wide_, positions); }

void documents_of(const Text& text, std::span<const std::uint32_t> positions, std::span<std::uint32_t> records) {
  look_up_documents(text, positions, records);
}
void documents_of(const Text& text, std::span<const std::uint64_t> positions, std::span<std::uint32_t> records) {
  look_up_documents(text, positions, records);
}

}  // namespace genocl::overlap
