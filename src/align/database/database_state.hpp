// Internal representation of a Database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/align/database.hpp"

namespace genocl::align {

/// Views of the whole database, in the memory of this process or in a mapped file.
struct DatabaseContent {
  Alphabet alphabet = Alphabet::protein;
  std::span<const Code> codes;                                 ///< of all sequences, by rank, without separators
  std::span<const std::uint64_t> offsets;                      ///< [rank] first code; one more entry: the end
  std::span<const std::uint64_t> numbers;                      ///< [rank]
  std::span<const std::uint64_t> ranks;                        ///< [number]
  std::string_view names, descriptions;                        ///< by number, without separators
  std::span<const std::uint64_t> name_ends, description_ends;  ///< [number]
  std::span<const std::uint64_t> letter_counts;                ///< [code]

  std::size_t size() const noexcept { return numbers.size(); }
  std::uint64_t length(std::size_t rank) const { return offsets[rank + 1] - offsets[rank]; }
};

struct Database::State {
  DatabaseContent content;
  std::shared_ptr<const void> memory;  ///< owns the memory of `content`

  bool is_shard = false;                   ///< a shard or a subset
  std::vector<std::uint64_t> shard_ranks;  ///< its ranks in `content`, ascending
  std::vector<DatabaseSource> sources;
  std::optional<DatabaseSize> subset;  ///< size of the subset, in its shards also
  std::uint64_t residues = 0;          ///< of this shard

  std::size_t size() const noexcept { return is_shard ? shard_ranks.size() : content.size(); }
  /// Returns the rank in the whole database.
  std::size_t whole_rank(std::size_t rank) const { return is_shard ? shard_ranks[rank] : rank; }
};

/// A stable order of sequences by length.
struct LengthOrder {
  std::vector<std::uint64_t> offsets, numbers, ranks;  ///< as in DatabaseContent
};
/// @param lengths [number] O(n) unless the maximum length is large compared with n, else O(n log n).
LengthOrder order_by_length(std::span<const std::uint32_t> lengths);

constexpr runtime::FileKind database_kind = {
    .letters = {'G', 'D', 'B'}, .version = Database::file_version, .name = "a database", .program = "genocl-align"};

/// Name of the section of residues, by rank.
constexpr std::string_view codes_section = "codes";

/// Writes `content`; its codes are in the separate section `codes`. The section of sources is absent without any.
void write_database(const std::string& path, const DatabaseContent& content, runtime::Section codes,
                    std::span<const DatabaseSource> sources = {});

/// Throws InputError for a sequence that exceeds Database::longest_sequence.
void check_length(std::size_t number, std::string_view name, std::uint64_t length);

}  // namespace genocl::align
