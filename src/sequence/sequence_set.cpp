#include "genocl/sequence/sequence_set.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"
#include "runtime/platform.hpp"

namespace genocl {
namespace {

constexpr std::uint8_t max_phred = 93;

std::string record_text(std::size_t i, std::string_view name) {
  return "record " + std::to_string(i + 1) + (name.empty() ? std::string() : " (" + shown(name) + ")");
}

/// Whether a view that is not empty is of a container's elements: an append may move them.
template <class Held>
bool lies_in(const auto& view, const Held& held) {
  const std::less<const void*> before;
  return !view.empty() && !held.empty() && !before(view.data(), held.data()) &&
         before(view.data(), held.data() + held.size());
}

}  // namespace

SequenceSet::SequenceSet(Alphabet alphabet, bool with_qualities)
    : alphabet_(alphabet), with_qualities_(with_qualities), offsets_{0}, header_offsets_{0} {}

bool operator==(const SequenceSet& a, const SequenceSet& b) noexcept {
  return a.alphabet_ == b.alphabet_ && a.with_qualities_ == b.with_qualities_ && a.codes_ == b.codes_ &&
         a.qualities_ == b.qualities_ && std::ranges::equal(a.offsets(), b.offsets()) && a.headers_ == b.headers_ &&
         std::ranges::equal(SequenceSet::or_zero(a.header_offsets_), SequenceSet::or_zero(b.header_offsets_)) &&
         a.name_lengths_ == b.name_lengths_ && a.masks_ == b.masks_;
}

std::uint64_t SequenceSet::longest() const noexcept {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < size(); ++i) most = std::max(most, length(i));
  return most;
}

void SequenceSet::append(std::string_view name, std::span<const Code> codes, std::string_view description,
                         std::span<const std::uint8_t> quality) {
  const std::size_t letters = alphabet_size(alphabet_);
  const auto bad = std::find_if(codes.begin(), codes.end(), [&](Code code) { return code >= letters; });
  if (bad != codes.end())
    throw InputError({}, record_text(size(), name),
                     "code " + std::to_string(*bad) + " at position " + std::to_string(bad - codes.begin()) +
                         " is not of the alphabet",
                     std::string(to_string(alphabet_)));
  if (quality.size() != (with_qualities_ ? codes.size() : 0))
    throw InputError({}, record_text(size(), name), std::to_string(quality.size()) + " quality scores",
                     with_qualities_ ? std::to_string(codes.size()) : "none");
  if (std::any_of(quality.begin(), quality.end(), [](std::uint8_t score) { return score > max_phred; }))
    throw InputError({}, record_text(size(), name), "a quality score above " + std::to_string(max_phred));
  if (lies_in(codes, codes_)) return append(name, std::vector<Code>(codes.begin(), codes.end()), description, quality);
  if (lies_in(quality, qualities_))
    return append(name, codes, description, std::vector<std::uint8_t>(quality.begin(), quality.end()));
  const Extension added = extend(name, description, codes.size());
  std::copy(codes.begin(), codes.end(), added.codes.begin());
  std::copy(quality.begin(), quality.end(), added.quality.begin());
}

void SequenceSet::mask(std::size_t i, std::span<const Interval> ranges) {
  for (const Interval& range : ranges)
    if (range.end > length(i) || range.begin > range.end)
      throw InputError({}, record_text(i, name(i)),
                       "a mask of letters " + std::to_string(range.begin) + " to " + std::to_string(range.end),
                       "within its " + std::to_string(length(i)));
  std::vector<Interval> all(masked(i).begin(), masked(i).end());
  all.insert(all.end(), ranges.begin(), ranges.end());
  all = merged(std::move(all));
  if (all.empty()) return;
  if (masks_.size() <= i) masks_.resize(i + 1);
  masks_[i] = std::move(all);
}

void SequenceSet::append_letters(std::string_view name, std::string_view letters, std::string_view description,
                                 std::span<const std::uint8_t> quality) {
  append(name, encode(alphabet_, letters), description, quality);
}

