#include "align/search/query_batches.hpp"

#include <array>
#include <iostream>

#include "genocl/error.hpp"

namespace program {

using genocl::InputError;
using genocl::SequenceSet;

/// Residues and queries that are searched at a time: a database that does not stay on the devices passes once for each
/// batch.
constexpr std::uint64_t batch_residues = std::uint64_t{4} << 20, usual_batch_queries = std::uint64_t{1} << 14;

QuerySource::QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns)
    : reader_(settings.queries,
              {.alphabet = alphabet, .bad_letters = genocl::bad_letters(settings.making.replace_letters)}),
      limits_{.residues = batch_residues, .records = settings.batch_queries.value_or(usual_batch_queries)},
      warns_(warns) {}

bool QuerySource::next(SequenceSet& batch) {
  if (!reader_.read(batch, limits_)) return false;
  for (std::size_t i = 0; i < batch.size(); ++i) check(batch, i);
  return true;
}

void QuerySource::check(const SequenceSet& batch, std::size_t i) const {
  const std::uint64_t length = batch.length(i);
  if (length > 0 && length <= align::Database::longest_sequence) return;
  const std::string where =
      "record " + std::to_string(reader_.records() - batch.size() + i + 1) + " (" + genocl::shown(batch.name(i)) + ")";
  if (length > 0)
    throw InputError(reader_.file(), where, "a query of " + std::to_string(length) + " letters",
                     std::to_string(align::Database::longest_sequence) + " letters at most");
  if (warns_)
    std::cerr << "genocl-align: warning: " << reader_.file() << ":" << where
              << ": an empty query, for which nothing is searched\n";
}

std::uint64_t write_hits(ResultWriter& writer, const SequenceSet& batch,
                         const std::vector<std::vector<align::Hit>>& hits) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    writer.write({.name = batch.name(i),
                  .description = batch.description(i),
                  .codes = batch[i],
                  .quality = batch.quality(i),
                  .hits = hits[i]});
    count += hits[i].size();
  }
  return count;
}

void merge_into(HitLists& to, HitLists&& more, std::size_t top) {
  if (to.empty()) {
    to = std::move(more);
    return;
  }
  if (to.size() != more.size()) throw InputError("parts of searches with other queries");
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::array<std::vector<align::Hit>, 2> both = {std::move(to[i]), std::move(more[i])};
    to[i] = align::merge_hits(both, top);
  }
}

SequenceSet with_letters(const SequenceSet& batch, std::vector<std::size_t>& numbers) {
  SequenceSet some(batch.alphabet());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) == 0) continue;
    some.append(batch.name(i), batch[i]);
    numbers.push_back(i);
  }
  return some;
}

std::vector<std::vector<align::Hit>> hits_of_all(std::size_t queries, const std::vector<std::size_t>& numbers,
                                                 std::vector<std::vector<align::Hit>> found) {
  if (numbers.size() == queries) return found;
  std::vector<std::vector<align::Hit>> hits(queries);
  for (std::size_t k = 0; k < numbers.size(); ++k) hits[numbers[k]] = std::move(found[k]);
  return hits;
}

}  // namespace program
