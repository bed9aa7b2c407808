#include "marose/read_source.hpp"

#include <algorithm>
#include <filesystem>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"

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

ReadFile::ReadFile(const ReadFiles& files, const ReadSourceOptions& options)
    : reads_(files.reads, {.keep_descriptions = options.comments, .threads = options.threads}), options_(options) {
  limits_ = {.residues = batch_bases, .records = options.batch_reads == 0 ? usual_batch_reads : options.batch_reads};
  if (files.mates.empty()) return;
  mates_.emplace(files.mates,
                 genocl::io::ReadOptions{.keep_descriptions = options.comments, .threads = options.threads});
  if (mates_->format() != reads_.format())
    throw InputError(mates_->file(), {}, std::string(to_string(mates_->format())),
                     std::string(to_string(reads_.format())) + ", as " + reads_.file());
}

bool ReadFile::next(SequenceSet& batch) {
  const bool more = mates_                 ? next_pairs(batch)
                    : options_.interleaved ? next_interleaved(batch)
                                           : reads_.read(batch, limits_);
  if (more) check(batch);
  before_ += batch.size();
  return more;
}

double ReadFile::fraction() const noexcept {
  return mates_ ? std::min(reads_.fraction(), mates_->fraction()) : reads_.fraction();
}

bool ReadFile::next_pairs(SequenceSet& batch) {
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

bool ReadFile::next_interleaved(SequenceSet& batch) {
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

void ReadFile::no_mate(const SequenceReader& ended, const SequenceReader& other, std::string_view name) const {
  throw InputError(ended.file(), {}, "ends after " + std::to_string(ended.records()) + " records",
                   "a mate of " + record_text(other.records() - 1, name) + " of " + other.file());
}

void ReadFile::check(const SequenceSet& batch) const {
  const auto fail = [&](std::size_t i, const std::string& wrong, const std::string& expected) {
    throw InputError(mates_ && i % 2 == 1 ? mates_->file() : reads_.file(),
                     record_text(mates_ ? (before_ + i) / 2 : before_ + i, batch.name(i)), wrong, expected);
  };
  if (batch.longest() > longest_read)
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (batch.length(i) > longest_read)
        fail(i, "a read of " + std::to_string(batch.length(i)) + " bases", "at most 1000");
  if (!options_.comments) return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    try {
      genocl::io::check_tags(batch.description(i), options_.used_tags);
    } catch (const InputError& error) {
      fail(i, "in its comment " + error.wrong(), error.expected());
    }
  }
}

ReadSource::ReadSource(std::vector<ReadFiles> files, ReadSourceOptions options)
    : files_(std::move(files)), options_(std::move(options)) {
  if (files_.size() == 1) return;  // it is opened soon enough
  const auto is_pipe = [](const std::string& file) {
    std::error_code error;
    return file == "-" || (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error));
  };
  for (const ReadFiles& one : files_)
    if (!is_pipe(one.reads) && !is_pipe(one.mates)) ReadFile(one, options_);
}

bool ReadSource::next(SequenceSet& batch) {
  while (true) {
    if (!current_) {
      batch.clear();
      if (begun_count_ == files_.size()) return false;
      current_.emplace(files_[begun_count_++], options_);
      const std::lock_guard lock(mutex_);
      begun_.push_back({given_, current_->name()});
    }
    const bool more = current_->next(batch);
    fraction_ = (static_cast<double>(begun_count_ - 1) + current_->fraction()) / static_cast<double>(files_.size());
    given_ += batch.size();
    if (more) return true;
    current_.reset();
  }
}

std::string ReadSource::file_of(std::uint64_t read) const {
  const std::lock_guard lock(mutex_);
  std::size_t file = begun_.size();
  while (file > 1 && begun_[file - 1].first_read > read) --file;
  return begun_.at(file - 1).name;
}

}  // namespace program
