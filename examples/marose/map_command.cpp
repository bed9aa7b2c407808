// Command map.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "common/check_files.hpp"
#include "common/kept_blocks.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "genocl/packing.hpp"
#include "marose/index_command.hpp"
#include "marose/map_output.hpp"
#include "marose/options.hpp"
#include "marose/pool.hpp"
#include "marose/read_source.hpp"

namespace program {

/// Reads without a hit, evenly from all of the input: the same whatever batches it comes in.
class UnmappedSample {
 public:
  void add(std::span<const genocl::Code> read);

  const std::vector<std::vector<genocl::Code>>& reads() const noexcept { return reads_; }

 private:
  static constexpr std::size_t most_ = 200;
  std::vector<std::vector<genocl::Code>> reads_;
  std::uint64_t seen_ = 0, every_ = 1;
};

/// Maps the sample with the wider bound. No value where it says nothing: few reads are unmapped, or the bound of
/// `options` is not the narrower one.
std::optional<WiderBound> try_wider_bound(const UnmappedSample& sample, const Counts& counts,
                                          const genocl::Device& device, const genocl::marose::Index& index,
                                          genocl::marose::MapOptions options);

using genocl::marose::Mapper;

void UnmappedSample::add(std::span<const genocl::Code> read) {
  if (seen_++ % every_ != 0) return;
  reads_.emplace_back(read.begin(), read.end());
  if (reads_.size() <= most_) return;
  // Every second is left.
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

unsigned reading_threads(const MapSettings& settings) {
  if (settings.threads > 0) return settings.threads - 1;
  return std::min(3u, std::thread::hardware_concurrency() / 4);
}

/// An index is as it was made: what else is asked for is an error.
void check_index(const std::string& file, const Index& index, const Request& request) {
  const auto fail = [&](const std::string& option, const std::string& asked, const std::string& there) {
    throw InputError(file, {}, option + " " + asked + " for an index that was made with " + there);
  };
  if (!request.mask.empty() && genocl::marose::SeedMask(request.mask).pattern() != index.mask().pattern())
    fail("--seed-mask", request.mask, index.mask().pattern());
  const Method method = genocl::marose::method_named(request.method);
  if (method != Method::automatic && method != index.method())
    fail("--method", request.method, std::string(to_string(index.method())));
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
  options.method = genocl::marose::method_named(request.method);
  options.errors = request.bound();
  options.model = request.model();
  // Tables of k-mers are the same for all reads: those that are too short for a proof of so many errors are mapped with
  // fewer. Other tables are made for the shortest of the first reads that can be mapped at all.
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

/// Options of affine alignments where reads are not aligned so are an error.
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
  const bool best = options.report.kind == genocl::marose::Report::Kind::best;
  options.sam.unmapped = !settings.no_unmapped;
  options.sam.secondary_letters = !settings.no_secondary_letters;
  options.sam.match_as_m = settings.cigar_style == "m";
  // Reports of more than the best hits have records of them.
  options.sam.secondary = settings.secondary || !best;
  options.sam.max_xa = settings.most_in_xa;
  options.sam.max_hits = settings.most_hits.value_or(best ? 1000 : std::numeric_limits<std::uint64_t>::max());
  options.sam.soft_supplementary = settings.soft_supplementary;
  return options;
}

genocl::marose::MapOptions map_options(const MapSettings& settings, bool paired, bool aligned) {
  genocl::marose::MapOptions options;
  options.errors = settings.request.bound();
  options.model = settings.request.model();
  options.report = report_of(settings.report);
  // Which hits of mates are given out is chosen when both are known.
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
  options.threads = reading_threads(settings);
  options.cram_reference = settings.reads_reference;
  options.comments = settings.comments;
  options.used_tags = genocl::marose::SamFormatter::tags(read_group);
  options.phred64 = settings.phred64;
  options.strict = settings.strict;
  return options;
}

/// The first batches. The first shows what is wrong with the reads before much is done, and what an index has to serve;
/// by the first `least` reads all members of a team measure inserts, each for itself.
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

/// The statistics of a batch, for the root.
std::string pack_batch_stats(const Counts& counts, const ReadNotes& notes, const Mapper::Batch& reads,
                             std::span<const std::uint64_t> unmapped) {
  genocl::Packer packed;
  packed.add(counts);
  notes.pack(packed);
  for (const std::uint64_t i : unmapped) {
    const std::span<const genocl::Code> read = reads.reads[i];
    packed.add_text({reinterpret_cast<const char*>(read.data()), read.size()});
  }
  return packed.take();
}

/// Blocks of the output: written by each member itself where they share the file and nothing is to be kept, or else
/// brought to the root.
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
  bool by_flags = false;  ///< the source's single reads, or its pairs behind them
  const std::vector<ReadFiles>* files = nullptr;
};

/// Pairs first, then single reads. In SAM, BAM and CRAM without a file of mates, FLAG tells pairs from single reads.
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

}  // namespace

