// 001: Zhong and others, longest overlap region of noncoding DNA.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "bench/overlap/serial_dc3.hpp"
#include "genocl/overlap.hpp"
#include "papers.hpp"
#include "reference/overlap/suffix_array.hpp"

namespace genocl_papers {
namespace {

using genocl::SequenceSet;
namespace overlap = genocl::overlap;
using Bytes = std::vector<std::uint8_t>;

/// A sequence of the paper and the one that stands for it.
struct Genome {
  std::string name, substitute, file;
};
const std::array<Genome, 3> genomes = {{{"G1", "human chr20, 1 Mb", "human_chr20_1Mb_z.fa.gz"},
                                        {"G2", "C. elegans, first part of each chromosome", "celegans_1pct.fa.gz"},
                                        {"G3", "mammalian regions, 3 Mb", "mouse_regions_3m.fa.gz"}}};

/// The first `size` of the letters A, C, G and T of a genome, repeated if it has fewer; drawn letters without the file.
Bytes letters_of(const Genome& genome, std::uint64_t size) {
  const std::string path = genocl_bench::test_data("dna/" + genome.file);
  SequenceSet set = path.empty() ? genocl_bench::bench_text(size) : genocl_bench::read_fasta(path);
  Bytes letters;
  for (const genocl::Code code : set.codes()) {
    if (code < 4) letters.push_back(static_cast<std::uint8_t>("ACGT"[code]));
    if (letters.size() == size) break;
  }
  for (std::uint64_t i = 0, own = letters.size(); letters.size() < size; ++i) letters.push_back(letters[i % own]);
  return letters;
}

bool is_real(const Genome& genome) { return !genocl_bench::test_data("dna/" + genome.file).empty(); }

/// Seconds from the letters in host memory to the array in host memory.
double array_seconds(const Run& run, const Bytes& text, overlap::Algorithm algorithm,
                     std::vector<std::uint32_t>& positions) {
  std::optional<overlap::SuffixArray> suffixes;
  return seconds_of(run, [&] {
    const overlap::Text packed(run.device, text);
    if (suffixes)
      suffixes->rebuild(packed, {.algorithm = algorithm});
    else
      suffixes.emplace(packed, overlap::SuffixArrayOptions{.algorithm = algorithm});
    positions = suffixes->download();
  });
}

void table5(Run& run) {
  Table table(run, "table5", "Table V and Figure 6: suffix arrays of the first symbols of three sequences (ms)",
              {"sequence, symbols", "published", "dc3", "default", "serial DC3, one CPU thread", "paper GPU",
               "paper CPU", "paper GPU, G1 or G3", "paper CPU, G1 or G3"});
  const unsigned last = run.by_size(12U, 20U, 20U), step = run.toy() ? 2 : run.full() ? 1 : 2;
  for (const Genome& genome : genomes)
    for (unsigned bits = 8; bits <= last; bits += step) {
      const std::string size = genocl_bench::size_name(std::uint64_t{1} << bits);
      const Bytes text = letters_of(genome, std::uint64_t{1} << bits);
      std::vector<std::uint32_t> positions, others, serial, symbols;
      std::vector<std::string> cells;
      bool right = true;
      for (const auto algorithm :
           {overlap::Algorithm::published, overlap::Algorithm::dc3, overlap::Algorithm::automatic}) {
        cells.push_back(milliseconds(array_seconds(run, text, algorithm, others)));
        right = right && (positions.empty() || positions == others);
        positions = others;
      }
      for (const std::uint8_t letter : text)
        symbols.push_back(letter == 'A' ? 1U : letter == 'C' ? 2U : letter == 'G' ? 3U : 4U);
      cells.push_back(milliseconds(seconds_of(
          run, [&] { serial = genocl_bench::serial_dc3(symbols, 4); }, 1)));
      right = right && serial == positions;
      if (run.toy()) right = right && positions == reference::suffix_array(text);
      const std::string own = genome.name + " " + size;
      for (const auto& [row, column] : {std::pair{own, "GPU"}, {own, "CPU"}, {size, "GPU"}, {size, "CPU"}})
        cells.push_back(table.paper(row, column));
      table.row(own, cells, right);
    }
  for (const Genome& genome : genomes)
    table.note(genome.name + ": " +
               (is_real(genome) ? genome.substitute + " instead of the paper's sequence."
                                : "drawn letters; the file " + genome.file + " is missing."));
  table.note(
      "The paper's unit is very probably the millisecond. Its last two columns are of G1 or of G3: which is "
      "not on record. Its rows of 256, 1,024 and 4,096 symbols are printed as 0.");
}

/// The times and the result of the published steps.
struct Pipeline {
  std::vector<double> seconds;  ///< of the steps
  std::uint64_t length = 0;     ///< of the longest common region
};

/// The published steps: suffix array, LCP values, the range minimum structure, and the region from minima between
/// suffixes of the two records that are neighbours among those of the other record.
Pipeline published_pipeline(const Run& run, const SequenceSet& a, const SequenceSet& b) {
  Pipeline pipeline;
  const std::array<const SequenceSet*, 2> sets = {&a, &b};
  const overlap::Text text = overlap::Text::separated(run.device, sets);
  const std::uint64_t border = a.residues() + a.size();
  std::optional<overlap::SuffixArray> suffixes;
  std::optional<overlap::Lcp> lcp;
  std::optional<overlap::Rmq> minima;
  pipeline.seconds.push_back(seconds_once([&] {
    suffixes.emplace(text, overlap::SuffixArrayOptions{.algorithm = overlap::Algorithm::published});
    run.device.finish();
  }));
  pipeline.seconds.push_back(seconds_once([&] {
    lcp.emplace(*suffixes, overlap::LcpMethod::kasai);
    run.device.finish();
  }));
  pipeline.seconds.push_back(seconds_once([&] {
    minima.emplace(run.device, lcp->values(), overlap::RmqStructure::bv1);
    run.device.finish();
  }));
  pipeline.seconds.push_back(seconds_once([&] {
    const std::vector<std::uint32_t> positions = suffixes->download();
    std::vector<overlap::RangeQuery> queries;
    std::uint32_t last_first = 0, last_second = 0;  // rank + 1
    for (std::uint32_t rank = 0; rank < positions.size(); ++rank) {
      const bool in_first = positions[rank] < border;
      const std::uint32_t other = in_first ? last_second : last_first;
      if (other != 0) queries.push_back({other, rank});
      (in_first ? last_first : last_second) = rank + 1;
    }
    for (const overlap::RangeMinimum& minimum : minima->minima(queries))
      pipeline.length = std::max<std::uint64_t>(pipeline.length, minimum.value);
  }));
  return pipeline;
}

void table6(Run& run) {
  Table table(run, "table6", "Table VI: the pipeline to the longest overlap region of two sequences (ms)",
              {"sequences, symbols each", "published: DC3", "Kasai", "Cartesian tree, RMQ", "region", "published",
               "default", "length", "paper GPU", "paper CPU"});
  const unsigned last = run.by_size(10U, 18U, 20U), step = run.toy() ? 2 : 4;
  for (const auto& [first, second] : {std::pair{0, 1}, {1, 2}, {0, 2}})
    for (unsigned bits = run.toy() ? 8 : 14; bits <= last; bits += step) {
      const auto set_of = [&](const Genome& genome) {
        const Bytes letters = letters_of(genome, std::uint64_t{1} << bits);
        SequenceSet set;
        set.append_letters(genome.name, std::string(letters.begin(), letters.end()));
        return set;
      };
      const SequenceSet a = set_of(genomes[static_cast<std::size_t>(first)]);
      const SequenceSet b = set_of(genomes[static_cast<std::size_t>(second)]);
      if (!run.toy()) published_pipeline(run, a, b);  // compiles
      const Pipeline published = published_pipeline(run, a, b);
      std::vector<overlap::CommonRegion> regions, same;
      const double seconds = seconds_of(run, [&] { regions = overlap::longest_common(run.device, a, b); });
      double sum = 0;
      std::vector<std::string> cells;
      for (const double one : published.seconds) {
        sum += one;
        cells.push_back(milliseconds(one));
      }
      const std::string name = genomes[static_cast<std::size_t>(first)].name + ", " +
                               genomes[static_cast<std::size_t>(second)].name + ", " +
                               genocl_bench::size_name(std::uint64_t{1} << bits);
      cells.insert(cells.end(), {milliseconds(sum), milliseconds(seconds), count_text(published.length),
                                 table.paper(name, "GPU"), table.paper(name, "CPU")});
      overlap::RegionOptions options;
      options.algorithm = overlap::Algorithm::published;
      same = overlap::longest_common(run.device, a, b, options);
      bool right = !regions.empty() && regions.front().length == published.length && same.size() == regions.size();
      for (std::size_t i = 0; right && i < regions.size(); ++i)
        right = same[i].length == regions[i].length && same[i].in_first == regions[i].in_first &&
                same[i].in_second == regions[i].in_second;
      table.row(name, cells, right);
    }
  table.note(
      "The rows of the paper's Table VI are not on record: these are the steps that it describes. Sequences as "
      "in Table V.");
}

}  // namespace

void print_overlap(Run& run) {
  table5(run);
  table6(run);
}

}  // namespace genocl_papers
