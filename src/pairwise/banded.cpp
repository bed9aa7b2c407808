#include "genocl/pairwise/banded.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "runtime/device_core.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::pairwise {
namespace {

// As in cl/pairwise/banded.clh and the kernels.
constexpr std::uint32_t max_diagonals = 160, max_rows = 1000;
constexpr std::int32_t no_score = -16'000, max_score = 8'000;
constexpr std::uint8_t from_mask = 7, deletion_extends = 8, insertion_extends = 16, deletion2_extends = 32,
                       insertion2_extends = 64, begins = 128;
constexpr Code unknown_in_query = 4, unknown_in_text = 5, outside = 32;
constexpr std::uint32_t lanes_of_worker = 16;
/// Diagonals of a work-item of banded_gpu.cl, and work-items of a group.
constexpr std::uint32_t columns_of_item = 8;
constexpr unsigned work_group = 64;
/// Groups that a compute unit holds at a time. More take memory for choices and gain nothing.
constexpr std::uint64_t groups_per_unit = 24;
/// Runs of a pair that a launch has room for; pairs with more are aligned on the host.
constexpr std::uint32_t max_runs = 24;

/// Pair and Result of cl/pairwise/banded.clh.
struct DevicePair {
  std::uint32_t query, query_length, text;
  std::int32_t begin_bonus, end_bonus;
};
struct DeviceResult {
  std::int32_t score, query_begin, query_end, text_begin, text_end, runs;
};

Code letter_of_text(std::span<const Code> text, std::int64_t position) {
  if (position < 0 || position >= static_cast<std::int64_t>(text.size())) return outside;
  const Code code = text[static_cast<std::size_t>(position)];
  return dna::is_base(code) ? code : unknown_in_text;
}

void check_options(const BandedOptions& options, std::uint64_t longest_query) {
  if (options.diagonals == 0 || options.diagonals > max_diagonals)
    throw InputError("a band of " + std::to_string(options.diagonals) + " diagonals: expected 1 to 160");
  options.scoring.check(longest_query);
}

EndBonuses bonuses_of(const EndBonuses& bonuses, const DnaScoring& scoring) {
  return {.begin = bonuses.begin < 0 ? scoring.end_bonus : bonuses.begin,
          .end = bonuses.end < 0 ? scoring.end_bonus : bonuses.end};
}

/// The score without the bonuses of the ends that are reached.
std::int32_t without_bonuses(std::int32_t total, std::uint32_t begin, std::uint32_t end, std::size_t length,
                             const DnaScoring& scoring, const EndBonuses& bonuses) {
  const EndBonuses own = bonuses_of(bonuses, scoring);
  return total - (begin == 0 ? own.begin : 0) - (end == length ? own.end : 0);
}

/// One launch: the pairs `which`, all with queries the device takes.
class Launch {
 public:
  Launch(const Device& device, const BandedPairs& pairs, const BandedOptions& options,
         std::span<const std::uint32_t> which)
      : device_(device), pairs_(pairs), options_(options), which_(which) {
    std::uint64_t query_bases = 0, text_bases = 0;
    for (const std::uint32_t i : which) {
      query_bases += pairs.pairs()[i].query_length;
      text_bases += pairs.pairs()[i].query_length + options.diagonals - 1;
    }
    queries_.reserve(query_bases);
    texts_.reserve(text_bases);
    device_pairs_.reserve(which.size());
    for (const std::uint32_t i : which) add(i);
  }

  void run(std::vector<BandedAlignment>& alignments) {
    const std::uint64_t count = device_pairs_.size();
    const Buffers buffers{.queries = on_device(queries_),
                          .texts = on_device(texts_),
                          .pairs = on_device(device_pairs_),
                          .results = {device_, count},
                          .runs = {device_, count * max_runs}};
    if (runtime::uses_cpu_kernels(device_))
      run_cpu(buffers);
    else
      run_gpu(buffers);
    std::vector<DeviceResult> found(count);
    std::vector<std::uint32_t> found_runs(count * max_runs);
    runtime::download(device_, buffers.results.buffer(), 0, found.data(), count * sizeof(DeviceResult));
    runtime::download(device_, buffers.runs.buffer(), 0, found_runs.data(), found_runs.size() * sizeof(std::uint32_t));
    for (std::size_t k = 0; k < count; ++k)
      alignments[which_[k]] = alignment_of(which_[k], found[k], std::span(found_runs).subspan(k * max_runs, max_runs));
  }

