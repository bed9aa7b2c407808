// Scores, alignments and edit distances of pairs. Items are cells: items_per_second / 1e9 is GCUPS.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "genocl/pairwise.hpp"
#include "random_sequences.hpp"
#ifdef GENOCL_BENCH_PARASAIL
#include <parasail.h>
#endif

namespace genocl_bench {
namespace {

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::random_codes;

using Sequence = std::vector<Code>;

/// A copy with substitutions, deletions and duplications: one in `every` letters.
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

/// Makes a sequence of a given length, so that the number of cells is known in advance.
Sequence cut_to(Random& random, Sequence codes, std::size_t length) {
  const Sequence more = random_codes(random, length - std::min(length, codes.size()));
  codes.insert(codes.begin(), more.begin(), more.end());
  codes.resize(length);
  return codes;
}

/// `count` pairs of m x n letters. `every`: the second sequence is a copy of the first by like(); 0: it is unrelated.
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
    const Sequence query = random_codes(random, shape.m);
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
        "pairwise/" + name + "/" + variant.name, setting, device, {.items = cells}, [=] { call(device, *pairs); },
        [=] { make(*pairs, shape); }, [=] { *pairs = Pairs(); });
  }
}

#ifdef GENOCL_BENCH_PARASAIL
/// Some of the same pairs on one thread, with the function that is fastest in parasail's own benchmarks.
void add_parasail(const std::string& name, const Shape& shape,
                  parasail_result_t* (*function)(const char*, int, const char*, int, int, int,
                                                 const parasail_matrix_t*),
                  int first, int extend, bool unit_costs) {
  const auto pairs = std::make_shared<Pairs>();
  Shape some = shape;
  some.count = std::min<std::size_t>(shape.count, 1'000);
  const double cells = static_cast<double>(some.count) * static_cast<double>(some.m) * static_cast<double>(some.n);
  add_peer("parasail/" + name, {.items = cells}, [=] {
    make(*pairs, some);
    const std::string letters(protein::letters);
    parasail_matrix_t* const unit = parasail_matrix_create(letters.c_str(), 0, -1);
    for (std::size_t i = 0; i < some.count; ++i) {
      const std::string a = pairs->a.letters(i), b = pairs->b.letters(i);
      parasail_result_free(function(a.c_str(), static_cast<int>(a.size()), b.c_str(), static_cast<int>(b.size()), first,
                                    extend, unit_costs ? unit : parasail_matrix_lookup("blosum62")));
    }
    parasail_matrix_free(unit);
  });
}
#endif

/// Pairs of 1,000 letters in every mode: scores, alignments, edit distances.
void add_modes(const Setting& setting) {
  const bool gpu = setting.device().info().type != DeviceType::cpu;
  const Shape shape{gpu ? 100'000u : 4'000u, 1'000, 1'000, 10};
  struct Mode {
    const char* name;
    PairOptions options;
  };
  const Mode modes[] = {{"local", {}},
                        {"global", {.mode = PairMode::global}},
                        {"semi-global", {.mode = PairMode::semi_global}},
                        {"global linear", {.gap = {0, 4}, .mode = PairMode::global}}};
  for (const Mode& mode : modes) {
    const auto options = std::make_shared<PairOptions>(mode.options);
    add(setting, std::string("scores/") + mode.name, shape,
        [=](const Device& device, const Pairs& pairs) { score_pairs(device, pairs.a, pairs.b, *options); });
    add(setting, std::string("alignments/") + mode.name, shape,
        [=](const Device& device, const Pairs& pairs) { align_pairs(device, pairs.a, pairs.b, *options); });
  }
  Shape many = shape;
  many.count = gpu ? 400'000 : 40'000;
  for (const std::size_t length : {100u, 1'000u}) {
    many.m = many.n = length;
    add(setting, "edit distances/" + std::to_string(length), many,
        [](const Device& device, const Pairs& pairs) { edit_distances(device, pairs.a, pairs.b); });
  }
  add(setting, "edit distances/1000, infix", many, [](const Device& device, const Pairs& pairs) {
    edit_distances(device, pairs.a, pairs.b, {.free_subject_begin = true, .free_subject_end = true});
  });
  add(setting, "edit alignments", shape,
      [](const Device& device, const Pairs& pairs) { edit_alignments(device, pairs.a, pairs.b); });
#ifdef GENOCL_BENCH_PARASAIL
  add_parasail("scores/local", shape, parasail_sw_striped_16, 12, 1, false);
  add_parasail("scores/global", shape, parasail_nw_striped_16, 12, 1, false);
  add_parasail("scores/semi-global", shape, parasail_sg_striped_16, 12, 1, false);
  add_parasail("scores/global linear", shape, parasail_nw_striped_16, 4, 4, false);
  add_parasail("alignments/global", shape, parasail_nw_trace_striped_16, 12, 1, false);
  add_parasail("edit distances", shape, parasail_nw_striped_16, 1, 1, true);
#endif
}

}  // namespace

void add_pairwise(const Setting& setting) {
  const auto scores = [](const Device& device, const Pairs& pairs) { score_pairs(device, pairs.a, pairs.b); };
  const auto alignments = [](const Device& device, const Pairs& pairs) { align_pairs(device, pairs.a, pairs.b); };
  add_modes(setting);
  add(setting, "intra/30000x30000", {1, 30'000, 30'000, 0}, scores);
  add(setting, "intra/20000x30000", {1, 20'000, 30'000, 5}, scores);
  add(setting, "pairs/100000x100x150", {100'000, 100, 150, 0}, scores);
  add(setting, "pairs/4000x400x400", {4'000, 400, 400, 4}, scores);
  add(setting, "align/4000x400x400", {4'000, 400, 400, 4}, alignments);
  add(setting, "align/20000x30000", {1, 20'000, 30'000, 5}, alignments);
  add(setting, "align/30000x30000", {1, 30'000, 30'000, 5}, alignments);
}

}  // namespace genocl_bench
