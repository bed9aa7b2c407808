// 003: Tran, Giraud and Varre, "Perfect hashing structures for parallel similarity searches".
#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "genocl/error.hpp"
#include "genocl/json.hpp"
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

/// 24 records of equal length. Half of their bases are copies of 200 families of repeats, of 300 to 6,000 bases, with 5
/// to 25% substitutions; the others are drawn one by one. A human genome has as many bases in repeats.
SequenceSet drawn_genome(std::uint64_t size) {
  constexpr std::uint64_t records = 24, families = 200, shortest = 300, longest = 6000;
  const genocl::SequenceSet repeats = genocl_bench::bench_text(families * longest);
  genocl_bench::Drawn drawn(29);
  SequenceSet genome;
  for (std::uint64_t record = 0; record < records; ++record) {
    const std::span<Code> codes = genome.extend("chr" + std::to_string(record + 1), "", size / records).codes;
    bool repeat = false;
    for (std::size_t begin = 0, end = 0; begin < codes.size(); begin = end, repeat = !repeat) {
      const std::uint64_t family = drawn() % families;
      const std::uint64_t length = shortest + family * (longest - shortest) / families;
      end = std::min<std::size_t>(codes.size(), begin + length);
      const std::uint32_t substituted = (5 + drawn() % 21) * 42'949'672U;  // of 2^32
      const std::span<const Code> source = repeats[0].subspan(family * longest, length);
      for (std::size_t i = begin; i < end; ++i)
        codes[i] = repeat && drawn() >= substituted ? source[i - begin] : static_cast<Code>(drawn() % 4);
    }
  }
  return genome;
}

