// Alignments by number of errors.

#include <algorithm>
#include <array>

#include "genocl/error.hpp"
#include "genocl/marose/alignment.hpp"
#include "marose/clip.hpp"
#include "marose/edit_script.hpp"
#include "marose/index.hpp"
#include "runtime/state_access.hpp"

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
  constexpr std::string_view letters = "=XIDS";
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::uint64_t count = runs[i].length;
    char letter = letters[static_cast<std::size_t>(runs[i].operation)];
    ++i;
    if (merge_matches && (letter == '=' || letter == 'X')) {
      letter = 'M';
      for (; i < runs.size() && (runs[i].operation == Operation::match || runs[i].operation == Operation::mismatch);
           ++i)
        count += runs[i].length;
    }
    text += std::to_string(count) + letter;
  }
  return text;
}

Aligner::Aligner(const Index& index) : index_(index) {}

const Alignment& Aligner::align(std::span<const Code> read, const Hit& hit) {
  fetch(index_, hit, text_);
  contig_ = hit.reference;
  std::span<const Code> forward = read;
  if (hit.strand == Strand::reverse) {
    turned_.resize(read.size());
    dna::reverse_complement(read, turned_);
    forward = turned_;
  }
  edit_script(forward, text_, hit.errors, alignment_);
  alignment_.position = text_begin_ = hit.position;
  alignment_.length = hit.length;
  return alignment_;
}

const Alignment& Aligner::align_record(std::span<const Code> read, const Hit& hit, const ReadPart& part,
                                       const std::optional<ReadPart>& bounds) {
  if (part.length == 0 || part.end() > read.size()) throw InputError("a hit of no part of the read");
  align(part.of(read), hit);
  const auto is_insertion = [](const Alignment::Run& run) { return run.operation == Operation::insertion; };
  const bool whole = part.length == read.size();
  if (whole && !is_insertion(alignment_.runs.front()) && !is_insertion(alignment_.runs.back()) &&
      (!bounds || alignment_.errors == 0))
    return alignment_;

  // On the forward strand of the reference, with all of the contig that the read may reach.
  const auto turn = [&](const ReadPart& one) {
    if (hit.strand == Strand::forward) return one;
    return ReadPart{static_cast<std::uint16_t>(read.size() - one.end()), one.length};
  };
  const ReadPart own = turn(part);
  std::span<const Code> forward = read;
  if (hit.strand == Strand::reverse) {
    turned_.resize(read.size());
    dna::reverse_complement(read, turned_);
    forward = turned_;
  }
  const std::uint64_t reach = read.size(), contig = index_.length(hit.reference);
  text_begin_ = hit.position - std::min(hit.position, reach);
  text_.resize(std::min(contig, hit.position + hit.length + reach) - text_begin_);
  index_.reference(hit.reference, text_begin_, text_);

  const std::uint64_t begin = hit.position - text_begin_;
  Columns columns{.operations = {}, .read = {own.first, own.end()}, .text = {begin, begin + hit.length}};
  for (const Alignment::Run& run : alignment_.runs)
    columns.operations.insert(columns.operations.end(), run.length, run.operation);
  end_without_insertions(forward, text_, columns);
  if (bounds) extend_and_clip(forward, text_, turn(*bounds), columns);

  alignment_.runs.clear();
  alignment_.errors = 0;
  alignment_.position = text_begin_ + columns.text.begin;
  alignment_.length = static_cast<std::uint32_t>(columns.text.length());
  const auto add = [&](Operation operation, std::size_t length) {
    if (length == 0) return;
    if (!alignment_.runs.empty() && alignment_.runs.back().operation == operation)
      alignment_.runs.back().length += static_cast<std::uint32_t>(length);
    else
      alignment_.runs.push_back({operation, static_cast<std::uint32_t>(length)});
  };
  add(Operation::clip, columns.read.begin);
  for (const Operation operation : columns.operations) {
    add(operation, 1);
    if (operation != Operation::match) ++alignment_.errors;
  }
  add(Operation::clip, forward.size() - columns.read.end);
  return alignment_;
}

void Aligner::append_mismatch_tag(std::string& tag) const {
  std::vector<Code> text(alignment_.length);
  index_.reference_letters(contig_, alignment_.position, text);
  marose::append_mismatch_tag(alignment_, text, tag);
}

Alignment align(const Index& index, std::span<const Code> read, const Hit& hit) {
  return Aligner(index).align(read, hit);
}

std::string mismatch_tag(const Index& index, const Alignment& alignment, const Hit& hit) {
  std::vector<Code> text;
  fetch(index, hit, text);
  index.reference_letters(hit.reference, hit.position, text);
  std::string tag;
  append_mismatch_tag(alignment, text, tag);
  return tag;
}

}  // namespace genocl::marose