 private:
  struct Buffers {
    runtime::ScratchArray<Code> queries, texts;
    runtime::ScratchArray<DevicePair> pairs;
    runtime::ScratchArray<DeviceResult> results;
    runtime::ScratchArray<std::uint32_t> runs;
  };

  template <class T>
  runtime::ScratchArray<T> on_device(const std::vector<T>& values) const {
    runtime::ScratchArray<T> array(device_, values.size());
    runtime::upload(device_, array.buffer(), 0, values.data(), values.size() * sizeof(T));
    return array;
  }

  /// Costs as both kernels take them.
  auto costs() const {
    const DnaScoring& s = options_.scoring;
    const auto number = [](int value) { return static_cast<std::int16_t>(value); };
    return std::tuple(number(s.match), number(s.mismatch), number(s.ambiguous), number(s.gap_open + s.gap_extend),
                      number(s.gap_extend), number(s.gap_open2 + s.gap_extend2), number(s.gap_extend2));
  }

  void run_cpu(const Buffers& b) const {
    const std::uint64_t count = device_pairs_.size();
    const runtime::Shares shares = runtime::share_out(device_, {}, runtime::ceil_div(count, lanes_of_worker), 1, 1);
    const std::uint64_t choice_bytes = shares.workers * lanes_of_worker * longest_ * options_.diagonals;
    const runtime::Scratch choices(device_, choice_bytes);
    runtime::Kernel kernel(device_, "pairwise/banded_cpu.cl", "align_banded_cpu", {});
    std::apply(
        [&](auto... cost) {
          kernel.args(b.queries, b.texts, b.pairs, count, options_.diagonals, longest_, cost..., choices, max_runs,
                      b.results, b.runs, shares.share);
        },
        costs());
    kernel.run(shares.workers, 1, cells_);
  }

  void run_gpu(const Buffers& b) const {
    // A group goes through several blocks of pairs where choices of all would take more memory than is worth it.
    constexpr std::uint64_t max_bytes = std::uint64_t{512} << 20;
    const std::uint64_t count = device_pairs_.size();
    const unsigned size = runtime::group_size(device_, {}, work_group);
    const auto width = static_cast<std::uint32_t>(runtime::ceil_div(options_.diagonals, columns_of_item));
    const std::uint64_t group_pairs = size / width;
    const std::uint64_t bytes = group_pairs * (longest_ + width - 1) * width * columns_of_item;
    const std::uint64_t groups =
        std::clamp<std::uint64_t>(std::min(max_bytes / bytes, groups_per_unit * runtime::compute_units(device_)), 1,
                                  runtime::ceil_div(count, group_pairs));
    const runtime::Scratch choices(device_, groups * bytes);
    runtime::Kernel kernel(device_, "pairwise/banded_gpu.cl", "align_banded_gpu",
                           runtime::Defines().set("GROUP_SIZE", size));
    std::apply(
        [&](auto... cost) {
          kernel.args(b.queries, b.texts, b.pairs, count, options_.diagonals, width, longest_, cost..., choices,
                      max_runs, b.results, b.runs);
        },
        costs());
    kernel.run(static_cast<std::size_t>(groups), size, cells_);
  }

