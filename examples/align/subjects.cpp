#include "align/subjects.hpp"

#include <filesystem>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include "align/alphabet_guard.hpp"
#include "common/numbers.hpp"
#include "common/progress_bar.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {
namespace {

using genocl::InputError;

/// Residues that are read and appended at a time.
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
  // What is looked at in a pipe is gone from it, so a pipe is taken for FASTA.
  if (std::error_code error;
      path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return false;
  if (path.ends_with(".gdb") || align::Database::is_database(path)) return true;
  std::ifstream file(path, std::ios::binary);  // damaged in its first bytes: no FASTA begins so
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
    else if (!making.strict)  // --replace-letters was given
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
  // Of plain files, most of whose bytes are letters.
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
    // The next batch is read while one is appended, where the system has another thread.
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

align::Database open_subjects(const SearchSettings& settings) {
  std::size_t databases = 0;
  for (const std::string& file : settings.subjects) databases += is_database_file(file) ? 1 : 0;
  const MakingSettings& making = settings.making;
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
  if (making.dna && database.alphabet() != genocl::Alphabet::dna)
    throw InputError(settings.subjects.front(), {}, "--dna for a database of proteins");
  if (making.protein && database.alphabet() != genocl::Alphabet::protein)
    throw InputError(settings.subjects.front(), {}, "--protein for a database of DNA");
  return database;
}

std::string name_of(const std::vector<std::string>& files) {
  if (files.size() == 1) return files.front() == "-" ? "standard input" : files.front();
  return files.front() + " and " + std::to_string(files.size() - 1) + " more";
}

}  // namespace program
