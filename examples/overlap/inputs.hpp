// Files that genocl-overlap reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/sequence/sequence_set.hpp"
#include "overlap/options.hpp"

namespace program {

/// "-" is standard input. Throws InputError. Warns as warn_of_compression() does.
std::vector<std::uint8_t> read_bytes(const std::string& path);

/// Writes a warning if the file begins as gzip, bzip2, xz or Zstandard do: bytes are not decompressed.
void warn_of_compression(const std::string& path);

/// Reads all records of all files, in order. Throws InputError for a letter that is not of DNA.
genocl::SequenceSet read_records(const std::vector<std::string>& paths);

/// The input of a command about one text.
class TextInput {
 public:
  explicit TextInput(const BuildSettings& settings);

  /// Number of symbols, including separators if records are separated.
  std::uint64_t size() const;
  /// `both_strands` requires records and separates them.
  overlap::Text text(const overlap::Placement& where, bool both_strands = false) const;

 private:
  bool of_bytes_, apart_;
  overlap::Letters letters_;
  std::vector<std::uint8_t> bytes_;
  genocl::SequenceSet records_;
};

/// Throws InputError if more than one of them is standard input.
void check_standard_input(const std::vector<std::string>& paths);

/// Calls `take` with the two numbers of each line. It returns an empty text, or the expected input for the error
/// message. Blanks or tabs separate the numbers; empty lines and lines that begin with # are ignored. Throws InputError
/// with file and line.
void read_pairs(const std::string& path, const std::function<std::string(std::uint64_t, std::uint64_t)>& take);

}  // namespace program
