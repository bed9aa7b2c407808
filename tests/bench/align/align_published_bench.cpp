// The published scheme. Items are cells: items_per_second / 1e9 is GCUPS.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "align/device_state.hpp"
#include "align/pipeline.hpp"
#include "bench/bench.hpp"
#include "random_sequences.hpp"

namespace genocl_bench {
namespace {

using namespace genocl;
using namespace genocl::align;
using genocl_test::Random;
using genocl_test::random_codes;

using Sequence = std::vector<Code>;

/// One query with `count` subjects of one length on the device, by one of the two kernels.
void add_published(const Setting& setting, const std::string& name, std::size_t query_length, std::size_t count,
                   std::size_t length, std::uint64_t threshold) {
  for (const Variant& variant : setting.variants) {
    struct State {
      ScoringTable table;
      Sequence query;
      DeviceChunk chunk;
      DeviceScores scores;
    };
    const auto state = std::make_shared<State>();
    const Device device = variant.device;
    const auto prepare = [=] {
      if (state->scores.size() > 0) return;
      Random random(3);
      SequenceSet set(Alphabet::protein);
      for (std::size_t i = 0; i < count; ++i) set.append("s", random_codes(random, length));
      const Database database = Database::build(set);
      state->query = random_codes(random, query_length);
      state->table = make_scoring_table(blosum62(), {}, database.letter_counts());
      state->chunk =
          upload_chunk(device, database, {0, count, count * length, length}, state->table, DeviceChunk::Layout::plain);
      state->scores = DeviceScores(device, count);
    };
    const double cells = static_cast<double>(query_length) * static_cast<double>(count * length);
    add_benchmark(
        "align/published/" + name + "/" + variant.name, setting, device, {.items = cells},
        [=] {
          const Query query{state->query};
          score_published(device, state->table, state->chunk, {&query, 1}, threshold, false, state->scores);
        },
        prepare, [=] { *state = State(); });
  }
}

}  // namespace

void add_align_published(const Setting& setting) {
  const bool gpu = setting.device().info().type != DeviceType::cpu;
  const std::size_t subjects = gpu ? 200'000 : 2'000;
  add_published(setting, "inter/567", 567, subjects, 360, std::uint64_t{1} << 32);
  add_published(setting, "intra/567", 567, gpu ? 5'000 : 200, 4'000, 0);
}

}  // namespace genocl_bench
