
#include "marose/map_output.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "common/format_name.hpp"
#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "marose/index_command.hpp"
#include "marose/options.hpp"
#include "marose/umi.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::io::AlignmentFormat;

/// Parses "ID:x\tSM:y", with tabs or with \t for each tab.
std::string with_tabs(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\t", at)) != std::string::npos; ++at) text.replace(at, 2, "\t");
  return text;
}

std::uint64_t sort_memory_of(const MapSettings& settings) {
  constexpr std::uint64_t least = 1'000'000;
  const std::uint64_t memory = amount_of("--sort-memory", settings.sort_memory);
  if (memory < least) throw InputError("--sort-memory", {}, genocl::in_quotes(settings.sort_memory), "1M at least");
  return memory;
}

AlignmentFormat format_of(const MapSettings& settings) {
  if (settings.format == "sam") return AlignmentFormat::sam;
  if (settings.format == "bam" || settings.output.ends_with(".bam")) return AlignmentFormat::bam;
  if (settings.format == "cram" || settings.output.ends_with(".cram")) return AlignmentFormat::cram;
  return AlignmentFormat::by_name;
}

genocl::io::AlignmentWriterOptions writer_options(const MapSettings& settings, bool fasta_agrees) {
  genocl::io::AlignmentWriterOptions options;
  options.format = format_of(settings);
  options.level = static_cast<int>(settings.level);
  options.sort = settings.sort;
  options.sort_memory = sort_memory_of(settings);
  options.threads = reading_threads();
  options.cram_reference = settings.cram_reference;
  options.named = team().size() > 1;
  if (std::error_code error; options.cram_reference.empty() && fasta_agrees && !is_index(settings.reference) &&
                             std::filesystem::is_regular_file(settings.reference, error))
    options.cram_reference = settings.reference;
  return options;
}

}  // namespace

std::string read_group_of(const MapSettings& settings) {
  std::string read_group = with_tabs(settings.read_group);
  if (read_group.starts_with("@RG\t")) read_group.erase(0, 4);  // also accepted by bwa
  if (read_group.empty()) return read_group;
  if (const std::string wrong = genocl::io::read_group_fault(read_group); !wrong.empty())
    throw InputError("-R", {}, genocl::in_quotes(settings.read_group) + " " + wrong, "fields like 'ID:x\\tSM:y'");
  return read_group;
}

std::string read_group_id(const std::string& read_group) {
  const std::size_t at = read_group.starts_with("ID:") ? 0 : read_group.find("\tID:") + 1;
  return read_group.substr(at + 3, read_group.find('\t', at) - at - 3);
}

void check_output_options(const MapSettings& settings) {
  if (settings.comments && settings.is_table())
    throw InputError("-C", {}, "for a table, which has no place for tags", "SAM or BAM");
  if (umi_separator_of(settings.umi_separator) != 0 && settings.is_table())
    throw InputError("--umi-separator", {}, "for a table, which has no place for tags", "SAM or BAM");
  if (settings.sort && settings.is_table())
    throw InputError("--sort", {}, "for a table, which is in the order of the reads", "SAM or BAM");
  if (!settings.coverage.empty() && settings.is_table())
    throw InputError("--coverage", {}, "for a table, which has no alignments", "SAM or BAM");
  sort_memory_of(settings);
  const bool cram = format_of(settings) == AlignmentFormat::cram;
  if (cram && settings.cigar_style == "x")
    throw InputError("--cigar", {}, "=X for CRAM, which has M only", "M, SAM or BAM");
  if (!cram && !settings.cram_reference.empty())
    throw InputError("--cram-reference", {}, "for a file that is not CRAM", "an output like x.cram");
}

void check_output_name(const MapSettings& settings) {
  static constexpr std::string_view formats[] = {"sam", "bam", "cram", "tsv"};
  std::string format = settings.is_table() ? "tsv" : settings.format;
  if (format.empty()) {
    const AlignmentFormat by_name = format_of(settings);
    format = by_name == AlignmentFormat::bam ? "bam" : by_name == AlignmentFormat::cram ? "cram" : "sam";
  }
  check_format_name(settings.output, format, formats);
}