  void add(std::uint32_t i) {
    const BandedPairs::Pair& pair = pairs_.pairs()[i];
    const EndBonuses bonuses = bonuses_of(pair.bonuses, options_.scoring);
    device_pairs_.push_back({static_cast<std::uint32_t>(queries_.size()), pair.query_length,
                             static_cast<std::uint32_t>(texts_.size()), bonuses.begin, bonuses.end});
    const std::span<const Code> query = pairs_.query(i), text = pairs_.text(i);
    const std::size_t at_query = queries_.size(), at_text = texts_.size();
    queries_.resize(at_query + query.size());
    std::ranges::transform(query, queries_.begin() + static_cast<std::ptrdiff_t>(at_query),
                           [](Code code) { return std::min(code, unknown_in_query); });
    const std::int64_t first = pair.first_diagonal, length = std::int64_t{pair.query_length} + options_.diagonals - 1;
    texts_.resize(at_text + static_cast<std::size_t>(length), outside);
    const std::int64_t begin = std::max<std::int64_t>(0, first),
                       end = std::min<std::int64_t>(static_cast<std::int64_t>(text.size()), first + length);
    if (begin < end)
      std::ranges::transform(text.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
                             texts_.begin() + static_cast<std::ptrdiff_t>(at_text) + (begin - first),
                             [](Code code) { return code > 3 ? unknown_in_text : code; });
    longest_ = std::max(longest_, pair.query_length);
    cells_ += std::uint64_t{pair.query_length} * options_.diagonals;
  }

  BandedAlignment alignment_of(std::uint32_t i, const DeviceResult& result, std::span<const std::uint32_t> runs) const {
    BandedAlignment alignment;
    if (result.score <= 0) return alignment;
    const BandedPairs::Pair& pair = pairs_.pairs()[i];
    if (result.runs > static_cast<std::int32_t>(max_runs))
      return align_banded(pairs_.query(i), pairs_.text(i), pair.first_diagonal, options_, pair.bonuses);
    alignment.query_begin = static_cast<std::uint32_t>(result.query_begin);
    alignment.query_end = static_cast<std::uint32_t>(result.query_end);
    alignment.text_begin = static_cast<std::uint32_t>(pair.first_diagonal + result.text_begin);
    alignment.text_end = static_cast<std::uint32_t>(pair.first_diagonal + result.text_end);
    alignment.score = without_bonuses(result.score, alignment.query_begin, alignment.query_end, pair.query_length,
                                      options_.scoring, pair.bonuses);
    for (std::size_t r = static_cast<std::size_t>(result.runs); r-- > 0;)
      alignment.cigar.append(runs[r] >> 4, CigarRun::letters[runs[r] & 15]);
    return alignment;
  }

  const Device& device_;
  const BandedPairs& pairs_;
  const BandedOptions& options_;
  std::span<const std::uint32_t> which_;
  std::vector<Code> queries_, texts_;
  std::vector<DevicePair> device_pairs_;
  std::uint32_t longest_ = 1;
  std::uint64_t cells_ = 0;
};

/// The kernel's recurrence, one pair on the host.
class HostBand {
 public:
  HostBand(std::span<const Code> query, std::span<const Code> text, std::int32_t first_diagonal,
           const BandedOptions& options, const EndBonuses& bonuses)
      : query_(query),
        text_(text),
        first_(first_diagonal),
        s_(options.scoring),
        bonuses_(bonuses_of(bonuses, options.scoring)),
        diagonals_(options.diagonals),
        choices_(query.size() * diagonals_) {}

  BandedAlignment align() {
    fill();
    return trace_back();
  }

 private:
  std::int32_t pair_score(Code a, Code b) const {
    if (b == outside) return no_score;
    if (!dna::is_base(a) || !dna::is_base(b)) return -s_.ambiguous;
    return a == b ? s_.match : -s_.mismatch;
  }

