#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "io/htslib_log.hpp"
#include "io/plain_fasta.hpp"
#include "io/record_places.hpp"
#include "io/record_stream.hpp"
#include "io/text.hpp"
#include "runtime/platform.hpp"
#include "sequence/letters.hpp"

namespace genocl::io {
namespace {

constexpr char last_quality = '~';

/// Minimum file size for threads; smaller files do not justify their start.
constexpr std::uint64_t min_for_threads = std::uint64_t{1} << 20;

std::string too_long(std::uint64_t letters) { return std::to_string(letters) + " letters, more than the memory holds"; }

/// Masks the last record, which has these letters.
void mask_lower_case(SequenceSet& batch, std::string_view letters) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  std::vector<Interval> ranges;
  for (auto begin = letters.begin();;) {
    begin = std::find_if(begin, letters.end(), is_lower);
    if (begin == letters.end()) break;
    const auto end = std::find_if_not(begin, letters.end(), is_lower);
    ranges.push_back(
        {static_cast<std::uint64_t>(begin - letters.begin()), static_cast<std::uint64_t>(end - letters.begin())});
    begin = end;
  }
  batch.mask(batch.size() - 1, ranges);
}

/// One vectorized pass.
bool has_codes_beyond_n(std::span<const Code> codes) {
  Code most = 0;
  for (const Code code : codes) most = std::max(most, code);
  return most > dna::unknown;
}

}  // namespace

std::string_view to_string(SequenceFormat format) noexcept {
  return format == SequenceFormat::fasta ? "FASTA" : "FASTQ";
}

/// State of a batch that is filled within limits, with at least one record.
struct Filling {
  Filling(SequenceSet& to, const BatchLimits& wanted)
      : batch(to), limits(wanted), records(std::max<std::uint64_t>(wanted.records, 1)), begin(to.residues()) {}

  bool fits(std::uint64_t letters) const {
    const std::uint64_t residues = batch.residues() - begin + more;
    return taken == 0 || (residues <= limits.residues && letters <= limits.residues - residues);
  }

  SequenceSet& batch;
  const BatchLimits& limits;
  std::uint64_t records, begin;
  std::uint64_t taken = 0;  // number of records
  std::uint64_t more = 0;   // remaining residues
};

struct SequenceReader::State {
  State(const std::string& path, const ReadOptions& wanted)
      : options(wanted),
        stream(path,
               {.threads = wanted.threads,
                .allow_missing_bgzip_end = wanted.allow_missing_bgzip_end,
                .alignments = wanted.alignments,
                .cram_reference = wanted.cram_reference},
               wanted.strict) {}

  State(std::string_view text, const std::string& file, std::uint64_t before, const ReadOptions& wanted)
      : options(wanted), stream(text, file, before, wanted.strict), looked(true), given(before) {}

  const std::string& file_name() const { return stream.source().name(); }
  bool with_qualities() const { return options.keep_qualities && stream.format() == SequenceFormat::fastq; }
  bool append(SequenceSet& batch, const BatchLimits& limits);
  bool append_one_by_one(Filling& filling);
  void append_by_threads(Filling& filling);
  std::size_t take(SequenceSet& batch, std::size_t count);
  bool append_unusual(Filling& filling);
  void look_for_threads();
  bool fetch();
  void add(SequenceSet& batch);
  void encode_with_care(SequenceSet& batch, std::string_view description);
  InputError not_a_base(std::size_t i) const;
  void report_plus_line() const;
  void add_quality(std::span<std::uint8_t> scores) const;

  ReadOptions options;
  RecordStream stream;
  std::optional<PlainFasta> by_threads;  // replaces `stream`
  std::unique_ptr<State> unusual;        // reader of an unusual record and of text after it
  bool looked = false;                   // the text after it was checked
  RawRecord record;
  bool pending = false;  // `record` was read and did not fit the previous batch
  bool ended = false;
  std::uint64_t given = 0;
  std::string without_blanks;
  std::exception_ptr failure;
};

bool SequenceReader::State::fetch() {
  if (pending) return true;
  if (ended) return false;
  pending = stream.next(record);
  ended = !pending;
  if (ended && stream.records() == 0 && !options.allow_no_records)
    throw InputError(stream.source().name(), {}, "no records in it", "FASTA or FASTQ");
  return pending;
}

