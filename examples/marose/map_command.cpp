// Command map.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "common/check_files.hpp"
#include "common/kept_blocks.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "genocl/packing.hpp"
#include "marose/index_command.hpp"
#include "marose/map_output.hpp"
#include "marose/options.hpp"
#include "marose/pool.hpp"
#include "marose/read_source.hpp"
#include "marose/umi.hpp"

namespace program {

/// A sample of the reads without a hit, evenly distributed over the input. It does not depend on the batches.
class UnmappedSample {
 public:
  void add(std::span<const genocl::Code> read);

  const std::vector<std::vector<genocl::Code>>& reads() const noexcept { return reads_; }

 private:
  static constexpr std::size_t most_ = 200;
  std::vector<std::vector<genocl::Code>> reads_;
  std::uint64_t seen_ = 0, every_ = 1;
};

/// Maps the sample with a wider error bound. No value if the result would mean nothing: few reads are unmapped, or the
/// bound of `options` is not narrower.
std::optional<WiderBound> try_wider_bound(const UnmappedSample& sample, const Counts& counts,
                                          const genocl::Device& device, const genocl::marose::Index& index,
                                          genocl::marose::MapOptions options);

using genocl::marose::Mapper;

void UnmappedSample::add(std::span<const genocl::Code> read) {
  if (seen_++ % every_ != 0) return;
  reads_.emplace_back(read.begin(), read.end());
  if (reads_.size() <= most_) return;
  // Keep every second read.
  every_ *= 2;
  for (std::size_t i = 0; 2 * i < reads_.size(); ++i) reads_[i].swap(reads_[2 * i]);
  reads_.resize((reads_.size() + 1) / 2);
}

std::optional<WiderBound> try_wider_bound(const UnmappedSample& sample, const Counts& counts,
                                          const genocl::Device& device, const genocl::marose::Index& index,
                                          genocl::marose::MapOptions options) {
  // A second mapping must be cheap compared with the first, and the sample large enough.
  const std::uint64_t unmapped = counts.reads - counts.mapped;
  if (unmapped < 100 || unmapped < counts.reads / 100 || index.method() != genocl::marose::Method::kmers)
    return std::nullopt;
  const genocl::marose::ErrorBound wider{.share = WiderBound::share};
  genocl::SequenceSet again;
  for (const std::vector<genocl::Code>& read : sample.reads())
    if (options.errors.at(read.size()) < wider.at(read.size())) again.append("", read);
  if (again.empty()) return std::nullopt;
  options.errors = wider;
  options.report = genocl::marose::Report::best();
  options.clip = {};
  options.progress = {};
  const genocl::marose::Hits hits = Mapper(device, index, options).map(again);
  WiderBound result{.asked = sample.reads().size()};
  for (const genocl::marose::ReadSummary& read : hits.reads) result.mapped += read.hits > 0;
  return result;
}

namespace {

using genocl::InputError;
using genocl::SequenceSet;
using genocl::marose::Index;
using genocl::marose::Mapper;
using genocl::marose::Method;

/// Number of additional threads that decompress and parse reads.
unsigned parsing_threads() {
  return max_threads > 0 ? max_threads - 1 : std::min(3u, std::thread::hardware_concurrency() / 4);
}

/// Throws InputError for options that contradict an existing index.
void check_index(const std::string& file, const Index& index, const Request& request) {
  const auto fail = [&](const std::string& option, const std::string& asked, const std::string& there) {
    throw InputError(file, {}, option + " " + asked + " for an index that was made with " + there);
  };
  if (!request.mask.empty() && genocl::marose::SeedMask(request.mask).pattern() != index.mask().pattern())
    fail("--seed-mask", request.mask, index.mask().pattern());
  const Method method = request.index_method();
  if (method != Method::automatic && method != index.method())
    fail("--method", std::string(to_string(method)), std::string(to_string(index.method())));
  if (!request.neighbourhood) return;
  const std::string asked = std::to_string(*request.neighbourhood);
  if (index.method() == Method::kmers || index.method() == Method::canonical || index.method() == Method::offset)
    fail("--neighbourhood", asked, "none: its method is " + std::string(to_string(index.method())));
  if (*request.neighbourhood != index.neighbourhood())
    fail("--neighbourhood", asked, std::to_string(index.neighbourhood()));
}

MadeIndex index_for(const MapSettings& settings, const genocl::Device& device, const SequenceSet& reads) {
  const Request& request = settings.request;
  if (is_index(settings.reference)) {
    Index index = Index::open(settings.reference);
    check_index(settings.reference, index, request);
    return {std::move(index)};
  }
  genocl::marose::IndexOptions options;
  options.seed_mask = request.mask;
  options.neighbourhood = request.neighbourhood.value_or(8);
  options.method = request.index_method();
  options.errors = request.bound();
  options.model = request.model();
  // The k-mer index serves reads of all lengths; reads that are too short for a proof at this error bound are mapped
  // with a lower one. Other indexes are built for the shortest of the first reads that can be mapped at all.
  constexpr std::uint64_t shortest_possible = 20;
  const bool kmers = options.method == Method::kmers || (options.method == Method::automatic && request.mask.empty());
  const bool any_length = kmers && !settings.strict;
  std::uint64_t length = any_length ? 0 : longest_read;
  for (std::size_t i = 0; i < reads.size(); ++i)
    if (reads.length(i) >= shortest_possible)
      length = any_length ? std::max(length, reads.length(i)) : std::min(length, reads.length(i));
  options.read_length = static_cast<unsigned>(length == 0 ? longest_read : length);
  return make_index(device, settings.reference, options, {.quiet = settings.common.quiet, .strict = settings.strict});
}

/// Throws InputError for options of affine alignment if reads are not aligned with affine gaps.
void check_alignment_options(const MapSettings& settings, bool aligned) {
  if (aligned) {
    if (!settings.rescue_errors.empty())
      throw InputError("--rescue", {}, "the errors of mates where alignment scores decide",
                       "--min-score, or --unit-costs");
    return;
  }
  const char* const given = !settings.scoring.empty()     ? "--scoring"
                            : settings.end_bonus          ? "--end-bonus"
                            : settings.min_score          ? "--min-score"
                            : settings.soft_supplementary ? "--soft-supplementary"
                                                          : nullptr;
  if (given != nullptr)
    throw InputError(given, {}, "for end-to-end records with fewest edits",
                     "affine alignment: no --unit-costs, --hamming or table");
}

RecordOptions record_options(const MapSettings& settings) {
  RecordOptions options;
  options.report = report_of(settings.report);
  options.heuristic = settings.request.heuristic;
  options.strict = settings.strict;
  options.unmapped_reads = !settings.unmapped_reads.empty();
  options.discordant_pairs = !settings.discordant_pairs.empty();
  options.coverage = !settings.coverage.empty();
  const bool best = options.report.kind == genocl::marose::Report::Kind::best;
  options.sam.unmapped = !settings.no_unmapped;
  options.sam.secondary_letters = !settings.no_secondary_letters;
  options.sam.match_as_m = settings.cigar_style == "m";
  // Reports of more than the best hits write a record for each hit.
  options.sam.secondary = settings.secondary || !best;
  options.sam.max_xa = settings.max_xa;
  options.sam.max_hits = settings.max_hits.value_or(best ? 1000 : std::numeric_limits<std::uint64_t>::max());
  options.sam.soft_supplementary = settings.soft_supplementary;
  return options;
}

genocl::marose::MapOptions map_options(const MapSettings& settings, bool paired, bool aligned) {
  genocl::marose::MapOptions options;
  options.errors = settings.request.bound();
  options.model = settings.request.model();
  options.report = report_of(settings.report);
  // The reported hits of mates are selected when both mates are mapped.
  if (paired && options.report.kind == genocl::marose::Report::Kind::most)
    options.report = genocl::marose::Report::all();
  options.strands = settings.strands;
  options.clip = settings.clip_options(aligned);
  options.align.reset();
  if (aligned) options.align = settings.align_options();
  options.shift = settings.request.shift;
  options.neighbourhood_errors = settings.request.neighbourhood_errors;
  options.heuristic = settings.request.heuristic;
  if (paired && options.strands != genocl::marose::Strands::both)
    throw InputError("--strand", {}, "one strand with mates, which lie on both", "both");
  return options;
}

genocl::marose::PairOptions pair_options(const MapSettings& settings, bool aligned) {
  genocl::marose::PairOptions options;
  options.map = map_options(settings, true, aligned);
  if (settings.insert != "auto") options.insert = insert_of(settings.insert);
  options.orientation = genocl::marose::orientation_named(settings.orientation);
  options.rescue = !settings.no_rescue;
  if (!settings.rescue_errors.empty()) options.rescue_errors = errors_of("--rescue", settings.rescue_errors);
  return options;
}

double kernel_seconds(const std::vector<genocl::Device>& devices) {
  double most = 0;
  for (const genocl::Device& device : devices) {
    double sum = 0;
    for (const genocl::KernelProfile& kernel : device.profile()) sum += kernel.seconds;
    most = std::max(most, sum);
  }
  return most;
}

double compile_seconds(const std::vector<genocl::Device>& devices) {
  double most = 0;
  for (const genocl::Device& device : devices) most = std::max(most, device.compile_seconds());
  return most;
}

std::span<const genocl::marose::Hit> hits_of(const Mapper::Batch& batch, std::size_t read) {
  return batch.hits.of(read);
}
std::span<const genocl::marose::Hit> hits_of(const genocl::marose::PairMapper::Batch& batch, std::size_t read) {
  return batch.hits_of(read);
}

ReadSourceOptions source_options(const MapSettings& settings, bool read_group) {
  ReadSourceOptions options;
  options.interleaved = settings.interleaved;
  options.batch_reads = settings.batch_reads;
  options.threads = parsing_threads();
  options.cram_reference = settings.reads_reference;
  options.comments = settings.comments;
  options.used_tags = genocl::marose::SamFormatter::tags(read_group);
  options.umi_separator = umi_separator_of(settings.umi_separator);
  options.phred64 = settings.phred64;
  options.strict = settings.strict;
  return options;
}

/// Number of reads from which the insert range is estimated.
constexpr std::uint64_t to_estimate_from = 2 * genocl::marose::PairMapper::pairs_to_estimate_from;

/// The first batches of the input. The first one shows errors in the reads before much work is done, and the read
/// length for an index. Each member of a team estimates the insert range from the first `least` reads.
std::vector<std::shared_ptr<TeamReads::Ahead>> read_ahead(ReadSource& source, std::uint64_t least) {
  std::vector<std::shared_ptr<TeamReads::Ahead>> ahead;
  for (std::uint64_t reads = 0; ahead.empty() || reads < least; reads += ahead.back()->reads.size()) {
    const std::optional<ReadsToMake> next = source.next();
    if (!next) break;
    TeamReads::Ahead& batch = *ahead.emplace_back(std::make_shared<TeamReads::Ahead>());
    batch.count = next->count;
    next->make(batch.reads, batch.notes);
  }
  return ahead;
}

SequenceSet first_of(const std::vector<std::shared_ptr<TeamReads::Ahead>>& batches, std::uint64_t reads) {
  SequenceSet first;
  for (const std::shared_ptr<TeamReads::Ahead>& one : batches) {
    const SequenceSet& batch = one->reads;
    if (first.empty()) first.reset(batch.alphabet(), batch.has_qualities());
    for (std::size_t i = 0; i < batch.size() && first.size() < reads; ++i)
      first.append(batch.name(i), batch[i], {}, batch.quality(i));
  }
  return first;
}

/// Counts and text of a batch, for the summary and the additional output files.
struct BatchStats {
  FormattedBatch formatted;
  ReadNotes notes;
  std::vector<std::span<const genocl::Code>> unmapped;  ///< views of the batch, or of the packed bytes

