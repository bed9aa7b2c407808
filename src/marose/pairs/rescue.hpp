// All alignments of a read in a piece of text, on the host: the same definition as the kernels' (see Hit).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/marose/plan.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

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
