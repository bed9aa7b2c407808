#include "genocl/marose/mapper.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "marose/align.hpp"
#include "marose/clip.hpp"
#include "marose/device_state.hpp"
#include "marose/hits.hpp"
#include "marose/index.hpp"
#include "marose/kmers.hpp"
#include "marose/read_batches.hpp"

#include "marose/pipeline.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device_core.hpp"
#include "runtime/state_access.hpp"

namespace genocl::marose {
namespace {

/// Maximum number of bases of reads on a device at a time.
constexpr std::uint64_t max_batch_bases = std::uint64_t{256} << 20;

std::vector<unsigned> workers_of(const std::vector<DeviceWork>& work) {
  std::vector<unsigned> workers;
  for (const DeviceWork& one : work) workers.push_back(one.workers);
  return workers;
}

/// Number of strata beyond the best one that determine MAPQ: without a hit in them it is the highest.
constexpr unsigned quality_strata = 3;

// Strata for the report and for MAPQ.
SearchDepth search_depth_for(const Report& report) {
  if (report.kind == Report::Kind::best || report.kind == Report::Kind::explored)
    return {.gap = quality_strata, .budget = 2000, .rivals_end = true};
  if (report.kind == Report::Kind::strata)
    return {.gap = std::clamp(report.strata, quality_strata, all_strata),
            .promised = std::min(report.strata, all_strata),
            .budget = 2000,
            .rivals_end = true};
  return {.gap = all_strata, .promised = all_strata};
}

/// Whole reads that are reported as hits, whole reads that are aligned, or parts of unmapped reads.
enum class Piece : std::uint8_t { whole, aligned, part };

/// On a CPU device the host finds the hits of the first diagonals of a Mapper, up to this number. The first batch of a
/// large input has more.
constexpr std::uint64_t diagonals_on_host = 8192;

/// See AlignOptions::clip.
constexpr int end_to_end_bonus = 3000;

/// Error bound of a part: below that of a read, since a part is one of several and is aligned again with the whole
/// read.
constexpr ErrorBound part_errors{.count = 0, .share = 0.04};

/// A plan and its bound.
struct PlanChoice {
  std::optional<Plan> plan;  ///< empty: the reads are too short
  unsigned asked = 0;        ///< errors that may be reported; MAPQ may need a plan for more
  bool lower_bound = false;
};

}  // namespace

struct Mapper::State {
  std::vector<Device> devices;
  Index index;
  MapOptions options;
  std::vector<DeviceIndex> on_device;   ///< [device]
  std::vector<DeviceWork> device_work;  ///< [device]
  StrandBits strands = both_strands;
  Trimmer trimmer;

  mutable std::mutex mutex;  // guards `plans`, whose elements stay at their addresses
  mutable std::map<std::pair<unsigned, Piece>, PlanChoice> plans;
  mutable ReadClassCounts class_counts;
  // Parts use the kernels of whole reads: compiling others takes longer than mapping them.
  mutable std::atomic<std::uint64_t> whole_words = 1;   ///< words of the longest class of whole reads so far, at most 8
  mutable std::atomic<std::uint32_t> whole_errors = 0;  ///< maximum errors of any plan of whole reads so far
  mutable std::atomic<std::uint64_t> diagonals = 0;     ///< whose hits were found so far

  State(Devices d, const Index& i, const MapOptions& o)
      : devices(d.begin(), d.end()), index(i), options(o), trimmer(o.clip) {}

  ReadAlignerOptions aligner;  ///< for streams if options.align is set

