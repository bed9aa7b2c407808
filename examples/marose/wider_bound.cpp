#include "marose/wider_bound.hpp"

namespace program {

using genocl::marose::Mapper;

void UnmappedSample::add(std::span<const genocl::Code> read) {
  if (seen_++ % every_ != 0) return;
  reads_.emplace_back(read.begin(), read.end());
  if (reads_.size() <= most_) return;
  // Every second is left.
  every_ *= 2;
  for (std::size_t i = 0; 2 * i < reads_.size(); ++i) reads_[i].swap(reads_[2 * i]);
  reads_.resize((reads_.size() + 1) / 2);
}

std::optional<WiderBound> try_wider_bound(const UnmappedSample& sample, const Counts& counts,
                                          const genocl::Device& device, const genocl::marose::Index& index,
                                          genocl::marose::MapOptions options) {
  // A mapping of its own should cost little beside what was asked for, and tell something.
  const std::uint64_t unmapped = counts.reads - counts.mapped;
  if (unmapped < 100 || unmapped < counts.reads / 100 || index.method() != genocl::marose::Method::kmers)
    return std::nullopt;
  const genocl::marose::ErrorBound wider{.share = WiderBound::share};
  genocl::SequenceSet again;
  for (const std::vector<genocl::Code>& read : sample.reads())
    if (options.errors.at(read.size()) < wider.at(read.size())) again.append("", read);
  if (again.empty()) return std::nullopt;
  options.errors = wider;
  options.report = genocl::marose::Report::best();
  options.clip = {};
  options.progress = {};
  const genocl::marose::Hits hits = Mapper(device, index, options).map(again);
  WiderBound result{.asked = sample.reads().size()};
  for (const genocl::marose::ReadSummary& read : hits.reads) result.mapped += read.hits > 0;
  return result;
}

}  // namespace program
