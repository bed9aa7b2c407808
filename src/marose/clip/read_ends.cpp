#include "marose/clip/read_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "marose/map/edit_script.hpp"

namespace genocl::marose {
namespace {

// As BWA-MEM counts, but for gaps, whose letters all cost the same here.
constexpr std::int64_t match_score = 1, error_score = -4, end_score = 5;

Operation compare(Code a, Code b) { return matches(a, b) ? Operation::match : Operation::mismatch; }
std::int64_t score_of(Operation operation) { return operation == Operation::match ? match_score : error_score; }

/// How many letters further the ungapped alignment is worth going, where `most` can be gone: that with the highest
/// score, the longest of several. `column(i)` is the i-th from the alignment on.
template <class Column>
std::size_t worth_adding(std::size_t most, bool reaches_end, Column&& column) {
  std::int64_t score = 0, best = 0;
  std::size_t added = 0;
  for (std::size_t i = 0; i < most; ++i) {
    score += score_of(column(i));
    const std::int64_t there = score + (reaches_end && i + 1 == most ? end_score : 0);
    if (there >= best) best = there, added = i + 1;
  }
  return added;
}

}  // namespace

void end_without_insertions(std::span<const Code> read, std::span<const Code> text, Columns& columns) {
  std::vector<Operation>& operations = columns.operations;
  const auto is_gap = [](Operation operation) { return operation != Operation::insertion; };
  const auto front = static_cast<std::size_t>(std::ranges::find_if(operations, is_gap) - operations.begin());
  if (front == operations.size()) return;
  const std::size_t in_front = std::min(front, columns.begin);
  operations.erase(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(front - in_front));
  columns.first += front - in_front;
  columns.begin -= in_front;
  for (std::size_t i = 0; i < in_front; ++i) operations[i] = compare(read[columns.first + i], text[columns.begin + i]);

  std::size_t behind = 0;
  while (operations[operations.size() - 1 - behind] == Operation::insertion) ++behind;
  const std::size_t there = std::min(behind, text.size() - columns.end);
  operations.resize(operations.size() - behind);
  columns.last -= behind;
  for (std::size_t i = 0; i < there; ++i) operations.push_back(compare(read[columns.last++], text[columns.end++]));
}

void settle_ends(std::span<const Code> read, std::span<const Code> text, const ReadPart& room, Columns& columns) {
  std::vector<Operation>& operations = columns.operations;
  const auto before = [&](std::size_t i) { return compare(read[columns.first - 1 - i], text[columns.begin - 1 - i]); };
  const std::size_t left = columns.first - room.first;
  const std::size_t in_front = worth_adding(std::min(left, columns.begin), left <= columns.begin, before);
  std::vector<Operation> added;
  for (std::size_t i = in_front; i-- > 0;) added.push_back(before(i));
  operations.insert(operations.begin(), added.begin(), added.end());
  columns.first -= in_front;
  columns.begin -= in_front;
  const auto behind = [&](std::size_t i) { return compare(read[columns.last + i], text[columns.end + i]); };
  const std::size_t right = room.end() - columns.last, more = text.size() - columns.end;
  const std::size_t at_end = worth_adding(std::min(right, more), right <= more, behind);
  for (std::size_t i = 0; i < at_end; ++i) operations.push_back(behind(i));
  columns.last += at_end;
  columns.end += at_end;

  // Of what was aligned something stays.
  const std::size_t core_begin = in_front, core_end = operations.size() - at_end;
  // The piece [from, to) with the highest score: of the pieces that end at a column the best begins at the lowest sum
  // in front of it.
  const std::size_t count = operations.size();
  std::int64_t sum = 0, lowest = columns.first == room.first ? -end_score : 0,
               best = std::numeric_limits<std::int64_t>::min();
  std::size_t lowest_at = 0, from = 0, to = count;
  for (std::size_t i = 1; i <= count; ++i) {
    sum += score_of(operations[i - 1]);
    const std::int64_t there = sum - lowest + (i == count && columns.last == room.end() ? end_score : 0);
    if (i > core_begin && (there > best || (there == best && i - lowest_at >= to - from)))
      best = there, from = lowest_at, to = i;
    if (sum < lowest && i < core_end) lowest = sum, lowest_at = i;
  }
  const auto shorten = [&](Operation operation, std::size_t& letter, std::size_t& base, std::size_t by) {
    if (operation != Operation::deletion) letter += by;
    if (operation != Operation::insertion) base += by;
  };
  for (std::size_t i = 0; i < from; ++i) shorten(operations[i], columns.first, columns.begin, 1);
  for (std::size_t i = count; i-- > to;) shorten(operations[i], columns.last, columns.end, std::size_t{0} - 1);
  operations.resize(to);
  operations.erase(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(from));
}

}  // namespace genocl::marose
