// A searchable sequence database, sorted by length, in memory or in a mapped file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/statistics.hpp"
#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

/// A file of sequences from which a database was made, as it was then.
struct DatabaseSource {
  std::string path = {};      ///< as it was given, without line breaks
  std::uint64_t bytes = 0;    ///< size of the file
  std::int64_t modified = 0;  ///< time of its last change, in seconds since 1970 (UTC)

  friend bool operator==(const DatabaseSource&, const DatabaseSource&) = default;
};

/// Copies are cheap and share the memory. Sequence numbers follow the input ("database order"). The rank of a sequence
/// is its position in the order by length: shortest first, ties in database order. Const members may be called
/// concurrently.
class GENOCL_EXPORT Database {
 public:
  /// The maximum length of a sequence, 2^32 - 1 letters. Longer sequences throw InputError.
  static constexpr std::uint64_t longest_sequence = 0xffff'ffff;
  /// Version of the file format. Files of other versions cannot be opened.
  static constexpr unsigned file_version = 2;

  /// Builds a database from protein or DNA sequences in memory. The set is not used afterwards. O(n). Throws InputError
  /// for an empty set and for a sequence that is too long (with the record).
  static Database build(const SequenceSet& sequences);
  /// Maps a file that DatabaseBuilder::save() wrote. The file may be larger than memory. Every byte is read and checked
  /// once; with `check` false the residues are not checked. Throws InputError if the file is not a database, truncated,
  /// damaged, or of another version or byte order.
  static Database open(const std::string& path, bool check = true);
  /// Returns whether the file begins with the signature of a database.
  static bool is_database(const std::string& path);
  /// Writes the database to a file in the format of DatabaseBuilder::save().
  void save(const std::string& path) const;

  Alphabet alphabet() const noexcept;
  std::size_t size() const noexcept;
  std::uint64_t residues() const noexcept;
  std::uint64_t longest() const noexcept;
  /// The files of DatabaseBuilder::add_source(), in that order; none for a shard.
  std::span<const DatabaseSource> sources() const noexcept;
  /// Returns a digest of the headers and letters in database order (XXH3 with 64 bits). Equal sequences have equal
  /// digests, whatever files they were read from. Throws InputError for a shard. O(residues).
  std::uint64_t digest() const;

  /// The size of the whole database, to which E-values refer. It equals size() and residues() unless this is a shard.
  DatabaseSize whole() const noexcept;

  /// Returns shard i of n, 0 <= i < n. Ranks are assigned in turn, back and forth, so that all shards have similar
  /// residue counts and lengths. Numbers, names and whole() refer to the whole database, so that hits of shards can be
  /// merged. number(rank) lists the sequences of a shard.
  Database shard(std::size_t i, std::size_t n) const;
  /// Returns part i of n of consecutive sequences, 0 <= i < n, in the order of the file they were read from: a sequence
  /// is in part i if i / n of all residues, but not (i + 1) / n, are before it. A part may be empty. Otherwise as
  /// shard(). Throws InputError if this is a shard. O(size log size).
  Database consecutive_shard(std::size_t i, std::size_t n) const;
  bool is_shard() const noexcept;
  /// Returns the database of these sequences. whole() is their size, so that E-values refer to them alone, as
  /// with BLAST's -seqidlist. Numbers, names and letter_counts() remain those of this database. save() throws
  /// InputError. O(n log n).
  ///
  /// @param sequences  numbers of sequences in this database, in any order; repeated ones count once
  /// @throws InputError if it is empty, and for a number that is not in this database
  Database subset(std::span<const std::uint64_t> sequences) const;

  /// @param number Sequence number, 0 <= number < whole().sequences, of a sequence in this shard.
  std::string_view name(std::size_t number) const;
  std::string_view description(std::size_t number) const;
  std::uint64_t length(std::size_t number) const { return length_at(rank(number)); }
  std::span<const Code> sequence(std::size_t number) const { return sequence_at(rank(number)); }
  std::size_t rank(std::size_t number) const;

  /// @param rank 0 <= rank < size().
  std::size_t number(std::size_t rank) const;
  std::uint64_t length_at(std::size_t rank) const;
  std::span<const Code> sequence_at(std::size_t rank) const;
  /// letter_counts()[code]: the number of occurrences of a code, in the whole database for shards also.
  std::span<const std::uint64_t> letter_counts() const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  friend class DatabaseBuilder;
  explicit Database(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

struct DatabaseBuilderOptions {
  Alphabet alphabet = Alphabet::protein;
  /// Maximum residues in memory; the remainder is written to an unnamed temporary file. 0: a quarter of the machine's
  /// memory.
  std::uint64_t memory_bytes = 0;
  /// Folder of the temporary file; empty: TMPDIR, else /var/tmp, else /tmp.
  std::string temporary_folder = {};
};

/// Builds a database of any size, batch by batch. Not thread-safe: one thread at a time.
class GENOCL_EXPORT DatabaseBuilder {
 public:
  explicit DatabaseBuilder(const DatabaseBuilderOptions& options = {});
  DatabaseBuilder(DatabaseBuilder&&) noexcept;
  DatabaseBuilder& operator=(DatabaseBuilder&&) noexcept;
  ~DatabaseBuilder();

  /// Reserves memory for `residues` residues in all, within the limits of the options. Later appends then copy no
  /// residues.
  void reserve(std::uint64_t residues);
  /// Throws InputError for another alphabet, a sequence that is too long (with its number, from 1, and name), and a
  /// full disk.
  void append(const SequenceSet& batch);
  /// Records a file from which sequences were appended, for Database::sources(). A path with a line break is left out.
  void add_source(const DatabaseSource& source);
  std::size_t size() const noexcept;
  std::uint64_t residues() const noexcept;

  /// Returns the database and leaves the builder empty. Residues that exceed the memory limit stay in the temporary
  /// file. Throws InputError if no sequence was appended.
  Database finish();
  /// Writes the result of finish() to a file, which appears only when it is complete.
  void save(const std::string& path, const Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::align
