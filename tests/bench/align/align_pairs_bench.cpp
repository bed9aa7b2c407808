// Scores and alignments of pairs, and the published scheme. Items are cells: items_per_second / 1e9 is GCUPS.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "align/on_device.hpp"
#include "align/steps.hpp"
#include "bench/bench.hpp"
#include "genocl/align/pairs.hpp"
#include "random.hpp"

namespace genocl_bench {
namespace {

using namespace genocl;
using namespace genocl::align;
using genocl_test::Random;

using Sequence = std::vector<Code>;

Sequence random_sequence(Random& random, std::size_t length) {
  Sequence codes(length);
  for (Code& code : codes) code = static_cast<Code>(random() % 20);
  return codes;
}

/// One letter in `every` replaced, left out or doubled.
Sequence like(Random& random, const Sequence& codes, unsigned every) {
  Sequence copy;
  for (const Code code : codes) {
    const auto dice = random() % (3 * std::uint64_t{every});
    if (dice == 0) continue;
    copy.push_back(dice == 1 ? static_cast<Code>(random() % 20) : code);
    if (dice == 2) copy.push_back(code);
  }
  return copy;
}

/// The length is given, so that the number of cells is known before anything is made.
Sequence cut_to(Random& random, Sequence codes, std::size_t length) {
  const Sequence more = random_sequence(random, length - std::min(length, codes.size()));
  codes.insert(codes.begin(), more.begin(), more.end());
  codes.resize(length);
  return codes;
}

/// `count` pairs of m x n letters; `every`: the second one is like the first, see above, 0: it is not.
struct Shape {
  std::size_t count, m, n;
  unsigned every;
};

struct Pairs {
  SequenceSet a{Alphabet::protein}, b{Alphabet::protein};
};

void make(Pairs& pairs, const Shape& shape) {
  if (!pairs.a.empty()) return;
  Random random(1);
  for (std::size_t i = 0; i < shape.count; ++i) {
    const Sequence query = random_sequence(random, shape.m);
    pairs.a.append("a", query);
    pairs.b.append("b", cut_to(random, shape.every > 0 ? like(random, query, shape.every) : Sequence(), shape.n));
  }
}

template <class Call>
void add(const Setting& setting, const std::string& name, const Shape& shape, Call&& call) {
  for (const Variant& variant : setting.variants) {
    const Device device = variant.device;
    const auto pairs = std::make_shared<Pairs>();
    const double cells = static_cast<double>(shape.count) * static_cast<double>(shape.m) * static_cast<double>(shape.n);
    add_benchmark(
        "align/" + name + "/" + variant.name, setting, device, {.items = cells}, [=] { call(device, *pairs); },
        [=] { make(*pairs, shape); }, [=] { *pairs = Pairs(); });
  }
}

/// One query with `count` subjects of one length on the device, all by one of the two kernels.
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
      for (std::size_t i = 0; i < count; ++i) set.append("s", random_sequence(random, length));
      const Database database = Database::build(set);
      state->query = random_sequence(random, query_length);
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
          score_published(device, state->table, state->chunk, {&query, 1}, threshold, state->scores);
        },
        prepare, [=] { *state = State(); });
  }
}

}  // namespace

void add_align_pairs(const Setting& setting) {
  const auto scores = [](const Device& device, const Pairs& pairs) { score_pairs(device, pairs.a, pairs.b); };
  const auto alignments = [](const Device& device, const Pairs& pairs) { align_pairs(device, pairs.a, pairs.b); };
  add(setting, "intra/30000x30000", {1, 30'000, 30'000, 0}, scores);
  add(setting, "intra/20000x30000", {1, 20'000, 30'000, 5}, scores);
  add(setting, "pairs/100000x100x150", {100'000, 100, 150, 0}, scores);
  add(setting, "pairs/4000x400x400", {4'000, 400, 400, 4}, scores);
  add(setting, "align/4000x400x400", {4'000, 400, 400, 4}, alignments);
  add(setting, "align/20000x30000", {1, 20'000, 30'000, 5}, alignments);
  add(setting, "align/30000x30000", {1, 30'000, 30'000, 5}, alignments);
  const bool gpu = setting.device().info().type != DeviceType::cpu;
  const std::size_t subjects = gpu ? 200'000 : 2'000;
  add_published(setting, "inter/567", 567, subjects, 360, std::uint64_t{1} << 32);
  add_published(setting, "intra/567", 567, gpu ? 5'000 : 200, 4'000, 0);
}

}  // namespace genocl_bench
