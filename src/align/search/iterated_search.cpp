#include "genocl/align/iterated_search.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "genocl/align/statistics.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr unsigned max_iterations = 100;

SearchOptions inclusion_options(SearchOptions options, const IterationOptions& iteration) {
  options.top = std::max<std::size_t>(1, iteration.max_subjects);
  options.min_score = 1;
  options.evalues = true;
  options.max_evalue = iteration.inclusion_evalue;
  options.align = options.by_subject = true;
  options.max_hsps = iteration.max_hsps;
  options.filter = {};
  return options;
}

void check(const Database& database, const SequenceSet& queries, const SearchOptions& search,
           const IterationOptions& options) {
  if (database.alphabet() != Alphabet::protein || queries.alphabet() != Alphabet::protein)
    throw InputError("an iterated search of DNA; expected proteins");
  if (search.translation.any()) throw InputError("an iterated search with translation");
  if (!(options.inclusion_evalue > 0)) throw InputError("an inclusion E-value that is not above 0");
  if (options.max_hsps == 0) throw InputError("an iterated search without alignments of subjects; expected 1 or more");
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (!queries.masked(i).empty()) throw InputError("an iterated search with masked queries");
  if (!KarlinAltschul::find(search.matrix, search.gap))
    throw InputError("an iterated search with a scoring system whose statistics are not known");
}

/// A query that is still searched.
struct Active {
  std::size_t query = 0;
  std::set<std::uint64_t> included;  ///< subjects of the search before
};

/// Takes the hits of one search of a query. False if it was the last one.
bool advance(const Database& database, const SequenceSet& queries, const SearchOptions& search,
             const IterationOptions& options, Active& active, std::vector<Hit> hits, IteratedProfile& result) {
  std::erase_if(hits, [&](const Hit& hit) { return !(hit.evalue < options.inclusion_evalue); });
  std::set<std::uint64_t> included;
  IterationCounts counts;
  for (const Hit& hit : hits)
    if (included.insert(hit.subject).second && !active.included.contains(hit.subject)) ++counts.added;
  counts.included = included.size();
  result.searches.push_back(counts);
  result.converged = result.searches.size() > 1 && counts.added == 0;
  if (result.converged || included.empty()) return false;
  try {
    result.profile = make_profile(std::string(queries.name(active.query)), queries[active.query], hits, database,
                                  search.matrix, search.gap);
  } catch (const InputError& error) {
    result.stopped = error.what();
    return false;
  }
  ++result.iterations;
  active.included = std::move(included);
  return true;
}

}  // namespace

std::vector<IteratedProfile> iterate_profiles(Devices devices, const Database& database, const SequenceSet& queries,
                                              const SearchOptions& search, const IterationOptions& options) {
  check(database, queries, search, options);
  std::vector<IteratedProfile> results(queries.size());
  const unsigned most = options.iterations == 0 ? max_iterations : options.iterations;
  if (most == 1 || queries.empty()) return results;
  const Searcher searcher(devices, database, inclusion_options(search, options));
  std::vector<Active> active(queries.size()), next;
  for (std::size_t i = 0; i < active.size(); ++i) active[i].query = i;
  for (unsigned iteration = 1; iteration < most && !active.empty(); ++iteration) {
    const auto take = [&](std::size_t i, std::vector<Hit>&& hits) {
      Active& one = active[i];
      if (advance(database, queries, search, options, one, std::move(hits), results[one.query]))
        next.push_back(std::move(one));
    };
    if (iteration == 1) {
      searcher.search(queries, take);
    } else {
      std::vector<Profile> profiles;
      profiles.reserve(active.size());
      for (const Active& one : active) profiles.push_back(results[one.query].profile->profile);
      searcher.search(std::span<const Profile>(profiles), take);
    }
    active = std::exchange(next, {});
  }
  return results;
}

}  // namespace genocl::align
