// Finds all maximal exact matches of queries with an indexed reference, on both strands, as mummer does.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  SequenceSet reference(Alphabet::dna), queries(Alphabet::dna);
  reference.append_letters("chr", "AAAAAGATTACAGGCATTCCAAAAA");
  queries.append_letters("same", "CCGATTACAGGCATTCCGG");
  queries.append_letters("reverse", "TTTGGAATGCCTGTAATCTT");
  const overlap::MatchIndex index(Device::pick(), reference);
  const auto matches = index.find(queries, {.min_length = 12, .both_strands = true});
  bool forward = false, reverse = false;
  for (const overlap::MaximalMatch& match : matches) {
    std::cout << queries.name(match.query_record) << (match.reverse ? " - " : " + ") << match.reference_position + 1
              << ' ' << match.length << "\n";
    (match.reverse ? reverse : forward) = true;
  }
  return forward && reverse ? 0 : 1;
}