bool SequenceReader::State::append(SequenceSet& batch, const BatchLimits& limits) {
  if (failure) std::rethrow_exception(failure);
  try {
    look_for_threads();
    Filling filling(batch, limits);
    if (by_threads)
      append_by_threads(filling);
    else
      append_one_by_one(filling);
    return filling.taken != 0;
  } catch (...) {
    failure = std::current_exception();
    throw;
  }
}

/// Returns true when the batch is full, false at the end of the input.
bool SequenceReader::State::append_one_by_one(Filling& filling) {
  while (filling.taken < filling.records) {
    if (!fetch()) return false;
    if (!filling.fits(record.letters.size())) return true;
    try {
      add(filling.batch);
      ++filling.taken;
    } catch (const InputError& why) {
      if (!options.skip_record) throw;
      options.skip_record(why);
    } catch (const std::bad_alloc&) {
      throw InputError(file_name(), stream.where(record.name), too_long(record.letters.size()));
    }
    pending = false;
    ++given;
  }
  return true;
}

/// Replaces the stream for a large plain FASTA file. The stream has not been read yet.
void SequenceReader::State::look_for_threads() {
  if (looked) return;
  looked = true;
  const ByteSource& source = stream.source();
  char first = 0;
  if (options.threads > 0 && stream.format() == SequenceFormat::fasta && !options.mask_lower_case &&
      !options.bases_only && source.plain_size() >= min_for_threads && given == 0 &&
      source.name() != "standard input" &&
      platform::read_at(source.descriptor(), 0, std::as_writable_bytes(std::span(&first, 1))) && first == '>')
    by_threads.emplace(source.descriptor(), source.plain_size(), source.name(), options.threads + 1,
                       PlainFasta::Sizes{});
}

void SequenceReader::State::append_by_threads(Filling& filling) {
  while (filling.taken < filling.records) {
    if (unusual) {
      if (append_unusual(filling)) return;
      continue;
    }
    if (!by_threads->fetch()) return;
    // The number of records that fit.
    const std::uint64_t most = std::min<std::uint64_t>(filling.records - filling.taken, by_threads->ready());
    Filling filled = filling;
    std::uint64_t count = 0;
    for (; count < most && !by_threads->unusual(count) && filled.fits(by_threads->letters(count)); ++count) {
      filled.more += by_threads->letters(count);
      ++filled.taken;
    }
    if (count == 0 && !by_threads->unusual(0)) return;
    const std::size_t taken = take(filling.batch, count);
    filling.taken += taken;
    given += taken;
    // Processes an unusual record separately: it may be valid, or skipped.
    if (taken < count || count == 0)
      unusual = std::make_unique<State>(by_threads->take_text(), file_name(), given, options);
  }
}

std::size_t SequenceReader::State::take(SequenceSet& batch, std::size_t count) {
  try {
    return by_threads->take(batch, count, options.keep_descriptions);
  } catch (const std::bad_alloc&) {
    const std::string_view name = by_threads->name();
    throw InputError(file_name(),
                     "record " + std::to_string(given + 1) + (name.empty() ? "" : " (" + shown(name) + ")"),
                     too_long(by_threads->letters(0)));
  }
}

/// Reads a record from memory as from a file, with the error that may follow it. Returns true if the batch is full.
bool SequenceReader::State::append_unusual(Filling& filling) {
  try {
    const bool full = unusual->append_one_by_one(filling);
    given = unusual->given;
    if (!full) unusual.reset();
    return full;
  } catch (...) {
    given = unusual->given;
    throw;
  }
}

void SequenceReader::State::add(SequenceSet& batch) {
  const std::string_view description = options.keep_descriptions ? record.description : std::string_view();
  const SequenceSet::Extension added = batch.extend(record.name, description, record.letters.size());
  if (encode_letters(options.alphabet, record.letters, added.codes) == record.letters.size() &&
      !(options.bases_only && has_codes_beyond_n(added.codes))) {
    try {
      add_quality(added.quality);
      report_plus_line();
    } catch (...) {
      batch.pop_back();
      throw;
    }
    if (options.mask_lower_case) mask_lower_case(batch, record.letters);
    return;
  }
  batch.pop_back();
  encode_with_care(batch, description);
}