SequenceSet::Extension SequenceSet::extend(std::string_view name, std::string_view description, std::uint64_t length) {
  if (name.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError({}, "record " + std::to_string(size() + 1), "a name of 4 GiB or more");
  if (lies_in(name, headers_)) return extend(std::string(name), description, length);
  if (lies_in(description, headers_)) return extend(name, std::string(description), length);
  const std::uint64_t begin = residues();
  const std::uint64_t header_begin = headers_.size();
  try {
    if (offsets_.empty()) offsets_.push_back(0);  // a set that was moved from is an empty one
    if (header_offsets_.empty()) header_offsets_.push_back(0);
    codes_.resize(begin + length);
    if (with_qualities_) qualities_.resize(begin + length);
    headers_.append(name).append(description);
    offsets_.push_back(codes_.size());
    header_offsets_.push_back(headers_.size());
    name_lengths_.push_back(static_cast<std::uint32_t>(name.size()));
  } catch (...) {  // out of memory half way: back to where we were
    const std::size_t records = name_lengths_.size();
    codes_.resize(begin);
    if (with_qualities_) qualities_.resize(begin);
    headers_.resize(header_begin);
    offsets_.resize(records + 1);
    header_offsets_.resize(records + 1);
    throw;
  }
  return {std::span(codes_).subspan(begin),
          with_qualities_ ? std::span(qualities_).subspan(begin) : std::span<std::uint8_t>()};
}

void SequenceSet::pop_back() {
  if (empty()) throw InputError("pop_back: the set has no record");
  offsets_.pop_back();
  header_offsets_.pop_back();
  name_lengths_.pop_back();
  if (masks_.size() > size()) masks_.resize(size());
  while (!masks_.empty() && masks_.back().empty()) masks_.pop_back();
  codes_.resize(offsets_.back());
  if (with_qualities_) qualities_.resize(offsets_.back());
  headers_.resize(header_offsets_.back());
}

void SequenceSet::reserve(std::size_t records, std::uint64_t residues_more, std::uint64_t header_bytes) {
  codes_.reserve(codes_.size() + residues_more);
  platform::use_large_pages(codes_.data() + codes_.size(), codes_.capacity() - codes_.size());
  if (with_qualities_) qualities_.reserve(qualities_.size() + residues_more);
  headers_.reserve(headers_.size() + header_bytes);
  offsets_.reserve(offsets_.size() + records);
  header_offsets_.reserve(header_offsets_.size() + records);
  name_lengths_.reserve(name_lengths_.size() + records);
}

void SequenceSet::clear() noexcept {
  codes_.clear();
  qualities_.clear();
  headers_.clear();
  name_lengths_.clear();
  masks_.clear();
  offsets_.resize(std::min<std::size_t>(offsets_.size(), 1));
  header_offsets_.resize(std::min<std::size_t>(header_offsets_.size(), 1));
}

void SequenceSet::reset(Alphabet alphabet, bool with_qualities) noexcept {
  clear();
  alphabet_ = alphabet;
  with_qualities_ = with_qualities;
}

RecordRange SequenceSet::batch(std::size_t first, const BatchLimits& limits) const {
  RecordRange range{.first = first};
  for (std::size_t i = first; i < size(); ++i) {
    const bool fits = range.count < limits.records && range.residues <= limits.residues &&
                      length(i) <= limits.residues - range.residues;
    if (range.count > 0 && !fits) break;
    ++range.count;
    range.residues += length(i);
  }
  return range;
}

std::vector<RecordRange> SequenceSet::batches(const BatchLimits& limits) const {
  std::vector<RecordRange> ranges;
  for (std::size_t first = 0; first < size(); first += ranges.back().count) ranges.push_back(batch(first, limits));
  return ranges;
}

SequenceSet SequenceSet::slice(std::size_t first, std::size_t count) const {
  if (first > size() || count > size() - first)
    throw InputError("slice: records [" + std::to_string(first) + ", +" + std::to_string(count) + ") of a set of " +
                     std::to_string(size()));
  const auto rebased = [](std::span<const std::uint64_t> offsets, std::size_t begin, std::size_t n) {
    std::vector<std::uint64_t> result(offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                                      offsets.begin() + static_cast<std::ptrdiff_t>(begin + n + 1));
    const std::uint64_t base = result.front();
    for (std::uint64_t& offset : result) offset -= base;
    return result;
  };
  const auto part = [&](const auto& all) {
    return std::vector<std::uint8_t>(all.begin() + static_cast<std::ptrdiff_t>(offsets()[first]),
                                     all.begin() + static_cast<std::ptrdiff_t>(offsets()[first + count]));
  };
  SequenceSet result(alphabet_, with_qualities_);
  result.codes_ = part(codes_);
  if (with_qualities_) result.qualities_ = part(qualities_);
  const std::span<const std::uint64_t> headers = or_zero(header_offsets_);
  result.offsets_ = rebased(offsets(), first, count);
  result.headers_ = headers_.substr(headers[first], headers[first + count] - headers[first]);
  result.header_offsets_ = rebased(headers, first, count);
  result.name_lengths_.assign(name_lengths_.begin() + static_cast<std::ptrdiff_t>(first),
                              name_lengths_.begin() + static_cast<std::ptrdiff_t>(first + count));
  for (std::size_t i = 0; i < count; ++i) result.mask(i, masked(first + i));
  return result;
}

SequenceSet SequenceSet::reverse_complement() const {
  if (alphabet_ != Alphabet::dna)
    throw InputError("reverse_complement: a set of " + std::string(to_string(alphabet_)) + " sequences, not of DNA");
  SequenceSet result = *this;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::span<Code> codes = std::span(result.codes_).subspan(offsets_[i], length(i));
    dna::reverse_complement(codes, codes);
    if (i < masks_.size()) {
      std::ranges::reverse(result.masks_[i]);
      for (Interval& range : result.masks_[i]) range = range.reversed(length(i));
    }
    if (with_qualities_) std::ranges::reverse(std::span(result.qualities_).subspan(offsets_[i], length(i)));
  }
  return result;
}

