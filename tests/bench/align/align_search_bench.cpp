// Whole searches: scores on the devices, the best hits selected there and merged; on one device and on all like it.
#include <memory>
#include <string>
#include <utility>

#include "align_proteome.hpp"
#include "bench/bench.hpp"
#include "genocl/align.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::align;

/// A database, queries and searchers, made at the first call that needs them.
struct Search {
  genocl::SequenceSet (*make_queries)();
  std::uint64_t residues;
  std::unique_ptr<Database> database;
  genocl::SequenceSet queries{genocl::Alphabet::protein};
  std::unique_ptr<Searcher> searcher;

  void run(const std::vector<genocl::Device>& devices) {
    if (!database) {
      database = std::make_unique<Database>(Database::build(drawn_proteome(residues)));
      queries = make_queries();
    }
    if (!searcher) searcher = std::make_unique<Searcher>(devices, *database);
    benchmark::DoNotOptimize(searcher->search(queries));
  }
};

/// The lengths of the queries of swGPUcluster's Table I.
genocl::SequenceSet paper_queries() {
  return drawn_queries({144, 189, 222, 375, 553, 729, 1000, 1500, 2005, 2504, 3564, 4548, 5147, 5478});
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
    genocl::SequenceSet (*queries)();
    std::uint64_t residues;
  };
  for (const Case& one : {Case{"paper-182M", paper_queries, cpu ? 500'000u : 181'676'505u},
                          Case{"classic-200M", classic_queries, cpu ? 500'000u : 200'000'000u}}) {
    const auto search = std::make_shared<Search>();
    search->make_queries = one.queries;
    search->residues = one.residues;
    const double cells = static_cast<double>(one.queries().residues()) * static_cast<double>(one.residues);
    for (std::size_t count = 1; count <= all.size(); count *= 2) {
      const std::vector<genocl::Device> devices(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      add_benchmark(
          std::string("align/search/") + one.name + "/" + std::to_string(count), setting, devices.front(),
          {.items = cells, .per_cpu = cpu}, [=] { search->run(devices); }, {}, [=] { search->searcher.reset(); });
    }
  }
}

}  // namespace genocl_bench
