// genocl-marose map: reads to SAM, BAM or a table.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "common/check_files.hpp"
#include "common/format_name.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"
#include "marose/commands.hpp"
#include "marose/hit_records.hpp"
#include "marose/index_making.hpp"
#include "marose/read_source.hpp"
#include "marose/summary.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using genocl::io::AlignmentFormat;
using genocl::marose::Index;
using genocl::marose::Mapper;
using genocl::marose::Method;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Does `work`, and names the file in what it throws, where the library does not know it.
template <class Work>
void naming(const std::string& file, Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    if (!error.file().empty()) throw;
    throw InputError(file == "-" ? "standard input" : file, error.where(), error.wrong(), error.expected());
  }
}

/// Whether a file is to be opened as an index: FASTA begins otherwise, however it is compressed.
bool is_index(const std::string& path) {
  // What is looked at in a pipe is gone from it, so a pipe is taken for FASTA.
  if (std::error_code error;
      path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return false;
  std::ifstream file(path, std::ios::binary);
  return path.ends_with(".mrs") || (file && file.peek() == 0x8d);
}

/// "ID:x\tSM:y", where a tab may be written as a backslash and a t.
std::string with_tabs(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\t", at)) != std::string::npos; ++at) text.replace(at, 2, "\t");
  return text;
}

/// The file that is written: records or a table.
class Output {
 public:
  Output(const MapSettings& settings, const Index& index, const std::string& read_group) {
    tsv_ = settings.format == "tsv" || (settings.format.empty() && settings.output.ends_with(".tsv"));
    if (tsv_) {
      table_.emplace(settings.output);
      table_->write("read\treference\tstrand\tposition\terrors\n");
      return;
    }
    genocl::io::AlignmentHeader header;
    header.references.reserve(index.contigs());
    for (std::size_t i = 0; i < index.contigs(); ++i)
      header.references.push_back({std::string(index.name(i)), index.length(i)});
    if (!read_group.empty()) header.read_groups.push_back(read_group);
    header.program = "genocl-marose";
    header.program_version = GENOCL_VERSION;
    header.command_line = settings.command_line;
    const AlignmentFormat format = settings.format == "bam"   ? AlignmentFormat::bam
                                   : settings.format == "sam" ? AlignmentFormat::sam
                                                              : AlignmentFormat::by_name;
    naming(settings.reference, [&] {
      records_.emplace(settings.output, std::move(header),
                       genocl::io::AlignmentWriterOptions{.format = format, .level = static_cast<int>(settings.level)});
    });
  }

  bool tsv() const { return tsv_; }
  std::optional<genocl::io::AlignmentFormatter> formatter() const {
    if (!records_) return std::nullopt;
    return records_->formatter();
  }
  void append(std::string_view bytes) { records_ ? records_->append(bytes) : table_->write(bytes); }
  void commit() { records_ ? records_->commit() : table_->commit(); }

 private:
  bool tsv_ = false;
  std::optional<genocl::io::AlignmentWriter> records_;
  std::optional<genocl::io::OutputFile> table_;
};

/// Things that threads take and give back, made where there is none to be had.
template <class T>
class Pool {
 public:
  template <class Make>
  std::unique_ptr<T> take(Make&& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<T> one = std::move(idle_.back());
        idle_.pop_back();
        return one;
      }
    }
    return make();
  }
  void give(std::unique_ptr<T> one) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(one));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

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

Index index_for(const MapSettings& settings, const genocl::Device& device, const SequenceSet& reads) {
  const Request& request = settings.request;
  if (is_index(settings.reference)) {
    Index index = Index::open(settings.reference);
    check_index(settings.reference, index, request);
    return index;
  }
  genocl::marose::IndexOptions options;
  options.seed_mask = request.mask;
  options.neighbourhood = request.neighbourhood.value_or(8);
  options.method = genocl::marose::method_named(request.method);
  options.errors = request.bound();
  options.model = request.model();
  // For the shortest of the first reads that can be mapped at all.
  constexpr std::uint64_t shortest_possible = 20;
  std::uint64_t shortest = longest_read;
  for (std::size_t i = 0; i < reads.size(); ++i)
    if (reads.length(i) >= shortest_possible) shortest = std::min(shortest, reads.length(i));
  options.read_length = static_cast<unsigned>(shortest);
  return make_index(device, settings.reference, options, settings.common.quiet);
}

RecordOptions record_options(const MapSettings& settings) {
  RecordOptions options;
  options.report = report_of(settings.report);
  options.paired = settings.paired();
  options.unmapped = !settings.no_unmapped;
  options.secondary_letters = !settings.no_secondary_letters;
  options.merge_matches = settings.cigar_style == "m";
  // Who asks for more hits than the best ones wants records of them.
  options.secondary = settings.secondary || options.report.kind != genocl::marose::Report::Kind::best;
  options.most_in_xa = settings.most_in_xa;
  const bool best = options.report.kind == genocl::marose::Report::Kind::best;
  options.most_hits = settings.most_hits.value_or(best ? 1000 : std::numeric_limits<std::uint64_t>::max());
  options.settle_ends = settings.clip;
  return options;
}

