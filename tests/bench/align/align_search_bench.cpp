// Whole searches: scores on the devices, the best hits selected there and merged; on one device and on all like it.
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "align_proteome.hpp"
#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "genocl/align.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::align;

/// A database, queries and searchers, made at the first call that needs them.
struct Search {
  std::function<genocl::SequenceSet()> make_queries, make_subjects;
  SearchOptions options;
  std::unique_ptr<Database> database;
  genocl::SequenceSet queries{genocl::Alphabet::protein};
  std::unique_ptr<Searcher> searcher;

  void run(const std::vector<genocl::Device>& devices) {
    if (!database) {
      database = std::make_unique<Database>(Database::build(make_subjects()));
      queries = make_queries();
    }
    if (!searcher) searcher = std::make_unique<Searcher>(devices, *database, options);
    benchmark::DoNotOptimize(searcher->search(queries));
  }
};

/// The lengths of the queries of swGPUcluster's Table I.
genocl::SequenceSet paper_queries() {
  return drawn_queries({144, 189, 222, 375, 553, 729, 1000, 1500, 2005, 2504, 3564, 4548, 5147, 5478});
}

/// From both strands of E. coli, of 150 letters, one in a hundred drawn anew.
genocl::SequenceSet ecoli_reads(std::size_t count) {
  constexpr std::size_t length = 150;
  const genocl::SequenceSet genome = bench_text(ecoli_size);
  Drawn drawn(150);
  genocl::SequenceSet reads(genocl::Alphabet::dna);
  std::vector<genocl::Code> read(length), turned(length);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = drawn() % (genome.length(0) - length);
    for (std::size_t k = 0; k < length; ++k)
      read[k] = drawn() % 100 == 0 ? static_cast<genocl::Code>(drawn() % 4) : genome[0][begin + k];
    if (i % 2 != 0) {
      genocl::dna::reverse_complement(read, turned);
      read = turned;
    }
    reads.append("r" + std::to_string(i), read);
  }
  return reads;
}

/// The device under test and those of its platform that have its name, each with a context of its own.
std::vector<genocl::Device> like(const genocl::Device& device) {
  std::string specs;
  for (const genocl::DeviceInfo& info : genocl::Device::available())
    if (info.platform_index == device.info().platform_index && info.name == device.info().name)
      specs += (specs.empty() ? "" : ",") + std::to_string(info.index);
  return genocl::Device::list(specs);
}

}  // namespace

void add_align_search(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const std::vector<genocl::Device> all = like(setting.device());
  struct Case {
    const char* name;
    std::function<genocl::SequenceSet()> queries, subjects;
    std::uint64_t letters, residues;  // with both strands of the queries
    SearchOptions options = {};
  };
  const auto proteins = [](std::uint64_t residues) { return [=] { return drawn_proteome(residues); }; };
  const std::uint64_t paper = cpu ? 500'000u : 181'676'505u, classic = cpu ? 500'000u : 200'000'000u;
  // So many as keep a CPU busy for some seconds.
  const std::size_t reads = cpu ? 100 : 1000;
  for (const Case& one :
       {Case{"paper-182M", paper_queries, proteins(paper), paper_queries().residues(), paper},
        Case{"classic-200M", classic_queries, proteins(classic), classic_queries().residues(), classic},
        Case{"reads-ecoli", [=] { return ecoli_reads(reads); }, [] { return bench_text(ecoli_size); }, reads * 2 * 150,
             ecoli_size, SearchOptions{.matrix = Matrix::dna(), .gap = {.open = 5, .extend = 2}, .progress = {}}}}) {
    const auto search = std::make_shared<Search>();
    search->make_queries = one.queries;
    search->make_subjects = one.subjects;
    search->options = one.options;
    const double cells = static_cast<double>(one.letters) * static_cast<double>(one.residues);
    for (std::size_t count = 1; count <= all.size(); count *= 2) {
      const std::vector<genocl::Device> devices(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      add_benchmark(
          std::string("align/search/") + one.name + "/" + std::to_string(count), setting, devices.front(),
          {.items = cells, .per_cpu = cpu}, [=] { search->run(devices); }, {}, [=] { search->searcher.reset(); });
    }
  }
}

}  // namespace genocl_bench
