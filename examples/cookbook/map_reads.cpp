// Maps reads: finds all positions with at most three substitutions, on both strands.
#include <iostream>
#include <random>
#include <string>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  std::mt19937 random(7);
  std::string genome(20'000, 'A');
  for (char& letter : genome) letter = "ACGT"[random() % 4];
  SequenceSet reference(Alphabet::dna), reads(Alphabet::dna);
  reference.append_letters("chr", genome);
  std::string read = genome.substr(1234, 100);
  for (const std::size_t at : {10U, 50U, 90U}) read[at] = read[at] == 'A' ? 'C' : 'A';  // three substitutions
  reads.append_letters("read", read);

  const Device device = Device::pick();
  const marose::Index index = marose::Index::build(device, reference);
  const marose::Mapper mapper(device, index, {.errors = {.count = 3}, .model = marose::Model::hamming});
  const marose::Hits hits = mapper.map(reads);
  for (const marose::Hit& hit : hits.of(0))
    std::cout << index.name(hit.reference) << ':' << hit.position + 1 << ", " << hit.errors << " errors\n";
  return hits.of(0).size() == 1 && hits.of(0)[0].position == 1234 && !hits.reads[0].lower_bound ? 0 : 1;
}
