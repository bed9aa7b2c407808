// Maps reads and writes SAM with MAPQ, NM and MD. Reads without a hit become unmapped records.
#include <iostream>
#include <random>
#include <string>
#include <utility>

#include "genocl/genocl.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_writer.hpp"
#include "genocl/io/text_file.hpp"

int main() {
  using namespace genocl;
  std::mt19937 random(7);
  std::string genome(20'000, 'A'), other(100, 'A');
  for (char& letter : genome) letter = "ACGT"[random() % 4];
  for (char& letter : other) letter = "ACGT"[random() % 4];
  SequenceSet reference(Alphabet::dna), reads(Alphabet::dna);
  reference.append_letters("chr", genome);
  char inserted = 'A';  // differs from both neighbours, so that the insertion has one position
  for (const char letter : {'C', 'G'})
    if (inserted == genome[1049] || inserted == genome[1050]) inserted = letter;
  reads.append_letters("insertion", genome.substr(1000, 50) + inserted + genome.substr(1050, 50));
  reads = reads.reverse_complement();  // a read of the reverse strand
  reads.append_letters("forward", genome.substr(5000, 100));
  reads.append_letters("nowhere", other);

  for (const auto& [name, set] : {std::pair("cookbook.fa", &reference), std::pair("cookbook_reads.fa", &reads)}) {
    io::OutputFile fasta(name);
    io::write_fasta(fasta, *set);
    fasta.commit();
  }

  const Device device = Device::pick();
  const marose::Index index = marose::Index::build(device, reference);
  const marose::Mapper mapper(device, index);
  marose::SamFormatter formatter(index, {});
  io::OutputFile file("cookbook.sam");
  file.write(sam::header_text(formatter.header()));
  std::string lines;
  mapper.map(
      [&](SequenceSet& batch) {
        batch = std::exchange(reads, SequenceSet());
        return !batch.empty();
      },
      {},
      [&](const marose::Mapper::Batch& batch) {
        lines.clear();
        formatter.append(batch, lines);
        file.write(lines);
      });
  file.commit();
  const std::string written = io::read_text_file("cookbook.sam");
  std::cout << written;
  const auto has = [&](const char* text) { return written.find(text) != std::string::npos; };
  return has("\ninsertion\t16\tchr\t1001\t") && has("\t50M1I50M\t") && has("\nforward\t0\tchr\t5001\t60\t100M\t") &&
                 has("\nnowhere\t4\t*\t0\t0\t*\t") && has("NM:i:1\tMD:Z:100")
             ? 0
             : 1;
}
