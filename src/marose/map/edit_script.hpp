// Alignments of codes: a read with the piece of text that it is aligned to, both on the forward strand.
#pragma once

#include <span>
#include <string>

#include "genocl/marose/alignment.hpp"

namespace genocl::marose {

/// Does what align() does, and aligns all of `read` with all of `text`. Throws InputError when that takes more than
/// `errors`.
void edit_script(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment);

/// Appends the MD tag.
void append_mismatch_tag(const Alignment& alignment, std::span<const Code> text, std::string& tag);

/// Whether two letters match: an N, or whatever else is none of the four bases, matches nothing.
constexpr bool matches(Code a, Code b) noexcept { return a == b && dna::is_base(a); }

}  // namespace genocl::marose
