#include "align/database/database_file.hpp"

#include <algorithm>
#include <atomic>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
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

/// Whether its parts belong together, so that nothing is ever looked up outside them.
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

/// Each thread takes the largest of a piece, without early exits: vector code.
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

void write_database(const std::string& path, const DatabaseContent& content, runtime::Section codes) {
  runtime::Fields fields;
  fields.set("alphabet", to_string(content.alphabet));
  fields.set("sequences", content.size());
  fields.set("residues", codes.size());
  fields.set("longest", content.length(content.size() - 1));
  const std::string text = fields.text();
  write_section_file(path, database_kind,
                     {section("fields", std::string_view(text)), section("letter_counts", content.letter_counts),
                      section("offsets", content.offsets), section("numbers", content.numbers),
                      section("ranks", content.ranks), section("name_ends", content.name_ends),
                      section("names", content.names), section("description_ends", content.description_ends),
                      section("descriptions", content.descriptions), std::move(codes)});
}

void Database::save(const std::string& path) const {
  if (is_shard()) throw InputError(path, {}, "a shard is no database of its own", "the whole database");
  write_database(path, state_->content, section(std::string(codes_section), state_->content.codes));
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
  // Kernels look codes up in tables.
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
