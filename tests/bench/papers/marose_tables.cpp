// 003: Tran, Giraud and Varre, "Perfect hashing structures for parallel similarity searches".
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/device_state.hpp"
#include "marose/plan.hpp"
#include "marose/published/published.hpp"
#include "papers.hpp"
#include "reference/marose/marose.hpp"

namespace genocl_papers {
namespace {

using genocl::Code;
using genocl::SequenceSet;
namespace marose = genocl::marose;
using marose::Method;

constexpr unsigned read_length = 40, substitutions = 3;
constexpr const char* paper_mask = "######-##";
constexpr unsigned paper_neighbourhood = 7;

/// Reads of 40 bases with exactly 3 substitutions, as the paper's, and where each was taken from.
struct Reads {
  SequenceSet set;
  std::vector<std::uint32_t> records;             ///< of the genome
  std::vector<std::uint64_t> origins;             ///< position in the record
  std::vector<std::vector<unsigned>> placements;  ///< of the substitutions, ascending
};

/// `both`: every other read is from the reverse strand.
Reads draw_reads(const SequenceSet& text, std::uint32_t count, bool both) {
  Reads reads;
  genocl_bench::Drawn drawn(17);
  std::vector<std::uint64_t> ends;
  for (std::size_t r = 0; r < text.size(); ++r) ends.push_back((ends.empty() ? 0 : ends.back()) + text[r].size());
  std::vector<Code> read(read_length), reversed(read_length);
  while (reads.set.size() < count) {
    const std::uint64_t high = drawn(), place = (high << 32 | drawn()) % text.residues();
    const auto record = static_cast<std::uint32_t>(std::ranges::upper_bound(ends, place) - ends.begin());
    const std::span<const Code> codes = text[record];
    const std::uint64_t origin = place - (ends[record] - codes.size());
    if (origin + read_length > codes.size()) continue;
    std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(origin), read_length, read.begin());
    if (std::any_of(read.begin(), read.end(), [](Code code) { return code > 3; })) continue;
    std::vector<unsigned> placement;
    while (placement.size() < substitutions) {
      const unsigned at = drawn() % read_length;
      if (std::find(placement.begin(), placement.end(), at) == placement.end()) placement.push_back(at);
    }
    std::sort(placement.begin(), placement.end());
    for (const unsigned at : placement) read[at] = static_cast<Code>((read[at] + 1 + drawn() % 3) % 4);
    if (both && reads.set.size() % 2 != 0) {
      genocl::dna::reverse_complement(read, reversed);
      read.swap(reversed);
    }
    reads.set.append("r" + std::to_string(reads.set.size()), read);
    reads.records.push_back(record);
    reads.origins.push_back(origin);
    reads.placements.push_back(std::move(placement));
  }
  return reads;
}

struct Genome {
  SequenceSet text;
  std::string note;
};

Genome make_genome(const Run& run) {
  if (!run.genome.empty()) {
    Genome genome{genocl_bench::read_fasta(run.genome), ""};
    if (genome.text.residues() < 1000) throw genocl::InputError(run.genome + ": no genome of 1,000 bases or more");
    genome.note = "Genome: " + run.genome + ", " + count_text(genome.text.residues()) + " bases.";
    return genome;
  }
  const std::uint64_t size = run.by_size<std::uint64_t>(6'000, genocl_bench::ecoli_size, 150'000'000);
  const bool real = size == genocl_bench::ecoli_size && !genocl_bench::test_data("dna/ecoli_k12.fa.gz").empty();
  return {genocl_bench::bench_text(size),
          "Genome (the paper: human): " + std::string(real ? "E. coli K-12, 4.6 Mb." : "drawn, ") +
              (real ? "" : count_text(size) + " bases.")};
}

marose::Index index_of(const Run& run, const Genome& genome, Method method) {
  marose::IndexOptions options;
  options.method = method;
  options.model = marose::Model::hamming;
  options.read_length = read_length;
  options.errors = {.count = substitutions, .share = 0};
  if (method != Method::kmers && method != Method::canonical) {
    options.seed_mask = paper_mask;
    options.neighbourhood = paper_neighbourhood;
  }
  return marose::Index::build(run.device, genome.text, options);
}

/// All hits with 3 substitutions. The published methods have a pattern at every `shift` bases and `errors` in the
/// neighbourhood; shift 0: the default plan.
marose::Mapper mapper_of(const Run& run, const marose::Index& index, unsigned shift, unsigned errors) {
  marose::MapOptions options;
  options.model = marose::Model::hamming;
  options.errors = {.count = substitutions, .share = 0};
  options.report = marose::Report::all();
  options.align.reset();
  if (shift != 0) {
    options.shift = shift;
    options.neighbourhood_errors = errors;
    options.heuristic = true;
  }
  return marose::Mapper(std::span(&run.device, 1), index, options);
}

struct Counts {
  std::uint64_t mapped = 0, unique = 0, multiple = 0, hits = 0, multiple_hits = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts counts_of(const marose::Hits& hits) {
  Counts counts;
  for (std::size_t r = 0; r < hits.reads.size(); ++r) {
    const std::uint64_t own = hits.of(r).size();
    counts.hits += own;
    counts.mapped += own > 0 ? 1 : 0;
    counts.unique += own == 1 ? 1 : 0;
    counts.multiple += own > 1 ? 1 : 0;
    counts.multiple_hits += own > 1 ? own : 0;
  }
  return counts;
}

/// By brute force.
Counts scalar_counts(const Genome& genome, const Reads& reads) {
  marose::Hits hits;
  for (std::size_t r = 0; r < reads.set.size(); ++r) {
    const auto own = reference::map_read(genome.text, reads.set[r], substitutions, marose::Model::hamming);
    hits.hits.insert(hits.hits.end(), own.begin(), own.end());
    hits.offsets.push_back(hits.hits.size());
    hits.reads.emplace_back();
  }
  return counts_of(hits);
}

struct Timed {
  Counts counts;
  double build = 0, map = 0;
};

Timed map_by(const Run& run, const Genome& genome, const Reads& reads, Method method, unsigned errors) {
  const bool published = method != Method::kmers && method != Method::canonical;
  Timed timed;
  std::unique_ptr<marose::Index> index;
  timed.build = seconds_of(
      run, [&] { index = std::make_unique<marose::Index>(index_of(run, genome, method)); }, 1);
  const marose::Mapper mapper = mapper_of(run, *index, published ? 1 : 0, errors);
  marose::Hits hits;
  timed.map = seconds_of(
      run, [&] { hits = mapper.map(reads.set); }, 1);
  timed.counts = counts_of(hits);
  return timed;
}

std::uint32_t table_reads(const Run& run) { return run.by_size<std::uint32_t>(100, 20'000, 1'000'000); }

void tables(Run& run, const Genome& genome) {
  const std::uint32_t count = table_reads(run);
  const Reads reads = draw_reads(genome.text, count, true);
  const Timed kmers = map_by(run, genome, reads, Method::kmers, 0);
  const Counts truth = run.toy() ? scalar_counts(genome, reads) : kmers.counts;
  const auto mean = [](const Counts& counts) {
    return counts.multiple == 0
               ? std::string("-")
               : digits(static_cast<double>(counts.multiple_hits) / static_cast<double>(counts.multiple));
  };
  const std::vector<std::pair<Method, unsigned>> rows = {{Method::list, 1},   {Method::binary, 1},
                                                         {Method::phf, 1},    {Method::phf, 2},
                                                         {Method::bitmap, 1}, {Method::canonical, 0}};
  std::vector<std::pair<std::string, Timed>> timed;
  for (const auto& [method, errors] : rows)
    timed.emplace_back(std::string(to_string(method)) + (errors != 0 ? ", e = " + std::to_string(errors) : ""),
                       map_by(run, genome, reads, method, errors));
  timed.emplace_back("kmers (default)", kmers);
  {
    Table table(run, "table1", "Table I: reads of 40 bases with 3 substitutions",
                {"method", "reads", "mapped", "unique", "multiple", "mean hits of multiple", "not mapped"});
    for (const auto& [name, one] : timed) {
      const Counts& c = one.counts;
      table.row(name,
                {count_text(count), count_text(c.mapped), count_text(c.unique), count_text(c.multiple), mean(c),
                 count_text(count - c.mapped)},
                c == truth);
    }
    std::vector<std::string> cells;
    for (const char* const column : {"reads", "mapped", "unique", "multiple", "mean", "not mapped"})
      cells.push_back(table.paper("human", column));
    table.note_row("paper, human genome", cells);
    table.note(genome.note + " `bitmap`, `canonical` and `kmers` are not the paper's.");
  }
  Table table(run, "table2", "Table II: thousands of reads a second, both strands, all hits",
              {"program", "index: s", "map: s", "k reads/s", "hardware, date"});
  for (const auto& [name, one] : timed)
    table.row("genocl, " + name,
              {digits(one.build), digits(one.map), digits(count / one.map / 1e3), run.device.info().name},
              one.counts == truth);
  for (const char* const row : {"MAROSE, Titan", "bwa aln -o 0", "bwa aln -o 1", "bwa aln -o 2"})
    table.note_row(std::string("paper: ") + row,
                   {"-", table.paper(row, "s"), table.paper(row, "k reads/s"), table.paper(row, "hardware")});
  for (const char* const row : {"bwa aln -o 0", "bwa aln -o 1", "bwa aln -o 2", "razers3", "bowtie -v 3 -a"})
    table.note_row(row, {"-", "-", table.peer(row, "k reads/s"), table.peer(row, "hardware, date")});
  table.note(genome.note + " The paper maps 460,544 reads to human chromosome 10.");
}

/// The look-ups of Figure 8: a pattern at every base of reads on the device.
struct LookUps {
  marose::DeviceSegment segment;
  marose::ReadBatch batch;
  marose::PlanTable plans;

  LookUps(const genocl::Device& device, const SequenceSet& text, const Reads& reads, Method method,
          unsigned neighbourhood, unsigned errors) {
    const genocl::PackedDna packed(text[0]);
    segment.reference = marose::upload_reference(device, packed, {0, text[0].size(), 0, text[0].size()});
    segment.method = method;
    segment.mask = marose::SeedMask("####");
    segment.neighbourhood = neighbourhood;
    segment.tables = marose::build_published(device, segment.reference, segment.mask, neighbourhood, method);
    marose::Plan plan;
    plan.length = read_length;
    plan.errors = substitutions;
    plan.method = method;
    plan.mask = segment.mask;
    plan.neighbourhood = neighbourhood;
    plan.neighbourhood_errors = errors;
    const unsigned span = segment.mask.span();
    for (unsigned offset = 0; offset + span + neighbourhood <= read_length; ++offset)
      plan.places.push_back({offset, offset + span, offset + span + neighbourhood, errors});
    plans = marose::make_plan_table(device, std::span(&plan, 1));
    std::vector<std::uint32_t> which(reads.set.size());
    for (std::uint32_t i = 0; i < which.size(); ++i) which[i] = i;
    batch = marose::pack_reads(device, reads.set, which, std::vector<std::uint32_t>(which.size(), 0));
  }
};

void figure8(Run& run) {
  const std::uint64_t bases = run.by_size<std::uint64_t>(20'000, 1'000'000, 4'000'000);
  const SequenceSet text = genocl_bench::bench_text(bases);
  Table table(run, "figure8", "Figure 8: look-ups with seeds of 4 bases (M neighbourhoods/s)",
              {"ln, e", "neighbourhoods of a pattern", "list", "binary", "phf", "phf / binary", "paper: phf / binary"});
  for (const unsigned neighbourhood : {4U, 8U, 16U})
    for (const unsigned errors : {0U, 1U, 2U}) {
      const double n = neighbourhood;
      const double words = 1 + (errors > 0 ? 3 * n : 0) + (errors > 1 ? 9 * n * (n - 1) / 2 : 0);
      std::vector<std::uint64_t> candidates;
      std::vector<std::string> cells = {count_text(static_cast<std::uint64_t>(words))};
      double binary = 0, phf = 0;
      for (const Method method : {Method::list, Method::binary, Method::phf}) {
        // A look-up of `list` compares all entries of a seed.
        const double budget = run.by_size(1e6, method == Method::list ? 3e8 : 1e6, 1e9);
        const double cost = method == Method::list ? static_cast<double>(bases) / 256 : words;
        const double places = 2.0 * (read_length - 4 - neighbourhood + 1);
        const auto count = static_cast<std::uint32_t>(std::clamp(budget / cost / places, 8.0, 200'000.0));
        const Reads reads = draw_reads(text, count, true);
        const LookUps look_ups(run.device, text, reads, method, neighbourhood, errors);
        std::uint64_t found = 0;
        const double seconds = seconds_of(run, [&] {
          found = marose::count_candidates_published(run.device, look_ups.segment, look_ups.batch, look_ups.plans,
                                                     marose::both_strands);
        });
        const double rate = count * places * words / seconds / 1e6;
        cells.push_back(digits(rate));
        (method == Method::binary ? binary
         : method == Method::phf  ? phf
                                  : binary) = method == Method::list ? binary : rate;
        // The same few reads by every method.
        const Reads few = draw_reads(text, 8, true);
        const LookUps same(run.device, text, few, method, neighbourhood, errors);
        candidates.push_back(
            marose::count_candidates_published(run.device, same.segment, same.batch, same.plans, marose::both_strands));
      }
      const std::string name = "ln = " + std::to_string(neighbourhood) + ", e = " + std::to_string(errors);
      cells.push_back(digits(phf / binary));
      cells.push_back(table.paper(name, "phf / binary"));
      table.row(name, cells, candidates[0] > 0 && candidates[0] == candidates[1] && candidates[1] == candidates[2]);
    }
  table.note("A pattern stands for all neighbourhoods within e substitutions of the one next to its seed. Text: " +
             count_text(bases) +
             " drawn bases. The paper prints no numbers for its 27 bars, and says that perfect hashing is up to 10 "
             "times as fast as binary search.");
  table.note(
      "`phf` hashes each neighbourhood of a pattern: with ln = 16 and e = 2 these are 1,129 look-ups of random "
      "memory. `list` reads the block of the seed once, whatever e is.");
}

/// Shares of reads that look-ups lose, proved by enumeration and measured (section V-C).
void sensitivity(Run& run, const Genome& genome) {
  const auto count = run.by_size<std::uint32_t>(400, 20'000, 1'000'000);
  const Reads reads = draw_reads(genome.text, count, false);
  const marose::Index index = index_of(run, genome, Method::list);
  Table table(run, "sectionVC", "Section V-C: loss of reads of 40 bases with 3 substitutions, ######-## and ln = 7",
              {"e, shift", "seeds of a read", "placements missed, of 9,880", "proved loss (%)", "measured loss (%)",
               "k reads/s"});
  for (const unsigned errors : {0U, 1U, 2U})
    for (const unsigned shift : {1U, 2U, 3U, 4U, 6U, 8U}) {
      const marose::Mapper mapper = mapper_of(run, index, shift, errors);
      const marose::Plan& plan = mapper.plan(read_length);
      const std::uint64_t missed = marose::count_missed_substitutions(plan).value_or(0);
      marose::Hits hits;
      const double seconds = seconds_of(
          run, [&] { hits = mapper.map(reads.set); }, 1);
      std::uint64_t lost = 0, expected = 0;
      for (std::size_t r = 0; r < reads.set.size(); ++r) {
        const auto own = hits.of(r);
        lost += std::any_of(own.begin(), own.end(),
                            [&](const marose::Hit& hit) {
                              return hit.reference == reads.records[r] && hit.position == reads.origins[r] &&
                                     hit.strand == marose::Strand::forward;
                            })
                    ? 0
                    : 1;
        expected += std::any_of(plan.places.begin(), plan.places.end(),
                                [&](const marose::SeedLookup& lookup) {
                                  return marose::finds(plan.mask, lookup, reads.placements[r]);
                                })
                        ? 0
                        : 1;
      }
      table.row(
          "e = " + std::to_string(errors) + ", " + std::to_string(shift),
          {count_text(2 * plan.places.size()), count_text(missed), digits(100.0 * static_cast<double>(missed) / 9880),
           digits(100.0 * static_cast<double>(lost) / count), digits(count / seconds / 1e3)},
          lost == expected);
    }
  table.note(genome.note + " Each read is lost exactly if no look-up finds its placement.");
}

}  // namespace

void write_marose_data(const Run& run, const std::string& folder) {
  const Genome genome = make_genome(run);
  write_records(genome.text, folder + "/genome.fa", false);
  write_records(draw_reads(genome.text, table_reads(run), true).set, folder + "/reads.fq", true);
}

void print_marose(Run& run) {
  const Genome genome = make_genome(run);
  tables(run, genome);
  figure8(run);
  sensitivity(run, genome);
}

}  // namespace genocl_papers
