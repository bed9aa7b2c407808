// Maps reads and writes SAM with MAPQ, NM and MD. Reads without a hit become unmapped records.
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "genocl/genocl.hpp"
#include "genocl/io/alignment_writer.hpp"
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

  const Device device = Device::pick();
  const marose::Index index = marose::Index::build(device, reference);
  const marose::Mapper mapper(device, index);
  io::AlignmentWriter writer("cookbook.sam", {.references = {{.name = "chr", .length = genome.size()}}});
  io::AlignmentFormatter formatter = writer.formatter();
  const auto add = [&](const marose::Mapper::Batch& batch, std::size_t read) {
    io::AlignmentRecord record{.name = batch.reads.name(read), .codes = batch.reads[read]};
    marose::MismatchTags tags;
    std::vector<std::uint32_t> cigar;
    std::vector<io::AlignmentTag> fields;
    if (batch.alignments[read].mapped()) {
      const marose::ReadAlignment& primary = batch.alignments[read].alignments.front();
      for (const CigarRun& run : primary.cigar.runs()) cigar.push_back(run.encoded);
      marose::mismatch_tags(index, batch.reads[read], primary, tags);
      fields.emplace_back("NM", std::int64_t{tags.edit_distance});
      fields.emplace_back("MD", std::string_view(tags.mismatches));
      record.flag = primary.strand == Strand::reverse ? io::AlignmentRecord::reverse : 0;
      record.reference = static_cast<std::int32_t>(primary.contig);
      record.position = static_cast<std::int64_t>(primary.position);
      record.mapping_quality = primary.mapq;
      record.cigar = cigar;
      record.tags = fields;
    }
    formatter.add(record);
  };
  bool given = false;
  mapper.map(
      [&](SequenceSet& batch) {
        if (!given) batch = reads;
        return !std::exchange(given, true);
      },
      {},
      [&](const marose::Mapper::Batch& batch) {
        for (std::size_t read = 0; read < batch.reads.size(); ++read) add(batch, read);
        writer.append(formatter.take());
      });
  writer.commit();
  for (const auto& [name, set] : {std::pair("cookbook.fa", &reference), std::pair("cookbook_reads.fa", &reads)}) {
    io::OutputFile file(name);
    io::write_fasta(file, *set);
    file.commit();
  }
  const std::string sam = io::read_text_file("cookbook.sam");
  std::cout << sam;
  const auto has = [&](const char* text) { return sam.find(text) != std::string::npos; };
  return has("\ninsertion\t16\tchr\t1001\t") && has("\t50M1I50M\t") && has("\nforward\t0\tchr\t5001\t60\t100M\t") &&
                 has("\nnowhere\t4\t*\t0\t0\t*\t") && has("NM:i:1\tMD:Z:100")
             ? 0
             : 1;
}
