#include "marose/read_source.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "marose/umi.hpp"

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;
using genocl::io::SequenceReader;

/// Size of a batch: enough to keep a device busy, little enough that reading, mapping and writing overlap.
constexpr std::uint64_t usual_batch_reads = std::uint64_t{1} << 16, batch_bytes = std::uint64_t{96} << 20;
constexpr genocl::BatchLimits everything{.residues = std::numeric_limits<std::uint64_t>::max()};

std::string record_text(std::uint64_t record, std::string_view name) {
  return "record " + std::to_string(record + 1) + (name.empty() ? "" : " (" + genocl::shown(name) + ")");
}

genocl::io::ReadOptions options_of_taking(const ReadSourceOptions& options) {
  return {.strict = options.strict,
          .alignments = true,
          .cram_reference = options.cram_reference,
          .allow_no_records = true,
          .threads = options.threads};
}

constexpr std::size_t longest_name = 254;
/// Whether QNAME may contain the character.
constexpr bool is_name_letter(char c) { return c >= '!' && c <= '~' && c != '@'; }
bool are_name_letters(std::string_view name) { return std::ranges::all_of(name, is_name_letter); }
bool is_query_name(std::string_view name) {
  return template_name(name).size() <= longest_name && are_name_letters(name);
}

bool are_tags(std::string_view comment, std::span<const std::string_view> used) {
  if (comment.empty()) return true;
  try {
    genocl::io::check_tags(comment, used);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Removes fields of a comment that are not tags, that map writes itself, or that repeat an earlier one. Returns the
/// fault of the first removed field.
std::optional<InputError> keep_tags(std::string& comment, std::span<const std::string_view> used) {
  std::string kept;
  std::optional<InputError> first;
  for (std::size_t begin = 0; begin < comment.size();) {
    const std::size_t end = std::min(comment.find('\t', begin), comment.size());
    std::string longer = kept;
    if (!kept.empty()) longer += '\t';
    longer.append(comment, begin, end - begin);
    try {
      genocl::io::check_tags(longer, used);
      kept = std::move(longer);
    } catch (const InputError& error) {
      if (!first) first = error;
    }
    begin = end + 1;
  }
  comment = std::move(kept);
  return first;
}

/// FLAG of SAM.
constexpr unsigned flag_paired = 1, flag_first = 64, flag_last = 128;
bool is_mate(unsigned flag, unsigned which) {
  return (flag & flag_paired) != 0 && (flag & (flag_first | flag_last)) == which;
}

/// Removes FLAG from the descriptions, which begin with it (ReadOptions::alignments), and returns it.
std::vector<unsigned> take_flags(SequenceSet& batch) {
  std::vector<unsigned> flags(batch.size());
  SequenceSet without(batch.alphabet(), batch.has_qualities());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    std::string_view text = batch.description(i);
    const std::size_t tab = std::min(text.find('\t'), text.size());
    std::from_chars(text.data(), text.data() + tab, flags[i]);
    text.remove_prefix(std::min(tab + 1, text.size()));
    without.append(batch.name(i), batch[i], text, batch.quality(i));
  }
  batch = std::move(without);
  return flags;
}

/// Builds a batch of pairs from another set.
class PairedBatch {
 public:
  PairedBatch(const SequenceSet& from, BatchNotes& notes)
      : from_(from), notes_(notes), pairs_(from.alphabet(), from.has_qualities()) {}

  void add(std::size_t i) { pairs_.append(from_.name(i), from_[i], from_.description(i), from_.quality(i)); }
  /// Appends a read without a mate, and an empty read in the mate's place.
  void add_single(std::size_t i) {
    add(i);
    notes_.single.push_back(pairs_.size() / 2);
    pairs_.append(from_.name(i), {});
  }
  SequenceSet take() { return std::move(pairs_); }

 private:
  const SequenceSet& from_;
  BatchNotes& notes_;
  SequenceSet pairs_;
};

}  // namespace

