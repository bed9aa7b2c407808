// A database of sequences with any bytes in its sections: one that can be used, or an InputError.
#include <algorithm>
#include <cstdint>

#include "genocl/align/database.hpp"
#include "sections.hpp"

using namespace genocl;
using align::Database;

const unsigned fuzz::examples = 3;

void fuzz::save_example(unsigned number, const std::string& path) {
  SequenceSet set(number == 2 ? Alphabet::dna : Alphabet::protein);
  set.append_letters("one", number == 2 ? "ACGTNACGT" : "MKVLAW");
  if (number != 1) {
    set.append_letters("two", number == 2 ? "GG" : "PEPTIDES", "with a description");
    set.append_letters("three", "");
  }
  Database::build(set).save(path);
}

namespace {

void use(const Database& database, bool checked) {
  const std::size_t letters = alphabet_size(database.alphabet());
  fuzz::require(database.letter_counts().size() == letters, "every letter is counted");
  std::uint64_t residues = 0;
  for (std::size_t rank = 0; rank < database.size(); ++rank) {
    const std::size_t number = database.number(rank);
    fuzz::require(database.rank(number) == rank, "ranks and numbers belong together");
    residues += database.length(number);
    fuzz::require(database.name(number).size() + database.description(number).size() < (1u << 20), "names are short");
    const auto codes = database.sequence(number);
    fuzz::require(codes.size() == database.length(number), "lengths are those of the sequences");
    for (const Code code : codes) fuzz::require(!checked || code < letters, "codes are of the alphabet");
  }
  fuzz::require(residues == database.residues(), "lengths add up");
}

}  // namespace

void fuzz::open_and_use(const std::string& path) {
  use(Database::open(path, false), false);
  const Database database = Database::open(path);
  use(database, true);
  for (std::size_t i = 0; i < 3; ++i) use(database.shard(i, 3), true);
}