std::vector<std::string> outputs_of(const MapSettings& settings) {
  std::vector<std::string> outputs = {settings.output, settings.unmapped_reads, settings.coverage};
  for (const std::string& file : discordant_files(settings.discordant_pairs)) outputs.push_back(file);
  if (!settings.sort || settings.output == "-") return outputs;
  const AlignmentFormat format = format_of(settings);
  if (format == AlignmentFormat::bam)
    for (const char* const ending : {".bai", ".csi"}) outputs.push_back(settings.output + ending);
  if (format == AlignmentFormat::cram) outputs.push_back(settings.output + ".crai");
  return outputs;
}

MapOutput::MapOutput(const MapSettings& settings, const marose::Index& index, std::vector<std::string> read_groups,
                     bool fasta_agrees) {
  const std::string path = team().is_root() ? settings.output : "/dev/null";
  if (settings.is_table()) {
    table_.emplace(path, genocl::io::OutputOptions{.named = team().size() > 1});
    table_->write("read\treference\tstrand\tposition\terrors\n");
    return;
  }
  genocl::sam::Header header = genocl::marose::sam_header(index);
  header.read_groups = std::move(read_groups);
  header.program = "genocl-marose";
  header.program_version = GENOCL_VERSION;
  header.command_line = settings.command_line;
  naming([&] { return settings.reference; },
         [&] { records_.emplace(path, std::move(header), writer_options(settings, fasta_agrees)); });
}

namespace {

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2)
       << (whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole)) << '%';
  return text.str();
}

std::string rate(std::uint64_t reads, double seconds) {
  std::ostringstream text;
  const double rate = seconds > 0 ? static_cast<double>(reads) / seconds : 0;
  text << std::fixed
       << std::setprecision(rate < 1e4   ? 0
                            : rate < 1e6 ? 1
                                         : 2)
       << (rate < 1e4   ? rate
           : rate < 1e6 ? rate / 1e3
                        : rate / 1e6)
       << (rate < 1e4   ? ""
           : rate < 1e6 ? " k"
                        : " M")
       << " reads/s";
  return text.str();
}

}  // namespace

void Counts::add(const genocl::marose::ReadSummary& read, const genocl::marose::AlignedRead& aligned,
                 std::uint64_t length, bool rescued_mate, bool with_alignments) {
  ++reads;
  if (with_alignments ? aligned.mapped() : read.hits > 0 || rescued_mate) {
    ++mapped;
    // A read with one best position is unique.
    if (aligned.best_count == 1) ++unique;
    if (aligned.best_count > 1) ++multiple, hits_of_multiple += aligned.best_count;
  }
  if (aligned.alignments.size() > 1) ++split;
  if (rescued_mate) ++rescued;
  if (read.kept.length < length) ++trimmed;
  if (read.mapped.length < read.kept.length) ++in_part;
  if (read.capped) ++capped;
  if (read.too_short) ++too_short;
  if (read.heuristic) ++heuristic;
  if (read.lower_bound && !read.too_short) {
    ++lower_bound;
    shortest_lower = length;
    lower_errors = read.bound;
  }
}

Counts& Counts::operator+=(const Counts& other) {
  reads += other.reads, mapped += other.mapped, unique += other.unique, multiple += other.multiple;
  hits_of_multiple += other.hits_of_multiple, records += other.records;
  not_all_written += other.not_all_written, capped += other.capped;
  trimmed += other.trimmed, in_part += other.in_part, split += other.split;
  too_short += other.too_short, too_long += other.too_long, lower_bound += other.lower_bound,
      heuristic += other.heuristic;
  if (other.lower_bound > 0) shortest_lower = other.shortest_lower, lower_errors = other.lower_errors;
  pairs += other.pairs, proper += other.proper, rescued += other.rescued;
  return *this;
}

