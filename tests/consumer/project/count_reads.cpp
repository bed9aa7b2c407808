// Counts what a sequence file holds.
#include <iostream>

#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"

int main(int argc, char** argv) try {
  const genocl::SequenceSet set = genocl::io::read_sequences(argc > 1 ? argv[1] : "-");
  std::cout << set.size() << " sequences, " << set.residues() << " letters\n";
  return 0;
} catch (const genocl::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
