#include "genocl/align/searcher.hpp"

#include "align/search/searcher_state.hpp"
#include "genocl/error.hpp"

namespace genocl::align {

Searcher::Searcher(std::span<const Device> devices, const Database& database, const SearchOptions& options)
    : state_(std::make_unique<State>(devices, database, options)) {}
Searcher::Searcher(const Device& device, const Database& database, const SearchOptions& options)
    : Searcher(std::span(&device, 1), database, options) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

SearchResult Searcher::search(const SequenceSet& queries) const {
  const State& s = *state_;
  const StrandQueries strands = s.strands_of(queries);
  SearchTally tally;
  SearchResult result;
  result.hits = s.best_hits(queries, strands.all(), tally);
  if (s.options.align) s.add_alignments(strands.all(), result.hits, tally);
  result.counts = tally.counts;
  return result;
}

void Searcher::align(const SequenceSet& queries, std::span<std::vector<Hit>> hits) const {
  if (hits.size() != queries.size()) throw InputError("hits of another number of queries");
  const StrandQueries strands = state_->strands_of(queries);
  SearchTally tally;
  state_->add_alignments(strands.all(), hits, tally);
}

std::vector<Hit> Searcher::search(std::span<const Code> query) const {
  SequenceSet set(state_->database.alphabet());
  set.append("query", query);
  return std::move(search(set).hits.front());
}

const Database& Searcher::database() const noexcept { return state_->database; }
std::size_t Searcher::chunks() const noexcept { return state_->chunks.size(); }
const SearchOptions& Searcher::options() const noexcept { return state_->options; }
const std::optional<KarlinAltschul>& Searcher::statistics() const noexcept { return state_->statistics; }

}  // namespace genocl::align
