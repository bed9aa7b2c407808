#include "io/records/plain_records.hpp"

#include <array>

namespace genocl::io {

std::size_t behind_line(std::string_view text, std::size_t from) {
  const std::size_t newline = text.find('\n', from);
  return newline == std::string_view::npos ? newline : newline + 1;
}

std::string_view line_of(std::string_view text, std::size_t from, std::size_t behind) {
  std::string_view line = text.substr(from, behind - from - 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

PlainRecord plain_fastq(std::string_view text, std::size_t from, std::size_t& behind) {
  std::array<std::string_view, 4> lines;
  behind = from;
  for (std::string_view& line : lines) {
    const std::size_t begin = behind;
    behind = behind_line(text, begin);
    if (behind == std::string_view::npos) return PlainRecord::unfinished;
    line = line_of(text, begin, behind);
  }
  const std::string_view letters = lines[1];
  const bool plain = lines[0].starts_with('@') && !letters.empty() && letters.front() != '>' &&
                     letters.front() != '@' && letters.front() != '+' && lines[2].starts_with('+') &&
                     lines[3].size() == letters.size();
  return plain ? PlainRecord::found : PlainRecord::other;
}

PlainRecord plain_fasta(std::string_view text, std::size_t from, std::size_t& behind) {
  if (from < text.size() && text[from] != '>') return PlainRecord::other;
  for (behind = from;;) {
    behind = behind_line(text, behind);
    if (behind == std::string_view::npos || behind == text.size()) return PlainRecord::unfinished;
    if (text[behind] == '>') return PlainRecord::found;
  }
}

}  // namespace genocl::io