genocl::BatchLimits ReadFile::limits_of(const ReadFiles& files, const ReadSourceOptions& options) {
  genocl::BatchLimits limits{.residues = batch_bytes,
                             .records = options.batch_reads == 0 ? usual_batch_reads : options.batch_reads};
  const bool pairs = options.interleaved || !files.mates.empty();
  if (pairs) limits.records = std::max<std::uint64_t>(2, limits.records / 2 * 2);
  if (!files.mates.empty()) limits = {.residues = limits.residues / 2, .records = limits.records / 2};
  return limits;
}

ReadFile::ReadFile(const ReadFiles& files, const ReadSourceOptions& options)
    : reads_(files.reads, options_of_taking(options)),
      options_(options),
      reading_{.bad_letters = genocl::bad_letters(!options.strict),
               .bases_only = true,
               .strict = options.strict,
               .quality_zero = options.phred64 ? '@' : '!',
               .keep_descriptions = options.comments} {
  limits_ = limits_of(files, options);
  const genocl::io::AlignmentInput* const alignments = reads_.alignment_input();
  if (alignments != nullptr) {
    reading_.keep_descriptions = true;
    reading_.quality_zero = '!';
  }
  if (alignments == nullptr || !files.mates.empty() || options_.interleaved) options_.by_flags = false;
  if (options_.by_flags) limits_.records = std::max<std::uint64_t>(2, limits_.records / 2 * 2);
  if (files.mates.empty()) return;
  mates_.emplace(files.mates, options_of_taking(options));
  if ((mates_->alignment_input() != nullptr) != (alignments != nullptr))
    throw InputError(mates_->file(), {}, alignments == nullptr ? "SAM, BAM or CRAM" : "no SAM, BAM or CRAM",
                     "the same as " + reads_.file());
  if (!reads_.no_records() && !mates_->no_records() && mates_->format() != reads_.format())
    throw InputError(mates_->file(), {}, std::string(to_string(mates_->format())),
                     std::string(to_string(reads_.format())) + ", as " + reads_.file());
}

std::vector<std::string> ReadFile::read_groups() const {
  std::vector<std::string> all;
  for (const genocl::io::AlignmentInput* const input :
       {reads_.alignment_input(), mates_ ? mates_->alignment_input() : nullptr})
    if (input != nullptr) all.insert(all.end(), input->read_groups.begin(), input->read_groups.end());
  return all;
}

bool ReadFile::take(RawReads& raw) {
  raw.before = before_;
  raw.paired = mates_.has_value() || options_.interleaved;
  bool more = false;
  if (mates_) {
    more = reads_.take(raw.reads, limits_);
    // Both files have the same number of records in a batch, whatever their lengths.
    mates_->take(raw.mates, {.residues = std::numeric_limits<std::uint64_t>::max(),
                             .records = std::max<std::uint64_t>(raw.reads.records(), 1)});
    if (raw.reads.records() != raw.mates.records() || !template_name(raw.reads.last_name(), raw.mates.last_name()))
      check_step(raw);
  } else if (options_.interleaved || options_.by_flags) {
    more = take_interleaved(raw);
  } else {
    raw.mates = {};
    more = reads_.take(raw.reads, limits_);
  }
  if (options_.by_flags) raw.paired = reads_.first_mate() && *reads_.first_mate() < before_ + raw.count();
  before_ += raw.count();
  return more;
}

/// Ends a batch between two records that are not mates.
bool ReadFile::take_interleaved(RawReads& raw) {
  raw.ahead = std::exchange(ahead_, {});
  raw.mates = {};
  if (!reads_.take(raw.reads, limits_)) return raw.ahead.records() > 0;
  reads_.take(ahead_, {.residues = limits_.residues, .records = 1});
  if (ahead_.records() > 0 && template_name(raw.reads.last_name(), ahead_.last_name()))
    raw.mates = std::exchange(ahead_, {});
  return true;
}

