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

/// "-" is standard input. Throws InputError.
std::vector<std::uint8_t> read_bytes(const std::string& path);

/// All records of all files, in order. A letter that is none of DNA's is an InputError.
genocl::SequenceSet read_records(const std::vector<std::string>& paths);

/// The text of a command about one text, as it was read.
class TextInput {
 public:
  explicit TextInput(const BuildSettings& settings);

  /// The number of symbols, and of separators if records are separated.
  std::uint64_t size() const;
  /// `both_strands` requires records and separates them.
  overlap::Text text(const overlap::Placement& where, bool both_strands = false) const;

 private:
  bool of_bytes_, apart_;
  overlap::Letters letters_;
  std::vector<std::uint8_t> bytes_;
  genocl::SequenceSet records_;
};

/// Throws InputError when more than one of them is standard input.
void check_standard_input(const std::vector<std::string>& paths);

/// Calls `take` with each line's two numbers; it says what is expected instead where they will not do, else nothing.
/// Numbers are separated by blanks or tabs; empty lines and those that begin with # are passed over. Throws InputError
/// with file and line.
void read_pairs(const std::string& path, const std::function<std::string(std::uint64_t, std::uint64_t)>& take);

}  // namespace program
