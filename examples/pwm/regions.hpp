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
  /// Three columns or more, separated by tabs or any number of blanks; lines of "track", "browser" and '#' are left
  /// out. A region that comes twice counts once. Regions without a letter are left out, which is a warning, or with
  /// `strict` an InputError. Throws InputError with the line.
  Regions(const std::string& path, bool strict);

  /// The regions of a sequence of `length` letters, by begin and end, except those beyond its end. A second sequence of
  /// that name has none, which is a warning, or with `strict` an InputError.
  const std::vector<Region>& of(std::string_view name, std::uint64_t length);
  /// Warns of regions of sequences that were never asked for. Throws InputError where no region is left.
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
