// Scores of the `gpu` kernels against the oracle: every form and shape, batches, borders, pads, saturation.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "align/cases.hpp"
#include "align/pipeline.hpp"
#include "align/score/score_cases.hpp"
#include "align/score/score_gpu.hpp"
#include "genocl/align/database.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"

namespace {

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

struct Way {
  std::string name;
  Device device;
  GpuTuning::Cells cells;
};

/// 32-bit cells and 16-bit ones in portable words, and the device's own if it has some.
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Variant& variant : variants()) {
    if (variant.name == "cpu") continue;
    if (variant.name == "portable") {
      all.push_back({"wide", variant.device, GpuTuning::Cells::wide});
      all.push_back({"packed", variant.device, GpuTuning::Cells::packed});
    } else {
      all.push_back({variant.name, variant.device, GpuTuning::Cells::automatic});
    }
  }
  return all;
}

Codes letters(const std::string& text) { return encode(Alphabet::protein, text); }

/// A database, and the scores that are to come out.
class Checked : public ScoreCase {
 public:
  Checked(const SequenceSet& subjects, const std::vector<Codes>& queries, const Matrix& matrix = blosum62(),
          const GapPenalty& gap = {}, bool every_letter = false)
      : ScoreCase(subjects, queries, matrix, gap, every_letter) {}

  /// Returns how many pairs were computed again.
  std::uint64_t check(const Way& way, GpuTuning tuning = {}) {
    CAPTURE(way.name);
    const DeviceChunk chunk = upload(way.device, DeviceChunk::Layout::plain);
    DeviceScores scores(way.device, expected().size());
    scores.fill(77'777'777);
    if (tuning.cells == GpuTuning::Cells::automatic) tuning.cells = way.cells;
    const std::uint64_t again = score_gpu(way.device, table(), chunk, queries(), tuning, scores);
    const std::vector<std::int32_t> found = scores.download();
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = found.size(); i-- > 0;)
      if (found[i] != expected()[i]) {
        ++wrong;
        first = i;
      }
    INFO("first wrong pair: query ", first / database().size(), ", rank ", first % database().size(), ": ",
         found[first], " is not ", expected()[first]);
    CHECK(wrong == 0);
    return again;
  }
  /// By all ways in long tests, otherwise by half of them: each way compiles other programs.
  void check_ways(const GpuTuning& tuning = {}) {
    static Random random(test_seed() + 1);
    const std::vector<Way> all = ways();
    std::vector<std::size_t> numbers(all.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    for (const std::size_t i : random.some_of(numbers, 2)) check(all[i], tuning);
  }
};

}  // namespace

TEST_CASE("tiny: align group scores in every form, some computed again") {
  Random random(1);
  const Codes query = random_codes(random, 9), other = random_codes(random, 3);
  Checked batch(make_set({query, other}), {query, other}), single(make_set({query, other, query}), {query});
  for (const Way& way : ways()) {
    GpuTuning tuning;
    tuning.lanes = way.cells == GpuTuning::Cells::automatic ? 4 : 2;
    tuning.rows = 4;  // several strips
    tuning.saturated_from = 30;
    const bool wide = way.cells == GpuTuning::Cells::wide;
    CHECK(batch.check(way, tuning) == (wide ? 0 : batch.at_least(30)));
    tuning.saturated_from = 0;
    if (!wide) single.check(way, tuning);
  }
}

TEST_CASE("align group: stacks keep queries apart") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 200; ++round) {
    std::vector<Codes> codes(1 + random() % 9);
    std::vector<Query> queries;
    for (Codes& query : codes) {
      query = random_codes(random, 1 + random() % (random() % 8 == 0 ? 700 : 90));
      queries.push_back({query});
    }
    const bool packed = random() % 4 != 0;
    for (const StackPlan& plan : plan_stacks(queries, packed, random() % 2 == 0)) {
      const Shape shape{plan.form, 2u << random() % 5, 4 * (1 + static_cast<unsigned>(random() % 8)), false};
      const Stack stack = make_stack(shape, queries, plan.sides);
      CHECK(stack.strips == count_strips(shape, queries, plan.sides));
      const unsigned sides = query_sides(plan.form);
      REQUIRE(plan.sides.size() <= sides);
      for (unsigned c = 0; c < sides; ++c) {
        std::vector<Codes> found(codes.size());
        std::uint32_t before = Stack::no_query;
        for (std::uint32_t lane = 0; lane < stack.roles.size(); ++lane) {
          const LaneRole& role = stack.roles[lane];
          const std::uint32_t query = role.queries >> (16 * c) & 0xffff;
          const bool goes_on = (role.keep >> (16 * c) & 0xffff) != 0;
          const std::size_t from =
              (lane / shape.lanes * sides + c) * shape.strip_rows() + lane % shape.lanes * shape.rows;
          std::size_t rows = 0;
          while (rows < shape.rows && stack.rows[from + rows] != Stack::no_row) ++rows;
          CHECK((rows > 0) == (query != Stack::no_query));
          if (query == Stack::no_query) continue;
          CHECK(goes_on == (query == before));
          // The first lane of a later strip takes what the strip above left.
          if (!goes_on && lane != 0) CHECK(lane % shape.lanes != 0);
          before = query;
          found[query].insert(found[query].end(), stack.rows.begin() + static_cast<std::ptrdiff_t>(from),
                              stack.rows.begin() + static_cast<std::ptrdiff_t>(from + rows));
        }
        for (std::uint32_t q = 0; q < codes.size(); ++q) {
          const bool here = c < plan.sides.size() && std::count(plan.sides[c].begin(), plan.sides[c].end(), q) == 1;
          CHECK(found[q] == (here ? codes[q] : Codes()));
        }
      }
    }
  }
}

