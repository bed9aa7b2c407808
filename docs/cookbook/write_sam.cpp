// Maps a read with an insertion, aligns it, and writes SAM.
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "genocl/genocl.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/text_file.hpp"

int main() {
  using namespace genocl;
  std::mt19937 random(7);
  std::string genome(20'000, 'A');
  for (char& letter : genome) letter = "ACGT"[random() % 4];
  SequenceSet reference(Alphabet::dna), reads(Alphabet::dna);
  reference.append_letters("chr", genome);
  char other = 'A';  // another letter than its neighbours, so that the insertion has one place
  for (const char letter : {'C', 'G'})
    if (other == genome[1049] || other == genome[1050]) other = letter;
  reads.append_letters("read", genome.substr(1000, 50) + other + genome.substr(1050, 50));

  const Device device = Device::pick();
  const marose::Index index = marose::Index::build(device, reference);
  const marose::Hit hit = marose::Mapper(device, index, {.errors = {.count = 2}}).map(reads).of(0)[0];
  const marose::Alignment alignment = marose::align(index, reads[0], hit);
  std::vector<std::uint32_t> cigar;
  for (const marose::Alignment::Run& run : alignment.runs)
    cigar.push_back(io::cigar_run(run.length, "MXIDS"[static_cast<int>(run.operation)]));

  io::AlignmentWriter writer("cookbook.sam", {.references = {{.name = "chr", .length = genome.size()}}});
  io::AlignmentFormatter formatter = writer.formatter();
  formatter.add({.name = reads.name(0),
                 .flag = 0,
                 .reference = 0,
                 .position = static_cast<std::int64_t>(alignment.position),
                 .mapping_quality = 60,
                 .cigar = cigar,
                 .codes = reads[0]});
  writer.append(formatter.take());
  writer.commit();
  const std::string sam = io::read_text_file("cookbook.sam");
  std::cout << sam;
  return sam.find("\t1001\t60\t50M1I50M\t") != std::string::npos ? 0 : 1;
}