SequenceSet::Location SequenceSet::locate(std::uint64_t position) const {
  if (position >= residues())
    throw InputError("locate: position " + std::to_string(position) + " of " + std::to_string(residues()));
  // The last record that begins at or before the position: the empty ones that begin there too come before it.
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), position);
  const auto record = static_cast<std::size_t>(after - offsets_.begin()) - 1;
  return {.record = record, .position = position - offsets_[record]};
}

std::vector<std::uint64_t> SequenceSet::letter_counts() const {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::uint64_t> counts(alphabet_size(alphabet_));
  std::mutex mutex;
  const std::size_t tasks = (codes_.size() + piece - 1) / piece;
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 4), [&](std::size_t task) {
    const std::size_t end = std::min(codes_.size(), (task + 1) * piece);
    // Four tables, so that a run of one letter does not wait for its own last increment.
    std::array<std::array<std::uint64_t, 256>, 4> tables{};
    std::size_t i = task * piece;
    for (; i + 4 <= end; i += 4)
      for (std::size_t k = 0; k < 4; ++k) ++tables[k][codes_[i + k]];
    for (; i < end; ++i) ++tables[0][codes_[i]];
    const std::lock_guard lock(mutex);
    for (std::size_t code = 0; code < counts.size(); ++code)
      for (const auto& table : tables) counts[code] += table[code];
  });
  return counts;
}

std::vector<double> SequenceSet::letter_frequencies() const {
  const std::vector<std::uint64_t> counts = letter_counts();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<double> frequencies(counts.size());
  if (total != 0)
    for (std::size_t code = 0; code < counts.size(); ++code)
      frequencies[code] = static_cast<double>(counts[code]) / static_cast<double>(total);
  return frequencies;
}

}  // namespace genocl
