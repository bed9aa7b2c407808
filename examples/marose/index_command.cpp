// genocl-marose index builds an index from FASTA and writes it to a file.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check_files.hpp"
#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "marose/index_command.hpp"
#include "marose/map_output.hpp"
#include "marose/options.hpp"

namespace program {
namespace {

std::string contig_text(std::size_t i, std::string_view name) {
  return "contig " + std::to_string(i + 1) + " (" + genocl::shown(name) + ")";
}

std::string quoted_for_shell(const std::string& name) {
  if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+=:/,@%") ==
      std::string::npos)
    return name;
  std::string text = "'";
  for (const char c : name) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Returns the command that changes names in FASTA as repair_contigs() does.
std::string renaming_command(const std::string& reference) {
  return R"(LC_ALL=C sed -E '/^>/{:a;s/^(> *[^ \t]*)([][\\,"'\''`(){}<>]|[^ \t\r!-~])/\1_/;ta;s/^(> *)[*=]/\1_/}' )" +
         quoted_for_shell(reference);
}

/// Removes contigs without bases, and changes names that SAM does not allow. Returns whether it changed anything. With
/// `strict` the first such contig is an InputError.
bool repair_contigs(const std::string& reference, genocl::SequenceSet& contigs, bool strict) {
  std::vector<std::size_t> empty, illegal;
  std::unordered_map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    const std::string_view name = contigs.name(i);
    if (contigs.length(i) == 0) empty.push_back(i);
    const std::string legal = genocl::io::reference_name(name);
    if (legal != name) illegal.push_back(i);
    const auto [other, is_new] = names.emplace(legal, i);
    if (!is_new && contigs.name(other->second) != name)
      throw genocl::InputError(reference, contig_text(i, name),
                               "becomes " + legal + " where SAM does not allow characters, as " +
                                   contig_text(other->second, contigs.name(other->second)),
                               "names that differ in what SAM allows");
  }
  if (empty.size() == contigs.size()) empty.clear();  // reported as another error
  if (strict && !empty.empty())
    throw genocl::InputError(reference, contig_text(empty[0], contigs.name(empty[0])), "has no bases");
  if (strict || (empty.empty() && illegal.empty())) return false;
  genocl::SequenceSet kept;
  kept.reserve(contigs.size() - empty.size(), contigs.residues());
  for (std::size_t i = 0; i < contigs.size(); ++i)
    if (!std::ranges::binary_search(empty, i)) kept.append(genocl::io::reference_name(contigs.name(i)), contigs[i]);
  const std::string warning = called_name() + ": warning: " + reference + ":";
  if (team().is_root() && !empty.empty())
    std::cerr << warning << contig_text(empty[0], contigs.name(empty[0])) << ": has no bases; "
              << (empty.size() == 1 ? "1 contig is" : std::to_string(empty.size()) + " contigs are") << " left out\n";
  if (team().is_root() && !illegal.empty())
    std::cerr << warning << contig_text(illegal[0], contigs.name(illegal[0])) << ": a name that SAM does not allow; "
              << (illegal.size() == 1 ? "1 name has" : std::to_string(illegal.size()) + " names have")
              << " '_' for such characters; this command makes the FASTA agree: " << renaming_command(reference)
              << '\n';
  contigs = std::move(kept);
  return true;
}

}  // namespace

bool is_index(const std::string& path) {
  // Reading the first bytes of a pipe would remove them, so a pipe is assumed to be FASTA.
  if (std::error_code error;
      path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return false;
  std::ifstream file(path, std::ios::binary);
  return path.ends_with(".mrs") || (file && file.peek() == 0x8d);
}

MadeIndex make_index(const genocl::Device& device, const std::string& reference, genocl::marose::IndexOptions options,
                     const ReferenceReading& reading) {
  genocl::SequenceSet contigs = genocl::io::read_sequences(reference, {.bad_letters = genocl::io::BadLetters::error,
                                                                       .keep_qualities = false,
                                                                       .keep_descriptions = false,
                                                                       .threads = reading_threads()});
  ProgressBar bar("index", reading.quiet);
  options.progress = bar.progress();
  try {
    const bool changed = repair_contigs(reference, contigs, reading.strict);
    // Output names contigs, in SAM by names that SAM allows. An index with other names could not be used by map.
    std::vector<genocl::io::AlignmentHeader::Reference> references;
    for (std::size_t i = 0; i < contigs.size(); ++i)
      references.push_back({std::string(contigs.name(i)), contigs.length(i)});
    genocl::io::check_references(references);
    return {genocl::marose::Index::build(device, std::move(contigs), options), changed};
  } catch (const genocl::InputError& error) {
    // The library does not know the file of the contigs.
    if (!error.file().empty()) throw;
    throw genocl::InputError(reference, error.where(), error.wrong(), error.expected());
  }
}

void build_index(const IndexSettings& settings) {
  const Request& request = settings.request;
  genocl::marose::IndexOptions options;
  options.seed_mask = request.mask;
  options.neighbourhood = request.neighbourhood.value_or(8);
  options.method = request.index_method();
  options.read_length = settings.read_length;
  options.errors = request.bound();
  options.model = request.model();
  if (!settings.memory.empty()) options.memory = amount_of("--device-memory", settings.memory);
  if (!settings.segment.empty()) options.segment_bases = amount_of("--segment", settings.segment);

  check_named_output({settings.reference}, settings.output, "an index");
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<genocl::Device> devices = settings.common.open_devices();
  const genocl::marose::Index index = make_index(devices.front(), settings.reference, options,
                                                 {.quiet = settings.common.quiet, .strict = settings.strict})
                                          .index;
  const double built = seconds_since(begin);
  index.save(settings.output);
  if (!settings.common.quiet) {
    double kernels = 0;
    for (const genocl::KernelProfile& kernel : devices.front().profile()) kernels += kernel.seconds;
    std::cerr << index.contigs() << " contigs, " << index.bases() << " bases, method " << to_string(index.method())
              << ", mask " << index.mask().pattern() << ", " << index.segments()
              << (index.segments() == 1 ? " segment, " : " segments, ") << std::fixed << std::setprecision(1)
              << static_cast<double>(index.bytes()) / static_cast<double>(index.bases()) << " bytes a base\nkernels "
              << std::setprecision(2) << kernels << " s, built in " << built << " s with reading, written after "
              << seconds_since(begin) << " s to " << settings.output << '\n';
  }
  if (settings.common.profile) write_profile(std::cerr, devices.front());
}

}  // namespace program