void write_summary(std::ostream& out, const Counts& counts, const Seconds& seconds,
                   const std::optional<genocl::marose::InsertRange>& insert, const std::optional<WiderBound>& wider) {
  const auto line = [&](const char* what, std::uint64_t count, std::uint64_t of) {
    out << std::left << std::setw(16) << what << std::right << std::setw(12) << count << "  " << std::setw(7)
        << share_of(count, of);
  };
  out << std::left << std::setw(16) << "reads" << std::right << std::setw(12) << counts.reads << '\n';
  line("mapped", counts.mapped, counts.reads);
  out << '\n';
  line("unique", counts.unique, counts.reads);
  out << '\n';
  line("multiple", counts.multiple, counts.reads);
  if (counts.multiple > 0)
    out << "  mean hits " << std::fixed << std::setprecision(1)
        << static_cast<double>(counts.hits_of_multiple) / static_cast<double>(counts.multiple);
  out << '\n';
  if (counts.not_all_written > 0) line("not all written", counts.not_all_written, counts.reads), out << '\n';
  if (counts.split > 0) line("split", counts.split, counts.reads), out << '\n';
  if (counts.in_part > 0) line("in part", counts.in_part, counts.reads), out << '\n';
  const std::uint64_t unmapped = counts.reads - counts.mapped;
  line("unmapped", unmapped, counts.reads);
  if (wider)
    out << "  of " << wider->asked << " of them " << wider->mapped << " map with -e "
        << std::lround(100 * WiderBound::share) << "%: some "
        << share_of(unmapped * wider->mapped, counts.reads * wider->asked) << " of all reads";
  out << '\n';
  if (counts.trimmed > 0) line("trimmed", counts.trimmed, counts.reads), out << '\n';
  if (counts.too_short > 0) line("too short", counts.too_short, counts.reads), out << '\n';
  if (counts.too_long > 0) line("too long", counts.too_long, counts.reads), out << '\n';
  if (counts.lower_bound > 0) line("fewer errors", counts.lower_bound, counts.reads), out << '\n';
  if (counts.capped > 0) line("capped", counts.capped, counts.reads), out << '\n';
  if (counts.heuristic > 0) line("heuristic", counts.heuristic, counts.reads), out << '\n';
  if (insert) {
    line("proper pairs", counts.proper, counts.pairs);
    out << "  of " << insert->least << " to " << insert->most << " bases\n";
    if (counts.rescued > 0) line("rescued mates", counts.rescued, counts.reads), out << '\n';
  }
  // While a thread compiles, others may map: the time of their kernels is not compilation.
  const double mapping = std::max(seconds.mapping - seconds.compiling, seconds.kernels);
  out << "mapped in " << std::fixed << std::setprecision(1) << mapping << " s (" << rate(counts.reads, mapping)
      << "; kernels alone " << rate(counts.reads, seconds.kernels) << ')';
  constexpr double worth_telling = 0.5;
  if (seconds.compiling >= worth_telling) out << " + " << seconds.compiling << " s compiling kernels, first run only";
  out << "; " << seconds.whole << " s in all\n";
}

std::string warnings(const Counts& counts) {
  std::string text;
  if (counts.lower_bound > 0)
    text += called_name() + ": warning: " + std::to_string(counts.lower_bound) +
            " reads were mapped with fewer errors than asked for (" + std::to_string(counts.lower_errors) + " at " +
            std::to_string(counts.shortest_lower) +
            " bases): no lossless plan is known beyond; --heuristic maps them with one that may miss hits\n";
  if (counts.capped > 0)
    text += called_name() + ": warning: " + std::to_string(counts.capped) +
            " reads have too many candidate places; hits that are as good as theirs may be missing\n";
  if (counts.heuristic > 0)
    text += called_name() + ": warning: " + std::to_string(counts.heuristic) +
            " reads were mapped by plans that may miss hits\n";
  return text;
}

