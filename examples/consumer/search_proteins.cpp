// Searches a database of two proteins, and prints the hits like BLAST's table: subject, identities, score, E-value.
#include <genocl/genocl.hpp>
#include <iostream>

int main() {
  using namespace genocl;
  SequenceSet subjects(Alphabet::protein), queries(Alphabet::protein);
  subjects.append_letters("collagen", "PPGPPGPPGPPGPPGPPG");
  subjects.append_letters("kinase", "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSG");
  queries.append_letters("query", "AYIAKQRNISFVKSHFSRQLEERLGL");
  const align::Searcher searcher(Device::pick(), align::Database::build(subjects), {.align = true});
  const align::SearchResult result = searcher.search(queries);
  for (const align::Hit& hit : result.hits.front())
    std::cout << subjects.name(hit.subject) << '\t' << hit.alignment->cigar() << '\t' << hit.score << '\t' << hit.evalue
              << '\n';
}
