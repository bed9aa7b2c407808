// Smith-Waterman scores, billions of cells a second (GCUPS): query letters times database letters.
//
// The real database is a file: GENOCL_BENCH_DATABASE, a FASTA file as it is (below GENOCL_TEST_DATA unless absolute),
// and GENOCL_BENCH_QUERIES next to it. Without them one is drawn with the lengths and the composition of 51 million
// residues of UniProt proteomes, and queries of the lengths of the twenty that the field measures with.
//
// Reached on an H200, GCUPS, BLOSUM62, 11/1, scores only (CUDASW++4.0 on the same card: 3,123 and 4,982):
//
//                               20 queries in a batch   one by one   m = 144     567   1,000   5,478
//   51 M real residues, vendor                  7,061        5,819     4,796   5,684   5,724   5,807
//   portable, 32 bits                           3,333                  2,563           3,338   3,348
//   250,000 x 512, vendor                       7,149        5,901
//
// The busiest pipe of its multiprocessors does three and a half operations a word of two cells (one more to merge two
// subjects' scores) at two clocks: 9,560 and 7,400.
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>

#include "align/device_state.hpp"
#include "align/pipeline.hpp"
#include "align/score/score_gpu.hpp"
#include "align_proteome.hpp"
#include "bench/bench.hpp"
#include "genocl/sequence.hpp"

namespace genocl_bench {
namespace {

using namespace genocl::align;
using genocl::SequenceSet;

/// A database, the chunks of it on a device, and queries: made at the first call that needs them.
class Data {
 public:
  using Make = std::function<SequenceSet()>;
  Data(Make database, Make queries) : make_database_(std::move(database)), make_queries_(std::move(queries)) {}

  void prepare(const genocl::Device& device) {
    if (!database_) {
      database_ = std::make_unique<Database>(Database::build(make_database_()));
      queries_ = make_queries_();
    }
    if (!chunks_.empty()) return;
    table_ = make_scoring_table(blosum62(), {11, 1}, database_->letter_counts());
    for (const ChunkRange& range : cut_into_chunks(*database_, std::uint64_t{1} << 30)) {
      chunks_.push_back(upload_chunk(device, *database_, range, table_, DeviceChunk::Layout::plain));
      scores_.emplace_back(device, range.count * queries_.size());
    }
  }
  void release() {
    chunks_.clear();
    scores_.clear();
  }
  void score(const genocl::Device& device, std::size_t first, std::size_t count, const GpuTuning& tuning) {
    std::vector<Query> queries;
    for (std::size_t i = first; i < first + count; ++i) queries.push_back({queries_[i]});
    for (std::size_t c = 0; c < chunks_.size(); ++c) score_gpu(device, table_, chunks_[c], queries, tuning, scores_[c]);
  }
  std::size_t queries() const { return queries_.size(); }

 private:
  Make make_database_, make_queries_;
  std::unique_ptr<Database> database_;
  SequenceSet queries_{genocl::Alphabet::protein};
  ScoringTable table_;
  std::vector<DeviceChunk> chunks_;
  std::vector<DeviceScores> scores_;
};

/// One choice for measurements by hand: GENOCL_BENCH_LANES, _ROWS, _GROUP, _REGISTERS, _LONG.
GpuTuning tuning_from_environment() {
  const auto number = [](const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : 0u;
  };
  GpuTuning tuning;
  tuning.lanes = number("GENOCL_BENCH_LANES");
  tuning.rows = number("GENOCL_BENCH_ROWS");
  tuning.group_size = number("GENOCL_BENCH_GROUP");
  tuning.registers = number("GENOCL_BENCH_REGISTERS");
  tuning.long_subject = number("GENOCL_BENCH_LONG");
  return tuning;
}

}  // namespace

void add_align(const Setting& setting) {
  const GpuTuning tuning = tuning_from_environment();
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const std::uint64_t residues = cpu ? 300'000 : 51'366'137;
  const char* const fewer = std::getenv("GENOCL_BENCH_EQUAL");
  const std::size_t equal = fewer != nullptr ? static_cast<std::size_t>(std::atoll(fewer)) : cpu ? 500 : 1'000'000;
  const unsigned queries = static_cast<unsigned>(std::size(classic_lengths));
  double all = 0;
  for (const unsigned length : classic_lengths) all += length;

  // One chunk on a device at a time; each data set stays in the host's memory for the variants.
  const auto real = std::make_shared<Data>([=] { return proteome(residues); }, classic_queries);
  const auto same = std::make_shared<Data>([=] { return equal_subjects(equal, 512); }, classic_queries);
  for (const auto& [name, data, letters] : {std::tuple{"real", real, static_cast<double>(residues)},
                                            std::tuple{"equal-512", same, 512.0 * static_cast<double>(equal)}})
    for (const Variant& variant : setting.variants) {
      const genocl::Device device = variant.device.with_family(genocl::KernelFamily::gpu);
      const auto add = [&, name = name, data = data, letters = letters](const std::string& what, double rows,
                                                                        std::function<void()> call) {
        add_benchmark(
            "align/gpu/" + std::string(name) + "/" + what + "/" + variant.name, setting, device,
            {.items = rows * letters},
            [=] {
              data->prepare(device);
              call();
            },
            {},
            [=] {
              data->release();
              device.release_scratch();
            });
      };
      add("batch", all, [=, data = data] { data->score(device, 0, queries, tuning); });
      add("one-by-one", all, [=, data = data] {
        for (unsigned q = 0; q < queries; ++q) data->score(device, q, 1, tuning);
      });
      add("m850+m1000", 1850, [=, data = data] { data->score(device, 8, 2, tuning); });
      for (unsigned q = 0; q < queries; ++q)
        add("m" + std::to_string(classic_lengths[q]), classic_lengths[q],
            [=, data = data] { data->score(device, q, 1, tuning); });
    }
}

}  // namespace genocl_bench
