// Adapters of pairs, found where the mates overlap.
#pragma once

#include <span>
#include <vector>

#include "genocl/marose/clip.hpp"
#include "marose/align/packed_bases.hpp"

namespace genocl::marose {

/// For one thread at a time.
class OverlapTrimmer {
 public:
  /// Cuts both mates to their insert where it is shorter than them (ClipOptions::overlap). `first_kept` and
  /// `second_kept` are the parts to look at, and what is left of them. O(length) words of 32 bases are compared.
  void trim(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept, ReadPart& second_kept);

 private:
  std::vector<Code> turned_;
  PackedBases a_, b_;
};

}  // namespace genocl::marose
