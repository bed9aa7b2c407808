#include "genocl/overlap/from_pieces.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/text/host_text_state.hpp"
#include "overlap/text/sorted_text.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace {

/// Positions that a thread of the host takes at a time.
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

std::uint8_t symbol_at(const HostText::State& text, std::uint64_t position) {
  return text.alphabet[text.code_at(position)];
}

template <class Position>
void look_up_documents(const HostText& text, std::span<const Position> positions, std::span<std::uint32_t> records) {
  if (positions.size() != records.size())
    throw InputError("records of positions", {}, std::to_string(records.size()), std::to_string(positions.size()));
  for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
    Locator locator(text.begins());
    for (std::size_t i = first; i < end; ++i) {
      if (positions[i] >= text.size()) not_below(positions[i], text.size());
      records[i] = static_cast<std::uint32_t>(locator.record(positions[i]));
    }
  });
}

}  // namespace

BwtFromPieces::BwtFromPieces(HostText text, std::uint8_t terminator) : text_(std::move(text)), terminator_(terminator) {
  const auto& alphabet = text_.state().alphabet;
  if (text_.has_breaks() && std::ranges::find(alphabet, terminator) != alphabet.end())
    throw InputError("the Burrows-Wheeler transform of records: the terminator is one of their letters");
}

template <class Position>
std::span<const std::uint8_t> BwtFromPieces::add_all(std::span<const Position> positions) {
  const HostText::State& text = text_.state();
  if (positions.empty()) return {};
  if (text.has_breaks) {
    symbols_.resize(positions.size());
    for_ranges(positions.size(), [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const std::uint64_t position = positions[i];
        if (position >= text.size) not_below(position, text.size);
        symbols_[i] = position == 0 || text.is_break(position - 1) ? terminator_ : symbol_at(text, position - 1);
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

/// Row of the suffix without the first symbol, for each row. Rows are sorted by their first symbols: the k-th row that
/// begins with a symbol goes on at the k-th row that follows this symbol.
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

void documents_of(const HostText& text, std::span<const std::uint32_t> positions, std::span<std::uint32_t> records) {
  look_up_documents(text, positions, records);
}
void documents_of(const HostText& text, std::span<const std::uint64_t> positions, std::span<std::uint32_t> records) {
  look_up_documents(text, positions, records);
}

}  // namespace genocl::overlap