  const PlanChoice& choice(unsigned length, Piece piece = Piece::whole) const;
  PlanChoice choose(unsigned length, Piece piece) const;
  /// The hits that are searched.
  Report report(Piece piece) const {
    if (piece == Piece::part) return Report::best();
    // Other known hits determine MAPQ, and may score higher.
    return piece == Piece::aligned && options.report.kind == Report::Kind::best ? Report::explored() : options.report;
  }
  const DeviceIndex& index_on(const Device& device) const;
  /// Batch size and workers of this device.
  const DeviceWork& work_on(const Device& device) const;
  BatchLimits limits_on(const Device& device) const {
    return {.residues = max_batch_bases, .records = work_on(device).reads};
  }
  Hits map_range(const Device& device, const SequenceSet& reads, RecordRange range) const;
  Hits map_whole(const Device& device, const SequenceSet& reads, RecordRange range, Piece piece = Piece::whole) const;
  Hits map_whole(const Device& device, const SequenceSet& reads, Piece piece) const;
  void map_aligned(const Device& device, Batch& batch) const;
  void map_trimmed(const Device& device, const SequenceSet& reads, RecordRange range, std::vector<ReadPart>& kept,
                   Hits& hits) const;
  void map_class(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which, Piece piece,
                 std::vector<RawHit>& hits, std::size_t first, std::span<ReadSummary> summaries) const;
  void map_all_segments(const Device& device, const ReadBatch& batch, const PlanTable& table, const HostReads& reads,
                        std::vector<RawHit>& hits) const;
  void map_by_kmers(const Device& device, const ReadBatch& batch, const PlanTable& table, const HostReads& reads,
                    Piece piece, std::vector<RawHit>& hits, std::span<ReadSummary> summaries) const;
  /// The hits of verified diagonals of a segment.
  void collect_hits(const Device& device, std::size_t segment_number, const DeviceSegment& segment,
                    const ReadBatch& batch, const PlanTable& table, const HostReads& reads, Verified&& found,
                    std::vector<RawHit>& hits) const;
};

PlanChoice Mapper::State::choose(unsigned length, Piece piece) const {
  PlanChoice choice;
  if (length < shortest_read) return choice;
  PlanRequest request;
  request.length = length;
  request.errors = options.errors.at(length);
  if (piece == Piece::part) request.errors = std::min(request.errors, std::max(1u, part_errors.at(length)));
  request.model = options.model;
  request.reference_bases = index.bases();
  request.method = index.method();
  request.mask = index.mask();
  request.neighbourhood = index.neighbourhood();
  request.shift = options.shift;
  request.neighbourhood_errors = options.neighbourhood_errors;
  request.heuristic = options.heuristic;
  for (const unsigned most = std::min(250u, (length - 1) / 2); request.errors > most; request.errors = most)
    choice.lower_bound = true;
  choice.asked = request.errors;
  if (length < index.mask().span() + index.neighbourhood()) return choice;
  if (piece == Piece::aligned && index.method() == Method::kmers && options.report.kind == Report::Kind::best)
    request.errors = std::max(request.errors, std::min(quality_strata, (length - 1) / 2));
  for (;; --request.errors) {
    try {
      choice.plan = make_plan(request);
      choice.asked = std::min(choice.asked, request.errors);
      return choice;
    } catch (const InputError&) {
      if (request.errors == 0) return choice;
      if (request.errors <= choice.asked) choice.lower_bound = true;
    }
  }
}

const PlanChoice& Mapper::State::choice(unsigned length, Piece piece) const {
  const std::lock_guard lock(mutex);
  const auto known = plans.find({length, piece});
  if (known != plans.end()) return known->second;
  return plans.emplace(std::pair(length, piece), choose(length, piece)).first->second;
}

const DeviceIndex& Mapper::State::index_on(const Device& device) const {
  for (const DeviceIndex& one : on_device)
    if (one.device().context()() == device.context()() && one.device().opencl_device()() == device.opencl_device()())
      return one;
  throw InputError("a device that the mapper was not made for");
}

const DeviceWork& Mapper::State::work_on(const Device& device) const {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (&runtime::core_of(devices[i]) == &runtime::core_of(device) && devices[i].family() == device.family())
      return device_work[i];
  throw InputError("a device that the mapper was not made for");
}

void Mapper::State::collect_hits(const Device& device, std::size_t segment_number, const DeviceSegment& segment,
                                 const ReadBatch& batch, const PlanTable& table, const HostReads& reads,
                                 Verified&& found, std::vector<RawHit>& hits) const {
  const Segment& own = runtime::state_of(index).segments[segment_number];
  const bool owned_only = index.segments() > 1;
  const std::uint64_t before = diagonals.fetch_add(found.count);
  if (table.model == Model::levenshtein && device.family() == KernelFamily::cpu &&
      before + found.count <= diagonals_on_host)
    append_hits_on_host(found, runtime::state_of(index).reference, own, owned_only, reads, table.plans, hits);
  else
    append_hits(resolve(device, segment, batch, table, std::move(found)), own, owned_only, reads.which, reads.first,
                hits);
}

void Mapper::State::map_all_segments(const Device& device, const ReadBatch& batch, const PlanTable& table,
                                     const HostReads& reads, std::vector<RawHit>& hits) const {
  const DeviceIndex& tables = index_on(device);
  for (std::size_t s = 0; s < index.segments(); ++s) {
    const std::shared_ptr<const DeviceSegment> segment = tables.segment(s);
    collect_hits(device, s, *segment, batch, table, reads, find(device, *segment, batch, table, strands), hits);
  }
}

void Mapper::State::map_by_kmers(const Device& device, const ReadBatch& batch, const PlanTable& table,
                                 const HostReads& host_reads, Piece piece, std::vector<RawHit>& hits,
                                 std::span<ReadSummary> summaries) const {
  ExploredStrata explored(host_reads.which, host_reads.first, summaries);
  const DeviceIndex& tables = index_on(device);
  const Report report = this->report(piece);
  SearchDepth depth = search_depth_for(report);
  if (piece == Piece::part) depth.gap = 1;
  // Strata beyond the best one that the report promises; additional ones for MAPQ are not promised.
  const std::uint32_t promised = report.kind == Report::Kind::strata ? depth.promised : 0;
  std::vector<std::uint32_t> reads(host_reads.which.size());
  std::iota(reads.begin(), reads.end(), 0u);
  depth.entries_at_once = entries_within(work_on(device).bytes);
  const std::size_t before = hits.size();
  // A read without hits in one segment may have some in another: the first strata of all segments determine how many
  // are worthwhile.
  const std::uint32_t gap = depth.gap;
  bool ahead = index.segments() > 1 && gap != all_strata;
  if (ahead) depth.first_strata = gap + 3;
  std::span<const std::uint32_t> best;
  for (;;) {
    for (std::size_t s = 0; s < index.segments(); ++s) {
      const std::shared_ptr<const DeviceSegment> segment = tables.segment(s);
      SegmentStrata strata;
      Verified found = find_kmers(device, *segment, batch, table, strands, depth, reads, best, strata);
      collect_hits(device, s, *segment, batch, table, host_reads, std::move(found), hits);
      explored.add(strata, reads);
    }
    reads = explored.prune_hits(hits, before, reads, ahead ? gap : promised, ahead);
    if (reads.empty() || depth.gap == all_strata) return;
    depth.first_strata = all_strata;
    if (ahead) {
      best = explored.best();
    } else {
      best = {};
      depth.gap = all_strata;
    }
    ahead = false;
  }
}

void Mapper::State::map_class(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which,
                              Piece piece, std::vector<RawHit>& hits, std::size_t first,
                              std::span<ReadSummary> summaries) const {
  std::vector<Plan> used;
  std::vector<std::uint32_t> plan_of(which.size());
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> numbers(longest_read + 1, none);  // [length]
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::uint64_t length = reads.length(which[i]);
    std::uint32_t& number = numbers[length];
    if (number == none) {
      number = static_cast<std::uint32_t>(used.size());
      used.push_back(*choice(static_cast<unsigned>(length), piece).plan);
    }
    plan_of[i] = number;
  }
  const std::size_t before = hits.size();
  try {
    PlanTable table = make_plan_table(device, used);
    std::uint32_t min_words = 1;
    if (piece != Piece::part) {
      whole_errors = std::max(whole_errors.load(), table.max_errors);
    } else if (device.family() == KernelFamily::cpu) {
      table.max_errors = std::max(table.max_errors, whole_errors.load());
      table.min_parts = table.max_errors + 1;
      min_words = static_cast<std::uint32_t>(whole_words.load());
    }
    const ReadBatch batch = pack_reads(device, reads, which, plan_of, min_words);
    const HostReads on_host{reads, which, plan_of, first};
    if (index.method() == Method::kmers)
      map_by_kmers(device, batch, table, on_host, piece, hits, summaries);
    else
      map_all_segments(device, batch, table, on_host, hits);
  } catch (const CapacityError&) {
    if (which.size() == 1) throw;
    // Too many candidates or hits at once: the batch is split.
    device.release_scratch();
    hits.resize(before);
    map_class(device, reads, which.first(which.size() / 2), piece, hits, first, summaries);
    map_class(device, reads, which.subspan(which.size() / 2), piece, hits, first, summaries);
  }
}

