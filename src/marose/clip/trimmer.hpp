// Cuts adapters and ends of low quality off reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/marose/clip.hpp"

namespace genocl::marose {

class Trimmer {
 public:
  /// Throws InputError for an adapter that is empty, shorter than the overlap or has other letters than A, C, G, T, N.
  explicit Trimmer(const ClipOptions& options);

  /// Gives what is left. `quality`: a Phred score for each letter, or empty. O(letters * letters of all adapters).
  ReadPart kept(std::span<const Code> read, std::span<const std::uint8_t> quality) const;

 private:
  std::vector<std::vector<Code>> adapters_;
  unsigned overlap_, least_quality_;
};

/// Fills `parts` with those of `whole` that are tried in a round, 1, 2, ..., when it has no hit; with none when there
/// are no more (ClipOptions::ends).
void parts_to_try(const ReadPart& whole, unsigned round, std::vector<ReadPart>& parts);

}  // namespace genocl::marose
