// Which files of reads a command line of map names.
#pragma once

#include <string>
#include <vector>

#include "marose/options.hpp"
#include "marose/reads/read_source.hpp"

namespace program {

/// The files with pairs, mate after mate or in two files each, and those with single reads; either may be none.
struct ReadFileLists {
  std::vector<ReadFiles> pairs, singles;

  /// All names, for check_files().
  std::vector<std::string> names() const;
};

/// Throws InputError where no reads are named, or in two ways at once, for lists of mates of unequal length, and for
/// standard input that is named twice.
ReadFileLists read_files_of(const MapSettings& settings);

}  // namespace program
