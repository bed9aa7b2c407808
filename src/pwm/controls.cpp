// Control sequences: shuffled sequences, and pieces of a genome.
#include "genocl/pwm/controls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// SplitMix64 (Steele, Lea and Flood 2014), in integers only: the same numbers on every machine.
class ControlRandom {
 public:
  /// A stream for each pair of `a` and `b`.
  ControlRandom(std::uint64_t seed, std::uint64_t a, std::uint64_t b)
      : state_(mixed(mixed(mixed(seed + step) + a + step) + b + step)) {}

  /// Uniform in [0, bound), without bias. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    if (bound <= 0xffffffff) {  // Lemire 2019
      std::uint64_t product = (next() >> 32) * bound;
      if (static_cast<std::uint32_t>(product) < bound) {
        const std::uint64_t threshold = (std::uint64_t{1} << 32) % bound;
        while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * bound;
      }
      return product >> 32;
    }
    const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;
    std::uint64_t value = next();
    while (value >= limit) value = next();
    return value % bound;
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  std::uint64_t next() { return mixed(state_ += step); }

  std::uint64_t state_;
};

void shuffle_letters(std::span<Code> letters, ControlRandom& random) {
  for (std::size_t left = letters.size(); left > 1; --left) std::swap(letters[left - 1], letters[random.below(left)]);
}

/// Shuffles stretches of bases. Its memory serves one stretch after the other.
class EulerShuffle {
 public:
  explicit EulerShuffle(unsigned kmer)
      : prefix_(kmer - 1), mask_((std::size_t{1} << (2 * prefix_)) - 1), first_(mask_ + 2), last_edge_(mask_ + 1) {}

  void operator()(std::span<Code> letters, ControlRandom& random) {
    if (prefix_ == 0) return shuffle_letters(letters, random);
    if (letters.size() < prefix_ + 3) return;  // two edges or fewer have one order
    sort_edges(letters);
    choose_last_edges(letters, random);
    order_edges(random);
    walk(letters);
  }

