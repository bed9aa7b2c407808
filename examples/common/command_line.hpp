// Options that every program has, on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "common/common.hpp"

namespace program {

inline void add_common(CLI::App& command, Common& common) {
  command
      .add_option("--device", common.devices,
                  "Devices: all, gpu, cpu, an index, platform:device, or part of a name (repeatable, comma lists)")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is a file
  command.add_flag("--quiet", common.quiet, "No progress, no summary");
  command.add_flag("--profile", common.profile, "What each kernel took, on standard error");
}

}  // namespace program
