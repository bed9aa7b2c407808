// An index of marose with any bytes in its sections: one whose reference can be read and whose tables have the sizes
// that their readers expect, or an InputError.
#include <cstdint>
#include <vector>

#include "genocl/marose/index.hpp"
#include "marose/index.hpp"
#include "runtime/state_access.hpp"
#include "sections.hpp"

using namespace genocl;
using namespace genocl::marose;

namespace {

struct Example {
  const char* mask;
  Method method;
  unsigned neighbourhood;
};
constexpr Example made[] = {{"####", Method::kmers, 0}, {"##--##", Method::canonical, 0}, {"##", Method::list, 2},
                            {"##", Method::binary, 2},  {"##", Method::phf, 2},           {"##", Method::bitmap, 2},
                            {"##", Method::offset, 0},  {"##", Method::phf_published, 2}};

}  // namespace

const unsigned fuzz::examples = std::size(made);

void fuzz::save_example(unsigned number, const std::string& path) {
  const Example& example = made[number];
  SequenceSet reference(Alphabet::dna);
  reference.append_letters("first", "ACGTACGGTNNACGTTAGC");
  reference.append_letters("second", "GGATCCNAACCGGTT");
  static const Device device = Device::pick("cpu");
  Index::build(device, reference,
               {.seed_mask = example.mask,
                .neighbourhood = example.neighbourhood,
                .method = example.method,
                .read_length = 20,
                .errors = {.count = 0}})
      .save(path);
}

void fuzz::open_and_use(const std::string& path) {
  const Index index = Index::open(path);
  std::vector<Code> codes;
  std::uint64_t bases = 0;
  for (std::size_t contig = 0; contig < index.contigs(); ++contig) {
    bases += index.length(contig);
    require(index.name(contig).size() < (1u << 20), "names are short");
    codes.resize(index.length(contig));
    index.reference(contig, 0, codes);
    for (const Code code : codes) require(code <= dna::unknown, "codes are bases or N");
  }
  require(bases == index.bases(), "lengths add up");
  for (std::size_t segment = 0; segment < index.segments(); ++segment) {
    const Segment& of = genocl::runtime::state_of(index).segments[segment];
    require(of.begin + of.length <= bases && of.own.begin <= of.own.end && of.own.end <= bases,
            "segments are in the text");
    const HostTables tables = genocl::runtime::state_of(index).host_tables(segment);
    require(!tables.empty(), "a segment has tables");
    for (const auto& [name, table] : tables)
      if (!table.empty()) require((table.front() | table.back()) <= 0xffffffff, "tables can be read");
  }
}