namespace {

void check_lengths(const SequenceSet& reads, RecordRange range) {
  for (std::size_t read = range.first; read < range.first + range.count; ++read)
    if (reads.length(read) > longest_read)
      throw InputError("", "read " + std::to_string(read + 1) + " (" + shown(reads.name(read)) + ")",
                       std::to_string(reads.length(read)) + " bases", "at most 1,000");
}

}  // namespace

Hits Mapper::State::map_whole(const Device& device, const SequenceSet& reads, Piece piece) const {
  Hits hits;
  for (const RecordRange& one : reads.batches(limits_on(device))) append(hits, map_whole(device, reads, one, piece));
  return hits;
}

// Maps pairs with adapters again, which the overlap of the mates shows. Only pairs with an unmapped read are checked:
// if a few bases of adapter leave hits, alignments clip them.
void Mapper::State::map_trimmed(const Device& device, const SequenceSet& reads, RecordRange range,
                                std::vector<ReadPart>& kept, Hits& hits) const {
  OverlapTrimmer overlap;
  std::vector<std::size_t> trimmed;
  SequenceSet again;
  for (std::size_t i = 0; i + 1 < range.count; i += 2) {
    if (hits.reads[i].hits != 0 && hits.reads[i + 1].hits != 0) continue;
    const std::size_t a = range.first + i, b = a + 1;
    const ReadPart before[2] = {kept[a], kept[b]};
    overlap.trim(reads[a], reads[b], kept[a], kept[b]);
    if (kept[a] == before[0] && kept[b] == before[1]) continue;
    for (const std::size_t k : {i, i + 1}) {
      trimmed.push_back(k);
      again.append({}, kept[range.first + k].of(reads[range.first + k]));
    }
  }
  if (trimmed.empty()) return;
  const Hits found = map_whole(device, again, Piece::aligned);
  Hits merged;
  std::size_t next = 0;
  for (std::size_t i = 0; i < range.count; ++i) {
    const bool is_trimmed = next < trimmed.size() && trimmed[next] == i;
    const std::span<const Hit> of_read = is_trimmed ? found.of(next) : hits.of(i);
    merged.hits.insert(merged.hits.end(), of_read.begin(), of_read.end());
    merged.offsets.push_back(merged.hits.size());
    merged.reads.push_back(is_trimmed ? found.reads[next] : hits.reads[i]);
    next += is_trimmed ? 1 : 0;
  }
  hits = std::move(merged);
}

