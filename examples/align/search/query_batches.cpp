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

/// When so many records are wrong, and none is right, the file is.
constexpr std::size_t most_wrong = 1000;

static bool is_searchable(std::uint64_t length) { return length > 0 && length <= align::Searcher::longest_query; }

QuerySource::QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns)
    : guard_(settings.queries, settings.making.protein, "proteins, or --protein where these are amino acids"),
      repairs_(settings.making.strict, warns),
      reader_(settings.queries, reading(settings, alphabet)),
      limits_{.residues = batch_residues, .records = settings.batch_queries.value_or(usual_batch_queries)},
      masks_(settings.mask == "seg" || settings.mask == "dust"),
      warns_(warns) {}

genocl::io::ReadOptions QuerySource::reading(const SearchSettings& settings, genocl::Alphabet alphabet) {
  genocl::io::ReadOptions options = read_options(settings.making, alphabet, repairs_);
  options.mask_lower_case = settings.mask == "lower";
  if (!settings.making.strict) options.skip_record = [this](const InputError& why) { leave_out(with_advice(why)); };
  return options;
}

bool QuerySource::next(SequenceSet& batch) {
  skipped_before_ += skipped_.size();
  skipped_.clear();
  if (!reader_.read(batch, limits_)) {
    if (!wrong_.empty()) throw InputError(wrong_.front());
    repairs_.finish(reader_.file(), reader_.records());
    return false;
  }
  if (taken_ == 0) {
    guard_.see(batch);
    guard_.check();
  }
  tell_wrong();
  if (masks_) align::mask_low_complexity(batch);
  for (std::size_t i = 0; i < batch.size(); ++i) check(batch, i);
  taken_ += batch.size();
  return true;
}

void QuerySource::leave_out(const InputError& why) {
  const bool none_right = reader_.records() == skipped_before_ + skipped_.size();
  skipped_.push_back(reader_.records());
  wrong_.push_back(why.what());
  if (!none_right)
    tell_wrong();
  else if (wrong_.size() == most_wrong)
    throw InputError(wrong_.front());
}

void QuerySource::tell_wrong() {
  for (const std::string& text : wrong_) warn(text + ": this query is left out");
  wrong_.clear();
}

void QuerySource::warn(const std::string& text) const {
  if (warns_) std::cerr << "genocl-align: warning: " << text << '\n';
}

void QuerySource::check(const SequenceSet& batch, std::size_t i) const {
  const std::uint64_t length = batch.length(i);
  if (is_searchable(length)) return;
  std::uint64_t record = skipped_before_ + taken_ + i;
  for (const std::uint64_t skipped : skipped_) record += skipped <= record ? 1 : 0;
  const std::string where =
      reader_.file() + ":record " + std::to_string(record + 1) + " (" + genocl::shown(batch.name(i)) + "): ";
  if (length == 0)
    warn(where + "an empty query, for which nothing is searched");
  else
    warn(where + "a query of " + std::to_string(length) + " letters, for which nothing is searched; " +
         std::to_string(align::Searcher::longest_query) + " letters at most");
}

void BatchWriter::write_next(std::span<const align::Hit> hits) {
  const std::size_t i = written_++;
  writer_.write({.name = batch_.name(i),
                 .description = batch_.description(i),
                 .codes = batch_[i],
                 .quality = batch_.quality(i),
                 .masked = batch_.masked(i),
                 .hits = hits});
  hits_ += hits.size();
}

void BatchWriter::write_up_to(std::size_t number) {
  while (written_ < number) write_next({});
}

void BatchWriter::write(std::span<const align::Hit> hits) {
  write_up_to(numbers_[searched_++]);
  write_next(hits);
}

void BatchWriter::write_all(std::span<const std::vector<align::Hit>> hits) {
  for (const std::vector<align::Hit>& of_query : hits) write(of_query);
}

std::uint64_t BatchWriter::finish() {
  write_up_to(batch_.size());
  return hits_;
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

SequenceSet searchable(const SequenceSet& batch, std::vector<std::size_t>& numbers) {
  SequenceSet some(batch.alphabet());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!is_searchable(batch.length(i))) continue;
    some.append(batch.name(i), batch[i]);
    some.mask(some.size() - 1, batch.masked(i));
    numbers.push_back(i);
  }
  return some;
}

}  // namespace program