void ReadFile::make(const RawReads& raw, SequenceSet& batch, BatchNotes& notes) const {
  batch.clear();
  notes.notes.file = name();
  genocl::io::ReadOptions reading = reading_;
  reading.repaired = [&](genocl::io::RecordFault fault, const InputError& why) {
    notes.notes.add(fault == genocl::io::RecordFault::letters ? ReadFault::letters : ReadFault::plus_line,
                    [&] { return std::string(why.what()); });
  };
  const bool alignments = reads_.alignment_input() != nullptr;
  if (mates_)
    make_pairs(raw, reading, batch);
  else if (options_.interleaved || options_.by_flags)
    read_interleaved(raw, reading, batch);
  else
    SequenceReader(raw.reads, reading).read(batch, everything);
  const std::vector<unsigned> flags = alignments ? take_flags(batch) : std::vector<unsigned>();
  if (options_.interleaved) pair_by_name(raw, batch, notes);
  if (options_.by_flags && raw.paired) pair_by_flags(raw, flags, batch, notes);
  if (batch.has_qualities() && !options_.phred64 && !alignments)
    for (std::size_t i = 0; i < batch.size() && raw.before + i < QualityRange::max_reads; ++i)
      notes.notes.qualities.add(batch.quality(i));
  if (options_.umi_separator != 0) add_umis(raw, batch, notes);
  repair(raw, batch, notes);
}

double ReadFile::fraction() const noexcept {
  return mates_ ? std::min(reads_.fraction(), mates_->fraction()) : reads_.fraction();
}

void ReadFile::make_pairs(const RawReads& raw, const genocl::io::ReadOptions& reading, SequenceSet& batch) const {
  const genocl::BatchLimits one{.residues = everything.residues, .records = 1};
  SequenceReader reads(raw.reads, reading), mates(raw.mates, reading);
  for (std::size_t first = 0; reads.append(batch, one); first += 2) {
    mates.append(batch, one);
    if (!template_name(batch.name(first), batch.name(first + 1)))
      throw InputError(mates.file(), record_text(mates.records() - 1, batch.name(first + 1)),
                       "is not the mate of " + genocl::shown(batch.name(first)),
                       "mates in the order of " + reads.file() + ", with names that differ only in /1 and /2");
  }
}

void ReadFile::read_interleaved(const RawReads& raw, const genocl::io::ReadOptions& reading, SequenceSet& batch) const {
  for (const genocl::io::RecordText* const text : {&raw.ahead, &raw.reads, &raw.mates})
    if (text->records() > 0) SequenceReader(*text, reading).append(batch, everything);
}

/// Whether reads `first` and `first` + 1 are mates by their names.
bool ReadFile::have_mates_name(const SequenceSet& batch, std::size_t first) const {
  if (first + 1 >= batch.size()) return false;
  const std::string_view one = batch.name(first), two = batch.name(first + 1);
  const std::optional<std::string_view> name = template_name(one, two);
  if (!name || *name == template_name(one)) return name.has_value();
  // x.1, x.2, x.3 are numbered single reads, not mates.
  return first + 2 >= batch.size() || batch.name(first + 2) != std::string(one.substr(0, one.size() - 1)) + '3';
}

/// With `strict`: throws InputError if only the first `paired` reads are pairs.
void ReadFile::check_interleaved(const RawReads& raw, const SequenceSet& batch, std::size_t paired) const {
  if (!options_.strict || paired >= batch.size()) return;
  if (paired + 1 == batch.size())
    throw InputError(reads_.file(), record_text(raw.before + paired, batch.name(paired)), "has no mate behind it",
                     "mate after mate");
  throw InputError(reads_.file(), record_text(raw.before + paired + 1, batch.name(paired + 1)),
                   "is not the mate of " + genocl::shown(batch.name(paired)),
                   "mate after mate, with names that differ only in /1 and /2");
}

void ReadFile::note_single(const RawReads& raw, std::size_t read, std::string_view name, BatchNotes& notes) const {
  notes.notes.add(ReadFault::no_mate, [&] {
    return reads_.file() + ":" + record_text(raw.before + read, name) +
           ": has no mate behind it and is mapped as a single read";
  });
}

void ReadFile::pair_by_name(const RawReads& raw, SequenceSet& batch, BatchNotes& notes) const {
  std::size_t paired = 0;
  while (have_mates_name(batch, paired)) paired += 2;
  if (paired == batch.size()) return;
  check_interleaved(raw, batch, paired);
  PairedBatch pairs(batch, notes);
  for (std::size_t i = 0; i < batch.size();) {
    if (have_mates_name(batch, i)) {
      pairs.add(i++);
      pairs.add(i++);
      continue;
    }
    note_single(raw, i, batch.name(i), notes);
    pairs.add_single(i++);
  }
  batch = pairs.take();
}