/// Handles the rare record with blanks or with letters outside the alphabet.
void SequenceReader::State::encode_with_care(SequenceSet& batch, std::string_view description) {
  without_blanks = record.letters;
  // In FASTQ, letters and qualities correspond by position, and a blank is an invalid letter.
  if (stream.format() == SequenceFormat::fasta) std::erase_if(without_blanks, is_blank);
  const std::size_t with_gaps = without_blanks.size();
  if (options.drop_gaps && options.alphabet != Alphabet::bytes && stream.format() == SequenceFormat::fasta)
    std::erase_if(without_blanks, [](char c) { return c == '-' || c == '.'; });
  const std::size_t gaps = with_gaps - without_blanks.size();
  const SequenceSet::Extension added = batch.extend(record.name, description, without_blanks.size());
  std::optional<InputError> replaced;
  try {
    encode_letters(options.alphabet, without_blanks, added.codes);
    for (std::size_t i = 0; i < without_blanks.size(); ++i) {
      const char letter = without_blanks[i];
      Code& code = added.codes[i];
      if (options.alphabet == Alphabet::bytes ? !is_printable(letter) : code == invalid_code) {
        const auto where = [&] { return stream.where(record.name) + ", letter " + std::to_string(i + 1); };
        code =
            sequence::code_of_bad_letter(options.alphabet, letter, options.bad_letters, stream.source().name(), where);
      } else if (options.bases_only && code > dna::unknown) {
        if (options.bad_letters == BadLetters::error)
          throw InputError(file_name(), stream.where(record.name) + ", letter " + std::to_string(i + 1),
                           sequence::quoted(letter) + " is not a base", "A, C, G, T, U or N");
        code = dna::unknown;
      } else {
        continue;
      }
      if (!replaced) replaced = not_a_base(i);
    }
    add_quality(added.quality);
    if (replaced && options.repaired) options.repaired(RecordFault::letters, *replaced);
    if (gaps > 0 && options.repaired)
      options.repaired(RecordFault::gaps, InputError(file_name(), stream.where(record.name),
                                                     (gaps == 1 ? "1 gap ('-' or '.') is"
                                                                : std::to_string(gaps) + " gaps ('-' or '.') are") +
                                                         " left out"));
    report_plus_line();
  } catch (...) {
    batch.pop_back();
    throw;
  }
  if (options.mask_lower_case) mask_lower_case(batch, without_blanks);
}

/// Reports the letter of the record that becomes N or X.
InputError SequenceReader::State::not_a_base(std::size_t i) const {
  return {file_name(), stream.where(record.name) + ", letter " + std::to_string(i + 1),
          sequence::quoted(without_blanks[i]) + " is read as " + (options.alphabet == Alphabet::protein ? "X" : "N")};
}

void SequenceReader::State::report_plus_line() const {
  if (!record.plus.empty() && options.repaired)
    options.repaired(RecordFault::plus_line,
                     InputError(file_name(), stream.where(record.name),
                                "its '+' line names another record: '" + shown(record.plus) + "'"));
}

/// Checks the qualities even if they are not kept.
void SequenceReader::State::add_quality(std::span<std::uint8_t> scores) const {
  const std::string_view quality = record.quality;
  const char zero = options.quality_zero;
  const auto score = [zero](char c) { return static_cast<std::uint8_t>(c - zero); };  // lower characters wrap around
  // One vectorized pass each; the position of a bad character is determined only on an error.
  std::uint8_t worst = 0;
  for (const char c : quality) worst = std::max(worst, score(c));
  if (worst > last_quality - zero) {
    const auto at = std::ranges::find_if(quality, [&](char c) { return score(c) > last_quality - zero; });
    throw InputError(stream.source().name(),
                     stream.where(record.name) + ", quality " + std::to_string(at - quality.begin() + 1),
                     sequence::quoted(*at) + " is not a quality character", "'" + std::string(1, zero) + "' to '~'");
  }
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = score(quality[i]);
}

