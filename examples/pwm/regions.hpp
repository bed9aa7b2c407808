// The regions of a BED file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/repairs.hpp"
#include "genocl/sequence/interval.hpp"

namespace program {

struct Region : genocl::Interval {
  std::uint64_t line = 0;  ///< of the file, from 1
};

class Regions {
 public:
  /// Reads a BED file of at least three columns, separated by tabs or blanks. Lines of "track", "browser" and '#' are
  /// ignored. A repeated region counts once. Empty regions are omitted with a warning; with `strict` they are an
  /// InputError. Throws InputError with the line.
  Regions(const std::string& path, bool strict);

  /// Returns the regions of a sequence of `length` letters, by begin and end, except those beyond its end. A second
  /// sequence of the same name has none, with a warning; with `strict` it is an InputError.
  const std::vector<Region>& of(std::string_view name, std::uint64_t length);
  /// Warns of regions whose sequences did not occur. Throws InputError if no region is left.
  void finish();

 private:
  struct Sequence {
    std::vector<Region> regions;
    bool found = false;
  };
  std::string path_;
  Repairs repairs_;
  std::uint64_t lines_ = 0, used_ = 0;
  std::map<std::string, Sequence, std::less<>> sequences_;
};

}  // namespace program