/// Arranges mates by FLAG, which also says which mate is the first. Only a mate without its partner is odd.
void ReadFile::pair_by_flags(const RawReads& raw, std::span<const unsigned> flags, SequenceSet& batch,
                             BatchNotes& notes) const {
  const auto mate = [&](std::size_t i, unsigned which) { return i < batch.size() && is_mate(flags[i], which); };
  const auto is_pair = [&](std::size_t i, unsigned one, unsigned other) {
    return mate(i, one) && mate(i + 1, other) && template_name(batch.name(i)) == template_name(batch.name(i + 1));
  };
  PairedBatch pairs(batch, notes);
  for (std::size_t i = 0; i < batch.size();) {
    const bool in_order = is_pair(i, flag_first, flag_last);
    if (in_order || is_pair(i, flag_last, flag_first)) {
      pairs.add(in_order ? i : i + 1);
      pairs.add(in_order ? i + 1 : i);
      i += 2;
      continue;
    }
    if (mate(i, flag_first) || mate(i, flag_last)) {
      if (reads_.alignment_input()->by_coordinate)
        throw InputError(reads_.file(), record_text(raw.before + i, batch.name(i)),
                         "has no mate behind it in a file sorted by coordinate",
                         "the reads of a pair together, as samtools collate puts them");
      if (options_.strict)
        throw InputError(reads_.file(), record_text(raw.before + i, batch.name(i)), "has no mate behind it",
                         "the reads of a pair together");
      note_single(raw, i, batch.name(i), notes);
    }
    pairs.add_single(i++);
  }
  batch = pairs.take();
}

/// Throws InputError for files of mates that are out of step, with the name of the first record that does not match.
void ReadFile::check_step(const RawReads& raw) const {
  SequenceSet first, second;
  genocl::io::ReadOptions reading;
  reading.bad_letters = genocl::BadLetters::replace;
  reading.keep_qualities = false;
  reading.keep_descriptions = false;
  if (raw.reads.records() > 0) SequenceReader(raw.reads, reading).read(first, everything);
  if (raw.mates.records() > 0) SequenceReader(raw.mates, reading).read(second, everything);
  const std::uint64_t before = raw.before / 2;
  const std::size_t both = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < both; ++i)
    if (!template_name(first.name(i), second.name(i)))
      throw InputError(mates_->file(), record_text(before + i, second.name(i)),
                       "is not the mate of " + genocl::shown(first.name(i)),
                       "mates in the order of " + reads_.file() + ", with names that differ only in /1 and /2");
  if (first.size() == second.size()) return;
  const bool less = second.size() < first.size();
  throw InputError((less ? *mates_ : reads_).file(), {}, "ends after " + std::to_string(before + both) + " records",
                   "a mate of " + record_text(before + both, (less ? first : second).name(both)) + " of " +
                       (less ? reads_ : *mates_).file());
}

/// "reads.fq:record 3 (name)" of a read of a batch.
std::string ReadFile::place_of(const RawReads& raw, std::size_t read, std::string_view name) const {
  const std::string& file = mates_ && read % 2 == 1 ? mates_->file() : reads_.file();
  return file + ":" + record_text(mates_ ? (raw.before + read) / 2 : raw.before + read, name);
}

