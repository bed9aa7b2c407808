// The format of an output and the name of its file.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"

namespace program {

/// Throws InputError where the name says SAM, BAM or CRAM and the format is another: whoever reads the file goes by its
/// name. `format`: as --format names it. `cram`: the program writes it.
inline void check_format_name(const std::string& output, std::string_view format, bool cram = false) {
  using namespace std::string_view_literals;
  if (!cram && output.ends_with(".cram")) throw genocl::InputError(output, {}, "CRAM is not written", "sam or bam");
  for (const auto& [ending, named] :
       {std::pair(".sam"sv, "sam"sv), {".sam.gz"sv, "sam"sv}, {".bam"sv, "bam"sv}, {".cram"sv, "cram"sv}})
    if (output.ends_with(ending) && format != named)
      throw genocl::InputError(output, {}, std::string(format) + " under a name of " + std::string(named),
                               "--format " + std::string(named) + ", or another name");
}

}  // namespace program