using genocl::marose::AlignedRead;
using genocl::marose::Hit;
using genocl::marose::ReadSummary;
using genocl::marose::ReportedHits;
using genocl::marose::Strand;
using Batch = genocl::marose::Mapper::Batch;
using PairBatch = genocl::marose::PairMapper::Batch;

namespace {

genocl::marose::MapOptions with_report(genocl::marose::MapOptions map, const genocl::marose::Report& report) {
  map.report = report;
  return map;
}

}  // namespace

HitRecords::HitRecords(const genocl::marose::Index& index, const genocl::marose::MapOptions& map,
                       const RecordOptions& options, std::optional<genocl::io::AlignmentFormatter> formatter)
    : index_(index),
      options_(options),
      aligned_(map.align.has_value()),
      formatter_(std::move(formatter)),
      sam_(index, with_report(map, options.report), options.sam),
      sink_([this](const genocl::sam::Record& record) {
        formatter_->add(record);
        ++counts_.records;
      }) {}

FormattedBatch HitRecords::format(Batch& batch, BatchNotes& notes) {
  begin(notes);
  for (std::size_t read = 0; read < batch.reads.size(); ++read) {
    place(batch, read, first_);
    if (!aligned_)
      add_hits(batch, read, batch.hits.of(read), 0, batch.hits.reads[read].mapping_quality(), false, first_);
    count(batch, read, first_);
    add_single(batch, read);
  }
  return take(batch.text);
}

FormattedBatch HitRecords::format(PairBatch& batch, BatchNotes& notes) {
  begin(notes);
  for (std::size_t pair = 0; pair < batch.reads.size() / 2; ++pair) {
    const bool single = notes.is_single(pair);
    place_mate(batch, 2 * pair, !single, first_);
    if (single) {
      add_single(batch, 2 * pair);
      continue;
    }
    place_mate(batch, 2 * pair + 1, true, second_);
    ++counts_.pairs;
    if (first_.read.aligned->proper_pair) ++counts_.proper;
    add_pair(batch);
  }
  return take(batch.text);
}

void HitRecords::add_single(const Batch& batch, std::size_t read) {
  if (formatter_) sam_.add(first_.read, sink_);
  const AlignedRead& aligned = *first_.read.aligned;
  const bool mapped = formatter_ || aligned_ ? aligned.mapped() : batch.hits.reads[read].hits > 0;
  if (options_.unmapped_reads && !mapped)
    UnmappedReads::append(first_.read, batch.reads.has_qualities(), unmapped_.single);
  if (options_.coverage) append_covered(aligned, covered_);
}

void HitRecords::add_pair(const PairBatch& batch) {
  if (formatter_) sam_.add(first_.read, second_.read, sink_);
  const bool proper = first_.read.aligned->proper_pair;
  for (std::size_t mate = 0; mate < 2; ++mate) {
    const genocl::marose::SamRead& read = mate == 0 ? first_.read : second_.read;
    if (options_.discordant_pairs && !proper)
      UnmappedReads::append(read, batch.reads.has_qualities(), unmapped_.discordant[mate]);
    if (options_.coverage) append_covered(*read.aligned, covered_);
  }
}

void HitRecords::begin(BatchNotes& notes) {
  counts_ = {};
  notes_ = &notes;
  lines_.clear();
  unmapped_ = {};
  covered_.clear();
}

FormattedBatch HitRecords::take(std::string& text) {
  if (formatter_)
    text = formatter_->take(std::move(text));
  else
    text.swap(lines_);
  return {.counts = counts_, .unmapped = std::exchange(unmapped_, {}), .covered = std::exchange(covered_, {})};
}

void HitRecords::place(const Batch& batch, std::size_t read, MappedRead& mapped) {
  // A read that is too long was replaced by an empty one for the mapper.
  const BatchNotes::LongRead* const whole = notes_->long_read(read);
  mapped.read = {
      .name = batch.reads.name(read),
      .codes = whole != nullptr ? std::span<const genocl::Code>(whole->codes) : batch.reads[read],
      .quality = whole != nullptr ? std::span<const std::uint8_t>(whole->quality) : batch.reads.quality(read),
      .tags = batch.reads.description(read),
      .aligned = aligned_ ? &batch.alignments[read] : &mapped.own,
      .not_searched = batch.hits.reads[read].too_short || whole != nullptr};
  if (!aligned_) mapped.own = {};
}

