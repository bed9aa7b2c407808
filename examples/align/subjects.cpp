
#include "align/subjects.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/lists.hpp"
#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/progress_bar.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/text_file.hpp"

namespace program {
namespace {

using genocl::InputError;

/// Number of residues that are read and appended at a time.
constexpr std::uint64_t batch_residues = std::uint64_t{16} << 20;

void check_lengths(const genocl::io::SequenceReader& reader, const genocl::SequenceSet& batch) {
  if (batch.longest() <= align::Database::longest_sequence) return;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (batch.length(i) > align::Database::longest_sequence)
      throw InputError(reader.file(),
                       "record " + std::to_string(reader.records() - batch.size() + i + 1) + " (" +
                           genocl::shown(batch.name(i)) + ")",
                       std::to_string(batch.length(i)) + " letters",
                       std::to_string(align::Database::longest_sequence) + " at most");
}

}  // namespace

bool is_database_file(const std::string& path) {
  // Reading the first bytes of a pipe would remove them, so a pipe is assumed to be FASTA.
  if (std::error_code error;
      path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return false;
  if (path.ends_with(".gdb") || align::Database::is_database(path)) return true;
  std::ifstream file(path, std::ios::binary);  // a database with damaged first bytes: FASTA does not begin so
  return file && file.peek() == 0x8d;
}

align::DatabaseBuilderOptions builder_options(const MakingSettings& making) {
  align::DatabaseBuilderOptions options;
  options.alphabet = making.alphabet();
  if (!making.memory.empty()) options.memory_bytes = amount_of("--memory", making.memory);
  options.temporary_folder = making.temporary_folder;
  return options;
}

genocl::io::ReadOptions read_options(const MakingSettings& making, genocl::Alphabet alphabet, Repairs& repairs) {
  genocl::io::ReadOptions options;
  options.alphabet = alphabet;
  options.bad_letters = genocl::bad_letters(making.replace_letters);
  options.drop_gaps = true;
  options.strict = making.strict;
  options.repaired = [&repairs, making](genocl::io::RecordFault fault, const InputError& why) {
    if (fault == genocl::io::RecordFault::gaps)
      repairs.add("gaps were left out of", why);
    else if (fault == genocl::io::RecordFault::plus_line)
      repairs.add("'+' lines were ignored of", why);
    else if (!making.strict)  // with --replace-letters
      repairs.add("letters were replaced in", why);
  };
  return options;
}

InputError with_advice(const InputError& error) {
  const bool letter = error.expected().starts_with("A, C, G, T, U") || error.expected().starts_with("an amino acid");
  return letter && !error.wrong().starts_with("binary")
             ? InputError(error.file(), error.where(), error.wrong(), error.expected() + ", or --replace-letters")
             : InputError(error);
}

void append_files(align::DatabaseBuilder& builder, const std::vector<std::string>& files, const MakingSettings& making,
                  bool quiet) {
  // Estimate for uncompressed files: most bytes are letters.
  std::uint64_t bytes = builder.residues();
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (!error) bytes += size;
  }
  builder.reserve(bytes);
  ProgressBar bar("read", quiet, "M residues", 1e6);
  double files_before = 0;
  for (const std::string& file : files) {
    Repairs repairs(making.strict);
    genocl::io::ReadOptions options = read_options(making, making.alphabet(), repairs);
    options.keep_qualities = false;
    options.threads = reading_threads();
    genocl::io::SequenceReader reader(file, options);
    AlphabetGuard guard(file, making.protein, "--dna, or --protein where these are amino acids");
    // The next batch is read while one is appended, if the system can start a thread.
    genocl::SequenceSet batch(making.alphabet()), next(making.alphabet());
    const auto read = [&reader](genocl::SequenceSet& into) {
      try {
        const bool more = reader.read(into, {.residues = batch_residues});
        if (more) check_lengths(reader, into);
        return more;
      } catch (const InputError& error) {
        throw with_advice(error);
      }
    };
    bool more = read(batch);
    while (more) {
      std::future<bool> reading = std::async([&] { return read(next); });
      guard.see(batch);
      builder.append(batch);
      more = reading.get();
      std::swap(batch, next);
      bar.show((files_before + reader.fraction()) / static_cast<double>(files.size()), builder.residues());
    }
    guard.check();
    repairs.finish(file, reader.records());
    files_before += 1;
  }
  if (builder.residues() == 0)
    throw InputError(name_of(files), {}, std::to_string(builder.size()) + " records without a letter",
                     "sequences on lines of their own behind the header lines");
}

std::optional<align::DatabaseSource> source_of(const std::string& path) {
  struct stat status {};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return align::DatabaseSource{
      .path = path, .bytes = static_cast<std::uint64_t>(status.st_size), .modified = status.st_mtime};
}

namespace {

/// Returns whether files of the name exist, in the current folder or that of the database, and all are other ones.
bool has_changed(const align::DatabaseSource& source, const std::string& database) {
  const std::string beside = (std::filesystem::path(database).parent_path() / source.path).string();
  bool found = false;
  for (const std::string& path : {source.path, beside})
    if (const auto now = source_of(path)) {
      if (now->bytes == source.bytes && now->modified == source.modified) return false;
      found = true;
    }
  return found;
}

}  // namespace

void warn_of_changed_sources(const align::Database& database, const std::string& file) {
  if (!team().is_root()) return;
  for (const align::DatabaseSource& source : database.sources())
    if (has_changed(source, file))
      std::cerr << called_name() << ": warning: " << file << ": " << source.path
                << " has changed since the database was made of it\n";
}

align::Database open_subjects(const SearchSettings& settings) {
  std::size_t databases = 0;
  for (const std::string& file : settings.subjects) databases += is_database_file(file) ? 1 : 0;
  MakingSettings making = settings.making;
  if (settings.translation().database) {
    making.dna = true;
    making.protein = false;  // --protein is about the queries
  }
  if (databases == 0) {
    if (settings.no_check) throw InputError("--no-check is for a database, not for FASTA");
    align::DatabaseBuilder builder(builder_options(making));
    append_files(builder, settings.subjects, making, settings.common.quiet);
    return builder.finish();
  }
  if (settings.subjects.size() > 1)
    throw InputError(settings.subjects.front(), {}, "a database together with other files", "one database, or FASTA");
  if (!making.memory.empty() || !making.temporary_folder.empty())
    throw InputError("--memory and --temporary-folder are for FASTA, not for a database");
  align::Database database = align::Database::open(settings.subjects.front(), !settings.no_check);
  warn_of_changed_sources(database, settings.subjects.front());
  const bool dna = database.alphabet() == genocl::Alphabet::dna;
  if (settings.translation().any() && dna != settings.translation().database)
    throw InputError(settings.subjects.front(), {},
                     "--translate " + settings.translate + " for a database of " + (dna ? "DNA" : "proteins"),
                     dna ? "--translate database or both" : "--translate query");
  if (making.dna && !dna) throw InputError(settings.subjects.front(), {}, "--dna for a database of proteins");
  if (making.protein && dna) throw InputError(settings.subjects.front(), {}, "--protein for a database of DNA");
  return database;
}

namespace {

/// The first word of each line, without lines that begin with '#'.
std::vector<std::string_view> first_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view line : parts_of(text, '\n')) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    if (!word.empty() && !word.starts_with('#')) words.push_back(word);
  }
  return words;
}

}  // namespace

