#include "overlap/matches/cut_index.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/matches/match_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

/// Minimum number of suffixes of a piece.
constexpr std::uint64_t min_suffixes = 4096;
/// Maximum device memory that is left for queries and matches.
constexpr std::uint64_t kept_free = std::uint64_t{3} << 30;

}  // namespace

std::uint64_t suffixes_beside(const Device& device, std::uint64_t text_bytes, std::uint64_t size, std::uint64_t width) {
  const std::uint64_t usable = runtime::usable_memory(device), left = usable - std::min(usable, text_bytes);
  const std::uint64_t budget = left - std::min(left / 2, kept_free);
  const auto needed = [width](std::uint64_t suffixes) { return width * suffixes + prefix_table_bytes(suffixes); };
  const std::uint64_t largest = std::min({size, Text::longest, device.info().max_allocation / width});
  const std::uint64_t least = std::min(min_suffixes, largest);
  if (needed(least) > budget)
    throw CapacityError("a piece of a suffix index on " + device.info().name, text_bytes + 2 * needed(least), usable);
  std::uint64_t fits = least, not_any_more = largest + 1;
  while (not_any_more - fits > 1) {
    const std::uint64_t middle = fits + (not_any_more - fits) / 2;
    (needed(middle) <= budget ? fits : not_any_more) = middle;
  }
  return fits;
}

CutIndex::CutIndex(Devices devices, Text text, HostPositions positions, std::uint64_t most)
    : devices_(devices.begin(), devices.end()),
      text_(std::move(text)),
      positions_(std::move(positions)),
      residents_(devices.size()) {
  const std::uint64_t size = text_.size();
  if (most == 0) {
    most = size;
    for (const Device& device : devices_)
      most = std::min(most, suffixes_beside(device, text_.bytes(), size, positions_.width()));
  }
  pieces_ = std::max<std::uint64_t>(1, runtime::ceil_div(size, std::max<std::uint64_t>(most, 1)));
  if (size >= min_suffixes * devices_.size()) pieces_ = runtime::round_up(pieces_, devices_.size());
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    residents_[number].text = runtime::shared_state_of(text_.copy_to(devices_[number]));
    devices_[number].finish();
  }
}

std::uint64_t CutIndex::begin(std::uint64_t piece) const {
  const std::uint64_t size = positions_.size();
  return size / pieces_ * piece + size % pieces_ * piece / pieces_;
}

const CutIndex::Resident& CutIndex::bring(const Device& device, std::size_t number, std::uint64_t piece) {
  Resident& resident = residents_[number];
  if (resident.piece == piece) return resident;
  // The old piece is released first.
  resident.piece = ~std::uint64_t{0};
  resident.narrow = {};
  resident.wide = {};
  resident.table = {};
  device.release_scratch();
  const std::uint64_t first = begin(piece), count = begin(piece + 1) - first;
  if (positions_.is_wide()) {
    resident.wide = Array<std::uint64_t>(device, positions_.wide.subspan(first, count));
    resident.table = prefix_table(device, *resident.text, resident.wide);
  } else {
    resident.narrow = Array<std::uint32_t>(device, positions_.narrow.subspan(first, count));
    resident.table = prefix_table(device, *resident.text, resident.narrow);
  }
  resident.piece = piece;
  return resident;
}

namespace {

/// Bytes of an anchor, and of a candidate with the sort of the matches.
constexpr std::uint64_t anchor_bytes = 64, candidate_bytes = 128;
/// Matches that the sink receives at a time.
constexpr std::size_t matches_at_once = std::size_t{1} << 24;

/// A match of a piece, by positions in the texts.
struct Hit {
  std::uint64_t in_query = 0, in_reference = 0;
  std::uint32_t length = 0, piece = 0;
};
using Hits = std::vector<Hit>;

bool before(const Hit& a, const Hit& b) {
  return a.in_query != b.in_query ? a.in_query < b.in_query : a.in_reference < b.in_reference;
}

/// Sorted runs become one.
Hits merged(std::vector<Hits>&& runs) {
  Hits all;
  std::vector<std::size_t> ends = {0};
  for (Hits& run : runs) {
    all.insert(all.end(), run.begin(), run.end());
    Hits().swap(run);
    ends.push_back(all.size());
  }
  const auto at = [&all, &ends](std::size_t k) { return all.begin() + static_cast<std::ptrdiff_t>(ends[k]); };
  for (std::size_t width = 1; width + 1 < ends.size(); width *= 2)
    for (std::size_t k = 0; k + width < ends.size() - 1; k += 2 * width)
      std::inplace_merge(at(k), at(k + width), at(std::min(k + 2 * width, ends.size() - 1)), before);
  return all;
}

/// Keeps the longest match of each position of the queries, unless two have that length.
void keep_longest(Hits& hits) {
  std::size_t kept = 0;
  for (std::size_t first = 0, end = 0; first < hits.size(); first = end) {
    std::size_t best = first;
    bool twice = false;
    for (end = first + 1; end < hits.size() && hits[end].in_query == hits[first].in_query; ++end) {
      if (hits[end].length >= hits[best].length) {
        twice = hits[end].length == hits[best].length;
        best = end;
      }
    }
    if (!twice) hits[kept++] = hits[best];
  }
  hits.resize(kept);
}

}  // namespace

