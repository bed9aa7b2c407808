#include "genocl/marose/pair_mapper.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "genocl/error.hpp"
#include "marose/align.hpp"
#include "marose/read_batches.hpp"

namespace genocl::marose {
namespace {

/// Minimum MAPQ of reads for the insert size estimate.
constexpr std::uint8_t sure = 20;
/// Longest template length.
constexpr std::uint64_t longest_template = 1'000'000;

MapOptions known_hits(MapOptions options) {
  // All hits that prove the best ones are useful for the mate.
  if (options.report.kind == Report::Kind::best) options.report = Report::explored();
  return options;
}

void check_pairs(const SequenceSet& reads) {
  if (reads.size() % 2 != 0)
    throw InputError("", "read " + std::to_string(reads.size()), "no mate behind it", "reads in pairs");
}

}  // namespace

struct PairMapper::State {
  Index index;
  PairOptions options;
  Mapper mapper;
  InsertRange insert;
  bool insert_known = false;

  State(Devices devices, const Index& i, const PairOptions& o)
      : index(i),
        options(o),
        mapper(devices, i, known_hits(o.map)),
        insert(o.insert.value_or(InsertRange{})),
        insert_known(o.insert.has_value()) {}

  static std::span<const Code> mapped(const SequenceSet& reads, const Hits& hits, std::size_t read) {
    return hits.reads[read].mapped.of(reads[read]);
  }

  ReadPair place(const SequenceSet& reads, const Hits& hits, std::size_t pair) const {
    const std::size_t a = 2 * pair, b = a + 1;
    return place_pair(index, hits.of(a), hits.reads[a], mapped(reads, hits, a), hits.of(b), hits.reads[b],
                      mapped(reads, hits, b), insert, options);
  }

  // From pairs whose reads have one reliable place each, in the requested orientation.
  void estimate(const SequenceSet& reads) {
    const Hits hits = mapper.map(reads);
    PairOptions as_they_are = options;
    as_they_are.rescue = false;
    std::vector<std::uint64_t> lengths;
    for (std::size_t pair = 0; pair < reads.size() / 2; ++pair) {
      const std::size_t a = 2 * pair, b = a + 1;
      if (hits.reads[a].mapping_quality() < sure || hits.reads[b].mapping_quality() < sure) continue;
      const ReadPair placed =
          place_pair(index, hits.of(a).first(1), hits.reads[a], mapped(reads, hits, a), hits.of(b).first(1),
                     hits.reads[b], mapped(reads, hits, b), {.least = 0, .most = longest_template}, as_they_are);
      if (placed.best) lengths.push_back(static_cast<std::uint64_t>(std::abs(placed.best->best.template_length)));
    }
    if (const auto range = estimate_insert(lengths)) insert = *range;
    insert_known = true;
  }
};

PairMapper::PairMapper(Devices devices, const Index& index, const PairOptions& options)
    : state_(std::make_unique<State>(devices, index, options)) {
  if (options.map.strands != Strands::both)
    throw InputError("strands: expected both, as the mates of a pair are on opposite strands");
}
PairMapper::PairMapper(PairMapper&&) noexcept = default;
PairMapper& PairMapper::operator=(PairMapper&&) noexcept = default;
PairMapper::~PairMapper() = default;

void PairMapper::estimate(const SequenceSet& pairs) {
  State& state = *state_;
  if (state.insert_known) return;
  check_pairs(pairs);
  SequenceSet first_pairs(Alphabet::dna, pairs.has_qualities());
  for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 2 * pairs_to_estimate_from); ++i)
    first_pairs.append(pairs.name(i), pairs[i], {}, pairs.quality(i));
  state.estimate(first_pairs);
}

const InsertRange& PairMapper::insert() const noexcept { return state_->insert; }

void PairMapper::map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
                     const std::function<void(Batch&)>& sink) {
  map(reads_to_make(source), work, sink);
}

void PairMapper::map(const std::function<std::optional<Mapper::ReadsToMake>()>& source,
                     const std::function<void(Batch&)>& work, const std::function<void(Batch&)>& sink) {
  State& state = *state_;
  struct Ahead {
    std::uint64_t count = 0;  // as given by the source
    SequenceSet reads;
  };
  std::deque<Ahead> ahead;
  if (!state.insert_known) {
    SequenceSet first_pairs;
    while (first_pairs.size() < 2 * pairs_to_estimate_from) {
      const std::optional<Mapper::ReadsToMake> reads = source();
      if (!reads) break;
      SequenceSet& batch = ahead.emplace_back(Ahead{reads->count, SequenceSet()}).reads;
      reads->make(batch);
      check_pairs(batch);
      if (first_pairs.empty()) first_pairs.reset(Alphabet::dna, batch.has_qualities());
      const std::size_t count = std::min<std::size_t>(batch.size(), 2 * pairs_to_estimate_from - first_pairs.size());
      for (std::size_t i = 0; i < count; ++i) first_pairs.append(batch.name(i), batch[i], {}, batch.quality(i));
    }
    state.estimate(first_pairs);
  }
  const bool aligned = state.options.map.align.has_value();
  if (aligned)
    state.mapper.align_pairs({.insert = state.insert, .orientation = state.options.orientation}, state.options.rescue);
  // [first read of a batch]: its pairs, between the calls.
  std::map<std::uint64_t, std::vector<ReadPair>> pairs_of;
  std::mutex mutex;
  const auto as_pairs = [](Mapper::Batch& batch, auto&& call) {
    Batch pairs;
    static_cast<Mapper::Batch&>(pairs) = std::move(batch);
    call(pairs);
    batch = std::move(static_cast<Mapper::Batch&>(pairs));
  };
  state.mapper.map(
      [&]() -> std::optional<Mapper::ReadsToMake> {
        if (ahead.empty()) return source();
        auto first = std::make_shared<Ahead>(std::move(ahead.front()));
        ahead.pop_front();
        return Mapper::ReadsToMake{first->count, [first](SequenceSet& batch) { batch = std::move(first->reads); }};
      },
      [&](Mapper::Batch& batch) {
        check_pairs(batch.reads);
        std::vector<ReadPair> placed;
        if (!aligned) {
          placed.reserve(batch.reads.size() / 2);
          for (std::size_t pair = 0; pair < batch.reads.size() / 2; ++pair)
            placed.push_back(state.place(batch.reads, batch.hits, pair));
        }
        if (work)
          as_pairs(batch, [&](Batch& pairs) {
            pairs.pairs = std::move(placed);
            work(pairs);
            placed = std::move(pairs.pairs);
          });
        if (aligned) return;
        const std::lock_guard lock(mutex);
        pairs_of[batch.first_read] = std::move(placed);
      },
      [&](Mapper::Batch& batch) {
        as_pairs(batch, [&](Batch& pairs) {
          if (!aligned) {
            const std::lock_guard lock(mutex);
            pairs.pairs = std::move(pairs_of.extract(pairs.first_read).mapped());
          }
          if (sink) sink(pairs);
        });
      });
}

}  // namespace genocl::marose