// Hits and alignments of a batch of a stream.
void Mapper::State::map_aligned(const Device& device, Batch& batch) const {
  const SequenceSet& reads = batch.reads;
  check_lengths(reads, {0, reads.size()});
  if (aligner.pairs && reads.size() % 2 != 0)
    throw InputError("", "read " + std::to_string(reads.size()), "no mate behind it", "reads in pairs");
  std::vector<ReadPart> kept(reads.size());
  for (std::size_t read = 0; read < reads.size(); ++read)
    kept[read] = {0, static_cast<std::uint16_t>(reads.length(read))};
  const bool cuts = !options.clip.adapters.empty() || options.clip.min_quality > 0;
  SequenceSet cut;
  if (cuts) {
    cut.reserve(reads.size(), reads.residues());
    for (std::size_t read = 0; read < reads.size(); ++read) {
      kept[read] = trimmer.kept(reads[read], reads.quality(read));
      cut.append({}, kept[read].of(reads[read]));
    }
  }
  const SequenceSet& to_map = cuts ? cut : reads;
  for (std::size_t next = 0; next < reads.size();) {
    RecordRange range = to_map.batch(next, limits_on(device));
    // Mates stay together.
    if (aligner.pairs && range.count % 2 != 0) range.count += range.count == 1 ? 1 : std::size_t{0} - 1;
    Hits hits = map_whole(device, to_map, range, Piece::aligned);
    if (aligner.pairs && options.clip.overlap) map_trimmed(device, reads, range, kept, hits);
    for (std::size_t i = 0; i < range.count; ++i) hits.reads[i].kept = hits.reads[i].mapped = kept[next + i];
    std::vector<AlignedRead> aligned =
        align_reads(device, index, aligner, reads, next, hits,
                    [&](const SequenceSet& parts) { return map_whole(device, parts, Piece::part); });
    if (batch.alignments.empty())
      batch.alignments = std::move(aligned);
    else
      std::ranges::move(aligned, std::back_inserter(batch.alignments));
    append(batch.hits, std::move(hits));
    next += range.count;
  }
}

