// genocl-overlap align: alignments of genomes.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/check_files.hpp"
#include "common/lists.hpp"
#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/query_batches.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

/// Number of bases of queries that are aligned at a time.
constexpr std::uint64_t bases_of_batch = std::uint64_t{1} << 26;

overlap::GenomeScoring genome_scoring(const std::string& text) {
  overlap::GenomeScoring scoring;
  if (text.empty()) return scoring;
  std::vector<int> numbers;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::optional<int> number = number_of<int>(part);
    if (!number) break;
    numbers.push_back(*number);
  }
  if (numbers.size() != 4 || parts_of(text, ',').size() != 4)
    throw genocl::InputError("--scoring", {}, genocl::in_quotes(text), "four numbers like 1,4,6,1");
  return {.match = numbers[0], .mismatch = numbers[1], .gap_open = numbers[2], .gap_extend = numbers[3]};
}

overlap::GenomeFormat genome_format(const std::string& name) {
  if (name == "delta") return overlap::GenomeFormat::delta;
  if (name == "coords") return overlap::GenomeFormat::coords;
  return name == "snps" ? overlap::GenomeFormat::snps : overlap::GenomeFormat::paf;
}

/// The name of a file in headers: an absolute path, which MUMmer's programs open from any folder.
std::string absolute_name(const std::string& path) {
  return path == "-" ? "stdin" : std::filesystem::absolute(path).lexically_normal().string();
}

overlap::GenomeAlignOptions genome_options(const GenomeSettings& settings) {
  overlap::GenomeAlignOptions options = settings.options;
  options.scoring = genome_scoring(settings.scoring);
  options.anchors = settings.mum   ? overlap::MatchKind::unique
                    : settings.all ? overlap::MatchKind::all
                                   : overlap::MatchKind::unique_in_reference;
  return options;
}

}  // namespace

void write_genome_alignments(const GenomeSettings& settings) {
  check_standard_input({settings.reference, settings.queries});
  check_files({settings.reference, settings.queries}, {settings.output});
  if (settings.mum && settings.all) throw genocl::InputError("--mum with --mem: one of them");
  if (settings.cs && settings.format != "paf") throw genocl::InputError("--cs with --format " + settings.format);
  overlap::GenomeAlignOptions options = genome_options(settings);
  options.check();
  if (settings.reference != "-" && overlap::SuffixIndex::is_index(settings.reference))
    throw genocl::InputError(settings.reference, {}, "an index made by genocl overlap index", "FASTA or FASTQ");
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    options.progress = progress;
    const genocl::SequenceSet reference = read_records({settings.reference});
    const overlap::GenomeAligner aligner(devices, reference, options);
    const overlap::GenomeFormatter formatter(genome_format(settings.format), reference,
                                             {.reference_file = absolute_name(settings.reference),
                                              .query_file = absolute_name(settings.queries),
                                              .match_as_m = settings.cigar == "m",
                                              .cs = settings.cs});
    RowWriter out(settings.output, formatter.header());
    QueryBatches batches(settings.queries, bases_of_batch);
    std::uint64_t found = 0, before = 0, bases = 0;
    while (const std::optional<genocl::SequenceSet> batch = batches.next()) {
      aligner.align(*batch, [&](std::uint64_t query, std::span<const overlap::GenomeAlignment> alignments) {
        std::string text;
        formatter.append(*batch, query, alignments, text, before);
        out.row(text);
        found += alignments.size();
        for (const overlap::GenomeAlignment& alignment : alignments)
          if (alignment.primary) bases += alignment.query.length();
      });
      before += batch->size();
    }
    out.commit();
    return std::to_string(found) + " alignments, " + std::to_string(bases) + " query bases in primary alignments";
  });
}

}  // namespace program