 private:
  // A vertex is a word of prefix_ letters, the latest in the lowest two bits. An edge is the letter that follows.
  std::size_t next_vertex(std::size_t vertex, Code letter) const { return ((vertex << 2) | letter) & mask_; }
  std::size_t first_vertex(std::span<const Code> letters) const {
    std::size_t vertex = 0;
    for (std::size_t i = 0; i < prefix_; ++i) vertex = next_vertex(vertex, letters[i]);
    return vertex;
  }
  std::span<Code> edges_of(std::size_t vertex) {
    return std::span(edges_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

  /// Lists the edges by vertex.
  void sort_edges(std::span<const Code> letters) {
    std::ranges::fill(first_, 0);
    edges_.resize(letters.size() - prefix_);
    std::size_t vertex = first_vertex(letters);
    for (std::size_t i = prefix_; i < letters.size(); ++i) {
      ++first_[vertex + 1];
      vertex = next_vertex(vertex, letters[i]);
    }
    root_ = vertex;
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    next_.assign(first_.begin(), first_.end() - 1);
    vertex = first_vertex(letters);
    for (std::size_t i = prefix_; i < letters.size(); ++i) {
      edges_[next_[vertex]++] = letters[i];
      vertex = next_vertex(vertex, letters[i]);
    }
  }

  /// Chooses the last edge of each vertex: a random tree towards the last vertex, by Wilson's random walks.
  void choose_last_edges(std::span<const Code> letters, ControlRandom& random) {
    in_tree_.assign(mask_ + 1, false);
    in_tree_[root_] = true;
    const std::size_t start = first_vertex(letters);
    std::size_t vertex = start;
    for (std::size_t i = prefix_; i < letters.size(); ++i) {
      for (std::size_t at = vertex; !in_tree_[at]; at = next_vertex(at, last_edge_[at])) {
        const std::span<Code> edges = edges_of(at);
        last_edge_[at] = edges[random.below(edges.size())];
      }
      for (std::size_t at = vertex; !in_tree_[at]; at = next_vertex(at, last_edge_[at])) in_tree_[at] = true;
      vertex = next_vertex(vertex, letters[i]);
    }
  }

  void order_edges(ControlRandom& random) {
    for (std::size_t vertex = 0; vertex <= mask_; ++vertex) {
      std::span<Code> edges = edges_of(vertex);
      if (edges.empty()) continue;
      if (vertex != root_) {
        std::swap(*std::ranges::find(edges, last_edge_[vertex]), edges.back());
        edges = edges.first(edges.size() - 1);
      }
      shuffle_letters(edges, random);
    }
  }

  void walk(std::span<Code> letters) {
    next_.assign(first_.begin(), first_.end() - 1);
    std::size_t vertex = first_vertex(letters);
    for (std::size_t i = prefix_; i < letters.size(); ++i) {
      letters[i] = edges_[next_[vertex]++];
      vertex = next_vertex(vertex, letters[i]);
    }
  }

  std::size_t prefix_, mask_, root_ = 0;
  std::vector<std::size_t> first_, next_;  ///< [vertex]: its first edge, and its next one
  std::vector<Code> edges_, last_edge_;
  std::vector<bool> in_tree_;
};

void check_dna(const SequenceSet& sequences) {
  if (sequences.alphabet() != Alphabet::dna) throw InputError("control sequences are made of DNA only");
}

}  // namespace

SequenceSet shuffled(const SequenceSet& sequences, const ShuffleOptions& options) {
  check_dna(sequences);
  if (options.kmer < 1 || options.kmer > 6)
    throw InputError("words of " + std::to_string(options.kmer) + " letters; expected 1 to 6");
  constexpr std::uint64_t block_letters = std::uint64_t{32} << 20;
  SequenceSet result(Alphabet::dna);
  result.reserve(sequences.size() * options.copies, sequences.residues() * options.copies);
  const std::uint64_t total = sequences.size() * options.copies;
  const auto sequence_of = [&](std::uint64_t task) { return static_cast<std::size_t>(task / options.copies); };
  for (std::uint64_t begin = 0, end = 0; begin < total; begin = end) {
    std::uint64_t letters = 0;
    while (end < total && (end == begin || letters + sequences.length(sequence_of(end)) <= block_letters))
      letters += sequences.length(sequence_of(end++));
    std::vector<std::vector<Code>> block(end - begin);
    const std::size_t threads = runtime::threads_for(letters, 1 << 18, 64);
    // Each task has consecutive sequences: the memory of its shuffler serves them all.
    const std::size_t tasks = std::min<std::size_t>(block.size(), 8 * threads);
    runtime::parallel_for(tasks, threads, [&](std::size_t task) {
      EulerShuffle shuffle(options.kmer);
      for (std::size_t i = block.size() * task / tasks; i < block.size() * (task + 1) / tasks; ++i) {
        const std::uint64_t number = begin + i;
        const std::span<const Code> from = sequences[sequence_of(number)];
        std::vector<Code>& to = block[i];
        to.assign(from.begin(), from.end());
        ControlRandom random(options.seed, sequence_of(number), number % options.copies);
        for (auto at = to.begin(); at != to.end();) {
          const auto stretch = std::find_if(at, to.end(), dna::is_base);
          at = std::find_if_not(stretch, to.end(), dna::is_base);
          shuffle(std::span<Code>(stretch, at), random);
        }
      }
    });
    for (std::size_t i = 0; i < block.size(); ++i)
      result.append(std::string(sequences.name(sequence_of(begin + i))) + "_shuf_" +
                        std::to_string((begin + i) % options.copies + 1),
                    block[i]);
  }
  return result;
}

namespace {

/// Numbers of bases, and of G and C among them, of any interval of a record.
class BaseCounts {
 public:
  explicit BaseCounts(std::span<const Code> letters) : letters_(letters) {
    Counts sum;
    before_.reserve(letters.size() / block + 1);
    for (std::size_t begin = 0; begin <= letters.size(); begin += block) {
      before_.push_back(sum);
      sum += plain(begin, std::min(begin + block, letters.size()));
    }
  }

