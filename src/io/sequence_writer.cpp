#include "genocl/io/sequence_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "genocl/error.hpp"
#include "io/text.hpp"

namespace genocl::io {
namespace {

/// Appends the header line to `text`. Throws unless a reader parses it into the same name and description.
void add_header(std::string& text, char mark, const SequenceSet& set, std::size_t i) {
  const std::string_view name = set.name(i);
  const std::string_view description = set.description(i);
  const auto unfit = [&](const char* what) -> InputError {
    return {{}, "record " + std::to_string(i + 1), std::string(what) + ", which cannot be written"};
  };
  if (std::ranges::any_of(name, [](char c) { return is_blank(c) || is_control(c); }))
    throw unfit("a name with a blank or a control byte");
  if (std::ranges::any_of(description, is_control)) throw unfit("a description with a control byte");
  if (!description.empty() && (is_blank(description.front()) || is_blank(description.back())))
    throw unfit("a description that begins or ends with a blank");
  if (name.empty() && !description.empty()) throw unfit("a description without a name");
  text += mark;
  text += name;
  if (!description.empty()) text.append(" ").append(description);
  text += '\n';
}

/// Returns the letters. Throws InputError for bytes that a reader would not return unchanged.
std::string text_of(const SequenceSet& set, std::size_t i) {
  std::string letters = set.letters(i);
  if (set.alphabet() == Alphabet::bytes && !std::ranges::all_of(letters, is_printable))
    throw InputError({}, "record " + std::to_string(i + 1), "bytes that are no text, which cannot be written");
  return letters;
}

/// Throws InputError if a line of a set of bytes would begin with '>', '@' or '+'.
void check_line(const SequenceSet& set, std::size_t i, char first) {
  if (set.alphabet() == Alphabet::bytes && (first == '>' || first == '@' || first == '+'))
    throw InputError({}, "record " + std::to_string(i + 1),
                     std::string("a line that would begin with '") + first + "', which cannot be written");
}

}  // namespace

void write_fasta(OutputFile& file, const SequenceSet& set, std::uint64_t line_width) {
  std::string text;
  for (std::size_t i = 0; i < set.size(); ++i) {
    text.clear();
    add_header(text, '>', set, i);
    const std::string letters = text_of(set, i);
    const std::uint64_t width = line_width == 0 ? std::max<std::uint64_t>(letters.size(), 1) : line_width;
    for (std::uint64_t begin = 0; begin < letters.size(); begin += std::min(width, letters.size() - begin)) {
      check_line(set, i, letters[begin]);
      text.append(letters, begin, width);
      text += '\n';
    }
    file.write(text);
  }
}

void write_fastq(OutputFile& file, const SequenceSet& set) {
  if (!set.has_qualities()) throw InputError("write_fastq: the set has no qualities");
  std::string text;
  for (std::size_t i = 0; i < set.size(); ++i) {
    text.clear();
    add_header(text, '@', set, i);
    const std::string letters = text_of(set, i);
    if (!letters.empty()) check_line(set, i, letters.front());
    text += letters;
    text += "\n+\n";
    for (const std::uint8_t score : set.quality(i)) text += static_cast<char>(score + '!');
    text += '\n';
    file.write(text);
  }
}

}  // namespace genocl::io
