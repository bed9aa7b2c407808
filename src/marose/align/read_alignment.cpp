#include "genocl/marose/read_alignment.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "genocl/error.hpp"
#include "marose/align/packed_bases.hpp"
#include "marose/index/index_state.hpp"

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
  const std::uint64_t size = alignment.cigar.reference_length();
  if (alignment.contig >= index.contigs() || alignment.position > index.length(alignment.contig) ||
      size > index.length(alignment.contig) - alignment.position || alignment.cigar.query_length() > read.size())
    throw InputError("an alignment past the end of a contig or a read");
  const ReferenceView& reference = index.state().reference;
  const std::uint64_t begin = reference.offsets[alignment.contig] + alignment.position;
  const bool packed = !reference.is_ambiguous(begin, size);
  if (!packed) {
    tags.text.resize(size);
    index.reference_letters(alignment.contig, alignment.position, tags.text);
  }
  const auto letter = [&](std::size_t j) {
    return dna::decode(packed ? static_cast<Code>(reference.window(begin + j) >> 62) : tags.text[j]);
  };
  const bool forward = alignment.strand == Strand::forward;
  const auto query = [&](std::size_t i) { return forward ? read[i] : dna::complement(read[read.size() - 1 - i]); };
  tags.edit_distance = 0;
  tags.mismatches.clear();
  std::size_t i = 0, j = 0, behind = 0;  // behind: of the text, the base behind the last mismatch or deletion
  const auto mismatch = [&](std::size_t at) {
    append_number(tags.mismatches, at - behind);
    tags.mismatches += letter(at);
    behind = at + 1;
    ++tags.edit_distance;
  };
  // The read's bases [i, i + count), count at most 32, against the text from j on.
  const auto compare = [&](std::size_t count) {
    std::uint64_t others = packed ? 0 : beyond_bases, word = 0;
    if (packed) word = pack_bases(read.data() + (forward ? i : read.size() - i - count), count, others);
    if ((others & beyond_bases) != 0) {
      for (std::size_t k = 0; k < count; ++k) {
        const Code base = query(i + k);
        if (!dna::is_base(base) || dna::decode(base) != letter(j + k)) mismatch(j + k);
      }
      return;
    }
    if (!forward) word = reverse_complement(word) << (64 - 2 * count);
    for (std::uint64_t x = differing(word, reference.window(begin + j), count); x != 0; x = without_first(x))
      mismatch(j + first_difference(x));
  };
  for (const CigarRun& run : alignment.cigar.runs()) {
    const std::size_t length = run.length();
    switch (run.letter()) {
      case 'M':
        for (std::size_t done = 0; done < length;) {
          const std::size_t count = std::min<std::size_t>(32, length - done);
          compare(count);
          i += count;
          j += count;
          done += count;
        }
        break;
      case 'D':
        append_number(tags.mismatches, j - behind);
        tags.mismatches += '^';
        for (std::size_t k = 0; k < length; ++k) tags.mismatches += letter(j++);
        tags.edit_distance += run.length();
        behind = j;
        break;
      case 'I':
        tags.edit_distance += run.length();
        i += length;
        break;
      default:
        i += length;
    }
  }
  append_number(tags.mismatches, j - behind);
}

}  // namespace genocl::marose
