// Searches proteins and prints the hits as BLAST's table (outfmt 6), as genocl-align search does.
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  SequenceSet subjects(Alphabet::protein), queries(Alphabet::protein);
  subjects.append_letters("other", "PPGPPGPPGPPGPPGPPG");
  subjects.append_letters("like", "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSG", "a protein");
  queries.append_letters("query", "AYIAKQRNISFVKSHFSRQLEERLGL");

  const align::SearchOptions options{
      .align = true, .max_hsps = std::numeric_limits<std::uint32_t>::max(), .by_subject = true};
  const align::Searcher searcher(Device::pick(), align::Database::build(subjects), options);
  align::HitFormatter formatter(align::Format::blast6, searcher.database(), options);
  std::string text;
  searcher.search(
      queries, [&](std::size_t query, std::vector<align::Hit>&& hits) { formatter.add(queries, query, hits, text); });
  formatter.finish(text);
  std::cout << text;
  return text.starts_with("query\tlike\t96.154\t26\t1\t0\t1\t26\t4\t29\t") ? 0 : 1;
}
