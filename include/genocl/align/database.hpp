// The sequences that are searched: sorted by length, in memory or in a file that is mapped.
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

/// Cheap to copy: copies share the memory. Sequences are numbered as they came ("database order"); beside that each has
/// a rank, its place in the order by length (shortest first, ties in database order).
/// Const members may be called concurrently.
class GENOCL_EXPORT Database {
 public:
  /// A sequence of more letters is an InputError: 2^32 - 1.
  static constexpr std::uint64_t longest_sequence = 0xffff'ffff;

  /// From sequences in memory (protein or DNA); the set is not needed afterwards. O(n). Throws InputError without any
  /// sequence, or for one that is too long (with the record).
  static Database build(const SequenceSet& sequences);
  /// A file that DatabaseBuilder::save() wrote, mapped into memory: larger than memory is fine. Every byte is read once
  /// and checked; `check` false leaves the residues out of that. Throws InputError for a file that is none of ours, cut
  /// off, of another version or byte order, or damaged.
  static Database open(const std::string& path, bool check = true);
  /// Whether a file begins as a database does.
  static bool is_database(const std::string& path);
  /// Writes the database to a file as DatabaseBuilder::save() does.
  void save(const std::string& path) const;

  Alphabet alphabet() const noexcept;
  std::size_t size() const noexcept;
  std::uint64_t residues() const noexcept;
  std::uint64_t longest() const noexcept;
  /// The size of the whole database of which this is a shard.
  DatabaseSize whole() const noexcept;

  /// Shard i of n, 0 <= i < n: sequences so chosen that all shards have like residues and like lengths (ranks are dealt
  /// out in turn, back and forth). Numbers, names and whole() stay those of the whole database, so that hits of shards
  /// merge. Sequence numbers of a shard are number(rank).
  Database shard(std::size_t i, std::size_t n) const;
  bool is_shard() const noexcept;

  /// These take a sequence number, 0 <= number < whole().sequences, of a sequence that is in this shard.
  std::string_view name(std::size_t number) const;
  std::string_view description(std::size_t number) const;
  std::uint64_t length(std::size_t number) const { return length_at(rank(number)); }
  std::span<const Code> sequence(std::size_t number) const { return sequence_at(rank(number)); }
  std::size_t rank(std::size_t number) const;

  /// These take a rank, 0 <= rank < size().
  std::size_t number(std::size_t rank) const;
  std::uint64_t length_at(std::size_t rank) const;
  std::span<const Code> sequence_at(std::size_t rank) const;
  /// letters()[code]: how often it occurs (shards: in the whole database).
  std::span<const std::uint64_t> letter_counts() const;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  friend class DatabaseBuilder;
  explicit Database(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

struct DatabaseBuilderOptions {
  Alphabet alphabet = Alphabet::protein;
  /// Residues held in memory; what is beyond goes to an unnamed temporary file. 0: a quarter of the machine's memory.
  std::uint64_t memory_bytes = 0;
  /// Where that file is; empty: TMPDIR, else /var/tmp, else /tmp.
  std::string temporary_folder = {};
};

/// Makes a database of any size, batch by batch.
/// Not thread-safe: one thread at a time.
class GENOCL_EXPORT DatabaseBuilder {
 public:
  explicit DatabaseBuilder(const DatabaseBuilderOptions& options = {});
  DatabaseBuilder(DatabaseBuilder&&) noexcept;
  DatabaseBuilder& operator=(DatabaseBuilder&&) noexcept;
  ~DatabaseBuilder();

  /// Room in memory for so many residues in all, as far as the options allow, so that appends do not move what is
  /// there.
  void reserve(std::uint64_t residues);
  /// Throws InputError for another alphabet, a sequence that is too long (with its number, from 1, and name), a full
  /// disk.
  void append(const SequenceSet& batch);
  std::size_t size() const noexcept;
  std::uint64_t residues() const noexcept;

  /// The database; residues that did not fit the memory stay in the temporary file. The builder is empty afterwards.
  /// Throws InputError without any sequence.
  Database finish();
  /// finish() to a file, which appears whole or not at all.
  void save(const std::string& path, const Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::align