  std::string pack() const {
    genocl::Packer packed;
    packed.add(formatted.counts);
    formatted.unmapped.pack(packed);
    packed.add_list(formatted.covered);
    notes.pack(packed);
    for (const std::span<const genocl::Code> read : unmapped)
      packed.add_text({reinterpret_cast<const char*>(read.data()), read.size()});
    return packed.take();
  }
  static BatchStats unpack(std::string_view bytes) {
    genocl::Unpacker left(bytes);
    BatchStats stats;
    stats.formatted.counts = left.next<Counts>();
    stats.formatted.unmapped = UnmappedReads::unpack(left);
    stats.formatted.covered = left.next_list<CoveredInterval>();
    stats.notes = ReadNotes::unpack(left);
    while (!left.empty()) {
      const std::string_view read = left.next_text();
      stats.unmapped.emplace_back(reinterpret_cast<const genocl::Code*>(read.data()), read.size());
    }
    return stats;
  }
};

/// Blocks of the output. Members that share the file write it themselves, unless blocks are stored for --resume;
/// otherwise the root writes.
std::unique_ptr<Blocks> blocks_of(MapOutput& output, const Blocks::Sink& sink, bool kept) {
  if (team().size() > 1 && !kept) {
    const std::optional<genocl::io::SharedOutput> place = team().is_root() ? output.share() : std::nullopt;
    std::unique_ptr<Blocks> blocks = team().file_blocks(place ? place->path : "", place ? place->begin : 0, sink,
                                                        [&output](std::uint64_t end) { output.take_back(end); });
    if (blocks) return blocks;
    if (place) output.take_back(place->begin);
  }
  return team().blocks(sink);
}

/// Reads that one mapper maps.
struct Run {
  std::shared_ptr<ReadSource> source;
  bool paired = false;
  bool by_flags = false;  ///< FLAG of the reads tells single reads from pairs, which follow them
  const std::vector<ReadFiles>* files = nullptr;
};

/// Returns the runs: pairs first, then single reads. In SAM, BAM and CRAM without a file of mates, FLAG tells pairs
/// from single reads.
std::vector<Run> runs_of(const MapSettings& settings, const ReadFileLists& files, bool read_group) {
  std::vector<Run> runs;
  for (const bool paired : {true, false}) {
    const std::vector<ReadFiles>& list = paired ? files.pairs : files.singles;
    if (list.empty()) continue;
    ReadSourceOptions options = source_options(settings, read_group);
    options.by_flags = !paired && settings.unpaired.empty();
    runs.push_back({std::make_shared<ReadSource>(list, options), paired, options.by_flags, &list});
  }
  if (runs.size() == 1 && runs[0].by_flags) runs.push_back({runs[0].source, true, true, runs[0].files});
  return runs;
}

/// One run of the command.
class MapJob {
 public:
  /// Checks the options and opens the first files, before any work.
  explicit MapJob(const MapSettings& settings);
  void run();

