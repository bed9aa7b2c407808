// Alignments of codes: a read with the piece of text that it is aligned to, both on the forward strand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/alignment.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

/// Does what align() does, and aligns all of `read` with all of `text`. Throws InputError when that takes more than
/// `errors`.
void edit_script(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment);

/// Appends a number in decimal digits.
void append_number(std::string& text, std::uint64_t number);

/// Appends the MD tag.
void append_mismatch_tag(const Alignment& alignment, std::span<const Code> text, std::string& tag);

/// Whether two letters match: an N, or whatever else is none of the four bases, matches nothing.
constexpr bool matches(Code a, Code b) noexcept { return a == b && dna::is_base(a); }

// All alignments of a read in a piece of text, on the host: the same definition as the kernels' (see Hit).

struct TextHit {
  std::uint64_t position = 0;
  std::uint32_t length = 0;
  std::uint16_t errors = 0;

  friend bool operator==(const TextHit&, const TextHit&) = default;
};

/// Finds the hits of `read` (on the text's strand) in `text` with at most `errors` errors, by where they end; what lies
/// outside the text does not exist. O(text * (1 + read / 64)), and O(read * errors) for each hit.
std::vector<TextHit> find_in_text(std::span<const Code> read, std::span<const Code> text, unsigned errors, Model model);

}  // namespace genocl::marose
