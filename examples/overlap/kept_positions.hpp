// Positions of a suffix array that are read again, from the output file or from memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/io/output_file.hpp"
#include "genocl/overlap.hpp"
#include "overlap/number_output.hpp"

namespace program {

namespace overlap = genocl::overlap;

/// Reads numbers of a file, `width` bytes each, from byte `begin` on. `what_for`: the purpose, for messages.
class NumberFile {
 public:
  NumberFile(const std::string& path, std::uint64_t begin, std::size_t width, std::string what_for);
  ~NumberFile();
  /// Reads numbers from index `first` on. Throws InputError.
  void read(std::uint64_t first, std::span<std::uint64_t> numbers);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Stores positions until values of the same number replace them. If the output is a regular file, they are stored
/// there, `width` bytes each; otherwise in memory, 4 or 8 bytes each.
class KeptPositions {
 public:
  /// `out` is empty. Throws CapacityError if the host has too little memory for `count` positions.
  KeptPositions(genocl::io::OutputFile& out, std::uint64_t count, std::size_t width);

  void add(std::span<const std::uint32_t> positions);
  void add(std::span<const std::uint64_t> positions);
  /// To be called after the last add(). Returns the positions for reading, and lets `out` be written from its
  /// beginning. Writes must not overtake reads.
  overlap::PositionSource source();

 private:
  template <class Position>
  void take(std::vector<Position>& kept, std::span<const Position> positions);

  genocl::io::OutputFile& out_;
  std::size_t width_;
  std::optional<std::string> path_;
  std::optional<NumberFile> file_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

}  // namespace program