Hits Mapper::State::map_range(const Device& device, const SequenceSet& reads, RecordRange range) const {
  check_lengths(reads, range);
  if (options.clip.none()) return map_whole(device, reads, range);
  return map_parts(reads, range, trimmer, options.clip.ends, [&](const SequenceSet& parts) {
    Hits hits;
    // Several parts of a read may be mapped at once.
    for (const RecordRange& one : parts.batches(limits_on(device))) append(hits, map_whole(device, parts, one));
    return hits;
  });
}

Hits Mapper::State::map_whole(const Device& device, const SequenceSet& reads, RecordRange range, Piece piece) const {
  // Reads of about the same number of words are mapped together; most inputs have one such class.
  ReadClasses classes;
  const bool compiles_slowly = device.family() == KernelFamily::cpu;
  std::vector<ReadSummary> summaries(range.count);
  std::vector<const PlanChoice*> choices(longest_read + 1, nullptr);  // [length]; pointers into `plans`
  for (std::size_t i = 0; i < range.count; ++i) {
    const std::size_t read = range.first + i;
    const std::uint64_t length = reads.length(read);
    if (choices[length] == nullptr) choices[length] = &choice(static_cast<unsigned>(length), piece);
    const PlanChoice& chosen = *choices[length];
    ReadSummary& summary = summaries[i];
    summary.kept = summary.mapped = {0, static_cast<std::uint16_t>(length)};
    summary.too_short = !chosen.plan;
    summary.lower_bound = chosen.lower_bound;
    if (!chosen.plan) continue;
    summary.bound = static_cast<std::uint16_t>(chosen.plan->errors);
    summary.explored = static_cast<std::uint16_t>(summary.bound + 1);
    summary.heuristic = !chosen.plan->lossless;
    std::uint64_t words = std::bit_ceil((length + 31) / 32);
    if (piece == Piece::part && compiles_slowly) words = std::max<std::uint64_t>(words, whole_words);
    classes[words].push_back(static_cast<std::uint32_t>(read));
  }
  if (piece != Piece::part && !classes.empty())
    whole_words = std::max(whole_words.load(), std::min<std::uint64_t>(8, classes.rbegin()->first));
  std::vector<RawHit> raw;
  classes = class_counts.merge(std::move(classes), compiles_slowly ? std::uint64_t{1} << 17 : 0);
  const std::uint64_t bytes = work_on(device).bytes;
  for (const auto& [words, which] : classes) {
    const std::size_t most = reads_within(bytes, words);
    for (std::size_t begin = 0; begin < which.size(); begin += most)
      map_class(device, reads, std::span(which).subspan(begin, std::min(most, which.size() - begin)), piece, raw,
                range.first, summaries);
  }
  for (std::size_t i = 0; i < range.count; ++i)
    if (const PlanChoice& chosen = *choices[reads.length(range.first + i)]; chosen.plan)
      summaries[i].bound = static_cast<std::uint16_t>(chosen.asked);
  return report_hits(raw, std::move(summaries), report(piece), runtime::state_of(index).reference.offsets);
}

Mapper::Mapper(Devices devices, const Index& index, const MapOptions& options)
    : state_(std::make_unique<State>(devices, index, options)) {
  if (devices.empty()) throw InputError("no device given");
  if (options.errors.share < 0 || options.errors.share >= 0.5)
    throw InputError("errors: expected a share below half of a read");
  if ((options.shift || options.neighbourhood_errors) && index.method() == Method::canonical)
    throw InputError(
        "a shift and errors in the neighbourhood belong to the published methods; this index is canonical");
  if (options.shift && *options.shift == 0) throw InputError("a shift of 0 bases");
  if (options.neighbourhood_errors && *options.neighbourhood_errors > 2)
    throw InputError("neighbourhoods with more than 2 errors");
  if (options.align) {
    options.align->scoring.check(longest_read);
    state_->aligner.align = *options.align;
    state_->aligner.report = options.report;
    // An end bonus above any alignment score: ends are reached wherever the contig continues.
    if (!options.align->clip) state_->aligner.align.scoring.end_bonus = end_to_end_bonus;
  }
  state_->strands = options.strands == Strands::both ? 3u : options.strands == Strands::forward ? 1u : 2u;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (const Device& device : devices) {
    const DeviceIndex& tables = state_->on_device.emplace_back(device, runtime::state_of(index));
    const std::uint64_t free = runtime::core_of(device).free_memory() / (tables.holds_all() ? 1 : 2);
    DeviceWork& work =
        state_->device_work.emplace_back(device_work(device.family(), tables.holds_all(), devices.size(), cores, free));
    if (options.batch_reads != 0) work.reads = options.batch_reads;
  }
}

