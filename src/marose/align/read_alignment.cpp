#include "genocl/marose/read_alignment.hpp"

#include <array>
#include <charconv>

#include "marose/map/edit_script.hpp"

namespace genocl::marose {
namespace {

std::uint32_t clip_of(const CigarRun& run) { return run.letter() == 'S' || run.letter() == 'H' ? run.length() : 0; }

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

std::uint32_t ReadAlignment::left_clip() const noexcept { return cigar.empty() ? 0 : clip_of(cigar.runs().front()); }

std::uint32_t ReadAlignment::right_clip() const noexcept {
  return cigar.runs().size() < 2 ? 0 : clip_of(cigar.runs().back());
}

void mismatch_tags(const Index& index, std::span<const Code> read, const ReadAlignment& alignment, MismatchTags& tags) {
  std::vector<Code>& text = tags.text;
  std::span<const Code> query = read;
  if (alignment.strand == Strand::reverse) {
    tags.query.resize(read.size());
    dna::reverse_complement(read, tags.query);
    query = tags.query;
  }
  text.resize(alignment.cigar.reference_length());
  index.reference_letters(alignment.contig, alignment.position, text);
  tags.edit_distance = 0;
  tags.mismatches.clear();
  std::uint64_t matched = 0;
  std::size_t i = 0, j = 0;
  for (const CigarRun& run : alignment.cigar.runs()) {
    const std::size_t length = run.length();
    switch (run.letter()) {
      case 'M':
        for (std::size_t k = 0; k < length; ++k, ++i, ++j) {
          if (matches(query[i], text[j])) {
            ++matched;
            continue;
          }
          append_number(tags.mismatches, matched);
          tags.mismatches += dna::decode(text[j]);
          matched = 0;
          ++tags.edit_distance;
        }
        break;
      case 'D':
        append_number(tags.mismatches, matched);
        matched = 0;
        tags.mismatches += '^';
        for (std::size_t k = 0; k < length; ++k) tags.mismatches += dna::decode(text[j++]);
        tags.edit_distance += run.length();
        break;
      case 'I':
        tags.edit_distance += run.length();
        i += length;
        break;
      default:
        i += length;
    }
  }
  append_number(tags.mismatches, matched);
}

}  // namespace genocl::marose