Genome make_genome(const Run& run) {
  if (run.whole_genome) {
    const std::uint64_t size = run.by_size<std::uint64_t>(48'000, 3'100'000'000, 3'100'000'000);
    return {drawn_genome(size),
            "Genome (the paper: human): drawn, " + count_text(size) + " bases, half of them repeats."};
  }
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

marose::Index index_of(const Run& run, const Genome& genome, Method method, const std::string& seed = paper_mask) {
  marose::IndexOptions options;
  options.method = method;
  options.model = marose::Model::hamming;
  options.read_length = read_length;
  options.errors = {.count = substitutions, .share = 0};
  if (method != Method::kmers && method != Method::canonical) {
    options.seed_mask = seed;
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

std::string row_name(Method method) {
  return method == Method::phf_published ? "phf as published" : std::string(to_string(method));
}

std::uint32_t table_reads(const Run& run) {
  if (run.whole_genome && !run.toy()) return 100'000;  // a read has hundreds of hits
  return run.by_size<std::uint32_t>(100, 20'000, 1'000'000);
}

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
  const std::vector<std::pair<Method, unsigned>> rows = {
      {Method::list, 1}, {Method::binary, 1}, {Method::phf_published, 1}, {Method::phf_published, 2},
      {Method::phf, 1},  {Method::phf, 2},    {Method::bitmap, 1},        {Method::canonical, 0}};
  std::vector<std::pair<std::string, Timed>> timed;
  for (const auto& [method, errors] : rows)
    timed.emplace_back(row_name(method) + (errors != 0 ? ", e = " + std::to_string(errors) : ""),
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
    table.note(genome.note +
               " `phf` has another hash and other tables than the paper's; `bitmap`, "
               "`canonical` and `kmers` are not the paper's.");
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
    segment.reference = marose::upload_reference(device, packed, {0, text[0].size(), {0, text[0].size()}});
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

/// Seconds for the look-ups of one bar, with the rate in neighbourhoods a second.
struct Bar {
  double rate = 0;
  std::uint64_t candidates = 0;  ///< of eight reads, the same by every method
};

Bar measure_bar(const Run& run, const SequenceSet& text, Method method, unsigned neighbourhood, unsigned errors) {
  const double n = neighbourhood, bases = static_cast<double>(text.residues());
  const double words = 1 + (errors > 0 ? 3 * n : 0) + (errors > 1 ? 9 * n * (n - 1) / 2 : 0);
  // A look-up of `list` compares all entries of a seed.
  const double budget = run.by_size(1e6, method == Method::list ? 3e8 : 1e6, 1e9);
  const double cost = method == Method::list ? bases / 256 : words;
  const double places = 2.0 * (read_length - 4 - neighbourhood + 1);
  const auto count = static_cast<std::uint32_t>(std::clamp(budget / cost / places, 8.0, 200'000.0));
  const Reads reads = draw_reads(text, count, true);
  const LookUps look_ups(run.device, text, reads, method, neighbourhood, errors);
  Bar bar;
  const auto look_up = [&](const LookUps& all) {
    return marose::count_candidates_published(run.device, all.segment, all.batch, all.plans, marose::both_strands);
  };
  const double seconds = seconds_of(run, [&] { look_up(look_ups); });
  bar.rate = count * places * words / seconds / 1e6;
  bar.candidates = look_up(LookUps(run.device, text, draw_reads(text, 8, true), method, neighbourhood, errors));
  return bar;
}

void figure8(Run& run) {
  const std::uint64_t bases = run.by_size<std::uint64_t>(20'000, 1'000'000, 4'000'000);
  const SequenceSet text = genocl_bench::bench_text(bases);
  Table table(run, "figure8", "Figure 8: look-ups with seeds of 4 bases (M neighbourhoods/s)",
              {"ln, e", "neighbourhoods of a pattern", "list", "binary", "phf as published", "phf",
               "as published / binary", "phf / binary", "paper: phf / binary"});
  for (const unsigned neighbourhood : {4U, 8U, 16U})
    for (const unsigned errors : {0U, 1U, 2U}) {
      const unsigned n = neighbourhood;
      const unsigned words = 1 + (errors > 0 ? 3 * n : 0) + (errors > 1 ? 9 * n * (n - 1) / 2 : 0);
      std::vector<Bar> bars;
      for (const Method method : {Method::list, Method::binary, Method::phf_published, Method::phf})
        bars.push_back(measure_bar(run, text, method, neighbourhood, errors));
      std::vector<std::string> cells = {count_text(words)};
      for (const Bar& bar : bars) cells.push_back(digits(bar.rate));
      const std::string name = "ln = " + std::to_string(neighbourhood) + ", e = " + std::to_string(errors);
      cells.push_back(digits(bars[2].rate / bars[1].rate));
      cells.push_back(digits(bars[3].rate / bars[1].rate));
      cells.push_back(table.paper(name, "phf / binary"));
      const bool same =
          std::all_of(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.candidates == bars[0].candidates; });
      table.row(name, cells, bars[0].candidates > 0 && same);
    }
  table.note("A pattern stands for all neighbourhoods within e substitutions of the one next to its seed. Text: " +
             count_text(bases) +
             " drawn bases. The paper prints no numbers for its 27 bars, and says that perfect hashing is up to 10 "
             "times as fast as binary search.");
  table.note(
      "`phf` hashes each neighbourhood of a pattern: with ln = 16 and e = 2 these are 1,129 look-ups of random "
      "memory. `list` reads the block of the seed once, whatever e is.");
}

/// A point of the curve of section V-C: the look-ups of a plan, their losses in per cent, and the rate.
struct Point {
  unsigned shift = 0;
  std::uint64_t missed = 0;  ///< of the 9,880 placements of three substitutions
  std::size_t seeds = 0;     ///< of a read, both strands
  double proved = 0, measured = 0, rate = 0;
  bool right = false;  ///< exactly those reads are lost whose placement no look-up finds
};

Point measure_point(const Run& run, const Reads& reads, const marose::Index& index, unsigned shift, unsigned errors) {
  const marose::Mapper mapper = mapper_of(run, index, shift, errors);
  const marose::Plan& plan = mapper.plan(read_length);
  Point point;
  point.shift = shift;
  point.seeds = 2 * plan.places.size();
  point.missed = marose::count_missed_substitutions(plan).value_or(0);
  point.proved = 100.0 * static_cast<double>(point.missed) / 9880;
  marose::Hits hits;
  const double seconds = seconds_of(
      run, [&] { hits = mapper.map(reads.set); }, 1);
  std::uint64_t lost = 0;
  point.right = true;
  for (std::size_t r = 0; r < reads.set.size(); ++r) {
    const auto own = hits.of(r);
    const bool found = std::any_of(own.begin(), own.end(), [&](const marose::Hit& hit) {
      return hit.reference == reads.records[r] && hit.position == reads.origins[r] &&
             hit.strand == marose::Strand::forward;
    });
    const bool expected = std::any_of(plan.places.begin(), plan.places.end(), [&](const marose::SeedLookup& lookup) {
      return marose::finds(plan.mask, lookup, reads.placements[r]);
    });
    lost += found ? 0 : 1;
    point.right = point.right && found == expected;
  }
  const auto count = static_cast<double>(reads.set.size());
  point.measured = 100.0 * static_cast<double>(lost) / count;
  point.rate = count / seconds / 1e3;
  return point;
}

/// The curves of a seed: for each number of errors in the neighbourhood the points of all shifts.
using Curves = std::vector<std::vector<Point>>;

Curves sensitivity_of(Run& run, const Genome& genome, const Reads& reads, const std::string& seed) {
  const marose::Index index = index_of(run, genome, Method::list, seed);
  Table table(run, "sectionVC", "Section V-C: loss of reads of 40 bases with 3 substitutions, " + seed + " and ln = 7",
              {"e, shift", "seeds of a read", "placements missed, of 9,880", "proved loss (%)", "measured loss (%)",
               "k reads/s"});
  Curves curves;
  for (const unsigned errors : {0U, 1U, 2U}) {
    std::vector<Point>& curve = curves.emplace_back();
    for (const unsigned shift : {1U, 2U, 3U, 4U, 6U, 8U}) {
      const Point& point = curve.emplace_back(measure_point(run, reads, index, shift, errors));
      table.row("e = " + std::to_string(errors) + ", " + std::to_string(shift),
                {count_text(point.seeds), count_text(point.missed), digits(point.proved), digits(point.measured),
                 digits(point.rate)},
                point.right);
    }
  }
  table.note(genome.note + " Each read is lost exactly if no look-up finds its placement.");
  return curves;
}

/// Writes the curves for docs/figures/plot.py.
void write_curves(const Run& run, const Genome& genome, const std::vector<std::pair<std::string, Curves>>& seeds) {
  constexpr std::array<const char*, 3> names = {"no error in the neighbourhood", "one error", "two errors"};
  std::ostringstream text;
  text << "{\"title\": \"Speed and loss of reads of 40 bases with 3 substitutions, neighbourhoods of 7\",\n"
       << " \"marks\": \"line and dot: loss proved by enumeration; ring: measured; number: bases between seeds\",\n"
       << " \"x\": \"thousands of reads a second, both strands\",\n"
       << " \"y\": \"loss of reads in per cent\",\n \"panels\": [\n";
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    text << "  {\"name\": \"seed " << seeds[s].first << "\", \"curves\": [\n";
    for (std::size_t e = 0; e < names.size(); ++e) {
      text << "    {\"name\": \"" << names[e] << "\", \"points\": [";
      const std::vector<Point>& curve = seeds[s].second[e];
      for (std::size_t i = 0; i < curve.size(); ++i)
        text << (i == 0 ? "\n" : ",\n") << "      {\"name\": \"" << curve[i].shift << "\", \"x\": " << curve[i].rate
             << ", \"line\": " << curve[i].proved << ", \"mark\": " << curve[i].measured << '}';
      text << "]}" << (e + 1 < names.size() ? ",\n" : "]}");
    }
    text << (s + 1 < seeds.size() ? ",\n" : "],\n");
  }
  text << " \"source\": "
       << genocl::json_string("sh tests/bench/papers.sh 003 --figures FOLDER. " + genome.note + ' ' +
                              run.device.info().name + '.')
       << "}\n";
  const std::string path = run.figures + "/sensitivity.json";
  std::ofstream out(path);
  out << text.str();
  out.close();
  if (!out) throw genocl::InputError(path + ": cannot be written");
}

/// Shares of reads that look-ups lose, proved by enumeration and measured, and the rates (section V-C).
void sensitivity(Run& run, const Genome& genome) {
  const Reads reads = draw_reads(genome.text, run.by_size<std::uint32_t>(400, 20'000, 1'000'000), false);
  std::vector<std::pair<std::string, Curves>> seeds;
  for (const char* const seed : {paper_mask, "########", "######"})
    seeds.emplace_back(seed, sensitivity_of(run, genome, reads, seed));
  if (!run.figures.empty()) write_curves(run, genome, seeds);
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
  if (run.whole_genome) return;
  figure8(run);
  sensitivity(run, genome);
}

}  // namespace genocl_papers
