

#include <algorithm>
#include <atomic>
#include <charconv>
#include <numeric>
#include <string>

#include "align/database/database_state.hpp"
#include "files/checksum.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// The memory of a database that was built in memory.
struct Memory {
  std::vector<Code> codes;
  LengthOrder order;
  std::string names, descriptions;
  std::vector<std::uint64_t> name_ends, description_ends, letter_counts;
};

/// Minimum size of the table of counts by length.
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
                                     0);  // [length + 1] number of sequences, then [length] next rank
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
  // DatabaseBuilder would hold the residues twice.
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
  return state_->subset.value_or(DatabaseSize{state_->content.codes.size(), state_->content.size()});
}
bool Database::is_shard() const noexcept { return state_->is_shard; }
std::span<const std::uint64_t> Database::letter_counts() const { return state_->content.letter_counts; }

std::span<const DatabaseSource> Database::sources() const noexcept { return state_->sources; }

std::uint64_t Database::digest() const {
  if (is_shard()) throw InputError("a digest of a shard; expected the whole database");
  runtime::Checksum sum;
  const auto add_text = [&](std::string_view text) {
    const std::uint64_t bytes = text.size();
    sum.add(std::as_bytes(std::span(&bytes, 1)));
    sum.add(std::as_bytes(std::span(text)));
  };
  for (std::size_t number = 0; number < size(); ++number) {
    add_text(name(number));
    add_text(description(number));
    const std::uint64_t letters = length(number);
    sum.add(std::as_bytes(std::span(&letters, 1)));
    sum.add(std::as_bytes(sequence(number)));
  }
  return sum.end();
}

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
  state->subset = state_->subset;
  // Longest first, in alternating direction: two rounds give all shards about the same number of residues. An
  // incomplete last round has only the shortest sequences.
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

Database Database::consecutive_shard(std::size_t i, std::size_t n) const {
  if (n == 0 || i >= n) throw InputError("shard " + std::to_string(i) + " of " + std::to_string(n));
  if (size() != whole().sequences) throw InputError("a consecutive part of a shard; expected a whole database");
  auto state = std::make_shared<State>();
  state->content = state_->content;
  state->memory = state_->memory;
  state->is_shard = true;
  state->subset = state_->subset;
  std::vector<std::uint64_t> in_order(size());  // numbers in the order of the file
  for (std::size_t rank = 0; rank < size(); ++rank) in_order[rank] = number(rank);
  std::ranges::sort(in_order);
  std::uint64_t before = 0;
  for (const std::uint64_t number : in_order) {
    const std::uint64_t part = before * n / std::max<std::uint64_t>(residues(), 1), letters = length(number);
    before += letters;
    if (std::min<std::uint64_t>(part, n - 1) != i) continue;
    state->shard_ranks.push_back(state_->content.ranks[number]);
    state->residues += letters;
  }
  std::ranges::sort(state->shard_ranks);
  return Database(std::move(state));
}

Database Database::subset(std::span<const std::uint64_t> sequences) const {
  if (sequences.empty()) throw InputError("a subset without sequences");
  auto state = std::make_shared<State>();
  state->content = state_->content;
  state->memory = state_->memory;
  state->is_shard = true;
  for (const std::uint64_t number : sequences) {
    const bool known = number < state_->content.size() && rank(number) < size() && this->number(rank(number)) == number;
    if (!known) throw InputError("sequence " + std::to_string(number) + " is not in the database");
    state->shard_ranks.push_back(state_->content.ranks[number]);
  }
  std::ranges::sort(state->shard_ranks);
  state->shard_ranks.erase(std::unique(state->shard_ranks.begin(), state->shard_ranks.end()), state->shard_ranks.end());
  for (const std::uint64_t rank : state->shard_ranks) state->residues += state->content.length(rank);
  state->subset = {.residues = state->residues, .sequences = state->shard_ranks.size()};
  return Database(std::move(state));
}

namespace {

using runtime::section;

Alphabet alphabet_named(const std::string& name, const std::string& path) {
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna})
    if (name == to_string(alphabet)) return alphabet;
  throw InputError(path, {}, "sequences of " + in_quotes(name), "a database written by this version");
}

bool never_falling(std::span<const std::uint64_t> ends, std::uint64_t last) {
  return !ends.empty() && ends.back() == last && std::ranges::is_sorted(ends);
}

/// Returns whether all indices are within bounds, so that no later access is out of range.
bool consistent(const DatabaseContent& content) {
  const std::size_t size = content.size();
  if (size == 0 || content.ranks.size() != size || content.offsets.size() != size + 1 ||
      content.name_ends.size() != size || content.description_ends.size() != size ||
      content.letter_counts.size() != alphabet_size(content.alphabet))
    return false;
  if (!never_falling(content.name_ends, content.names.size()) ||
      !never_falling(content.description_ends, content.descriptions.size()) || content.offsets[0] != 0 ||
      !never_falling(content.offsets, content.codes.size()))
    return false;
  for (std::size_t rank = 0; rank < size; ++rank) {
    if (content.numbers[rank] >= size || content.ranks[content.numbers[rank]] != rank) return false;
    if (rank > 0 && content.length(rank) < content.length(rank - 1)) return false;
  }
  return content.length(size - 1) <= Database::longest_sequence;
}

