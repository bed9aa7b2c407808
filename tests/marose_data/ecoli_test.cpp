// Real data: every hit on the genome of Escherichia coli 536, as brute force and as bowtie 1 find them.
// Runs in the deep set: it takes half a minute.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/marose.hpp"
#include "marose/texts.hpp"
#include "reference/marose/marose_fast.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

/// Empty where the data is not.
std::string data_file(const std::string& name) {
  const char* folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/" + name;
  if (std::filesystem::exists(path)) return path;
  MESSAGE("left out: " << path << " is not there");
  return {};
}

const SequenceSet& genome() {
  static const SequenceSet set = [] {
    const std::string path = data_file("dna/ecoli_536.fa.gz");
    return path.empty() ? SequenceSet() : io::read_sequences(path);
  }();
  return set;
}

/// 64-bit FNV-1a.
std::uint64_t hash(const std::string& line) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : line) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

bool same(std::span<const Hit> a, const std::vector<Hit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("E. coli 536: all hits of random reads, as by brute force") {
  if (genome().empty()) return;
  const Device device = Device::pick();
  for (const auto& bound : {std::pair{36u, 2u}, {40u, 3u}, {100u, 5u}})
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      const unsigned length = bound.first, errors = bound.second;
      Random random(length);
      SequenceSet reads;
      while (reads.size() < 24) {  // exactly as many errors as allowed, mostly
        const SequenceSet one = reads_from(random, genome(), 1, length, errors, model == Model::levenshtein);
        reads.append("r" + std::to_string(reads.size()), one[0]);
      }
      CAPTURE(length);
      CAPTURE(to_string(model));
      const Index index =
          Index::build(device, genome(), {.read_length = length, .errors = {.count = errors}, .model = model});
      const Hits hits =
          Mapper(device, index, {.errors = {.count = errors}, .model = model, .report = Report::all()}).map(reads);
      std::uint64_t total = 0;
      for (std::size_t i = 0; i < reads.size(); ++i) {
        CAPTURE(i);
        CHECK(hits.reads[i].bound == errors);
        CHECK(same(hits.of(i), reference::fast_map_read(genome(), reads[i], errors, model)));
        total += hits.of(i).size();
      }
      CHECK(total > 12);
    }
}

TEST_CASE("E. coli 536: bowtie's reads, the hits of bowtie 1") {
  const std::string path = data_file("reads/e_coli_1000.fq");
  if (genome().empty() || path.empty()) return;
  const SequenceSet reads = io::read_sequences(path);
  const Device device = Device::pick();
  const Index index =
      Index::build(device, genome(), {.read_length = 35, .errors = {.count = 3}, .model = Model::hamming});
  // bowtie 1.3.1: bowtie -v 2 -a, and -v 3 -a. Hits, reads with any, and the sum of the hashes of all lines `read
  // strand position (from 0) errors`, with tabs.
  struct Expected {
    unsigned errors;
    std::size_t hits, reads;
    std::uint64_t sum;
  };
  for (const Expected& expected :
       {Expected{2, 738, 654, 0x7017f7b8faaa7b62u}, Expected{3, 800, 706, 0xe7e80ad46e28deddu}}) {
    const Hits hits =
        Mapper(device, index, {.errors = {.count = expected.errors}, .model = Model::hamming, .report = Report::all()})
            .map(reads);
    std::uint64_t sum = 0;
    std::set<std::size_t> mapped;
    for (std::size_t i = 0; i < reads.size(); ++i)
      for (const Hit& hit : hits.of(i)) {
        mapped.insert(i);
        sum += hash(std::string(reads.name(i)) + (hit.strand == Strand::forward ? "\t+\t" : "\t-\t") +
                    std::to_string(hit.position) + "\t" + std::to_string(hit.errors));
      }
    CHECK(hits.hits.size() == expected.hits);
    CHECK(mapped.size() == expected.reads);
    CHECK(sum == expected.sum);
  }
}
