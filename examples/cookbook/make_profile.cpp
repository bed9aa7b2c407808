// Builds a profile from aligned proteins, as psiblast does, and searches with it.
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::vector<align::AlignedSequence> family{{"a", "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ"},
                                                   {"b", "MRTAYLAKQRNISFIKAHFSRQLDERLGLIEVQ"},
                                                   {"c", "MKSAYIARQRQVSFVKSHYARQLEDRLGMIDVQ"}};
  const align::MadeProfile made = align::make_profile("family", family);
  SequenceSet subjects(Alphabet::protein);
  subjects.append_letters("far", "GGGGPPPPGGGGPPPPGGGGPPPPGGGG");
  subjects.append_letters("member", "WWWMRSAYLARQRNVSFIKAHYARQLDDRLGMIDVQWWW");
  const align::Searcher searcher(Device::pick(), align::Database::build(subjects), {});
  const std::vector<align::Profile> profiles{made.profile};
  const auto hits = searcher.search(profiles).hits.front();
  for (const align::Hit& hit : hits) std::cout << subjects.name(hit.subject) << ": score " << hit.score << "\n";
  return !hits.empty() && hits.front().subject == 1 && made.columns.size() == 33 ? 0 : 1;
}
