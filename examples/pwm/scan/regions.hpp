// The regions of a BED file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace program {

struct Region {
  std::uint64_t begin = 0, end = 0;  ///< letters, from 0, the end not included
  std::uint64_t line = 0;
};

class Regions {
 public:
  /// Three columns or more, separated by tabs or blanks; lines of "track", "browser" and '#' are left out. Throws
  /// InputError with the line.
  explicit Regions(const std::string& path);

  /// Those of a sequence of so many letters, by their begin and end. Throws InputError for one that goes beyond its
  /// end, or for a second sequence of that name.
  const std::vector<Region>& of(std::string_view name, std::uint64_t length);
  /// Throws InputError where there are regions of a sequence that was never asked for.
  void check_all_found() const;

 private:
  struct Sequence {
    std::vector<Region> regions;
    bool found = false;
  };
  std::string path_;
  std::map<std::string, Sequence, std::less<>> sequences_;
};

}  // namespace program
