// Shared by the tests of the mapper: its hits compared with brute force.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "device_under_test.hpp"
#include "genocl/marose.hpp"
#include "marose/texts.hpp"
#include "random.hpp"
#include "reference/marose/marose.hpp"

namespace doctest {
template <>
struct StringMaker<genocl::marose::Hit> {
  static String convert(const genocl::marose::Hit& hit) {
    return (std::to_string(hit.reference) + ":" + std::to_string(hit.position) + "+" + std::to_string(hit.length) +
            (hit.strand == genocl::marose::Strand::forward ? " forward " : " reverse ") + std::to_string(hit.errors))
        .c_str();
  }
};
}  // namespace doctest

namespace marose_test {

// One context serves all cases: each would load its programs again.
inline const genocl::Device& test_device() { return genocl_test::device_under_test(); }

inline std::string to_text(std::span<const genocl::marose::Hit> hits) {
  std::string text;
  for (const genocl::marose::Hit& hit : hits)
    text += std::string(doctest::StringMaker<genocl::marose::Hit>::convert(hit).c_str()) + "; ";
  return text;
}

/// The hits of reads by brute force, each found once for all kernels that are to find it.
class BruteForce {
 public:
  BruteForce(const genocl::SequenceSet& text, const genocl::SequenceSet& reads, genocl::marose::Model model)
      : text_(text), reads_(reads), model_(model) {}

  const std::vector<genocl::marose::Hit>& hits(std::size_t read, unsigned bound) {
    const auto [known, is_new] = known_.try_emplace({read, bound});
    if (is_new) known->second = reference::map_read(text_, reads_[read], bound, model_);
    return known->second;
  }

 private:
  const genocl::SequenceSet& text_;
  const genocl::SequenceSet& reads_;
  const genocl::marose::Model model_;
  std::map<std::pair<std::size_t, unsigned>, std::vector<genocl::marose::Hit>> known_;
};

inline void check_all(const genocl::Device& device, const genocl::SequenceSet& reads, BruteForce& brute_force,
                      const genocl::marose::Index& index, const genocl::marose::MapOptions& options) {
  const genocl::marose::Hits hits = genocl::marose::Mapper(device, index, options).map(reads);
  REQUIRE(hits.offsets.size() == reads.size() + 1);
  for (std::size_t read = 0; read < reads.size(); ++read) {
    CAPTURE(read);
    const genocl::marose::ReadSummary& summary = hits.reads[read];
    if (summary.too_short) continue;
    const std::vector<genocl::marose::Hit>& expected = brute_force.hits(read, summary.bound);
    CHECK(to_text(hits.of(read)) == to_text(expected));
    CHECK(summary.hits == expected.size());
  }
}

/// Maps reads from many small references, of which the seeds tell everything; returns the number of hits. `mixed`: some
/// reads hold an N and some fill a word, which takes more programs; otherwise none does.
inline std::uint64_t map_small_references(unsigned first_seed, unsigned last_seed, bool mixed) {
  using namespace genocl::marose;
  std::uint64_t hits = 0;
  for (unsigned seed = first_seed; seed < last_seed; ++seed) {
    Random random(seed);
    CAPTURE(seed);
    const Model model = seed % 2 != 0 ? Model::hamming : Model::levenshtein;
    const genocl::Device device =
        test_device().with_family(seed / 2 % 2 != 0 ? genocl::KernelFamily::cpu : genocl::KernelFamily::gpu);
    const genocl::SequenceSet text = hard_reference(random, 300 + below(random, 600));
    const unsigned length = mixed ? 32 + below(random, 33) : 33 + below(random, 32), errors = below(random, 4);
    genocl::SequenceSet reads = reads_from(random, text, 5, length, errors + 1, model == Model::levenshtein);
    if (!mixed) reads = without_unknown(random, reads);
    // Every third in segments of a few hundred bases.
    const Index index =
        Index::build(device, text, {.seed_mask = "########", .segment_bases = seed % 3 == 0 ? 500u : 0u});
    const Hits found =
        Mapper(device, index, {.errors = {.count = errors}, .model = model, .report = Report::all()}).map(reads);
    for (std::size_t read = 0; read < reads.size(); ++read) {
      REQUIRE(found.reads[read].bound == errors);
      CHECK(to_text(found.of(read)) == to_text(reference::map_read(text, reads[read], errors, model)));
    }
    hits += found.hits.size();
  }
  return hits;
}

}  // namespace marose_test
