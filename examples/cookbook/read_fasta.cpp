// Writes compressed FASTA and reads it in batches with a maximum number of letters.
#include <iostream>

#include "genocl/genocl.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/sequence_writer.hpp"

int main() {
  genocl::SequenceSet written(genocl::Alphabet::dna);
  written.append_letters("one", "ACGTACGTNN", "the first");
  written.append_letters("two", "GGGTTT");
  genocl::io::OutputFile file("cookbook.fa.gz");
  genocl::io::write_fasta(file, written);
  file.commit();  // the file appears as a whole, or not at all

  genocl::io::SequenceReader reader("cookbook.fa.gz");
  genocl::SequenceSet batch(genocl::Alphabet::dna);
  std::size_t records = 0;
  while (reader.read(batch, {.residues = 10}))
    for (std::size_t i = 0; i < batch.size(); ++i, ++records)
      std::cout << batch.name(i) << ": " << batch.length(i) << " letters, " << batch.letters(i) << "\n";
  return records == 2 && genocl::io::read_sequences("cookbook.fa.gz") == written ? 0 : 1;
}
