// Input of genocl-align: subjects, queries, and whether their letters fit the alphabet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/options.hpp"
#include "align/result_writer.hpp"
#include "common/repairs.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace program {

/// Whether a file is a database. FASTA begins differently, also if it is compressed.
bool is_database_file(const std::string& path);

/// Reads FASTA into a builder in batches. Throws InputError, with the file, as SequenceReader and DatabaseBuilder.
void append_files(align::DatabaseBuilder& builder, const std::vector<std::string>& files, const MakingSettings& making,
                  bool quiet);

/// Options for reading FASTA and FASTQ. '-' and '.' are removed from records of FASTA, and counted by `repairs`, which
/// must outlive the reader.
genocl::io::ReadOptions read_options(const MakingSettings& making, genocl::Alphabet alphabet, Repairs& repairs);

/// Adds the option that replaces letters outside the alphabet to the expectation of an error message.
genocl::InputError with_advice(const genocl::InputError& error);

/// Returns size and time of a file; nothing for standard input, a pipe and a missing file.
std::optional<align::DatabaseSource> source_of(const std::string& path);

/// Warns about files from which the database `file` was made and that have changed since. A relative path refers to
/// the current folder or to that of the database. Files that are missing are not mentioned.
void warn_of_changed_sources(const align::Database& database, const std::string& file);

align::DatabaseBuilderOptions builder_options(const MakingSettings& making);

/// Opens one database, or reads all FASTA files as one. Throws InputError for other combinations.
align::Database open_subjects(const SearchSettings& settings);

/// Returns the subjects to search: those of --include, or all but those of --exclude (align::SubjectIds). Warns about
/// ids that the database lacks, as BLAST's -seqidlist ignores them. Throws InputError if no subject is left.
align::Database selected_subjects(const align::Database& database, const SearchSettings& settings);

/// Names the files in a message, like "x.gdb" or "a.fa and 2 more files".
std::string name_of(const std::vector<std::string>& files);

/// Checks the first million letters of a file for DNA that is read as protein.
class AlphabetGuard {
 public:
  /// `insists`: the user stated that they are proteins. `expected`: the expectation of the error message.
  AlphabetGuard(std::string file, bool insists, std::string expected);

  /// Checks proteins only.
  void see(const genocl::SequenceSet& batch);
  /// Throws InputError if nine of ten letters so far are A, C, G, T, U or N, and too many for a peptide with such a
  /// composition by chance.
  void check() const;

 private:
  std::string file_, expected_;
  bool settled_;
  std::uint64_t letters_ = 0, bases_ = 0;
};

/// Reads queries in batches, which are the same in every process.
class QuerySource {
 public:
  /// `warns`: print warnings about empty and overlong queries, which have no hits, and about records with wrong
  /// letters, which are skipped.
  QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns = team().is_root());
  QuerySource(const QuerySource&) = delete;
  QuerySource& operator=(const QuerySource&) = delete;

  /// Also throws InputError if every record has wrong letters, and for DNA that is read as protein.
  bool next(genocl::SequenceSet& batch);
  double fraction() const noexcept { return reader_.fraction(); }

 private:
  genocl::io::ReadOptions reading(const SearchSettings& settings, genocl::Alphabet alphabet);
  void leave_out(const genocl::InputError& why);
  void tell_wrong();
  void check(const genocl::SequenceSet& batch, std::size_t i) const;
  void warn(const std::string& text) const;

  std::vector<std::uint64_t> skipped_;  ///< records of this batch that were left out, from 0
  std::vector<std::string> wrong_;      ///< errors of the first ones, until the first valid record
  std::uint64_t skipped_before_ = 0;    ///< in the batches before
  std::uint64_t taken_ = 0;             ///< records that were not left out
  AlphabetGuard guard_;
  Repairs repairs_;
  genocl::io::SequenceReader reader_;
  genocl::BatchLimits limits_;
  bool masks_;  ///< regions of low complexity
  bool warns_;
};

/// Returns the queries that are neither empty nor too long: `batch` itself, or `copy` without the others.
/// `numbers`: their indices in `batch`.
const genocl::SequenceSet& searchable(const genocl::SequenceSet& batch, std::vector<std::size_t>& numbers,
                                      genocl::SequenceSet& copy);

/// [query]: its hits.
using HitLists = std::vector<std::vector<align::Hit>>;

/// Adds the hits of another part of the database to `to`, which is empty or has the same number of queries.
void merge_into(HitLists& to, HitLists&& more, std::size_t top);

/// Writes the hits of a batch, query by query. Queries that were not searched have no hits.
class BatchWriter {
 public:
  /// `numbers` as searchable() gives them.
  BatchWriter(ResultWriter& writer, const genocl::SequenceSet& batch, std::span<const std::size_t> numbers)
      : writer_(writer), batch_(batch), numbers_(numbers) {}

  /// The index of the next query that was searched.
  void write(std::span<const align::Hit> hits);
  void write_all(std::span<const std::vector<align::Hit>> hits);
  /// Returns the number of hits written.
  std::uint64_t finish();

 private:
  void write_up_to(std::size_t number);
  void write_next(std::span<const align::Hit> hits);

  ResultWriter& writer_;
  const genocl::SequenceSet& batch_;
  std::span<const std::size_t> numbers_;
  std::size_t searched_ = 0, written_ = 0;  ///< queries
  std::uint64_t hits_ = 0;
};

}  // namespace program