/// Appends the tag RX to the descriptions. Throws InputError for a name without a UMI, since a read in the wrong family
/// would be worse than an error.
void ReadFile::add_umis(const RawReads& raw, SequenceSet& batch, const BatchNotes& notes) const {
  SequenceSet tagged(batch.alphabet(), batch.has_qualities());
  std::size_t dummies = 0;  // empty mates before the read
  std::string tags;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const bool dummy = i % 2 == 1 && notes.is_single(i / 2);
    if (dummy) ++dummies;
    tags = batch.description(i);
    if (!dummy && !has_umi_tag(tags)) {
      const std::size_t mate = i % 2 == 1 ? i - 1 : i + 1;
      const bool mates = raw.paired && mate < batch.size() && !notes.is_single(i / 2);
      std::optional<std::string_view> name;
      if (mates) name = template_name(batch.name(i / 2 * 2), batch.name(i / 2 * 2 + 1));
      const std::optional<std::string> umi =
          umi_of(name.value_or(template_name(batch.name(i))), options_.umi_separator);
      if (!umi) {
        const std::string place = place_of(raw, i - dummies, batch.name(i));
        const std::size_t colon = place.rfind(":record ");
        throw InputError(place.substr(0, colon), place.substr(colon + 1),
                         std::string("no UMI behind the last '") + options_.umi_separator + "' of the name",
                         "bases, like name" + std::string(1, options_.umi_separator) + "ACGT or ACGT+TTGA");
      }
      tags.append(tags.empty() ? "RX:Z:" : "\tRX:Z:").append(*umi);
    }
    tagged.append(batch.name(i), batch[i], tags, batch.quality(i));
  }
  batch = std::move(tagged);
}

void ReadFile::repair(const RawReads& raw, SequenceSet& batch, BatchNotes& notes) const {
  bool odd = batch.longest() > longest_read;
  for (std::size_t i = 0; i < batch.size() && !odd; ++i)
    odd = !is_query_name(batch.name(i)) ||
          (reading_.keep_descriptions && !are_tags(batch.description(i), options_.used_tags));
  if (!odd) return;
  SequenceSet repaired(batch.alphabet(), batch.has_qualities());
  std::size_t dummies = 0;  // empty mates before the read
  std::string name, comment;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i % 2 == 1 && notes.is_single(i / 2)) ++dummies;
    const auto add = [&](ReadFault fault, const std::string& what, const std::string& expected,
                         const std::string& becomes) {
      const std::string place = place_of(raw, i - dummies, batch.name(i));
      if (options_.strict) {
        const std::size_t colon = place.rfind(":record ");
        throw InputError(place.substr(0, colon), place.substr(colon + 1), what, expected);
      }
      notes.notes.add(fault, [&] { return place + ": " + what + becomes; });
    };
    name = batch.name(i);
    comment = batch.description(i);
    const bool dummy = i % 2 == 1 && notes.is_single(i / 2);
    if (!dummy && !are_name_letters(name))
      add(ReadFault::name_letters, "a name that SAM does not allow", "printing ASCII characters without '@'",
          "; such characters are written as '_'");
    std::ranges::replace_if(
        name, [](char c) { return !is_name_letter(c); }, '_');
    if (template_name(name).size() > longest_name) {
      if (!dummy)
        add(ReadFault::name_length, "a name of " + std::to_string(name.size()) + " bytes", "at most 254 in SAM",
            "; it is cut to the 254 that SAM allows");
      name.resize(longest_name);
    }
    if (reading_.keep_descriptions)
      if (const std::optional<InputError> wrong = keep_tags(comment, options_.used_tags))
        add(ReadFault::comment,
            (reads_.alignment_input() != nullptr ? "in its tags " : "in its comment ") + wrong->wrong(),
            wrong->expected(), "; the field is left out");
    if (batch.length(i) <= longest_read) {
      repaired.append(name, batch[i], comment, batch.quality(i));
      continue;
    }
    add(ReadFault::too_long, "a read of " + std::to_string(batch.length(i)) + " bases", "at most 1000",
        "; it is written unmapped, for reads of more than 1000 are not mapped");
    notes.long_reads.push_back({.read = i,
                                .codes = {batch[i].begin(), batch[i].end()},
                                .quality = {batch.quality(i).begin(), batch.quality(i).end()}});
    repaired.append(name, {}, comment);
  }
  batch = std::move(repaired);
}

ReadSource::ReadSource(std::vector<ReadFiles> files, ReadSourceOptions options)
    : files_(std::move(files)), options_(std::move(options)) {
  const auto is_pipe = [](const std::string& file) {
    std::error_code error;
    return file == "-" || (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error));
  };
  if (files_.empty()) return;
  current_ = std::make_shared<ReadFile>(files_.front(), options_);
  add_read_groups(*current_);
  for (std::size_t i = 1; i < files_.size(); ++i)
    if (!is_pipe(files_[i].reads) && !is_pipe(files_[i].mates)) add_read_groups(ReadFile(files_[i], options_));
}