  void fill() {
    const std::int32_t first = s_.gap_open + s_.gap_extend, first2 = s_.gap_open2 + s_.gap_extend2;
    std::vector<std::int32_t> score(diagonals_ + 1, 0), insertion(diagonals_ + 1, no_score),
        insertion2(diagonals_ + 1, no_score);
    score[diagonals_] = no_score;
    for (std::size_t i = 0; i < query_.size(); ++i) {
      const std::int32_t start = i == 0 ? bonuses_.begin : 0, bonus = i + 1 == query_.size() ? bonuses_.end : 0;
      std::int32_t left = no_score, deletion = no_score, deletion2 = no_score;
      for (std::uint32_t b = 0; b < diagonals_; ++b) {
        std::uint8_t choice = score[b] <= start ? begins : std::uint8_t{0};
        const Code letter = letter_of_text(text_, first_ + static_cast<std::int64_t>(i) + b);
        const std::int32_t diagonal = std::max(score[b], start) + pair_score(query_[i], letter);
        const auto gap = [&](std::int32_t opened, std::int32_t extended, std::uint8_t extends) {
          if (extended > opened) choice |= extends;
          return std::max(opened, extended);
        };
        const std::int32_t above = score[b + 1];
        insertion[b] = gap(above - first, insertion[b + 1] - s_.gap_extend, insertion_extends);
        insertion2[b] = gap(above - first2, insertion2[b + 1] - s_.gap_extend2, insertion2_extends);
        deletion = gap(left - first, deletion - s_.gap_extend, deletion_extends);
        deletion2 = gap(left - first2, deletion2 - s_.gap_extend2, deletion2_extends);
        std::uint8_t from = 1;
        std::int32_t best = diagonal;
        const auto consider = [&](std::int32_t other, std::uint8_t number) {
          if (other > best) best = other, from = number;
        };
        consider(deletion, 2);
        consider(insertion[b], 3);
        consider(deletion2, 4);
        consider(insertion2[b], 5);
        choices_[i * diagonals_ + b] = static_cast<std::uint8_t>(choice | from);
        if (diagonal + bonus > best_) best_ = diagonal + bonus, row_ = i, column_ = b;
        score[b] = left = std::max(best, 0);
      }
    }
  }

  BandedAlignment trace_back() const {
    BandedAlignment alignment;
    if (best_ <= 0) return alignment;
    std::size_t row = row_;
    std::int64_t column = column_;
    const auto text_position = [&] {
      return static_cast<std::uint32_t>(first_ + static_cast<std::int64_t>(row) + column);
    };
    alignment.query_end = static_cast<std::uint32_t>(row + 1);
    alignment.text_end = text_position() + 1;
    std::uint8_t state = 1;
    for (bool first = true;; first = false) {
      const std::uint8_t choice = choices_[row * diagonals_ + static_cast<std::size_t>(column)];
      if (state == 1 && !first) state = choice & from_mask;
      if (state == 1) {
        alignment.cigar.append(1, 'M');
        if ((choice & begins) != 0 || row == 0) break;
        --row;
        continue;
      }
      const bool is_insertion = state % 2 == 1;
      alignment.cigar.append(1, is_insertion ? 'I' : 'D');
      constexpr std::uint8_t extends[] = {deletion_extends, insertion_extends, deletion2_extends, insertion2_extends};
      if ((choice & extends[state - 2]) == 0) state = 1;
      if (is_insertion)
        --row, ++column;
      else
        --column;
    }
    alignment.query_begin = static_cast<std::uint32_t>(row);
    alignment.text_begin = text_position();
    alignment.cigar.reverse();
    alignment.score = without_bonuses(best_, alignment.query_begin, alignment.query_end, query_.size(), s_, bonuses_);
    return alignment;
  }

  std::span<const Code> query_, text_;
  std::int64_t first_;
  const DnaScoring& s_;
  const EndBonuses bonuses_;
  std::uint32_t diagonals_;
  std::vector<std::uint8_t> choices_;
  std::int32_t best_ = 0;
  std::size_t row_ = 0;
  std::int64_t column_ = 0;
};

}  // namespace

int DnaScoring::gap_cost(std::uint32_t length) const noexcept {
  const std::int64_t one = gap_open + std::int64_t{length} * gap_extend,
                     two = gap_open2 + std::int64_t{length} * gap_extend2;
  return static_cast<int>(std::min({one, two, std::int64_t{std::numeric_limits<int>::max()}}));
}