 private:
  using Batches = std::vector<std::shared_ptr<TeamReads::Ahead>>;

  void check();
  void begin_runs();
  Batches begin(const Run& run);
  void open_index();
  void map_run(const Run& run);
  template <class AnyMapper>
  void map_all(AnyMapper& mapper, const genocl::marose::MapOptions& options, const Run& run);
  template <class Batch>
  BatchStats stats_of(const Batch& batch, FormattedBatch&& formatted, BatchNotes& notes) const;
  void add(const BatchStats& stats, std::string_view bytes);
  void finish();

  const MapSettings& settings_;
  const ReadFileLists files_;
  const std::string read_group_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  RecordOptions records_;
  std::vector<std::string> inputs_;
  std::vector<Run> runs_;
  std::optional<genocl::files::BlockLog> log_;  ///< with --resume
  Batches ahead_;                               ///< first batches of the next run
  std::size_t first_run_ = 0;
  std::vector<genocl::Device> devices_;
  std::optional<MadeIndex> made_;
  bool aligned_ = false;  ///< with affine gaps
  std::optional<MapOutput> output_;
  std::optional<UnmappedFiles> unmapped_files_;  ///< of the root, as the next two
  std::optional<Coverage> coverage_;
  std::optional<genocl::io::OutputFile> coverage_file_;
  std::chrono::steady_clock::time_point mapping_begin_;
  double compiled_before_ = 0;  // seconds before mapping_begin_
  // Both exist until the end, since they share the index on a device.
  std::optional<genocl::marose::PairMapper> pair_mapper_;
  std::optional<Mapper> single_mapper_;
  std::optional<genocl::marose::InsertRange> insert_;
  Counts counts_;
  ReadWarnings odd_reads_;
  UnmappedSample unmapped_;
  std::optional<ProgressBar> bar_;                 ///< from the first batch on
  double fraction_before_ = 0;                     ///< of the input, in the runs before
  std::atomic<const TeamReads*> shown_ = nullptr;  ///< the reads of the bar
};

MapJob::MapJob(const MapSettings& settings)
    : settings_(settings),
      files_(read_files_of(settings)),
      read_group_(read_group_of(settings)),
      records_(record_options(settings)) {
  check();
  begin_runs();
}

void MapJob::check() {
  const bool may_align = settings_.aligned(Method::kmers);
  check_alignment_options(settings_, may_align);
  if (!files_.pairs.empty()) pair_options(settings_, may_align);
  if (!files_.singles.empty()) map_options(settings_, false, may_align);
  if (!read_group_.empty()) records_.sam.read_group = read_group_id(read_group_);
  check_output_options(settings_);
  inputs_ = files_.names();
  inputs_.insert(inputs_.end(), {settings_.reference, settings_.cram_reference, settings_.reads_reference});
  check_files(inputs_, outputs_of(settings_));
  check_output_name(settings_);
  if (std::ranges::find(inputs_, "-") != inputs_.end()) team().share_standard_input();
}

void MapJob::begin_runs() {
  runs_ = runs_of(settings_, files_, !read_group_.empty());
  if (settings_.resume) log_.emplace(folder_of_blocks(settings_.output), job_text(settings_.command_line, inputs_));
  ahead_ = begin(runs_.front());
  if (ahead_.empty() && runs_.size() > 1) ahead_ = begin(runs_[first_run_ = 1]);
}

/// Reads the first batches. With several processes or --resume, these include the pairs that determine the insert
/// range; otherwise the mapper measures the first pairs itself.
MapJob::Batches MapJob::begin(const Run& run) {
  if (run.by_flags && run.paired && !run.source->begin_pairs()) return {};
  const bool estimates = team().size() > 1 || log_;
  return read_ahead(*run.source, estimates && run.paired ? to_estimate_from : 0);
}

void MapJob::open_index() {
  devices_ = settings_.common.open_devices();
  const SequenceSet no_reads;
  made_.emplace(index_for(settings_, devices_.front(), ahead_.empty() ? no_reads : ahead_.front()->reads));
  aligned_ = settings_.aligned(made_->index.method());
  check_alignment_options(settings_, aligned_);
  std::vector<std::string> read_groups;
  for (const Run& run : runs_)
    for (const std::string& group : run.source->read_groups())
      if (std::ranges::find(read_groups, group) == read_groups.end()) read_groups.push_back(group);
  if (!read_group_.empty()) read_groups = {read_group_};
  output_.emplace(settings_, made_->index, read_groups, !made_->changed);
  if (!team().is_root()) return;
  unmapped_files_.emplace(settings_);
  if (settings_.coverage.empty()) return;
  coverage_.emplace(made_->index);
  coverage_file_.emplace(settings_.coverage, genocl::io::OutputOptions{.threads = reading_threads()});
}

void MapJob::run() {
  open_index();
  for (genocl::Device& device : devices_) device.reset_profile();
  mapping_begin_ = std::chrono::steady_clock::now();
  compiled_before_ = compile_seconds(devices_);
  bar_.emplace("map", settings_.common.quiet);
  for (std::size_t i = first_run_; i < runs_.size(); ++i) {
    if (i > first_run_) ahead_ = begin(runs_[i]);
    if (ahead_.empty() && i + 1 == runs_.size() && i > 0) break;  // no reads
    map_run(runs_[i]);
  }
  bar_->clear();
  if (team().is_root()) finish();
}

void MapJob::map_run(const Run& run) {
  records_.paired = run.paired;
  if (!run.paired) {
    const genocl::marose::MapOptions options = map_options(settings_, false, aligned_);
    single_mapper_.emplace(devices_, made_->index, options);
    map_all(*single_mapper_, options, run);
    return;
  }
  const genocl::marose::PairOptions options = pair_options(settings_, aligned_);
  pair_mapper_.emplace(devices_, made_->index, options);
  if (team().size() > 1 || log_) pair_mapper_->estimate(first_of(ahead_, to_estimate_from));
  map_all(*pair_mapper_, options.map, run);
  insert_ = pair_mapper_->insert();
}

void MapJob::add(const BatchStats& stats, std::string_view bytes) {
  if (!bytes.empty()) output_->append(bytes);
  unmapped_files_->append(stats.formatted.unmapped);
  if (coverage_) coverage_->add(stats.formatted.covered);
  counts_ += stats.formatted.counts;
  odd_reads_.add(stats.notes, std::cerr, [this] { bar_->clear(); });
  for (const std::span<const genocl::Code> read : stats.unmapped) unmapped_.add(read);
  const bool halves = runs_.size() > 1 && runs_[0].source != runs_[1].source;
  if (const TeamReads* const reads = shown_)
    bar_->show(fraction_before_ + (halves ? 0.5 : 1) * reads->fraction(), counts_.reads);
}

template <class Batch>
BatchStats MapJob::stats_of(const Batch& batch, FormattedBatch&& formatted, BatchNotes& notes) const {
  BatchStats stats{.formatted = std::move(formatted), .notes = std::move(notes.notes), .unmapped = {}};
  for (std::size_t i = 0; i < batch.reads.size(); ++i)
    if (batch.reads.length(i) > 0 && (aligned_ ? !batch.alignments[i].mapped() : hits_of(batch, i).empty()))
      stats.unmapped.push_back(batch.reads[i]);
  return stats;
}

template <class AnyMapper>
void MapJob::map_all(AnyMapper& mapper, const genocl::marose::MapOptions& options, const Run& run) {
  // With --resume, every member reads the whole input, so that block numbers do not depend on the team.
  std::optional<PlacedReads> placed;
  if (team().size() > 1 && !log_)
    placed = PlacedReads::find(*run.files, source_options(settings_, !read_group_.empty()));
  // A single process packs nothing.
  const bool alone = team().size() == 1 && !log_;
  std::unique_ptr<Blocks> blocks = blocks_of(
      *output_, [this](std::string_view packed, std::string_view bytes) { add(BatchStats::unpack(packed), bytes); },
      log_.has_value());
  // Single reads after pairs have separate block numbers.
  constexpr std::uint64_t of_singles = std::uint64_t{1} << 48;
  if (log_) blocks = std::make_unique<KeptBlocks>(std::move(blocks), *log_, run.paired ? 0 : of_singles);
  TeamReads reads(*run.source, std::exchange(ahead_, {}), *blocks, std::move(placed));
  shown_ = &reads;
  Pool<HitRecords> makers;
  std::mutex mutex;
  std::map<std::uint64_t, FormattedBatch> formatted_of;  // [first read of a batch]
  const auto format = [&](auto& batch) {
    auto maker = makers.take(
        [&] { return std::make_unique<HitRecords>(made_->index, options, records_, output_->formatter()); });
    FormattedBatch formatted;
    naming([&] { return reads.file_of(batch.first_read); },
           [&] { formatted = maker->format(batch, reads.notes_of(batch.first_read)); });
    makers.give(std::move(maker));
    const std::lock_guard lock(mutex);
    formatted_of[batch.first_read] = std::move(formatted);
  };
  const auto write = [&](auto& batch) {
    BatchNotes& notes = reads.notes_of(batch.first_read);
    FormattedBatch formatted;
    {
      const std::lock_guard lock(mutex);
      formatted = std::move(formatted_of.extract(batch.first_read).mapped());
    }
    const BatchStats stats = stats_of(batch, std::move(formatted), notes);
    if (alone)
      add(stats, batch.text);
    else
      blocks->put(reads.block_of(batch.first_read), stats.pack(), batch.text);
    notes = {};
  };
  mapper.map([&] { return reads.next(); }, format, write);
  blocks->finish();
  shown_ = nullptr;
  if (runs_.size() > 1 && runs_[0].source != runs_[1].source) fraction_before_ += 0.5;
}

void MapJob::finish() {
  if (coverage_) coverage_->write(*coverage_file_);
  unmapped_files_->commit();
  if (coverage_file_) coverage_file_->commit();
  output_->commit();
  if (log_) log_->remove();
  Seconds seconds;
  seconds.mapping = seconds_since(mapping_begin_);
  seconds.compiling = compile_seconds(devices_) - compiled_before_;
  seconds.whole = seconds_since(begin_);
  seconds.kernels = kernel_seconds(devices_);
  odd_reads_.finish(counts_.reads, std::cerr);
  std::cerr << warnings(counts_);
  if (!settings_.common.quiet)
    write_summary(
        std::cerr, counts_, seconds, insert_,
        try_wider_bound(unmapped_, counts_, devices_.front(), made_->index, map_options(settings_, false, false)));
  if (settings_.common.profile)
    for (const genocl::Device& device : devices_) write_profile(std::cerr, device);
}

}  // namespace

void map_reads(const MapSettings& settings) { MapJob(settings).run(); }

}  // namespace program
