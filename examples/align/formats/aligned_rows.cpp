#include "align/formats/aligned_rows.hpp"

#include <algorithm>

namespace program {

namespace {

std::string joined(std::string_view name, std::string_view description) {
  std::string text(name);
  if (!description.empty()) text.append(text.empty() ? "" : " ").append(description);
  return text;
}

std::string without_controls(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return text;
}

}  // namespace

std::string full_name(std::string_view name, std::string_view description) {
  return without_controls(joined(name, description));
}

std::vector<std::string> titles(std::string_view name, std::string_view description) {
  const std::string all = joined(name, description);
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('\1', begin), all.size());
    parts.push_back(without_controls(all.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

AlignedRows rows_of(const Context& context, const align::Hit& hit, std::span<const genocl::Code> query) {
  const align::Alignment& found = *hit.alignment;
  const genocl::Alphabet alphabet = context.alphabet();
  const std::span<const genocl::Code> subject = context.database.sequence(hit.subject);
  const auto letter = [&](genocl::Code code) {
    return alphabet == genocl::Alphabet::dna ? genocl::dna::decode(code) : genocl::protein::decode(code);
  };
  // The strand that was aligned.
  const auto query_code = [&](std::uint64_t i) {
    return hit.minus ? genocl::dna::complement(query[query.size() - 1 - i]) : query[i];
  };
  AlignedRows rows;
  std::uint64_t i = found.query_begin, j = found.subject_begin;
  for (const align::EditRun& run : found.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      if (run.operation == 'I' || run.operation == 'D') {
        rows.query += run.operation == 'I' ? letter(query_code(i++)) : '-';
        rows.subject += run.operation == 'D' ? letter(subject[j++]) : '-';
        rows.middle += ' ';
        continue;
      }
      const genocl::Code a = query_code(i++), b = subject[j++];
      rows.query += letter(a);
      rows.subject += letter(b);
      if (a == b)
        rows.middle += alphabet == genocl::Alphabet::dna ? '|' : letter(a);
      else
        rows.middle += alphabet != genocl::Alphabet::dna && context.scoring.matrix(a, b) > 0 ? '+' : ' ';
    }
  if (hit.minus) {  // the query as it was given, and the subject turned
    const auto turn = [&](std::string& row) {
      std::ranges::reverse(row);
      for (char& c : row)
        if (c != '-') c = letter(genocl::dna::complement(genocl::dna::encode(c)));
    };
    turn(rows.query);
    turn(rows.subject);
    std::ranges::reverse(rows.middle);
  }
  return rows;
}

}  // namespace program
