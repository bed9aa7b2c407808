#include "marose/map_output.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>

#include "common/format_name.hpp"
#include "common/numbers.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "marose/index_making.hpp"
#include "marose/naming.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::io::AlignmentFormat;

/// "ID:x\tSM:y", where a tab may be written as a backslash and a t.
std::string with_tabs(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\t", at)) != std::string::npos; ++at) text.replace(at, 2, "\t");
  return text;
}

unsigned writing_threads(const MapSettings& settings) {
  if (settings.threads > 0) return settings.threads - 1;
  return std::clamp(std::thread::hardware_concurrency(), 1u, 16u) - 1;
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
  options.threads = writing_threads(settings);
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
  if (!settings.format.empty()) check_format_name(settings.output, settings.format, true);
  const bool cram = format_of(settings) == AlignmentFormat::cram;
  if (cram && settings.cigar_style == "x")
    throw InputError("--cigar", {}, "=X for CRAM, which has M only", "M, SAM or BAM");
  if (!cram && !settings.cram_reference.empty())
    throw InputError("--cram-reference", {}, "for a file that is not CRAM", "an output like x.cram");
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
  tsv_ = settings.is_table();
  const std::string path = team().is_root() ? settings.output : "/dev/null";
  if (tsv_) {
    table_.emplace(path, genocl::io::OutputOptions{.named = team().size() > 1});
    table_->write("read\treference\tstrand\tposition\terrors\n");
    return;
  }
  genocl::io::AlignmentHeader header;
  header.references.reserve(index.contigs());
  for (std::size_t i = 0; i < index.contigs(); ++i)
    header.references.push_back({std::string(index.name(i)), index.length(i)});
  header.read_groups = std::move(read_groups);
  header.program = "genocl-marose";
  header.program_version = GENOCL_VERSION;
  header.command_line = settings.command_line;
  naming([&] { return settings.reference; },
         [&] { records_.emplace(path, std::move(header), writer_options(settings, fasta_agrees)); });
}

}  // namespace program