TEST_CASE("align group: batches of unlike queries against sets with copies of them") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<std::vector<std::size_t>> batches = {
      {1}, {2, 31}, {33, 64, 7}, {127, 128}, {3, 144, 32, 250, 9, 61, 300}, {531}};
  for (const auto& lengths : random.some_of(batches)) {
    std::vector<Codes> queries;
    for (const std::size_t length : lengths) queries.push_back(random_codes(random, length));
    const SequenceSet subjects = random_set(random, 40, 330, Alphabet::protein, 20, queries.back());
    CAPTURE(lengths.front());
    CAPTURE(lengths.size());
    Checked(subjects, queries).check_ways();
  }
}

TEST_CASE("align group: every shape, with and without borders") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Codes> queries = {random_codes(random, 150), random_codes(random, 41), random_codes(random, 77)};
  Checked batch(random_set(random, 33, 120, Alphabet::protein, 20, queries[0]), queries);
  Checked single(random_set(random, 34, 120, Alphabet::protein, 20, queries[0]), {queries[0]});
  for (const Way& way : ways()) {
    std::vector<GpuTuning> shapes;
    for (const unsigned lanes : {2u, 4u, 8u, 16u, 32u})
      for (const unsigned rows : {4u, 8u, 12u, 16u, 28u, 32u}) {
        if (way.cells == GpuTuning::Cells::automatic ? lanes < 4 : lanes > 16) continue;
        if (lanes * rows > 400) continue;  // a profile of that size fits everywhere
        if (lanes != 4 && rows != (lanes == 8 ? 12 : lanes == 16 ? 8 : 16)) continue;
        shapes.emplace_back();
        shapes.back().lanes = lanes;
        shapes.back().rows = rows;
      }
    for (const GpuTuning& tuning : random.some_of(shapes)) {  // each compiles other programs
      CAPTURE(tuning.lanes);
      CAPTURE(tuning.rows);
      batch.check(way, tuning);
      single.check(way, tuning);
    }
  }
}

TEST_CASE("align group: work in many launches") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Codes> queries = {random_codes(random, 200), random_codes(random, 90)};
  const SequenceSet subjects = random_set(random, 60, 150, Alphabet::protein, 20, queries[0]);
  GpuTuning tuning;
  tuning.lanes = 4;
  tuning.rows = 8;
  tuning.border_letters = 900;
  Checked(subjects, queries).check_ways(tuning);
  tuning.border_letters = 0;
  tuning.launch_cells = 100'000;
  Checked(subjects, queries).check_ways(tuning);
  tuning.launch_cells = 1;
  Checked(subjects, {queries[1]}).check_ways(tuning);
}