  struct Counts {
    std::uint64_t bases = 0, gc = 0;
    Counts& operator+=(const Counts& other) {
      bases += other.bases;
      gc += other.gc;
      return *this;
    }
  };
  Counts operator()(std::size_t begin, std::size_t end) const {
    const Counts last = up_to(end), first = up_to(begin);
    return {last.bases - first.bases, last.gc - first.gc};
  }

 private:
  static constexpr std::size_t block = 64;
  Counts plain(std::size_t begin, std::size_t end) const {
    Counts counts;
    for (std::size_t i = begin; i < end; ++i) {
      counts.bases += letters_[i] < 4 ? 1 : 0;
      counts.gc += letters_[i] == 1 || letters_[i] == 2 ? 1 : 0;
    }
    return counts;
  }
  Counts up_to(std::size_t end) const {
    Counts counts = before_[end / block];
    return counts += plain(end / block * block, end);
  }

  std::span<const Code> letters_;
  std::vector<Counts> before_;  ///< [i]: before letter i * block
};

constexpr std::size_t gc_bins = 101;

std::size_t gc_bin(const BaseCounts::Counts& counts) {
  return counts.bases == 0 ? gc_bins / 2 : (100 * counts.gc + counts.bases / 2) / counts.bases;
}

/// Tiles of one GC content, and the sequences that get one of them.
struct TileBin {
  std::uint64_t tiles = 0, seen = 0;
  std::vector<std::uint64_t> lengths;  ///< of the sequences
  std::size_t drawn = 0;               ///< of them
};

/// Sequences of similar lengths.
struct LengthClass {
  std::uint64_t tile = 0;  ///< the longest length
  std::array<TileBin, gc_bins> bins;

  /// Moves sequences from bins with too few tiles to the nearest ones with tiles left.
  void balance();
};

void LengthClass::balance() {
  std::uint64_t sequences = 0, tiles = 0;
  for (const TileBin& bin : bins) {
    sequences += bin.lengths.size();
    tiles += bin.tiles;
  }
  if (tiles < sequences)
    throw InputError("the genome has " + std::to_string(tiles) + " pieces of " + std::to_string(tile) +
                     " letters outside the sequences; expected at least " + std::to_string(sequences));
  const auto left = [&](std::size_t bin) { return bins[bin].tiles > bins[bin].lengths.size(); };
  for (std::size_t from = 0; from < gc_bins; ++from)
    while (bins[from].lengths.size() > bins[from].tiles) {
      std::size_t distance = 1;
      while (!(distance <= from && left(from - distance)) && !(from + distance < gc_bins && left(from + distance)))
        ++distance;
      const std::size_t to = distance <= from && left(from - distance) ? from - distance : from + distance;
      bins[to].lengths.push_back(bins[from].lengths.back());
      bins[from].lengths.pop_back();
    }
}

}  // namespace

struct MatchedControls::State {
  MatchedOptions options;
  Places places;
  std::vector<LengthClass> classes;
  bool balanced = false;
  std::vector<std::vector<ControlRandom>> random;  ///< [class][bin]
  SequenceSet pieces{Alphabet::dna};

  /// Calls use(class, bin, begin) for each usable tile of a record.
  template <class Use>
  void for_each_tile(std::string_view name, std::span<const Code> letters, Use&& use);
};

template <class Use>
void MatchedControls::State::for_each_tile(std::string_view name, std::span<const Code> letters, Use&& use) {
  static const std::vector<Interval> none;
  const auto found = places.find(name);
  const std::vector<Interval>& taken = found == places.end() ? none : found->second;
  const BaseCounts counts(letters);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::uint64_t tile = classes[c].tile;
    auto next = taken.begin();
    for (std::uint64_t begin = 0; begin + tile <= letters.size(); begin += tile) {
      while (next != taken.end() && next->end <= begin) ++next;
      if (next != taken.end() && next->begin < begin + tile) continue;
      const BaseCounts::Counts of_tile = counts(begin, begin + tile);
      if (static_cast<double>(tile - of_tile.bases) > options.max_unknown * static_cast<double>(tile)) continue;
      use(c, gc_bin(of_tile), begin);
    }
  }
}

