// JASPAR: a header and four rows, "A [ 1 2 3 ]" or bare numbers; or bare rows without a header.
#include <filesystem>
#include <optional>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

struct Row {
  std::optional<Code> letter;
  std::vector<double> counts;
};

Row row_of(const TextLines& lines) {
  Row row;
  std::string text(lines.line());
  if (const Code letter = dna::encode(text.front()); dna::is_base(letter)) {
    row.letter = letter;
    text.front() = ' ';
  }
  // Brackets may stand close to the numbers.
  for (char& c : text)
    if (c == '[' || c == ']' || c == '|' || c == ':') c = ' ';
  for (const std::string_view field : fields_of(text)) row.counts.push_back(lines.count(field));
  return row;
}

/// From the first row on, which `lines` is at.
Motif motif_of(TextLines& lines, std::string id, std::string alt_id, std::size_t header) {
  Motif motif{std::move(id), std::move(alt_id), {}, 0};
  const std::string name = "motif " + shown(motif.id);
  std::array<bool, 4> seen{};
  bool lettered = false;
  for (Code r = 0; r < 4; ++r) {
    if ((r > 0 && !lines.next_filled()) || lines.line().empty() || lines.line().starts_with('>'))
      lines.fail_at(header, name + " with " + std::to_string(r) + " rows", "four, of A, C, G and T");
    const Row row = row_of(lines);
    if (r == 0) {
      lettered = row.letter.has_value();
      motif.counts.resize(row.counts.size());
    }
    if (row.letter.has_value() != lettered)
      lines.fail("a row with a letter beside one without", "the same for all four");
    const Code letter = row.letter.value_or(r);
    if (seen[letter]) lines.fail(name + ": a second row of " + dna::decode(letter), "one of each letter");
    seen[letter] = true;
    if (row.counts.size() != motif.counts.size())
      lines.fail(name + ": a row of " + std::to_string(row.counts.size()) + " numbers",
                 std::to_string(motif.counts.size()) + " as in the first");
    for (std::size_t i = 0; i < row.counts.size(); ++i) motif.counts[i][letter] = row.counts[i];
  }
  check_motif(lines, header, motif);
  return motif;
}

}  // namespace

std::vector<Motif> parse_jaspar(TextLines& lines) {
  std::vector<Motif> motifs;
  bool headers = false;
  while (lines.next_filled()) {
    if (lines.line().starts_with('#')) continue;
    const std::size_t header = lines.line_number();
    if (lines.line().starts_with('>')) {
      headers = true;
      TwoNames names = two_names(lines.line().substr(1));
      if (names.first.empty()) lines.fail("a header without a name", "\">ID name\"");
      lines.next_filled();
      motifs.push_back(motif_of(lines, std::move(names.first), std::move(names.rest), header));
      continue;
    }
    const Code first = dna::encode(lines.line().front());
    if (!dna::is_base(first) && !is_numbers(lines.line())) {
      // A fifth row, a row with a wrong number, or nothing of JASPAR's at all.
      row_of(lines);
      lines.fail(in_quotes(lines.line()), "a header, \">ID name\"");
    }
    if (headers) lines.fail("motif " + shown(motifs.back().id) + ": a fifth row", "a header, \">ID name\"");
    // Named after its file.
    std::string name = std::filesystem::path(lines.file()).stem().string();
    if (!motifs.empty()) name += "_" + std::to_string(motifs.size() + 1);
    motifs.push_back(motif_of(lines, std::move(name), {}, header));
  }
  return motifs;
}

}  // namespace genocl::pwm
