// What a Database holds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/align/database.hpp"

namespace genocl::align {

/// These are views of the whole database, into the memory of this process or into a mapped file.
struct DatabaseContent {
  Alphabet alphabet = Alphabet::protein;
  std::span<const Code> codes;                                 ///< of all sequences, by rank, with nothing between
  std::span<const std::uint64_t> offsets;                      ///< [rank] where it begins in `codes`; one more: the end
  std::span<const std::uint64_t> numbers;                      ///< [rank]
  std::span<const std::uint64_t> ranks;                        ///< [number]
  std::string_view names, descriptions;                        ///< by number, with nothing between
  std::span<const std::uint64_t> name_ends, description_ends;  ///< [number]
  std::span<const std::uint64_t> letter_counts;                ///< [code]

  std::size_t size() const noexcept { return numbers.size(); }
  std::uint64_t length(std::size_t rank) const { return offsets[rank + 1] - offsets[rank]; }
};

struct Database::State {
  DatabaseContent content;
  std::shared_ptr<const void> memory;  ///< keeps what `content` shows

  bool is_shard = false;
  std::vector<std::uint64_t> shard_ranks;  ///< of a shard: ranks in the whole database, ascending
  std::uint64_t residues = 0;              ///< of this shard

  std::size_t size() const noexcept { return is_shard ? shard_ranks.size() : content.size(); }
  /// In the whole database.
  std::size_t whole_rank(std::size_t rank) const { return is_shard ? shard_ranks[rank] : rank; }
};

/// Orders sequences by length, stably.
struct LengthOrder {
  std::vector<std::uint64_t> offsets, numbers, ranks;  ///< as in DatabaseContent
};
/// lengths[number]. O(n) where none is much longer than all are many, else O(n log n).
LengthOrder order_by_length(std::span<const std::uint32_t> lengths);

constexpr runtime::FileKind database_kind = {
    .letters = {'G', 'D', 'B'}, .version = 2, .name = "a database", .program = "genocl-align"};

/// The residues, by rank.
constexpr std::string_view codes_section = "codes";

/// `content` without its codes, which are a section of their own.
void write_database(const std::string& path, const DatabaseContent& content, runtime::Section codes);

/// Throws InputError for a sequence that is too long.
void check_length(std::size_t number, std::string_view name, std::uint64_t length);

}  // namespace genocl::align