genocl::marose::MapOptions map_options(const MapSettings& settings) {
  genocl::marose::MapOptions options;
  options.errors = settings.request.bound();
  options.model = settings.request.model();
  options.report = report_of(settings.report);
  // Which hits of mates are given out is chosen when both are known.
  if (settings.paired() && options.report.kind == genocl::marose::Report::Kind::most)
    options.report = genocl::marose::Report::all();
  options.strands = strands_of(settings.strand);
  options.clip = settings.clip_options();
  options.shift = settings.request.shift;
  options.neighbourhood_errors = settings.request.neighbourhood_errors;
  options.heuristic = settings.request.heuristic;
  if (settings.paired() && options.strands != genocl::marose::Strands::both)
    throw InputError("--strand", {}, genocl::in_quotes(settings.strand) + " with mates, which lie on both strands",
                     "both");
  return options;
}

genocl::marose::PairOptions pair_options(const MapSettings& settings) {
  genocl::marose::PairOptions options;
  options.map = map_options(settings);
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

unsigned reading_threads(const MapSettings& settings) {
  if (settings.threads > 0) return settings.threads - 1;
  return std::min(3u, std::thread::hardware_concurrency() / 4);
}

}  // namespace

void map_reads(const MapSettings& settings) {
  const auto begin = Clock::now();
  RecordOptions records = record_options(settings);
  const genocl::marose::PairOptions pairing = pair_options(settings);
  std::string read_group = with_tabs(settings.read_group);
  if (read_group.starts_with("@RG\t")) read_group.erase(0, 4);  // as bwa takes it
  if (!read_group.empty()) {
    if (!read_group.starts_with("ID:"))
      throw InputError("--read-group", {}, genocl::in_quotes(settings.read_group), "like 'ID:x\\tSM:y', ID first");
    records.read_group = read_group.substr(3, read_group.find('\t') - 3);
  }

  if (settings.interleaved && !settings.mates.empty())
    throw InputError("--interleaved", {}, "a second file of reads, " + settings.mates, "one file, mate after mate");
  if (settings.reference == "-" && (settings.reads == "-" || settings.mates == "-"))
    throw InputError("reference and reads cannot both come from standard input");
  if (!settings.format.empty() || settings.output.ends_with(".cram"))
    check_format_name(settings.output, settings.format);
  check_files({settings.reference, settings.reads, settings.mates}, {settings.output});
  ReadSource source(settings.reads, settings.mates, settings.interleaved, settings.batch_reads,
                    reading_threads(settings));
  SequenceSet first_batch;
  bool first_there = source.next(first_batch);
  std::vector<genocl::Device> devices = settings.common.open_devices();
  const Index index = index_for(settings, devices.front(), first_batch);
  std::optional<genocl::marose::PairMapper> pairs;
  std::optional<Mapper> reads;
  if (settings.paired())
    pairs.emplace(devices, index, pairing);
  else
    reads.emplace(devices, index, pairing.map);
  Output output(settings, index, read_group);
  records.tsv = output.tsv();

  Pool<HitRecords> makers;
  Pool<Formatted> buffers;
  Counts counts;
  ProgressBar bar("map", settings.common.quiet);
  for (genocl::Device& device : devices) device.reset_profile();
  const auto mapping_begin = Clock::now();
  const auto next = [&](SequenceSet& batch) {
    if (!first_there) return source.next(batch);
    first_there = false;
    batch = std::move(first_batch);
    return true;
  };
  const auto format = [&](auto& batch) {
    auto maker = makers.take([&] { return std::make_unique<HitRecords>(index, records, output.formatter()); });
    auto formatted = buffers.take([] { return std::make_unique<Formatted>(); });
    naming(settings.reads, [&] { maker->format(batch, *formatted); });
    makers.give(std::move(maker));
    batch.formatted = std::shared_ptr<Formatted>(std::move(formatted));
  };
  const auto write = [&](auto& batch) {
    auto& formatted = *static_cast<Formatted*>(batch.formatted.get());
    output.append(formatted.bytes);
    counts += formatted.counts;
    bar.show(source.fraction(), counts.reads);
    // The memory of the text goes round.
    buffers.give(std::make_unique<Formatted>(std::move(formatted)));
    batch.formatted.reset();
  };
  std::optional<genocl::marose::InsertRange> insert;
  if (pairs) {
    pairs->map(next, format, write);
    insert = pairs->insert();
  } else {
    reads->map(next, format, write);
  }
  bar.clear();
  output.commit();
  Seconds seconds;
  seconds.mapping = since(mapping_begin);
  seconds.whole = since(begin);
  seconds.kernels = kernel_seconds(devices);

  std::cerr << warnings(counts);
  if (!settings.common.quiet) write_summary(std::cerr, counts, seconds, insert);
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
