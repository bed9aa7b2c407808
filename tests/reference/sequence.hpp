// Plain scalar oracles: alphabets from their definitions, packing base by base, files line by line.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace genocl_reference {

/// The bases that an IUPAC letter stands for, in the order A C G T; nothing for what is no such letter (NC-IUB 1984).
inline std::string iupac_bases(char letter) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
    case 'A':
      return "A";
    case 'C':
      return "C";
    case 'G':
      return "G";
    case 'T':
    case 'U':
      return "T";
    case 'R':
      return "AG";
    case 'Y':
      return "CT";
    case 'S':
      return "CG";
    case 'W':
      return "AT";
    case 'K':
      return "GT";
    case 'M':
      return "AC";
    case 'B':
      return "CGT";
    case 'D':
      return "AGT";
    case 'H':
      return "ACT";
    case 'V':
      return "ACG";
    case 'N':
      return "ACGT";
    default:
      return "";
  }
}

/// The letter of the complements of a letter's bases.
inline char iupac_complement(char letter) {
  std::string bases;
  for (const char base : iupac_bases(letter)) bases += base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A';
  std::sort(bases.begin(), bases.end());
  for (const char candidate : std::string_view("ACGTRYSWKMBDHVN"))
    if (iupac_bases(candidate) == bases) return candidate;
  return 0;
}

inline std::string reverse_complement(std::string letters) {
  std::reverse(letters.begin(), letters.end());
  for (char& letter : letters) letter = iupac_complement(letter);
  return letters;
}

inline bool is_amino_acid(char letter) {
  return letter == '*' ||
         (std::isalpha(static_cast<unsigned char>(letter)) != 0);  // since J, O and U every letter is one
}

/// Two bits a base as characters '0' and '1', A = 00, C = 01, G = 10, T = 11, anything else 00.
inline std::string bits_of(std::string_view letters) {
  std::string bits;
  for (const char letter : letters) bits += letter == 'C' ? "01" : letter == 'G' ? "10" : letter == 'T' ? "11" : "00";
  return bits;
}

/// 64 of those, the first as the highest bit; those that are missing at the end are 0.
inline std::uint64_t word_of(std::string_view bits) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; ++i) word = 2 * word + (i < bits.size() && bits[i] == '1' ? 1 : 0);
  return word;
}

struct TextRecord {
  std::string name, description, letters, quality;

  friend bool operator==(const TextRecord&, const TextRecord&) = default;
};

/// A file that is as it should be: FASTA with any line length, FASTQ with four lines a record. Letters in upper case.
inline std::vector<TextRecord> parse_lines(const std::string& text) {
  std::vector<TextRecord> records;
  std::istringstream lines(text);
  const auto next = [&](std::string& line) {
    if (!std::getline(lines, line)) return false;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
  };
  const auto upper = [](std::string line) {
    for (char& c : line) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return line;
  };
  for (std::string line; next(line);) {
    if (!line.empty() && (line[0] == '>' || line[0] == '@')) {
      line.erase(line.find_last_not_of(" \t") + 1);
      const std::size_t blank = std::min(line.size(), line.find_first_of(" \t"));
      TextRecord record{.name = line.substr(1, blank - 1), .description = {}, .letters = {}, .quality = {}};
      if (blank < line.size()) record.description = line.substr(blank + 1);
      if (line[0] == '@') {
        next(line);
        record.letters = upper(line);
        next(line);
        next(record.quality);
      }
      records.push_back(record);
    } else if (!records.empty()) {
      records.back().letters += upper(line);
    }
  }
  return records;
}

}  // namespace genocl_reference
