
#include "marose/map_output.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <system_error>
#include <thread>

#include "common/format_name.hpp"
#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "marose/index_command.hpp"
#include "marose/options.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::io::AlignmentFormat;

/// "ID:x\tSM:y", where a tab may be written as a backslash and a t.
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
  if (read_group.starts_with("@RG\t")) read_group.erase(0, 4);  // as bwa takes it
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
  if (settings.sort && settings.is_table())
    throw InputError("--sort", {}, "for a table, which is in the order of the reads", "SAM or BAM");
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
  std::vector<std::string> outputs = {settings.output};
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
    // A read is unique that has one best place.
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
  // While some thread compiles others may map: the kernels' own time was no compilation.
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

}  // namespace program