MatchedControls::MatchedControls(const SequenceSet& sequences, Places places, const MatchedOptions& options)
    : state_(std::make_unique<State>()) {
  check_dna(sequences);
  if (!(options.max_unknown >= 0 && options.max_unknown <= 1))
    throw InputError("a fraction of unknown letters of " + std::to_string(options.max_unknown) + "; expected 0 to 1");
  state_->options = options;
  state_->places = std::move(places);
  for (auto& [name, intervals] : state_->places) intervals = merged(std::move(intervals));
  std::vector<std::size_t> by_length(sequences.size());
  std::iota(by_length.begin(), by_length.end(), std::size_t{0});
  std::ranges::stable_sort(by_length, std::greater{}, [&](std::size_t i) { return sequences.length(i); });
  for (const std::size_t i : by_length) {
    const std::uint64_t length = sequences.length(i);
    if (length == 0) break;
    if (state_->classes.empty() || 11 * length < 10 * state_->classes.back().tile)
      state_->classes.emplace_back().tile = length;
    const std::size_t bin = gc_bin(BaseCounts(sequences[i])(0, length));
    std::vector<std::uint64_t>& lengths = state_->classes.back().bins[bin].lengths;
    lengths.insert(lengths.end(), options.copies, length);
  }
}
MatchedControls::MatchedControls(MatchedControls&&) noexcept = default;
MatchedControls& MatchedControls::operator=(MatchedControls&&) noexcept = default;
MatchedControls::~MatchedControls() = default;

void MatchedControls::survey(const SequenceSet& genome) {
  check_dna(genome);
  for (std::size_t i = 0; i < genome.size(); ++i)
    state_->for_each_tile(genome.name(i), genome[i], [&](std::size_t of, std::size_t bin, std::uint64_t) {
      ++state_->classes[of].bins[bin].tiles;
    });
}

void MatchedControls::draw(const SequenceSet& genome) {
  check_dna(genome);
  if (!state_->balanced) {
    for (std::size_t c = 0; c < state_->classes.size(); ++c) {
      state_->classes[c].balance();
      state_->random.emplace_back();
      for (std::size_t bin = 0; bin < gc_bins; ++bin) state_->random[c].emplace_back(state_->options.seed, c, bin);
    }
    state_->balanced = true;
  }
  for (std::size_t i = 0; i < genome.size(); ++i)
    state_->for_each_tile(genome.name(i), genome[i], [&](std::size_t of, std::size_t number, std::uint64_t begin) {
      TileBin& bin = state_->classes[of].bins[number];
      if (bin.seen == bin.tiles) throw InputError("the genome has changed between two reads");
      // Selection sampling (Knuth, algorithm S): every choice of tiles has the same probability.
      const bool drawn = state_->random[of][number].below(bin.tiles - bin.seen++) < bin.lengths.size() - bin.drawn;
      if (!drawn) return;
      const std::uint64_t length = bin.lengths[bin.drawn++];
      const std::uint64_t at = begin + (state_->classes[of].tile - length) / 2;
      state_->pieces.append(std::string(genome.name(i)) + ":" + std::to_string(at) + "-" + std::to_string(at + length),
                            genome[i].subspan(at, length));
    });
}

SequenceSet MatchedControls::take() {
  for (const LengthClass& one : state_->classes)
    for (const TileBin& bin : one.bins)
      if (bin.drawn < bin.lengths.size()) throw InputError("the genome has changed between two reads");
  return std::exchange(state_->pieces, SequenceSet(Alphabet::dna));
}

}  // namespace genocl::pwm
