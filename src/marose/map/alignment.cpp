#include "genocl/marose/alignment.hpp"

#include "genocl/error.hpp"
#include "marose/map/edit_script.hpp"

namespace genocl::marose {
namespace {

void fetch(const Index& index, const Hit& hit, std::vector<Code>& text) {
  if (hit.reference >= index.contigs() || hit.length > index.length(hit.reference) ||
      hit.position > index.length(hit.reference) - hit.length)
    throw InputError("a hit outside the reference");
  text.resize(hit.length);
  index.reference(hit.reference, hit.position, text);
}

}  // namespace

std::string Alignment::cigar(bool merge_matches) const {
  constexpr std::string_view letters = "=XID";
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::uint64_t length = runs[i].length;
    char letter = letters[static_cast<std::size_t>(runs[i].operation)];
    ++i;
    if (merge_matches && (letter == '=' || letter == 'X')) {
      letter = 'M';
      for (; i < runs.size() && (runs[i].operation == Operation::match || runs[i].operation == Operation::mismatch);
           ++i)
        length += runs[i].length;
    }
    text += std::to_string(length) + letter;
  }
  return text;
}

const Alignment& Aligner::align(std::span<const Code> read, const Hit& hit) {
  fetch(index_, hit, text_);
  std::span<const Code> forward = read;
  if (hit.strand == Strand::reverse) {
    turned_.resize(read.size());
    dna::reverse_complement(read, turned_);
    forward = turned_;
  }
  edit_script(forward, text_, hit.errors, alignment_);
  return alignment_;
}

void Aligner::append_mismatch_tag(std::string& tag) const { marose::append_mismatch_tag(alignment_, text_, tag); }

Alignment align(const Index& index, std::span<const Code> read, const Hit& hit) {
  return Aligner(index).align(read, hit);
}

std::string mismatch_tag(const Index& index, const Alignment& alignment, const Hit& hit) {
  std::vector<Code> text;
  fetch(index, hit, text);
  std::string tag;
  append_mismatch_tag(alignment, text, tag);
  return tag;
}

}  // namespace genocl::marose