align::Database selected_subjects(const align::Database& database, const SearchSettings& settings) {
  const bool includes = !settings.include.empty();
  const std::string& file = includes ? settings.include : settings.exclude;
  if (file.empty()) return database;
  const std::string text = genocl::io::read_text_file(file);
  const std::vector<std::string_view> ids = first_words(text);
  if (ids.empty()) throw InputError(file, {}, "no id", "one id on each line");
  const align::SubjectIds known(database);
  std::vector<bool> listed(database.size());
  std::vector<std::string_view> unknown;
  for (const std::string_view id : ids) {
    const std::span<const std::uint64_t> numbers = known.find(id);
    if (numbers.empty()) unknown.push_back(id);
    for (const std::uint64_t number : numbers) listed[number] = true;
  }
  std::vector<std::uint64_t> chosen;
  for (std::size_t number = 0; number < listed.size(); ++number)
    if (listed[number] == includes) chosen.push_back(number);
  if (chosen.empty())
    throw InputError(file, {},
                     includes ? "none of the ids is in " + name_of(settings.subjects)
                              : "all sequences of " + name_of(settings.subjects) + " are excluded",
                     includes ? "the first word of a header on each line" : "a list that leaves some");
  if (!unknown.empty() && team().is_root())
    std::cerr << called_name() << ": warning: " << file << ": " << unknown.size() << " of " << ids.size()
              << " ids are not in " << name_of(settings.subjects) << ", first " << genocl::in_quotes(unknown.front())
              << '\n';
  return database.subset(chosen);
}