Mapper::Mapper(Mapper&&) noexcept = default;
Mapper& Mapper::operator=(Mapper&&) noexcept = default;
Mapper::~Mapper() = default;

Hits Mapper::map(const SequenceSet& reads) const {
  const State& state = *state_;
  if (reads.alphabet() != Alphabet::dna) throw InputError("the reads are not DNA");
  std::size_t next = 0;
  const auto source = [&](std::size_t device) -> std::optional<RecordRange> {
    if (next == reads.size()) return std::nullopt;
    const RecordRange range = reads.batch(next, state.limits_on(state.devices[device]));
    next += range.count;
    return range;
  };
  Hits all;
  runtime::for_each_chunk(
      state.devices, source,
      [&](const Device& device, RecordRange&& range) { return state.map_range(device, reads, range); },
      [&](Hits&& hits) {
        const std::size_t count = hits.reads.size();
        append(all, std::move(hits), reads.size());
        return count;
      },
      {.workers_of = workers_of(state.device_work), .items_total = reads.size(), .progress = state.options.progress});
  return all;
}

void Mapper::map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
                 const std::function<void(Batch&)>& sink) const {
  map(reads_to_make(source), work, sink);
}

void Mapper::map(const std::function<std::optional<ReadsToMake>()>& source, const std::function<void(Batch&)>& work,
                 const std::function<void(Batch&)>& sink) const {
  const State& state = *state_;
  struct Task {
    ReadsToMake reads;
    Batch batch;
    bool made = false;  ///< reads are parsed once, and mapped again if a device has failed
  };
  std::uint64_t reads_so_far = 0;
  std::mutex mutex;
  // New memory for each batch would cost more than filling it.
  std::vector<SequenceSet> used_reads;
  std::vector<std::string> used_texts;
  runtime::for_each_chunk(
      state.devices,
      [&]() -> std::optional<Task> {
        std::optional<ReadsToMake> reads = source();
        if (!reads) return std::nullopt;
        Task task;
        task.reads = std::move(*reads);
        task.batch.first_read = reads_so_far;
        reads_so_far += task.reads.count;
        return task;
      },
      [&](const Device& device, Task&& task) {
        Batch& batch = task.batch;
        if (!task.made) {
          const std::lock_guard lock(mutex);
          if (!used_reads.empty()) {
            batch.reads = std::move(used_reads.back());
            used_reads.pop_back();
            batch.reads.clear();
          }
          if (!used_texts.empty()) {
            batch.text = std::move(used_texts.back());
            used_texts.pop_back();
          }
        }
        if (!std::exchange(task.made, true)) task.reads.make(batch.reads);
        if (batch.reads.alphabet() != Alphabet::dna) throw InputError("the reads are not DNA");
        batch.hits = {};
        batch.alignments.clear();
        batch.text.clear();
        if (state.options.align)
          state.map_aligned(device, batch);
        else
          for (const RecordRange& range : batch.reads.batches(state.limits_on(device)))
            append(batch.hits, state.map_range(device, batch.reads, range));
        if (work) work(batch);
        return std::move(batch);
      },
      [&](Batch&& batch) {
        const std::size_t count = batch.hits.reads.size();
        if (sink) sink(batch);
        const std::lock_guard lock(mutex);
        used_reads.push_back(std::move(batch.reads));
        used_texts.push_back(std::move(batch.text));
        return count;
      },
      {.workers_of = workers_of(state.device_work), .progress = state.options.progress});
}

void Mapper::align_pairs(const PairGeometry& geometry, bool rescue) {
  state_->aligner.pairs = true;
  state_->aligner.geometry = geometry;
  state_->aligner.rescue = rescue;
}

const Plan& Mapper::plan(unsigned read_length) const {
  const PlanChoice& chosen = state_->choice(read_length);
  if (!chosen.plan) throw InputError("reads of " + std::to_string(read_length) + " bases are too short for this index");
  return *chosen.plan;
}

}  // namespace genocl::marose
