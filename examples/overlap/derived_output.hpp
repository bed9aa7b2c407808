// Streamed output of a suffix array in pieces: Burrows-Wheeler transform, inverse, and document array.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/overlap.hpp"
#include "overlap/built_text.hpp"
#include "overlap/options.hpp"

namespace program {

struct DerivedReport {
  overlap::PieceReport array;
  std::vector<std::pair<std::string, std::string>> more;  ///< further entries of the report: names and values
};

/// settings.what is bwt, isa or da. With settings.check the positions are stored in memory and checked.
DerivedReport write_derived(const ArraySettings& settings, const overlap::Text& text,
                            std::span<const genocl::Device> devices, genocl::io::OutputFile& out,
                            const overlap::PieceOptions& options, Steps& steps);

/// Throws Error if the positions are not the text's suffix array.
void check_positions(const ArraySettings& settings, const overlap::Text& text, const genocl::Device& device,
                     const overlap::PositionSource& positions);

}  // namespace program
