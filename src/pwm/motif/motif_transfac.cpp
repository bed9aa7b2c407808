// TRANSFAC's flat files, and what STAMP, RSAT and JASPAR write in that style: records that end with "//".
#include <cctype>
#include <optional>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

struct Record {
  std::string accession, id, name, description;
  std::array<Code, 4> letters = {0, 1, 2, 3};  ///< of the columns, as P0 tells
  std::size_t begin = 0;                       ///< line
  bool header = false;                         ///< P0 was seen
  Motif motif;

  bool empty() const { return begin == 0; }
};

void read_letters(const TextLines& lines, Record& record) {
  if (record.header) lines.fail("a second matrix in a record", "\"//\" between motifs");
  record.header = true;
  const std::vector<std::string_view> fields = fields_of(lines.line());
  std::array<bool, 4> seen{};
  if (fields.size() < 5) lines.fail(in_quotes(lines.line()), "\"P0 A C G T\"");
  for (std::size_t i = 0; i < 4; ++i) {
    const Code letter = fields[i + 1].size() == 1 ? dna::encode(fields[i + 1].front()) : invalid_code;
    if (!dna::is_base(letter) || seen[letter]) lines.fail(in_quotes(lines.line()), "\"P0 A C G T\"");
    seen[letter] = true;
    record.letters[i] = letter;
  }
}

/// "01  1 2 2 0  S": the number of the position, counts, perhaps a consensus letter.
void read_row(const TextLines& lines, Record& record) {
  const std::vector<std::string_view> fields = fields_of(lines.line());
  if (fields.size() < 5 || fields.size() > 6)
    lines.fail(in_quotes(lines.line()), "a position, four counts and perhaps a letter");
  const std::array<double, 4> read = column_of(lines, fields, 1);
  std::array<double, 4> column{};
  for (std::size_t i = 0; i < 4; ++i) column[record.letters[i]] = read[i];
  record.motif.counts.push_back(column);
}

/// Adds the motif of a record, if it has one: a file's own header is a record without.
void finish(const TextLines& lines, Record& record, MotifList& motifs) {
  const bool named = !record.accession.empty() || !record.id.empty() || !record.description.empty();
  if (record.header || !record.motif.counts.empty() || named) {
    Motif& motif = record.motif;
    const TwoNames described = two_names(record.description);
    motif.id = !record.accession.empty() ? record.accession
               : !record.id.empty()      ? record.id
               : !record.name.empty()    ? record.name
                                         : described.first;
    motif.alt_id = !record.accession.empty() && !record.id.empty() ? record.id
                   : motif.id != record.name                       ? record.name
                                                                   : std::string();
    if (motif.id.empty()) lines.fail_at(record.begin, "a motif without a name", "a line AC, ID, NA or DE");
    motifs.add(record.begin, std::move(motif), MotifList::Values::counts);
  }
  record = {};
}

}  // namespace

void parse_transfac(TextLines& lines, MotifList& motifs) {
  Record record;
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with("//")) {
      finish(lines, record, motifs);
      continue;
    }
    if (line.starts_with('#')) continue;
    const std::vector<std::string_view> fields = fields_of(line);
    const std::string_view key = fields.front();
    const std::string value(trimmed(line.substr(key.size())));
    // STAMP ends a motif with XX.
    if ((key == "AC" || key == "ID" || key == "DE") && !record.motif.counts.empty()) finish(lines, record, motifs);
    if (record.empty()) record.begin = lines.line_number();
    if (key == "AC") {
      record.accession = two_names(value).first;
    } else if (key == "ID") {
      record.id = value;
    } else if (key == "NA") {
      record.name = value;
    } else if (key == "DE") {
      record.description = value;
    } else if (key == "P0" || key == "PO") {
      read_letters(lines, record);
    } else if (std::isdigit(static_cast<unsigned char>(key.front())) != 0) {
      if (!record.header && record.description.empty()) lines.fail("counts before \"P0 A C G T\"", "\"P0 A C G T\"");
      read_row(lines, record);
    } else if (key.size() != 2) {
      lines.fail(in_quotes(line), "a line of TRANSFAC's, with a key of two letters");
    }
  }
  if (!record.empty()) finish(lines, record, motifs);
}

}  // namespace genocl::pwm