SequenceReader::SequenceReader(const std::string& path, const ReadOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
SequenceReader::SequenceReader(SequenceReader&&) noexcept = default;
SequenceReader& SequenceReader::operator=(SequenceReader&&) noexcept = default;
SequenceReader::~SequenceReader() = default;

RecordText::RecordText(const std::string& path, std::uint64_t begin, std::uint64_t end, std::uint64_t records,
                       std::uint64_t before)
    : file_(path), records_(records), before_(before) {
  const SilentHtslib silent;
  PlacedText text(path);
  if (!text.usable()) throw InputError(path, {}, "cannot be read", "the file whose records were found before");
  if (!text.is_bgzip()) text_.reserve(end - begin);
  text.seek(begin);
  while (text.next(end)) text_ += text.piece();
  if (text.failed() || (!text.is_bgzip() && text_.size() != end - begin))
    throw InputError(path, {}, "has changed while it was read");
}

SequenceReader::SequenceReader(const RecordText& text, const ReadOptions& options)
    : state_(std::make_unique<State>(text.text_, text.file_, text.before_, options)) {
  state_->options.allow_no_records = text.records() == 0;
}

bool SequenceReader::take(RecordText& text, const BatchLimits& limits) {
  State& state = *state_;
  if (state.failure) std::rethrow_exception(state.failure);
  try {
    text.file_ = file();
    text.before_ = state.given;
    text.records_ = state.stream.take(text.text_, limits);
    text.last_name_ = state.stream.last_name();
    state.given += text.records_;
    if (state.given == 0 && !state.options.allow_no_records)
      throw InputError(file(), {}, "no records in it", "FASTA or FASTQ");
  } catch (...) {
    text.records_ = 0;
    text.text_.clear();
    state.failure = std::current_exception();
    throw;
  }
  return text.records_ > 0;
}

bool SequenceReader::read(SequenceSet& batch, const BatchLimits& limits) {
  batch.clear();
  return append(batch, limits);
}

bool SequenceReader::append(SequenceSet& set, const BatchLimits& limits) {
  const Alphabet alphabet = state_->options.alphabet;
  const bool with_qualities = state_->with_qualities();
  // Letters are most of a plain file; in FASTQ half of it, with as many qualities.
  const std::uint64_t size = state_->stream.source().plain_size() / (format() == SequenceFormat::fastq ? 2 : 1);
  const bool all = state_->given == 0 && limits.residues >= size;  // otherwise the set grows on demand
  if (set.empty()) set.reset(alphabet, with_qualities);
  if (set.empty() || all) set.reserve(0, std::min(size, limits.residues));
  if (set.alphabet() != alphabet || set.has_qualities() != with_qualities) {
    throw InputError("append: the set differs in alphabet or qualities from " + file());
  }
  return state_->append(set, limits);
}

const std::string& SequenceReader::file() const noexcept { return state_->stream.source().name(); }
SequenceFormat SequenceReader::format() const noexcept { return state_->stream.format(); }
const AlignmentInput* SequenceReader::alignment_input() const noexcept {
  const AlignmentText* const alignments = state_->stream.source().alignments();
  return alignments == nullptr ? nullptr : &alignments->input();
}
std::optional<std::uint64_t> SequenceReader::first_mate() const noexcept {
  const AlignmentText* const alignments = state_->stream.source().alignments();
  return alignments == nullptr ? std::nullopt : alignments->first_mate();
}
bool SequenceReader::no_records() const noexcept { return state_->stream.no_records(); }
std::uint64_t SequenceReader::records() const noexcept { return state_->given; }
double SequenceReader::fraction() const noexcept {
  return state_->by_threads ? state_->by_threads->fraction() : state_->stream.source().fraction();
}

SequenceSet read_sequences(const std::string& path, const ReadOptions& options, const Progress& progress) {
  constexpr BatchLimits step{.residues = std::uint64_t{16} << 20};
  SequenceReader reader(path, options);
  SequenceSet all;
  double fraction = 0;
  // Reserves memory for the whole file if its size is known.
  BatchLimits limits = step;
  if (!progress) limits.residues = std::numeric_limits<std::uint64_t>::max();
  while (reader.append(all, limits)) {
    fraction = std::max(fraction, reader.fraction());
    if (progress && !progress({.fraction = fraction, .items_done = all.residues()})) throw Cancelled();
  }
  return all;
}

}  // namespace genocl::io
