#include "topics.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "genocl/genocl.hpp"
#include "random.hpp"

namespace genocl_test {
namespace {

using namespace genocl;

template <class T>
void add(std::string& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}
void add(std::string& bytes, double value) { add(bytes, std::span<const double>(&value, 1)); }
void add(std::string& bytes, std::uint64_t value) { add(bytes, std::span<const std::uint64_t>(&value, 1)); }

std::string letters(Random& random, std::size_t count, const std::string& of) {
  std::string text(count, ' ');
  for (char& letter : text) letter = of[random.below(of.size())];
  return text;
}

/// Parts of a text, with a letter changed here and there.
SequenceSet parts(Random& random, const std::string& text, std::size_t count, std::size_t length, Alphabet alphabet,
                  const std::string& of) {
  SequenceSet set(alphabet);
  for (std::size_t i = 0; i < count; ++i) {
    std::string part = text.substr(random.below(text.size() - length), length);
    for (int change = 0; change < 2; ++change) part[random.below(length)] = of[random.below(of.size())];
    set.append_letters("part" + std::to_string(i), part);
  }
  return set;
}

TopicCall sort_call(Random& random) {
  const auto keys = random.values<std::uint32_t>(5000);
  return {"primitives", [keys](const Device& device) {
            std::vector<std::uint32_t> places(keys.size());
            for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(i);
            Array<std::uint32_t> sorted(device, keys), values(device, places);
            primitives::sort(device, sorted, values);
            std::string answer;
            add(answer, std::span<const std::uint32_t>(values.download()));
            return answer;
          }};
}

TopicCall pwm_call(const SequenceSet& text) {
  const auto motifs = pwm::parse_motifs(
      ">M1\nA [ 9 1 1 8 0 ]\nC [ 1 9 1 1 0 ]\nG [ 1 1 9 1 9 ]\nT [ 1 1 1 1 2 ]\n>M2\nA [ 1 9 1 2 ]\nC [ 9 1 1 2 ]\nG [ "
      "1 "
      "1 9 2 ]\nT [ 1 1 1 9 ]\n",
      "motifs");
  return {"pwm", [motifs, text](const Device& device) {
            std::string answer;
            pwm::scan(std::span(&device, 1), motifs, text, {.p_value = 0.01}, [&](std::span<const pwm::MotifHit> hits) {
              for (const pwm::MotifHit& one : hits) {
                add(answer, one.hit.position);
                add(answer, one.hit.score);
                add(answer, one.p.high);
              }
            });
            return answer;
          }};
}

std::vector<TopicCall> overlap_calls(const SequenceSet& text, const SequenceSet& reads) {
  const auto array = [text](const Device& device) {
    const overlap::SuffixArray suffixes(overlap::Text(device, text.codes()));
    const overlap::Lcp lcp(suffixes);
    std::string answer;
    add(answer, std::span<const std::uint32_t>(suffixes.download()));
    add(answer, std::span<const std::uint32_t>(lcp.values().download()));
    return answer;
  };
  const auto matches = [text, reads](const Device& device) {
    std::string answer;
    for (const overlap::MaximalMatch& match :
         overlap::maximal_matches(device, text, reads, {.min_length = 12, .both_strands = true})) {
      add(answer, match.reference_position);
      add(answer, match.query_position);
      add(answer, match.length);
    }
    return answer;
  };
  return {{"overlap: array", array}, {"overlap: matches", matches}};
}

std::vector<TopicCall> align_calls(Random& random) {
  const std::string of = "ARNDCQEGHILKMFPSTWYV", whole = letters(random, 4000, of);
  const auto subjects = parts(random, whole, 40, 150, Alphabet::protein, of);
  const auto queries = parts(random, whole, 5, 60, Alphabet::protein, of);
  const auto search = [subjects, queries](const Device& device) {
    const align::Searcher searcher(device, align::Database::build(subjects), {.top = 5, .align = true});
    std::string answer;
    for (const auto& hits : searcher.search(queries).hits)
      for (const align::Hit& hit : hits) {
        add(answer, hit.subject);
        add(answer, hit.evalue);
        answer += hit.alignment->cigar();
      }
    return answer;
  };
  const auto others = subjects.slice(0, queries.size());
  const auto pairs = [queries, others](const Device& device) {
    std::string answer;
    for (const align::Alignment& one : align::align_pairs(std::span(&device, 1), queries, others)) {
      add(answer, one.subject_begin);
      answer += one.cigar();
    }
    return answer;
  };
  return {{"align: search", search}, {"align: pairs", pairs}};
}

TopicCall marose_call(const SequenceSet& text, const SequenceSet& reads) {
  return {"marose", [text, reads](const Device& device) {
            const auto index = marose::Index::build(device, text);
            const marose::Mapper mapper(device, index, {.errors = {.count = 3}, .report = marose::Report::all()});
            const marose::Hits hits = mapper.map(reads);
            std::string answer;
            for (const marose::Hit& hit : hits.hits) {
              add(answer, hit.position);
              add(answer, std::uint64_t{hit.errors});
            }
            return answer;
          }};
}

TopicCall jacobi_call() {
  return {"jacobi", [](const Device& device) {
            jacobi::Grid<float> grid(50, 40);
            grid.fill({.top = 100, .left = 25, .right = 75}, 0);
            jacobi::solve<float>(device, grid, {.iterations = 40});
            std::string answer;
            add(answer, std::span<const float>(grid.cells()));
            return answer;
          }};
}

}  // namespace

std::vector<TopicCall> topic_calls(std::uint64_t seed) {
  Random random(seed);
  const std::string bases = "ACGT", genome = letters(random, 20000, bases);
  SequenceSet text(Alphabet::dna);
  text.append_letters("genome", genome);
  const SequenceSet reads = parts(random, genome, 50, 80, Alphabet::dna, bases);
  std::vector<TopicCall> calls{sort_call(random), pwm_call(text), marose_call(text, reads), jacobi_call()};
  for (auto& call : overlap_calls(text, reads)) calls.push_back(std::move(call));
  for (auto& call : align_calls(random)) calls.push_back(std::move(call));
  return calls;
}

}  // namespace genocl_test
