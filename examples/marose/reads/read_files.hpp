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

/// One file of SAM or BAM whose first record is a mate's is interleaved, as with -p, which is set then. `read_groups`
/// gets those of files of SAM and BAM. Throws InputError where no reads are named, or in two ways at once, for lists of
/// mates of unequal length, for standard input that is named twice, and for pairs sorted by coordinate.
ReadFileLists read_files_of(MapSettings& settings, std::vector<std::string>& read_groups);

}  // namespace program