std::string name_of(const std::vector<std::string>& files) {
  if (files.size() == 1) return files.front() == "-" ? "standard input" : files.front();
  return files.front() + " and " + std::to_string(files.size() - 1) + " more";
}

namespace {

/// Ten random amino acids with the frequencies of proteins include nine of these in six of 100,000 cases.
constexpr std::uint64_t min_letters = 10, max_letters = 1'000'000;

constexpr std::array<bool, genocl::protein::letters.size()> make_table() {
  std::array<bool, genocl::protein::letters.size()> table{};
  for (const char letter : std::string_view("ACGTUN")) table[genocl::protein::encode(letter)] = true;
  return table;
}
constexpr auto of_dna = make_table();

}  // namespace

AlphabetGuard::AlphabetGuard(std::string file, bool insists, std::string expected)
    : file_(std::move(file)), expected_(std::move(expected)), settled_(insists) {}

void AlphabetGuard::see(const genocl::SequenceSet& batch) {
  settled_ = settled_ || batch.alphabet() != genocl::Alphabet::protein;
  for (std::size_t i = 0; i < batch.size() && !settled_ && letters_ < max_letters; ++i) {
    const auto letters = batch[i].first(std::min<std::size_t>(batch.length(i), max_letters - letters_));
    letters_ += letters.size();
    bases_ +=
        static_cast<std::uint64_t>(std::ranges::count_if(letters, [](genocl::Code code) { return of_dna[code]; }));
  }
}

void AlphabetGuard::check() const {
  if (settled_ || letters_ < min_letters || 10 * bases_ < 9 * letters_) return;
  throw genocl::InputError(file_, {},
                           "looks like DNA, for " + std::to_string(100 * bases_ / letters_) +
                               "% of its letters are A, C, G, T, U or N, and is read as protein",
                           expected_);
}

using genocl::InputError;
using genocl::SequenceSet;

/// Maximum residues and queries of a batch. A database that exceeds device memory is uploaded once for each batch.
constexpr std::uint64_t query_batch_residues = std::uint64_t{4} << 20, usual_batch_queries = std::uint64_t{1} << 14;

/// Maximum number of records with wrong letters before the first valid one.
constexpr std::size_t max_wrong = 1000;

static bool is_searchable(std::uint64_t length) { return length > 0 && length <= align::Searcher::longest_query; }

QuerySource::QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns)
    : guard_(settings.queries, settings.making.protein, "proteins, or --protein where these are amino acids"),
      repairs_(settings.making.strict, warns),
      reader_(settings.queries, reading(settings, alphabet)),
      limits_{.residues = query_batch_residues, .records = settings.batch_queries.value_or(usual_batch_queries)},
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
  else if (wrong_.size() == max_wrong)
    throw InputError(wrong_.front());
}

void QuerySource::tell_wrong() {
  for (const std::string& text : wrong_) warn(text + ": this query is left out");
  wrong_.clear();
}

void QuerySource::warn(const std::string& text) const {
  if (warns_) std::cerr << called_name() << ": warning: " << text << '\n';
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
  writer_.write(align::QueryHits(batch_, i, hits));
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

const SequenceSet& searchable(const SequenceSet& batch, std::vector<std::size_t>& numbers, SequenceSet& copy) {
  numbers.clear();
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (is_searchable(batch.length(i))) numbers.push_back(i);
  if (numbers.size() == batch.size()) return batch;
  copy.reset(batch.alphabet(), false);
  for (const std::size_t i : numbers) {
    copy.append(batch.name(i), batch[i]);
    copy.mask(copy.size() - 1, batch.masked(i));
  }
  return copy;
}

}  // namespace program