class CutSearch {
 public:
  CutSearch(CutIndex& index, const SequenceSet& queries, const MatchOptions& options)
      : index_(index),
        options_(options),
        unique_(options.kind != MatchKind::all),
        strands_(options.both_strands ? 2 : 1),
        plan_(AnchorPlan::of(*index.residents_.front().text, static_cast<std::uint32_t>(options.min_length))) {
    std::uint64_t budget = ~std::uint64_t{0};
    for (std::size_t number = 0; number < index.devices_.size(); ++number) {
      const Device& device = index.devices_[number];
      queries_.push_back(pack_as(*index.residents_[number].text, device, queries, options.both_strands));
      device.finish();
      budget = std::min(budget, runtime::usable_memory(device));
    }
    size_ = queries_.front()->size;
    const std::uint64_t anchors = runtime::ceil_div(size_, plan_.step);
    const int key_bits = 62 - static_cast<int>(std::bit_width(index.text_.size()));
    const std::uint64_t places = std::min(places_at_once, std::uint64_t{1} << key_bits);
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, std::min({anchors_at_once, places / plan_.step, budget / 8 / anchor_bytes}));
    for (std::uint64_t first = 0; first < anchors; first += at_once)
      ranges_.push_back({first, std::min(at_once, anchors - first)});
    found_.resize(ranges_.size());
  }

  void run(const MatchIndex::Sink& sink) {
    const std::uint64_t rounds = unique_ ? 2 : 1, all = rounds * index_.pieces_ * size_;
    std::vector<std::vector<Hits>> parts(ranges_.size());
    for_each_part<Hits>(
        all, 0, [this](const Task& task, const MatchSearch& search) { return hits(task, search); },
        [&](const Task& task, Hits&& some) {
          if (!some.empty()) parts[task.range].push_back(std::move(some));
        });
    for (std::size_t range = 0; range < ranges_.size(); ++range) {
      found_[range] = merged(std::move(parts[range]));
      if (unique_) keep_longest(found_[range]);
    }
    if (unique_) drop_repeated(all);
    hand_over(sink);
  }

 private:
  /// A search for a range of the queries in a piece.
  struct Task {
    std::uint64_t piece = 0;
    std::size_t range = 0;
  };
  template <class Part>
  struct Done {
    Task task;
    Part part;
  };

  /// Tasks for each device: first of its own piece, then of a new piece, at last of another device's piece.
  class Tasks {
   public:
    Tasks(std::uint64_t pieces, std::size_t ranges, std::size_t devices, std::span<const CutIndex::Resident> residents)
        : next_(pieces, 0), ranges_(ranges), piece_of_(devices) {
      for (std::size_t device = 0; device < devices; ++device) {
        // A resident piece is not uploaded again.
        const std::uint64_t there = residents[device].piece;
        piece_of_[device] = there;
        if (there < pieces) taken_.push_back(there);
      }
    }

    std::optional<Task> next(std::size_t device) {
      std::uint64_t& piece = piece_of_[device];
      if (piece >= next_.size() || next_[piece] == ranges_) {
        const auto untouched = [&](std::uint64_t other) {
          return next_[other] == 0 && std::ranges::find(taken_, other) == taken_.end();
        };
        std::uint64_t best = 0;
        for (std::uint64_t other = 1; other < next_.size(); ++other) {
          if (untouched(best)) break;
          if (untouched(other) || next_[other] < next_[best]) best = other;
        }
        piece = best;
        taken_.push_back(best);
      }
      if (next_[piece] == ranges_) return std::nullopt;
      return Task{piece, next_[piece]++};
    }

   private:
    std::vector<std::size_t> next_;  ///< [piece]: the range that is next
    std::size_t ranges_;
    std::vector<std::uint64_t> piece_of_;  ///< [device]
    std::vector<std::uint64_t> taken_;     ///< pieces that are or were on a device
  };

  template <class Part, class Work, class Take>
  void for_each_part(std::uint64_t all, std::uint64_t done_before, Work&& work, Take&& take) {
    Tasks tasks(index_.pieces_, ranges_.size(), index_.devices_.size(), index_.residents_);
    runtime::ChunkOptions chunks{.workers_per_device = 1};
    if (options_.progress)
      chunks.progress = [this, all, done_before](const ProgressState& state) {
        const std::uint64_t done = std::min(all, done_before + state.items_done);
        return options_.progress({static_cast<double>(done) / static_cast<double>(all), done, all});
      };
    runtime::for_each_chunk(
        index_.devices_, [&](std::size_t device) { return tasks.next(device); },
        [&](const Device& device, std::size_t number, Task&& task) {
          const CutIndex::Resident& there = index_.bring(device, number, task.piece);
          const Reference reference = index_.positions_.is_wide()
                                          ? Reference(*there.text, there.wide, there.table, false)
                                          : Reference(*there.text, there.narrow, there.table, false);
          const std::uint64_t candidates = std::clamp<std::uint64_t>(runtime::usable_memory(device) / candidate_bytes,
                                                                     1024, MatchSearch::usual_candidates);
          const MatchSearch search(device, reference, *queries_[number], plan_, candidates);
          return Done<Part>{task, work(task, search)};
        },
        [&](Done<Part>&& done) {
          take(done.task, std::move(done.part));
          return std::min(size_, ranges_[done.task.range].count * plan_.step);
        },
        chunks);
  }

  Hits hits(const Task& task, const MatchSearch& search) const {
    Hits all;
    const unsigned bits = search.position_bits();
    search.find(ranges_[task.range], unique_, [&](FoundMatches&& some) {
      all.reserve(all.size() + some.keys.size());
      for (std::size_t i = 0; i < some.keys.size(); ++i)
        all.push_back({some.base + (some.keys[i] >> bits), some.keys[i] & ((std::uint64_t{1} << bits) - 1),
                       some.lengths[i], static_cast<std::uint32_t>(task.piece)});
    });
    return all;
  }

  /// A string that occurs once in its piece may occur in another.
  void drop_repeated(std::uint64_t all) {
    using Indices = std::vector<std::size_t>;
    std::vector<std::vector<bool>> repeated(ranges_.size());
    for (std::size_t range = 0; range < ranges_.size(); ++range) repeated[range].resize(found_[range].size());
    for_each_part<Indices>(
        all, all / 2,
        [this](const Task& task, const MatchSearch& search) {
          const Hits& hits = found_[task.range];
          Indices others;
          std::vector<std::uint64_t> places;
          std::vector<std::uint32_t> lengths;
          for (std::size_t i = 0; i < hits.size(); ++i) {
            if (hits[i].piece == task.piece) continue;
            others.push_back(i);
            places.push_back(hits[i].in_query);
            lengths.push_back(hits[i].length);
          }
          const std::vector<std::uint8_t> there = search.has(places, lengths);
          Indices again;
          for (std::size_t k = 0; k < others.size(); ++k)
            if (there[k] != 0) again.push_back(others[k]);
          return again;
        },
        [&](const Task& task, Indices&& again) {
          for (const std::size_t i : again) repeated[task.range][i] = true;
        });
    for (std::size_t range = 0; range < ranges_.size(); ++range) {
      Hits& hits = found_[range];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < hits.size(); ++i)
        if (!repeated[range][i]) hits[kept++] = hits[i];
      hits.resize(kept);
    }
  }

  void hand_over(const MatchIndex::Sink& sink) {
    MatchPlaces places(index_.text_.begins(), queries_.front()->begins, strands_);
    UniqueMatches both_unique;
    std::vector<MaximalMatch> matches;
    for (Hits& hits : found_) {
      for (std::size_t first = 0; first < hits.size(); first += matches_at_once) {
        matches.clear();
        for (std::size_t i = first, end = std::min(hits.size(), first + matches_at_once); i < end; ++i)
          matches.push_back(places.match(hits[i].in_query, hits[i].in_reference, hits[i].length));
        if (options_.kind == MatchKind::unique)
          both_unique.add(matches, sink);
        else
          sink(matches);
      }
      Hits().swap(hits);
    }
    if (options_.kind == MatchKind::unique) both_unique.finish(sink);
  }

  CutIndex& index_;
  const MatchOptions& options_;
  bool unique_;
  std::uint64_t strands_;
  AnchorPlan plan_;
  std::vector<std::shared_ptr<const Text::State>> queries_;  // [device]
  std::uint64_t size_ = 0;
  std::vector<AnchorRange> ranges_;
  std::vector<Hits> found_;  // [range]
};

void CutIndex::find(const SequenceSet& queries, const MatchOptions& options, const MatchIndex::Sink& sink) {
  const std::lock_guard lock(mutex_);
  CutSearch(*this, queries, options).run(sink);
}

}  // namespace genocl::overlap
