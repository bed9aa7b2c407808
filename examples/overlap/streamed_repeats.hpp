// genocl-overlap repeat for bytes in files that are larger than memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "overlap/options.hpp"

namespace program {

/// The options of a search that reads the files in passes; none for a text whose suffix array is made in memory: on
/// GPUs one that fits, on CPUs a small one. Pipes are always read in passes, from a copy. Throws InputError for a
/// --memory that is no amount or too small.
std::optional<overlap::FileRepeatOptions> streaming_options(std::span<const genocl::Device> devices,
                                                            const RepeatedSettings& settings,
                                                            std::string_view separator);

/// Writes the table and the kept text, and returns the summary, all as they are with the text in memory.
std::string write_streamed_spans(std::span<const genocl::Device> devices, const RepeatedSettings& settings,
                                 const overlap::FileRepeatOptions& options);

/// "2 spans of 109 symbols (37.20% of 293) in 2 of 6 records".
struct SpanSummary {
  std::uint64_t spans = 0, symbols = 0, total = 0, with_spans = 0, records = 0;

  std::string text() const;
};

}  // namespace program
