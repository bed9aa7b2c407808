// The search for repeats in files with the first seed and the bits of fingerprints given, for tests.
#pragma once

#include <cstdint>

#include "genocl/overlap/file_repeats.hpp"

namespace genocl::overlap {

struct FileRepeatTrial {
  std::uint64_t first_hash_mask = ~std::uint64_t{0};  ///< bits of fingerprints in the first attempt
  unsigned attempts = 0;                              ///< set to the number of attempts
};

void repeated_spans_of_files(Devices devices, std::span<const files::InputFile> files, const FileRepeatOptions& options,
                             const FileRepeatSink& sink, FileRepeatTrial& trial);

}  // namespace genocl::overlap