TEST_CASE("align group: long subjects, with more lanes or cut") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes query = random_codes(random, 60), longer = random_codes(random, 300);
  std::vector<Codes> sequences;
  for (int i = 0; i < 20; ++i) sequences.push_back(random_codes(random, 1 + random() % 100));
  for (const std::size_t length : {700, 1500, 1501, 4000}) {
    Codes codes = random_codes(random, length);
    for (int copy = 0; copy < 3; ++copy) {
      const Codes like = mutated(random, copy == 0 ? longer : query, 3 + static_cast<unsigned>(random() % 12));
      const std::size_t at = random() % (length - std::min(length, like.size()) + 1);
      std::copy_n(like.begin(), std::min(like.size(), length - at), codes.begin() + static_cast<std::ptrdiff_t>(at));
    }
    sequences.push_back(codes);
  }
  GpuTuning tuning;
  tuning.long_subject = 90;
  for (const GapPenalty gap : {GapPenalty{11, 1}, {1, 0}}) {
    CAPTURE(gap.open);
    Checked(make_set(sequences), {query}, blosum62(), gap).check_ways(tuning);
    Checked(make_set(sequences), {longer, query}, blosum62(), gap).check_ways(tuning);
  }
  tuning.long_subject = 5;  // nearly all of them
  Checked(make_set(sequences), {query}).check_ways(tuning);

  // Longer still: by tiles.
  tuning = {};
  tuning.giant_subject = 1200;
  Checked(make_set(sequences), {longer, query}, blosum62(), {1, 0}).check_ways(tuning);
  tuning.giant_subject = 1;
  Checked(make_set({sequences[0], sequences[1]}), {query, longer}).check_ways(tuning);
}

TEST_CASE("align group: programs compiled ahead are those launched") {
  Random random(17);
  std::vector<Codes> subjects(200), queries(5);
  for (Codes& subject : subjects) subject = random_codes(random, 20 + random() % 40);
  for (const bool long_ones : {false, true}) {
    CAPTURE(long_ones);
    if (long_ones) subjects.push_back(random_codes(random, 3'000));
    for (Codes& query : queries) query = random_codes(random, 30 + random() % 200);
    const Checked checked(make_set(subjects), queries);
    const Database& database = checked.database();
    std::vector<std::uint32_t> lengths;
    for (std::size_t rank = 0; rank < database.size(); ++rank)
      lengths.push_back(static_cast<std::uint32_t>(database.length_at(rank)));
    // A new context has no programs yet.
    const Device device = Device::pick(std::to_string(test_device().info().index)).with_family(KernelFamily::gpu);
    const DeviceChunk chunk = checked.upload(device, DeviceChunk::Layout::plain);
    const std::size_t before = runtime::core_of(device).programs();
    compile_score_gpu(device, checked.table(), checked.queries(), lengths, database.residues());
    if (takes_packed_cells(device, {})) (void)saturated_kernel(device);
    const std::size_t compiled = runtime::core_of(device).programs();
    CHECK(compiled > before);
    DeviceScores scores(device, checked.expected().size());
    score_gpu(device, checked.table(), chunk, checked.queries(), scores);
    CHECK(runtime::core_of(device).programs() == compiled);
    CHECK(scores.download() == checked.expected());
  }
}

TEST_CASE("align group: matrices and penalties") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Codes> queries = {random_codes(random, 70, 27), random_codes(random, 33, 27),
                                      random_codes(random, 120, 20)};
  const SequenceSet subjects = random_set(random, 24, 160, Alphabet::protein, 27, queries[0]);
  for (const std::string& name : Matrix::names()) {
    CAPTURE(name);
    Checked(subjects, queries, Matrix::named(name), {10, 1}).check_ways();
  }
  for (const GapPenalty gap : {GapPenalty{0, 1}, {5, 2}, {100, 50}, {16'000, 0}, {0, 16'000}}) {
    CAPTURE(gap.open);
    CAPTURE(gap.extend);
    Checked(subjects, queries, blosum62(), gap).check_ways();
    Checked(subjects, {queries[0]}, blosum62(), gap).check_ways();
  }
}

TEST_CASE("align group: ambiguous letters, and stops that pads must not be taken for") {
  const Codes text = letters("MKBZJUOX*ARNDCQEGHILKMFPSTWYV*");
  const Codes stops = letters("***W*"), one = letters("*"), unknown = letters("XXXX");
  std::vector<Codes> sequences = {one, stops, unknown, text, letters("A"), letters("JUO"), repeated(text, 5)};
  for (std::size_t i = 1; i < text.size(); ++i)
    sequences.emplace_back(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i));
  for (const char* const name : {"BLOSUM62", "PAM250"})
    for (const auto& queries : std::vector<std::vector<Codes>>{{text}, {stops, text, one}, {unknown, stops}, {one}})
      Checked(make_set(sequences), queries, Matrix::named(name), {11, 1}, true).check_ways();
  // Long enough that only a profile without pads fits the local memory of an NVIDIA GPU.
  const std::vector<Codes> wide = {repeated(text, 17), repeated(text, 16)};
  Checked(make_set(sequences), wide, blosum62(), {11, 1}, true).check_ways();
}

