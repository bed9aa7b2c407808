// genocl-marose index turns FASTA into the file of an index.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <utility>

#include "common/check_files.hpp"
#include "common/numbers.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "marose/commands.hpp"
#include "marose/index_making.hpp"
#include "marose/summary.hpp"

namespace program {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

bool is_index(const std::string& path) {
  // What is looked at in a pipe is gone from it, so a pipe is taken for FASTA.
  if (std::error_code error;
      path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return false;
  std::ifstream file(path, std::ios::binary);
  return path.ends_with(".mrs") || (file && file.peek() == 0x8d);
}

genocl::marose::Index make_index(const genocl::Device& device, const std::string& reference,
                                 genocl::marose::IndexOptions options, bool quiet) {
  genocl::SequenceSet contigs = genocl::io::read_sequences(reference, {.bad_letters = genocl::io::BadLetters::error,
                                                                       .keep_qualities = false,
                                                                       .keep_descriptions = false,
                                                                       .threads = reading_threads()});
  ProgressBar bar("index", quiet);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(state.fraction, state.items_done);
    return true;
  };
  try {
    // Hits are told by the contigs' names, in SAM as SAM allows them: what map could not write is no index.
    std::vector<genocl::io::AlignmentHeader::Reference> references;
    for (std::size_t i = 0; i < contigs.size(); ++i)
      references.push_back({std::string(contigs.name(i)), contigs.length(i)});
    genocl::io::check_references(references);
    return genocl::marose::Index::build(device, std::move(contigs), options);
  } catch (const genocl::InputError& error) {
    // The library does not know where the contigs came from.
    if (!error.file().empty()) throw;
    throw genocl::InputError(reference, error.where(), error.wrong(), error.expected());
  }
}

void build_index(const IndexSettings& settings) {
  const Request& request = settings.request;
  genocl::marose::IndexOptions options;
  options.seed_mask = request.mask;
  options.neighbourhood = request.neighbourhood.value_or(8);
  options.method = genocl::marose::method_named(request.method);
  options.read_length = settings.read_length;
  options.errors = request.bound();
  options.model = request.model();
  if (!settings.memory.empty()) options.memory = amount_of("--memory", settings.memory);
  if (!settings.segment.empty()) options.segment_bases = amount_of("--segment", settings.segment);

  check_named_output({settings.reference}, settings.output, "an index");
  const auto begin = Clock::now();
  const std::vector<genocl::Device> devices = settings.common.open_devices();
  const genocl::marose::Index index = make_index(devices.front(), settings.reference, options, settings.common.quiet);
  const double built = since(begin);
  index.save(settings.output);
  if (!settings.common.quiet) {
    double kernels = 0;
    for (const genocl::KernelProfile& kernel : devices.front().profile()) kernels += kernel.seconds;
    std::cerr << index.contigs() << " contigs, " << index.bases() << " bases, method " << to_string(index.method())
              << ", mask " << index.mask().pattern() << ", " << index.segments()
              << (index.segments() == 1 ? " segment, " : " segments, ") << std::fixed << std::setprecision(1)
              << static_cast<double>(index.bytes()) / static_cast<double>(index.bases()) << " bytes a base\nkernels "
              << std::setprecision(2) << kernels << " s, built in " << built << " s with reading, written after "
              << since(begin) << " s to " << settings.output << '\n';
  }
  if (settings.common.profile) write_profile(std::cerr, devices.front());
}

}  // namespace program
