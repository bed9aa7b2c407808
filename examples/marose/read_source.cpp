#include "marose/read_source.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using genocl::io::SequenceReader;

/// Enough for a device to be busy with, and little enough that reading, mapping and writing overlap.
constexpr std::uint64_t usual_batch_reads = std::uint64_t{1} << 17, batch_bases = std::uint64_t{1} << 25;

std::string record_text(std::uint64_t record, std::string_view name) {
  return "record " + std::to_string(record + 1) + (name.empty() ? "" : " (" + genocl::shown(name) + ")");
}

}  // namespace

std::string_view template_name(std::string_view read_name) {
  if (read_name.ends_with("/1") || read_name.ends_with("/2")) read_name.remove_suffix(2);
  return read_name;
}

ReadSource::ReadSource(const std::string& reads, const std::string& mates, bool interleaved, std::uint64_t batch_reads,
                       unsigned threads)
    : reads_(reads, {.keep_descriptions = false, .threads = threads}), interleaved_(interleaved) {
  const std::uint64_t records = batch_reads == 0 ? usual_batch_reads : batch_reads;
  limits_ = {.residues = batch_bases, .records = records};
  if (mates.empty()) return;
  if (reads == "-" && mates == "-") throw InputError("both mates cannot come from standard input");
  mates_.emplace(mates, genocl::io::ReadOptions{.keep_descriptions = false, .threads = threads});
  if (mates_->format() != reads_.format())
    throw InputError(mates_->file(), {}, std::string(to_string(mates_->format())),
                     std::string(to_string(reads_.format())) + ", as " + reads_.file());
}

bool ReadSource::next(SequenceSet& batch) {
  const bool more = mates_ ? next_pairs(batch) : interleaved_ ? next_interleaved(batch) : reads_.read(batch, limits_);
  if (more) check_lengths(batch);
  before_ += batch.size();
  fraction_ = mates_ ? std::min(reads_.fraction(), mates_->fraction()) : reads_.fraction();
  return more;
}

bool ReadSource::next_pairs(SequenceSet& batch) {
  const genocl::BatchLimits one{.residues = limits_.residues, .records = 1};
  batch.clear();
  while (batch.size() + 2 <= std::max<std::uint64_t>(2, limits_.records) && batch.residues() < limits_.residues) {
    const std::size_t first = batch.size();
    if (!reads_.append(batch, one)) {
      SequenceSet rest;
      if (mates_->append(rest, one)) no_mate(reads_, *mates_, rest.name(0));
      break;
    }
    if (!mates_->append(batch, one)) no_mate(*mates_, reads_, batch.name(first));
    if (template_name(batch.name(first)) != template_name(batch.name(first + 1)))
      throw InputError(mates_->file(), record_text(mates_->records() - 1, batch.name(first + 1)),
                       "is not the mate of " + std::string(batch.name(first)),
                       "mates in the order of " + reads_.file() + ", of the same names but for /1 and /2");
  }
  return !batch.empty();
}

bool ReadSource::next_interleaved(SequenceSet& batch) {
  genocl::BatchLimits limits = limits_;
  limits.records = std::max<std::uint64_t>(2, limits.records / 2 * 2);
  if (!reads_.read(batch, limits)) return false;
  // A limit of bases may have cut a pair.
  if (batch.size() % 2 != 0 && !reads_.append(batch, {.residues = limits.residues, .records = 1}))
    throw InputError(reads_.file(), record_text(reads_.records() - 1, batch.name(batch.size() - 1)),
                     "has no mate behind it", "mate after mate");
  for (std::size_t first = 0; first < batch.size(); first += 2)
    if (template_name(batch.name(first)) != template_name(batch.name(first + 1)))
      throw InputError(reads_.file(), record_text(before_ + first + 1, batch.name(first + 1)),
                       "is not the mate of " + std::string(batch.name(first)),
                       "mate after mate, of the same names but for /1 and /2");
  return true;
}

void ReadSource::no_mate(const SequenceReader& ended, const SequenceReader& other, std::string_view name) const {
  throw InputError(ended.file(), {}, "ends after " + std::to_string(ended.records()) + " records",
                   "a mate of " + record_text(other.records() - 1, name) + " of " + other.file());
}

void ReadSource::check_lengths(const SequenceSet& batch) const {
  if (batch.longest() <= longest_read) return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) <= longest_read) continue;
    const bool mate = mates_ && i % 2 == 1;
    throw InputError(mate ? mates_->file() : reads_.file(),
                     record_text(mates_ ? (before_ + i) / 2 : before_ + i, batch.name(i)),
                     "a read of " + std::to_string(batch.length(i)) + " bases", "at most 1000");
  }
}

}  // namespace program