void DnaScoring::check(std::uint64_t longest_query) const {
  constexpr int most = max_score;
  const auto refuse = [](const char* what, int value, const char* expected) {
    throw InputError("scoring: " + std::string(what) + " " + std::to_string(value) + "; expected " + expected);
  };
  if (match < 1 || match > most) refuse("match", match, "1 to 8000");
  const std::pair<const char*, int> costs[] = {{"mismatch", mismatch},
                                               {"gap open", gap_open},
                                               {"gap open", gap_open2},
                                               {"ambiguous", ambiguous},
                                               {"end bonus", end_bonus}};
  for (const auto& [what, cost] : costs)
    if (cost < 0 || cost > most) refuse(what, cost, "0 to 8000");
  for (const int extend : {gap_extend, gap_extend2})
    if (extend < 1 || extend > most) refuse("gap extension", extend, "1 to 8000");
  if (static_cast<std::uint64_t>(match) * longest_query + 2 * static_cast<std::uint64_t>(end_bonus) > 16'000)
    throw InputError("scoring: " + std::to_string(longest_query) + " bases score more than 16000 with a match of " +
                     std::to_string(match) + ", beyond 16 bits");
}

void BandedPairs::add(std::span<const Code> query, std::span<const Code> text, std::int32_t first_diagonal,
                      EndBonuses bonuses) {
  pairs_.push_back({static_cast<std::uint32_t>(queries_.size()), static_cast<std::uint32_t>(query.size()),
                    static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(text.size()), first_diagonal,
                    bonuses});
  queries_.insert(queries_.end(), query.begin(), query.end());
  texts_.insert(texts_.end(), text.begin(), text.end());
}

void BandedPairs::add(const BandedPairs& from, std::size_t i, std::int32_t shift) {
  add(from.query(i), from.text(i), from.pairs_[i].first_diagonal + shift, from.pairs_[i].bonuses);
}

void BandedPairs::clear() noexcept {
  queries_.clear();
  texts_.clear();
  pairs_.clear();
}

BandedAlignment align_banded(std::span<const Code> query, std::span<const Code> text, std::int32_t first_diagonal,
                             const BandedOptions& options, EndBonuses bonuses) {
  check_options(options, query.size());
  return HostBand(query, text, first_diagonal, options, bonuses).align();
}

std::vector<BandedAlignment> align_banded(const Device& device, const BandedPairs& pairs,
                                          const BandedOptions& options) {
  // Pairs of a launch: their letters stay below some hundred MB.
  constexpr std::size_t max_pairs = std::size_t{1} << 17;
  std::uint64_t longest = 0;
  for (const BandedPairs::Pair& pair : pairs.pairs()) longest = std::max<std::uint64_t>(longest, pair.query_length);
  check_options(options, longest);
  for (const BandedPairs::Pair& pair : pairs.pairs())
    if (std::max(pair.bonuses.begin, pair.bonuses.end) > max_score) throw InputError("an end bonus above 8000");
  std::vector<BandedAlignment> alignments(pairs.size());
  std::vector<std::uint32_t> on_device;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const BandedPairs::Pair& pair = pairs.pairs()[i];
    if (pair.query_length == 0) continue;
    if (pair.query_length <= max_rows)
      on_device.push_back(i);
    else
      alignments[i] = HostBand(pairs.query(i), pairs.text(i), pair.first_diagonal, options, pair.bonuses).align();
  }
  // Lanes side by side take as long as the longest of them.
  std::ranges::stable_sort(on_device, {}, [&](std::uint32_t i) { return pairs.pairs()[i].query_length; });
  for (std::size_t begin = 0; begin < on_device.size(); begin += max_pairs) {
    const std::size_t count = std::min(max_pairs, on_device.size() - begin);
    Launch(device, pairs, options, std::span(on_device).subspan(begin, count)).run(alignments);
  }
  return alignments;
}

}  // namespace genocl::pairwise