TEST_CASE("align group: scores beyond 16 bits, on either side of the limit") {
  const auto check = [](Checked& checked, int highest) {
    for (const Way& way : ways()) {
      const std::uint64_t again = checked.check(way);
      CHECK(again == (way.cells == GpuTuning::Cells::wide ? 0 : checked.at_least(32'767 - highest)));
    }
  };
  const Codes w = letters("W"), unit = letters("MKVLAWTRENDQYHHFCGPIS");
  Checked protein(make_set({w, repeated(w, 2970), repeated(w, 2977), repeated(w, 2978), repeated(w, 2979),
                            repeated(w, 2980), repeated(unit, 300)}),
                  {repeated(w, 2990), repeated(unit, 60), letters("WW")});
  REQUIRE(protein.at_least(32'767) == 2);
  check(protein, 11);

  // Tandem repeats.
  const Matrix matrix = Matrix::dna(127, -90);
  const Codes repeat = {0, 3, 2, 1, 1};
  std::vector<Codes> sequences = {repeat};
  for (const std::size_t times : {40, 50, 51, 52, 53, 60, 103, 104, 120}) sequences.push_back(repeated(repeat, times));
  sequences.push_back(sequences.back());
  sequences.back()[300] = 2;
  Checked tandem(make_set(sequences, Alphabet::dna), {repeated(repeat, 120), repeated(repeat, 51), repeat}, matrix,
                 {5, 2});
  REQUIRE(tandem.at_least(65'536) >= 2);
  check(tandem, 127);
  Checked one_query(make_set(sequences, Alphabet::dna), {repeated(repeat, 110)}, matrix, {0, 1});
  check(one_query, 127);
}

TEST_CASE("align group: DNA") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Codes> queries = {random_codes(random, 100, 5), random_codes(random, 37, 4)};
  const SequenceSet subjects = random_set(random, 30, 300, Alphabet::dna, 4, queries[0]);
  Checked(subjects, queries, Matrix::dna(2, -3), {5, 2}).check_ways();
  Checked(subjects, {queries[0]}, Matrix::dna(1, -1), {0, 2}).check_ways();
}

TEST_CASE("align group: one subject, one letter, batches of many") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes query = random_codes(random, 50);
  Checked(make_set({query}), {query}).check_ways();
  Checked(make_set({{3}}), {{3}, {4}}).check_ways();
  std::vector<Codes> many;
  for (int i = 0; i < 70; ++i) many.push_back(random_codes(random, 1 + random() % 60));
  Checked(random_set(random, 5, 90, Alphabet::protein, 20, many[0]), many).check_ways();
}

TEST_CASE("align group: narrow and wide cells agree on a large set") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = test_device().with_family(KernelFamily::gpu);
  const bool gpu = device.info().type == DeviceType::gpu;
  std::vector<Codes> queries;
  for (const std::size_t length : {144, 189, 375, 464, 567, 729, 1000, 2005, 5478})
    if (gpu || queries.size() < 3) queries.push_back(random_codes(random, length));
  std::vector<Codes> sequences;
  for (std::size_t i = 0; i < (gpu ? 20'000u : 30u); ++i) {
    // Some of them long, some of them copies.
    const std::size_t length = 1 + random() % (gpu && i % 400 == 0 ? 12'000 : i % 10 == 0 ? 1'500 : 500);
    sequences.push_back(i % 7 != 0 ? random_codes(random, length)
                                   : mutated(random, queries[i % queries.size()], 3 + static_cast<unsigned>(i % 30)));
    if (sequences.back().empty()) sequences.back().push_back(1);
  }
  const Database database = Database::build(make_set(sequences));
  const ScoringTable table = make_scoring_table(blosum62(), {11, 1}, database.letter_counts());
  const ChunkRange range{
      .first = 0, .count = database.size(), .residues = database.residues(), .longest = database.longest()};
  const DeviceChunk chunk = upload_chunk(device, database, range, table, DeviceChunk::Layout::plain);
  const auto scores_of = [&](std::span<const Query> batch, GpuTuning::Cells cells) {
    DeviceScores scores(device, batch.size() * database.size());
    score_gpu(device, table, chunk, batch, {.cells = cells}, scores);
    return scores.download();
  };
  std::vector<Query> batch;
  for (const Codes& query : queries) batch.push_back({query});
  const auto narrow = device.has_ptx() ? GpuTuning::Cells::automatic : GpuTuning::Cells::packed;
  CHECK(scores_of(batch, narrow) == scores_of(batch, GpuTuning::Cells::wide));
  for (const Query& query : batch) {
    CAPTURE(query.codes.size());
    CHECK(scores_of({&query, 1}, narrow) == scores_of({&query, 1}, GpuTuning::Cells::wide));
  }
}