void ReadSource::add_read_groups(const ReadFile& file) {
  for (std::string& group : file.read_groups())
    if (std::ranges::find(read_groups_, group) == read_groups_.end()) read_groups_.push_back(std::move(group));
}

std::shared_ptr<ReadFile> ReadSource::open(const ReadFiles& files) {
  std::shared_ptr<ReadFile> file = std::make_shared<ReadFile>(files, options_);
  for (const std::string& group : file->read_groups())
    if (std::ranges::find(read_groups_, group) == read_groups_.end())
      throw InputError(file->name(), {}, "read group " + genocl::in_quotes(group) + " of a pipe that is not the first",
                       "this input before the others, for the header of the output is written by now");
  return file;
}

std::optional<ReadsToMake> ReadSource::next() {
  std::shared_ptr<RawReads> raw = texts_->take([] { return std::make_unique<RawReads>(); });
  if (first_pairs_ && !pairs_begun_) return std::nullopt;
  if (first_pairs_) {
    *raw = std::move(*first_pairs_);
    first_pairs_.reset();
    given_ += current_->reads_at_most(*raw);
  } else {
    while (true) {
      if (begun_count_ == 0 || !current_) {
        if (begun_count_ == files_.size()) return std::nullopt;
        if (!current_) current_ = open(files_[begun_count_]);
        ++begun_count_;
        const std::lock_guard lock(mutex_);
        begun_.push_back({given_, current_->name()});
      }
      const bool more = current_->take(*raw);
      fraction_ = (static_cast<double>(begun_count_ - 1) + current_->fraction()) / static_cast<double>(files_.size());
      if (more && options_.by_flags && raw->paired && !pairs_begun_) {
        first_pairs_ = std::move(raw);
        return std::nullopt;
      }
      given_ += current_->reads_at_most(*raw);
      if (more) break;
      current_.reset();
    }
  }
  return ReadsToMake{current_->reads_at_most(*raw),
                     [raw, file = current_, texts = texts_](SequenceSet& batch, BatchNotes& notes) {
                       file->make(*raw, batch, notes);
                       texts->give(std::make_unique<RawReads>(std::move(*raw)));
                     }};
}

bool ReadSource::begin_pairs() {
  pairs_begun_ = first_pairs_ != nullptr;
  return pairs_begun_;
}

std::string ReadSource::file_of(std::uint64_t read) const {
  const std::lock_guard lock(mutex_);
  std::size_t file = begun_.size();
  while (file > 1 && begun_[file - 1].first_read > read) --file;
  return begun_.at(file - 1).name;
}

TeamReads::MapperReads TeamReads::own(std::uint64_t block, std::uint64_t first_of_input, const ReadsToMake& reads) {
  auto notes = std::make_shared<BatchNotes>();
  const std::lock_guard lock(mutex_);
  own_[own_reads_] = {block, first_of_input, notes};
  own_reads_ += reads.count;
  return {reads.count, [notes, make = reads.make](SequenceSet& batch) { make(batch, *notes); }};
}

std::optional<TeamReads::MapperReads> TeamReads::next() {
  const std::uint64_t block = blocks_.take();
  if (placed_) {
    if (block >= placed_->blocks()) return std::nullopt;
    placed_fraction_ = static_cast<double>(block + 1) / static_cast<double>(placed_->blocks());
    return own(block, 0, placed_->block(block));
  }
  while (true) {
    std::optional<ReadsToMake> reads;
    if (seen_ < ahead_.size()) {
      const auto batch = std::move(ahead_[seen_]);
      reads = ReadsToMake{batch->count, [batch](SequenceSet& to, BatchNotes& notes) {
                            to = std::move(batch->reads);
                            notes = std::move(batch->notes);
                          }};
    } else {
      reads = source_.next();
    }
    if (!reads) return std::nullopt;
    const std::uint64_t first = reads_seen_;
    reads_seen_ += reads->count;
    if (seen_++ == block) return own(block, first, *reads);
  }
}

TeamReads::OwnBatch TeamReads::batch_of(std::uint64_t first_read) const {
  const std::lock_guard lock(mutex_);
  return std::prev(own_.upper_bound(first_read))->second;
}

}  // namespace program