void map_reads(const MapSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const ReadFileLists files = read_files_of(settings);
  // What the options say is looked at before any work.
  const bool may_align = settings.aligned(Method::kmers);
  check_alignment_options(settings, may_align);
  if (!files.pairs.empty()) pair_options(settings, may_align);
  if (!files.singles.empty()) map_options(settings, false, may_align);
  RecordOptions records = record_options(settings);
  const std::string read_group = read_group_of(settings);
  if (!read_group.empty()) records.sam.read_group = read_group_id(read_group);
  check_output_options(settings);
  std::vector<std::string> inputs = files.names();
  inputs.insert(inputs.end(), {settings.reference, settings.cram_reference, settings.reads_reference});
  check_files(inputs, outputs_of(settings));
  check_output_name(settings);
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();

  const std::vector<Run> runs = runs_of(settings, files, !read_group.empty());
  std::optional<genocl::files::BlockLog> log;
  if (settings.resume) log.emplace(folder_of_blocks(settings.output), job_text(settings.command_line, inputs));
  // Else the mapper measures the first pairs that come to it, which are the first.
  const bool estimates = team().size() > 1 || log;
  constexpr std::uint64_t to_estimate_from = 2 * genocl::marose::PairMapper::pairs_to_estimate_from;
  using Batches = std::vector<std::shared_ptr<TeamReads::Ahead>>;
  const auto begin_run = [&](const Run& run) {
    if (run.by_flags && run.paired && !run.source->begin_pairs()) return Batches();
    return read_ahead(*run.source, estimates && run.paired ? to_estimate_from : 0);
  };
  Batches ahead = begin_run(runs.front());
  std::size_t first_run = 0;
  if (ahead.empty() && runs.size() > 1) ahead = begin_run(runs[first_run = 1]);
  std::vector<genocl::Device> devices = settings.common.open_devices();
  const SequenceSet no_reads;
  const MadeIndex made = index_for(settings, devices.front(), ahead.empty() ? no_reads : ahead.front()->reads);
  const Index& index = made.index;
  const bool aligned = settings.aligned(index.method());
  check_alignment_options(settings, aligned);
  std::vector<std::string> read_groups;
  for (const Run& run : runs)
    for (const std::string& group : run.source->read_groups())
      if (std::ranges::find(read_groups, group) == read_groups.end()) read_groups.push_back(group);
  if (!read_group.empty()) read_groups = {read_group};
  MapOutput output(settings, index, read_groups, !made.changed);

  Pool<Formatted> buffers;
  Counts counts;
  ReadWarnings odd_reads;
  UnmappedSample unmapped;
  ProgressBar bar("map", settings.common.quiet);
  for (genocl::Device& device : devices) device.reset_profile();
  const auto mapping_begin = std::chrono::steady_clock::now();
  double fraction_before = 0;
  const double share = runs.size() > 1 && runs[0].source != runs[1].source ? 0.5 : 1;
  const auto map_all = [&](auto& mapper, const genocl::marose::MapOptions& options, const Run& run) {
    ReadSource& source = *run.source;
    // Kept blocks have the numbers of batches that are told apart.
    std::optional<PlacedReads> placed;
    if (team().size() > 1 && !log)
      placed = PlacedReads::find(*run.files, source_options(settings, !read_group.empty()));
    Pool<HitRecords> makers;
    std::atomic<const TeamReads*> shown = nullptr;
    const Blocks::Sink sink = [&](std::string_view told, std::string_view bytes) {
      if (!bytes.empty()) output.append(bytes);
      genocl::Unpacker left(told);
      counts += left.next<Counts>();
      odd_reads.add(ReadNotes::unpack(left), std::cerr, [&] { bar.clear(); });
      while (!left.empty()) {
        const std::string_view read = left.next_text();
        unmapped.add({reinterpret_cast<const genocl::Code*>(read.data()), read.size()});
      }
      if (const TeamReads* const reads = shown) bar.show(fraction_before + share * reads->fraction(), counts.reads);
    };
    std::unique_ptr<Blocks> blocks = blocks_of(output, sink, log.has_value());
    // Single reads behind pairs have blocks of their own.
    constexpr std::uint64_t of_singles = std::uint64_t{1} << 48;
    if (log) blocks = std::make_unique<KeptBlocks>(std::move(blocks), *log, run.paired ? 0 : of_singles);
    TeamReads reads(source, std::exchange(ahead, {}), *blocks, std::move(placed));
    shown = &reads;
    const auto next = [&] { return reads.next(); };
    const auto format = [&](auto& batch) {
      auto maker =
          makers.take([&] { return std::make_unique<HitRecords>(index, options, records, output.formatter()); });
      auto formatted = buffers.take([] { return std::make_unique<Formatted>(); });
      naming([&] { return reads.file_of(batch.first_read); },
             [&] { maker->format(batch, reads.notes_of(batch.first_read), *formatted); });
      makers.give(std::move(maker));
      batch.formatted = std::shared_ptr<Formatted>(std::move(formatted));
    };
    const auto write = [&](auto& batch) {
      auto& formatted = *static_cast<Formatted*>(batch.formatted.get());
      std::vector<std::uint64_t> without_hit;
      for (std::size_t i = 0; i < batch.reads.size(); ++i)
        if (batch.reads.length(i) > 0 && (aligned ? !batch.alignments[i].mapped() : hits_of(batch, i).empty()))
          without_hit.push_back(i);
      BatchNotes& notes = reads.notes_of(batch.first_read);
      blocks->put(reads.block_of(batch.first_read), pack_batch_stats(formatted.counts, notes.notes, batch, without_hit),
                  formatted.bytes);
      notes = {};
      // The memory of the text goes round.
      buffers.give(std::make_unique<Formatted>(std::move(formatted)));
      batch.formatted.reset();
    };
    mapper.map(next, format, write);
    blocks->finish();
    if (share < 1) fraction_before += share;
  };
  std::optional<genocl::marose::InsertRange> insert;
  // They share the index on a device, which stays there to the end.
  std::optional<genocl::marose::PairMapper> pair_mapper;
  std::optional<Mapper> single_mapper;
  for (std::size_t i = first_run; i < runs.size(); ++i) {
    const Run& run = runs[i];
    if (i > first_run) ahead = begin_run(run);
    if (ahead.empty() && i + 1 == runs.size() && i > 0) break;  // no reads
    records.paired = run.paired;
    if (!run.paired) {
      const genocl::marose::MapOptions options = map_options(settings, false, aligned);
      single_mapper.emplace(devices, index, options);
      map_all(*single_mapper, options, run);
      continue;
    }
    const genocl::marose::PairOptions options = pair_options(settings, aligned);
    pair_mapper.emplace(devices, index, options);
    if (estimates) pair_mapper->estimate(first_of(ahead, to_estimate_from));
    map_all(*pair_mapper, options.map, run);
    insert = pair_mapper->insert();
  }
  bar.clear();
  if (!team().is_root()) return;
  output.commit();
  if (log) log->remove();
  Seconds seconds;
  seconds.mapping = seconds_since(mapping_begin);
  seconds.whole = seconds_since(begin);
  seconds.kernels = kernel_seconds(devices);

  odd_reads.finish(counts.reads, std::cerr);
  std::cerr << warnings(counts);
  if (!settings.common.quiet)
    write_summary(std::cerr, counts, seconds, insert,
                  try_wider_bound(unmapped, counts, devices.front(), index, map_options(settings, false, false)));
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
