#include "marose/reads/read_source.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using genocl::io::SequenceReader;

/// Enough for a device to be busy with, and little enough that reading, mapping and writing overlap.
constexpr std::uint64_t usual_batch_reads = std::uint64_t{1} << 17, batch_bytes = std::uint64_t{96} << 20;
constexpr genocl::BatchLimits everything{.residues = std::numeric_limits<std::uint64_t>::max()};

std::string record_text(std::uint64_t record, std::string_view name) {
  return "record " + std::to_string(record + 1) + (name.empty() ? "" : " (" + genocl::shown(name) + ")");
}

}  // namespace

std::string_view template_name(std::string_view read_name) {
  if (read_name.ends_with("/1") || read_name.ends_with("/2")) read_name.remove_suffix(2);
  return read_name;
}

genocl::BatchLimits ReadFile::limits_of(const ReadFiles& files, const ReadSourceOptions& options) {
  genocl::BatchLimits limits{.residues = batch_bytes,
                             .records = options.batch_reads == 0 ? usual_batch_reads : options.batch_reads};
  const bool pairs = options.interleaved || !files.mates.empty();
  if (pairs) limits.records = std::max<std::uint64_t>(2, limits.records / 2 * 2);
  if (!files.mates.empty()) limits = {.residues = limits.residues / 2, .records = limits.records / 2};
  return limits;
}

ReadFile::ReadFile(const ReadFiles& files, const ReadSourceOptions& options)
    : reads_(files.reads, {.keep_descriptions = options.comments, .threads = options.threads}),
      options_(options),
      reading_{.keep_descriptions = options.comments} {
  limits_ = limits_of(files, options);
  if (files.mates.empty()) return;
  mates_.emplace(files.mates,
                 genocl::io::ReadOptions{.keep_descriptions = options.comments, .threads = options.threads});
  if (mates_->format() != reads_.format())
    throw InputError(mates_->file(), {}, std::string(to_string(mates_->format())),
                     std::string(to_string(reads_.format())) + ", as " + reads_.file());
}

bool ReadFile::take(RawReads& raw) {
  raw.before = before_;
  const bool more = reads_.take(raw.reads, limits_);
  if (mates_) {
    // Both have the same records, however long.
    mates_->take(raw.mates, {.residues = std::numeric_limits<std::uint64_t>::max(),
                             .records = std::max<std::uint64_t>(raw.reads.records(), 1)});
    if (raw.mates.records() < raw.reads.records()) no_mate(*mates_, raw.reads, raw.mates.records(), reads_);
    if (raw.mates.records() > raw.reads.records()) no_mate(reads_, raw.mates, raw.reads.records(), *mates_);
  } else {
    raw.mates = {};
    // A limit of bytes may have cut a pair.
    if (options_.interleaved && raw.reads.records() % 2 != 0)
      reads_.take(raw.mates, {.residues = limits_.residues, .records = 1});
  }
  before_ += raw.count();
  return more;
}

void ReadFile::make(const RawReads& raw, SequenceSet& batch) const {
  batch.clear();
  if (mates_)
    make_pairs(raw, batch);
  else if (options_.interleaved)
    make_interleaved(raw, batch);
  else
    SequenceReader(raw.reads, reading_).read(batch, everything);
  check(raw, batch);
}

double ReadFile::fraction() const noexcept {
  return mates_ ? std::min(reads_.fraction(), mates_->fraction()) : reads_.fraction();
}

void ReadFile::make_pairs(const RawReads& raw, SequenceSet& batch) const {
  const genocl::BatchLimits one{.residues = everything.residues, .records = 1};
  SequenceReader reads(raw.reads, reading_), mates(raw.mates, reading_);
  for (std::size_t first = 0; reads.append(batch, one); first += 2) {
    mates.append(batch, one);
    if (template_name(batch.name(first)) != template_name(batch.name(first + 1)))
      throw InputError(mates.file(), record_text(mates.records() - 1, batch.name(first + 1)),
                       "is not the mate of " + std::string(batch.name(first)),
                       "mates in the order of " + reads.file() + ", of the same names but for /1 and /2");
  }
}

void ReadFile::make_interleaved(const RawReads& raw, SequenceSet& batch) const {
  SequenceReader(raw.reads, reading_).read(batch, everything);
  if (raw.mates.records() > 0) SequenceReader(raw.mates, reading_).append(batch, everything);
  for (std::size_t first = 0; first + 1 < batch.size(); first += 2)
    if (template_name(batch.name(first)) != template_name(batch.name(first + 1)))
      throw InputError(reads_.file(), record_text(raw.before + first + 1, batch.name(first + 1)),
                       "is not the mate of " + std::string(batch.name(first)),
                       "mate after mate, of the same names but for /1 and /2");
  if (batch.size() % 2 != 0)
    throw InputError(reads_.file(), record_text(raw.before + batch.size() - 1, batch.name(batch.size() - 1)),
                     "has no mate behind it", "mate after mate");
}

void ReadFile::no_mate(const SequenceReader& ended, const genocl::io::RecordText& other_text, std::uint64_t record,
                       const SequenceReader& other) const {
  SequenceSet records;
  SequenceReader reader(other_text, reading_);
  reader.read(records, {.residues = everything.residues, .records = record + 1});
  throw InputError(ended.file(), {}, "ends after " + std::to_string(ended.records()) + " records",
                   "a mate of " + record_text(reader.records() - 1, records.name(record)) + " of " + other.file());
}

void ReadFile::check(const RawReads& raw, const SequenceSet& batch) const {
  const auto fail = [&](std::size_t i, const std::string& wrong, const std::string& expected) {
    throw InputError(mates_ && i % 2 == 1 ? mates_->file() : reads_.file(),
                     record_text(mates_ ? (raw.before + i) / 2 : raw.before + i, batch.name(i)), wrong, expected);
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

std::optional<genocl::marose::Mapper::ReadsToMake> ReadSource::next() {
  std::shared_ptr<RawReads> raw = texts_->take([] { return std::make_unique<RawReads>(); });
  while (true) {
    if (!current_) {
      if (begun_count_ == files_.size()) return std::nullopt;
      current_ = std::make_shared<ReadFile>(files_[begun_count_++], options_);
      const std::lock_guard lock(mutex_);
      begun_.push_back({given_, current_->name()});
    }
    const bool more = current_->take(*raw);
    fraction_ = (static_cast<double>(begun_count_ - 1) + current_->fraction()) / static_cast<double>(files_.size());
    given_ += raw->count();
    if (more) break;
    current_.reset();
  }
  return genocl::marose::Mapper::ReadsToMake{raw->count(), [raw, file = current_, texts = texts_](SequenceSet& batch) {
                                               file->make(*raw, batch);
                                               texts->give(std::make_unique<RawReads>(std::move(*raw)));
                                             }};
}

std::string ReadSource::file_of(std::uint64_t read) const {
  const std::lock_guard lock(mutex_);
  std::size_t file = begun_.size();
  while (file > 1 && begun_[file - 1].first_read > read) --file;
  return begun_.at(file - 1).name;
}

}  // namespace program