/// Each thread computes the maximum of a piece without early exits, so that the loop vectorizes.
bool all_below(Code end, std::span<const Code> codes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::size_t pieces = (codes.size() + piece - 1) / piece;
  std::atomic<bool> all = true;
  runtime::parallel_for(pieces, runtime::threads_for(pieces, 4, 16), [&](std::size_t i) {
    Code most = 0;
    for (const Code code : codes.subspan(i * piece, std::min(piece, codes.size() - i * piece)))
      most = std::max(most, code);
    if (most >= end) all = false;
  });
  return all;
}

}  // namespace

void check_length(std::size_t number, std::string_view name, std::uint64_t length) {
  if (length > Database::longest_sequence)
    throw InputError({}, "sequence " + std::to_string(number + 1) + " (" + shown(name) + ")",
                     std::to_string(length) + " letters", std::to_string(Database::longest_sequence) + " at most");
}

namespace {

constexpr std::string_view sources_section = "sources";

/// One line for each source: size, time and path, separated by tabs.
std::string sources_text(std::span<const DatabaseSource> sources) {
  std::string text;
  for (const DatabaseSource& source : sources)
    text += std::to_string(source.bytes) + "\t" + std::to_string(source.modified) + "\t" + source.path + "\n";
  return text;
}

std::vector<DatabaseSource> parse_sources(std::string_view text, const std::string& path) {
  std::vector<DatabaseSource> sources;
  const auto take_number = [&](auto& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != '\t')
      throw InputError(path, {}, "a list of sources that cannot be read", "a database written by this version");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  };
  while (!text.empty()) {
    DatabaseSource source;
    take_number(source.bytes);
    take_number(source.modified);
    source.path = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(source.path.size() + 1, text.size()));
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

void write_database(const std::string& path, const DatabaseContent& content, runtime::Section codes,
                    std::span<const DatabaseSource> sources) {
  runtime::Fields fields;
  fields.set("alphabet", to_string(content.alphabet));
  fields.set("sequences", content.size());
  fields.set("residues", codes.size());
  fields.set("longest", content.length(content.size() - 1));
  const std::string text = fields.text();
  const std::string of_sources = sources_text(sources);
  std::vector<runtime::Section> sections{section("fields", std::string_view(text)),
                                         section("letter_counts", content.letter_counts),
                                         section("offsets", content.offsets),
                                         section("numbers", content.numbers),
                                         section("ranks", content.ranks),
                                         section("name_ends", content.name_ends),
                                         section("names", content.names),
                                         section("description_ends", content.description_ends),
                                         section("descriptions", content.descriptions)};
  if (!sources.empty()) sections.push_back(section(std::string(sources_section), std::string_view(of_sources)));
  sections.push_back(std::move(codes));
  write_section_file(path, database_kind, sections);
}

void Database::save(const std::string& path) const {
  if (is_shard()) throw InputError(path, {}, "a shard is a part of a database", "the whole database");
  write_database(path, state_->content, section(std::string(codes_section), state_->content.codes), state_->sources);
}

bool Database::is_database(const std::string& path) { return runtime::SectionFile::begins_as(path, database_kind); }

Database Database::open(const std::string& path, bool check) {
  const std::span<const std::string_view> unchecked(&codes_section, check ? 0 : 1);
  const auto file = runtime::SectionFile::open(path, database_kind, unchecked);
  const runtime::Fields fields = file->fields();
  auto state = std::make_shared<State>();
  state->memory = file;
  state->content = {.alphabet = alphabet_named(fields.string("alphabet"), path),
                    .codes = file->array<Code>(codes_section),
                    .offsets = file->array<std::uint64_t>("offsets"),
                    .numbers = file->array<std::uint64_t>("numbers"),
                    .ranks = file->array<std::uint64_t>("ranks"),
                    .names = file->text("names"),
                    .descriptions = file->text("descriptions"),
                    .name_ends = file->array<std::uint64_t>("name_ends"),
                    .description_ends = file->array<std::uint64_t>("description_ends"),
                    .letter_counts = file->array<std::uint64_t>("letter_counts")};
  state->residues = state->content.codes.size();
  if (file->has(sources_section)) state->sources = parse_sources(file->text(sources_section), path);
  // Kernels use codes as table indices.
  const Code end = static_cast<Code>(alphabet_size(state->content.alphabet));
  if (check && !all_below(end, state->content.codes))
    throw InputError(path, {}, "residues outside the alphabet", "a database written by this version");
  if (!consistent(state->content) || fields.number("sequences") != state->content.size() ||
      fields.number("residues") != state->residues ||
      fields.number("longest") != state->content.length(state->content.size() - 1))
    throw InputError(path, {}, "its parts do not belong together", "a database written by this version");
  return Database(std::move(state));
}

}  // namespace genocl::align
