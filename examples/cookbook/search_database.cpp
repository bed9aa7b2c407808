// Searches a protein database: exact Smith-Waterman scores, E-values and alignments.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  SequenceSet subjects(Alphabet::protein), queries(Alphabet::protein);
  subjects.append_letters("other", "PPGPPGPPGPPGPPGPPG");
  subjects.append_letters("like", "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSG");
  queries.append_letters("query", "AYIAKQRNISFVKSHFSRQLEERLGL");

  const align::Searcher searcher(Device::pick(), align::Database::build(subjects),
                                 {.matrix = align::blosum62(), .gap = {.open = 11, .extend = 1}, .align = true});
  const align::SearchResult result = searcher.search(queries);
  for (const align::Hit& hit : result.hits.front())
    std::cout << subjects.name(hit.subject) << ": score " << hit.score << ", E-value " << hit.evalue << ", from "
              << hit.alignment->subject_begin + 1 << ", " << hit.alignment->cigar() << "\n";
  const align::Hit& best = result.hits.front().front();
  return best.subject == 1 && best.alignment->cigar() == "7=1X18=" ? 0 : 1;
}
