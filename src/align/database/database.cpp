#include "genocl/align/database.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "align/database/database_file.hpp"
#include "align/database/database_state.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// A database that was built in memory keeps this.
struct Memory {
  std::vector<Code> codes;
  LengthOrder order;
  std::string names, descriptions;
  std::vector<std::uint64_t> name_ends, description_ends, letter_counts;
};

/// So many different lengths are counted in any case.
constexpr std::uint64_t counted_lengths = std::uint64_t{1} << 16;

std::string_view piece(std::string_view text, std::span<const std::uint64_t> ends, std::size_t i) {
  const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
  return text.substr(begin, ends[i] - begin);
}

}  // namespace

LengthOrder order_by_length(std::span<const std::uint32_t> lengths) {
  const std::uint32_t longest = lengths.empty() ? 0 : *std::ranges::max_element(lengths);
  LengthOrder order;
  order.numbers.resize(lengths.size());
  order.ranks.resize(lengths.size());
  order.offsets.resize(lengths.size() + 1);
  if (longest / 16 > lengths.size() + counted_lengths) {
    std::iota(order.numbers.begin(), order.numbers.end(), std::uint64_t{0});
    std::ranges::stable_sort(order.numbers, {}, [&](std::uint64_t number) { return lengths[number]; });
  } else {
    std::vector<std::uint64_t> place(std::size_t{longest} + 2,
                                     0);  // [length + 1] how many, then [length] the next rank
    for (const std::uint32_t length : lengths) ++place[length + 1];
    for (std::size_t length = 1; length < place.size(); ++length) place[length] += place[length - 1];
    for (std::size_t number = 0; number < lengths.size(); ++number) order.numbers[place[lengths[number]]++] = number;
  }
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) order.ranks[order.numbers[rank]] = rank;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank)
    order.offsets[rank + 1] = order.offsets[rank] + lengths[order.numbers[rank]];
  return order;
}

Database Database::build(const SequenceSet& sequences) {
  // Not by DatabaseBuilder: that would hold the residues twice.
  if (sequences.alphabet() == Alphabet::bytes) throw InputError("a database of bytes, neither protein nor DNA");
  if (sequences.empty()) throw InputError("a database without any sequence");
  std::vector<std::uint32_t> lengths(sequences.size());
  const auto memory = std::make_shared<Memory>();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    check_length(i, sequences.name(i), sequences.length(i));
    lengths[i] = static_cast<std::uint32_t>(sequences.length(i));
    memory->names += sequences.name(i);
    memory->name_ends.push_back(memory->names.size());
    memory->descriptions += sequences.description(i);
    memory->description_ends.push_back(memory->descriptions.size());
  }
  memory->order = order_by_length(lengths);
  memory->codes.resize(sequences.residues());
  for (std::size_t i = 0; i < sequences.size(); ++i)
    std::ranges::copy(sequences[i], memory->codes.begin() +
                                        static_cast<std::ptrdiff_t>(memory->order.offsets[memory->order.ranks[i]]));
  memory->letter_counts = sequences.letter_counts();

  auto state = std::make_shared<State>();
  state->content = {.alphabet = sequences.alphabet(),
                    .codes = memory->codes,
                    .offsets = memory->order.offsets,
                    .numbers = memory->order.numbers,
                    .ranks = memory->order.ranks,
                    .names = memory->names,
                    .descriptions = memory->descriptions,
                    .name_ends = memory->name_ends,
                    .description_ends = memory->description_ends,
                    .letter_counts = memory->letter_counts};
  state->residues = memory->codes.size();
  state->memory = memory;
  return Database(std::move(state));
}

Alphabet Database::alphabet() const noexcept { return state_->content.alphabet; }
std::size_t Database::size() const noexcept { return state_->size(); }
std::uint64_t Database::residues() const noexcept { return state_->residues; }
std::uint64_t Database::longest() const noexcept { return size() == 0 ? 0 : length_at(size() - 1); }
DatabaseSize Database::whole() const noexcept {
  return {.residues = state_->content.codes.size(), .sequences = state_->content.size()};
}
bool Database::is_shard() const noexcept { return state_->is_shard; }
std::span<const std::uint64_t> Database::letter_counts() const { return state_->content.letter_counts; }

std::string_view Database::name(std::size_t number) const {
  return piece(state_->content.names, state_->content.name_ends, number);
}
std::string_view Database::description(std::size_t number) const {
  return piece(state_->content.descriptions, state_->content.description_ends, number);
}

std::size_t Database::rank(std::size_t number) const {
  const std::uint64_t rank = state_->content.ranks[number];
  if (!state_->is_shard) return rank;
  const auto& ranks = state_->shard_ranks;
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}
std::size_t Database::number(std::size_t rank) const { return state_->content.numbers[state_->whole_rank(rank)]; }
std::uint64_t Database::length_at(std::size_t rank) const { return state_->content.length(state_->whole_rank(rank)); }
std::span<const Code> Database::sequence_at(std::size_t rank) const {
  const std::size_t whole = state_->whole_rank(rank);
  return state_->content.codes.subspan(state_->content.offsets[whole], state_->content.length(whole));
}

Database Database::shard(std::size_t i, std::size_t n) const {
  if (n == 0 || i >= n) throw InputError("shard " + std::to_string(i) + " of " + std::to_string(n));
  auto state = std::make_shared<State>();
  state->content = state_->content;
  state->memory = state_->memory;
  state->is_shard = true;
  // Dealt back and forth, longest first: each round of two gives every shard about the same, and what the last round
  // does not fill are the shortest.
  for (std::size_t dealt = 0; dealt < size(); ++dealt) {
    const std::size_t turn = dealt % n;
    if ((dealt / n % 2 == 0 ? turn : n - 1 - turn) != i) continue;
    const std::size_t rank = size() - 1 - dealt;
    state->shard_ranks.push_back(state_->whole_rank(rank));
    state->residues += length_at(rank);
  }
  std::ranges::reverse(state->shard_ranks);
  return Database(std::move(state));
}

}  // namespace genocl::align
