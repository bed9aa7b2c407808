// Adapters of pairs, found where the mates overlap.
#pragma once

#include <span>

#include "genocl/marose/clip.hpp"

namespace genocl::marose {

/// Cuts both mates to their insert where it is shorter than them (ClipOptions::overlap). `first_kept` and `second_kept`
/// are the parts to look at, and what is left of them. O(length^2 / 16) at worst, usually O(length).
void trim_overlap(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept,
                  ReadPart& second_kept);

}  // namespace genocl::marose
