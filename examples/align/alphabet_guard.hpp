// DNA that is taken for proteins would be searched without a word, and nothing be found.
#pragma once

#include <cstdint>
#include <string>

#include "genocl/sequence/sequence_set.hpp"

namespace program {

/// Looks at the first million letters of a file.
class AlphabetGuard {
 public:
  /// `insists`: it is known that they are proteins. `expected`: what the error asks for.
  AlphabetGuard(std::string file, bool insists, std::string expected);

  /// Only proteins are looked at.
  void see(const genocl::SequenceSet& batch);
  /// Throws InputError where nine of ten letters so far are A, C, G, T, U or N, and too many for a peptide that has
  /// these by chance.
  void check() const;

 private:
  std::string file_, expected_;
  bool settled_;
  std::uint64_t letters_ = 0, bases_ = 0;
};

}  // namespace program
