// Smith-Waterman scores on CPUs, database on the device: cells (query length x residues) per second, and next to it
// parasail, one thread, on a part of the same database.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "align/pipeline.hpp"
#include "align/score/score_cpu.hpp"
#include "bench/bench.hpp"
#include "bench/data.hpp"
#include "genocl/align/database.hpp"
#if GENOCL_BENCH_IO
#include "genocl/io/sequence_reader.hpp"
#endif
#ifdef GENOCL_BENCH_PARASAIL
#include <parasail.h>
#endif

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::SequenceSet;
namespace align = genocl::align;
using Codes = std::vector<Code>;

constexpr std::array<std::size_t, 4> query_lengths = {144, 567, 1000, 5478};

/// Letters as frequent as in proteins (in per mille, codes 0 to 19), lengths as in Swiss-Prot, about; the same in every
/// run.
class Synthetic {
 public:
  Codes sequence(std::size_t length) {
    static constexpr std::array<std::uint32_t, 20> per_mille = {83, 55, 41, 55, 14, 39, 67, 71, 23, 59,
                                                                97, 58, 24, 39, 47, 66, 53, 11, 29, 69};
    Codes codes(length);
    for (Code& code : codes) {
      std::uint32_t dice = next() % 1000;
      for (code = 0; code < 19 && dice >= per_mille[code]; ++code) dice -= per_mille[code];
    }
    return codes;
  }
  std::size_t length() {
    const double sum = static_cast<double>(next() % 1000 + next() % 1000 + next() % 1000 + next() % 1000) / 1000;
    return static_cast<std::size_t>(310 * std::exp(1.2 * (sum - 2)));
  }

 private:
  std::uint32_t next() {
    if (at_ == words_.size()) {
      words_ = random_words(1 << 16, seed_++);
      at_ = 0;
    }
    return words_[at_++];
  }
  std::vector<std::uint32_t> words_;
  std::size_t at_ = 0;
  std::uint64_t seed_ = 11;
};

/// Ten million residues and the queries, made once.
struct Proteins {
  SequenceSet subjects{genocl::Alphabet::protein};
  std::map<std::size_t, Codes> queries;  ///< [length]

  Proteins() {
    Synthetic synthetic;
#if GENOCL_BENCH_IO
    const std::string database = test_data("proteins/proteins_10m.fasta.gz"),
                      real = test_data("proteins/queries20.fasta");
    if (!database.empty() && !real.empty()) {
      genocl::io::ReadOptions options;
      options.alphabet = genocl::Alphabet::protein;
      subjects = genocl::io::read_sequences(database, options);
      const SequenceSet set = genocl::io::read_sequences(real, options);
      for (std::size_t i = 0; i < set.size(); ++i) queries[set.length(i)].assign(set[i].begin(), set[i].end());
    }
#endif
    while (subjects.residues() < 10'000'000) subjects.append("synthetic", synthetic.sequence(synthetic.length()));
    for (const std::size_t length : query_lengths)
      if (!queries.contains(length)) queries[length] = synthetic.sequence(length);
  }

  static const Proteins& get() {
    static const Proteins proteins;
    return proteins;
  }
};

struct Resident {
  align::ScoringTable table;
  align::DeviceChunk chunk;
  align::DeviceScores scores;

  Resident(const genocl::Device& device, std::size_t queries) {
    const align::Database database = align::Database::build(Proteins::get().subjects);
    table = align::make_scoring_table(align::blosum62(), {.open = 11, .extend = 1}, database.letter_counts());
    const align::ChunkRange range{
        .first = 0, .count = database.size(), .residues = database.residues(), .longest = database.longest()};
    chunk = align::upload_chunk(device, database, range, table, align::DeviceChunk::Layout::interleaved);
    scores = align::DeviceScores(device, queries * chunk.count());
  }
};

void add_queries(const std::string& name, const Setting& setting, const genocl::Device& device,
                 const std::vector<std::size_t>& lengths, const align::CpuOptions& options, bool as_profiles = false) {
  const Proteins& proteins = Proteins::get();
  double letters = 0;
  std::vector<align::Query> queries;
  const auto profiles = std::make_shared<std::deque<align::Profile>>();
  for (const std::size_t length : lengths) {
    queries.push_back({proteins.queries.at(length)});
    if (as_profiles)
      queries.back().profile = &profiles->emplace_back(align::Profile::of("profile", queries.back().codes));
    letters += static_cast<double>(length);
  }
  auto resident = std::make_shared<std::unique_ptr<Resident>>();
  add_benchmark(
      "align/cpu/" + name, setting, device, {.items = letters * static_cast<double>(proteins.subjects.residues())},
      [=] {
        static_cast<void>(profiles);  // which the queries point to
        if (!*resident) *resident = std::make_unique<Resident>(device, queries.size());
        Resident& r = **resident;
        align::score_cpu(device, r.table, r.chunk, queries, r.scores, options);
      },
      {}, [=] { resident->reset(); });
}

#ifdef GENOCL_BENCH_PARASAIL
/// The same penalties: in parasail the first residue of a gap costs `open`. 8 bits first, 16 where they saturate.
void add_parasail(std::size_t length) {
  const Proteins& proteins = Proteins::get();
  constexpr std::size_t every = 20;
  std::uint64_t residues = 0;
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i < proteins.subjects.size(); i += every) {
    subjects.push_back(proteins.subjects.letters(i));
    residues += subjects.back().size();
  }
  const std::string query = genocl::decode(genocl::Alphabet::protein, proteins.queries.at(length));
  add_peer("parasail/striped_sat/" + std::to_string(length),
           {.items = static_cast<double>(length) * static_cast<double>(residues)}, [=] {
             parasail_profile_t* const profile = parasail_profile_create_sat(
                 query.c_str(), static_cast<int>(query.size()), parasail_matrix_lookup("blosum62"));
             for (const std::string& subject : subjects)
               parasail_result_free(
                   parasail_sw_striped_profile_sat(profile, subject.c_str(), static_cast<int>(subject.size()), 12, 1));
             parasail_profile_free(profile);
           });
}
#endif

}  // namespace

void add_align_cpu(const Setting& setting) {
  const genocl::Device& device = setting.device();
  if (device.family() != genocl::KernelFamily::cpu || !fits(device, 64 << 20, 256 << 20)) return;
  for (const std::size_t length : query_lengths) {
    add_queries(std::to_string(length), setting, device, {length}, {});
    add_queries("profile of " + std::to_string(length), setting, device, {length}, {}, true);
#ifdef GENOCL_BENCH_PARASAIL
    add_parasail(length);
#endif
  }
  add_queries("144, eight times", setting, device, std::vector<std::size_t>(8, 144), {});
  // The forms of 8-bit numbers, and what a pair costs that is computed again.
  for (const unsigned vector_bits : {256u, 512u})
    for (const bool saturating : {false, true})
      add_queries("567, " + std::to_string(vector_bits) + (saturating ? ", saturating" : ", in range"), setting, device,
                  {567}, {.form = align::CpuForm{vector_bits, saturating}});
  add_queries("567 of 16 bits", setting, device, {567}, {.first_bits = 16});
  add_queries("567 of 32 bits", setting, device, {567}, {.first_bits = 32});
}

}  // namespace genocl_bench