void HitRecords::place_mate(const PairBatch& batch, std::size_t read, bool is_mate, MappedRead& mapped) {
  place(batch, read, mapped);
  if (!aligned_) {
    const genocl::marose::ReadPair& both = batch.pairs[read / 2];
    const genocl::marose::ReadPair::Read& own = both.reads[read % 2];
    mapped.own.proper_pair = both.proper();
    mapped.own.rescued = own.rescued;
    add_hits(batch, read, batch.hits_of(read), own.primary, own.quality, is_mate, mapped);
  }
  count(batch, read, mapped);
}

/// Aligns hits, or formats them as lines.
void HitRecords::add_hits(const Batch& batch, std::size_t read, std::span<const Hit> hits, std::uint64_t primary,
                          std::uint8_t mapq, bool is_mate, MappedRead& mapped) {
  const ReadSummary& summary = batch.hits.reads[read];
  AlignedRead& own = mapped.own;
  const ReportedHits& reported =
      formatter_ ? sam_.align_hits(batch.reads[read], summary, hits, primary, mapq, options_.paired, own)
                 : sam_.report_hits(summary, hits, primary, options_.paired, own.rescued, true);
  own.best_count = reported.best_count;
  own.next_count = reported.next_count;
  if (!reported.all) ++counts_.not_all_written;
  if (!formatter_) add_lines(read, mapped.read.name, hits, reported.numbers, is_mate);
}

void HitRecords::add_lines(std::size_t read, std::string_view name, std::span<const Hit> hits,
                           std::span<const std::uint64_t> numbers, bool is_mate) {
  for (const std::uint64_t i : numbers) {
    const Hit& hit = hits[i];
    lines_.append(name);
    if (is_mate && genocl::marose::template_name(name) == name) lines_ += read % 2 == 0 ? "/1" : "/2";
    lines_.append("\t").append(index_.name(hit.reference)).append(hit.strand == Strand::forward ? "\t+\t" : "\t-\t");
    lines_.append(std::to_string(hit.position + 1)).append("\t").append(std::to_string(hit.errors)).append("\n");
    ++counts_.records;
  }
}

void HitRecords::count(const Batch& batch, std::size_t read, const MappedRead& mapped) {
  const ReadSummary& summary = batch.hits.reads[read];
  const AlignedRead& aligned = *mapped.read.aligned;
  check_bound(summary, mapped.read);
  const bool too_long = notes_->long_read(read) != nullptr;
  if (summary.too_short && !too_long) {
    const std::string where = "read " + genocl::shown(mapped.read.name);
    const std::string wrong = std::to_string(mapped.read.codes.size()) + " bases, too short for any plan of this index";
    if (options_.strict) throw genocl::InputError({}, where, wrong);
    notes_->notes.add(ReadFault::too_short,
                      [&] { return notes_->notes.file + ":" + where + ": " + wrong + "; it is written unmapped"; });
  }
  counts_.add(summary, aligned, batch.reads.length(read), aligned.rescued, aligned_);
  if (too_long) --counts_.too_short, ++counts_.too_long;
  if (aligned_ && options_.sam.secondary && aligned.secondary.size() + 1 < aligned.best_count)
    ++counts_.not_all_written;
}

void HitRecords::check_bound(const ReadSummary& summary, const genocl::marose::SamRead& read) {
  if (!options_.strict || options_.heuristic || !summary.lower_bound || summary.too_short) return;
  throw genocl::InputError(
      {}, "read " + genocl::shown(read.name),
      "more errors in " + std::to_string(summary.mapped.length) + " bases than can be proved with this index",
      "at most " + std::to_string(summary.bound) + ", or --heuristic");
}

}  // namespace program
