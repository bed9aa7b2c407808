// Alignments by number of errors on the host. Read and text are on the forward strand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/alignment.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

/// Aligns all of `read` with all of `text`, as align() does.
///
/// @throws InputError if this takes more than `errors` errors
void edit_script(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment);

/// Appends a number in decimal digits.
void append_number(std::string& text, std::uint64_t number);

/// Appends the MD tag.
void append_mismatch_tag(const Alignment& alignment, std::span<const Code> text, std::string& tag);

/// Whether two letters match; letters other than A, C, G and T match nothing.
constexpr bool matches(Code a, Code b) noexcept { return a == b && dna::is_base(a); }

struct TextHit {
  std::uint64_t position = 0;
  std::uint32_t length = 0;
  std::uint16_t errors = 0;

  friend bool operator==(const TextHit&, const TextHit&) = default;
};

/// Finds the hits of `read` (on the strand of the text) in `text` with at most `errors` errors, in order of their
/// ends. The definition is that of the kernels (see Hit), with nothing outside the text. O(text * (1 + read / 64)),
/// and O(read * errors) for each hit.
std::vector<TextHit> find_in_text(std::span<const Code> read, std::span<const Code> text, unsigned errors, Model model);

}  // namespace genocl::marose
