// Positions of an array that are read again: where they are written, or in memory.
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

/// Numbers of a file, `width` bytes each, from `begin` on. `what_for`: they are read again.
class NumberFile {
 public:
  NumberFile(const std::string& path, std::uint64_t begin, std::size_t width, std::string what_for);
  ~NumberFile();
  /// Throws InputError.
  void read(std::uint64_t first, std::span<std::uint64_t> numbers);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Positions that only stay until the values in whose place they are are written. In a regular file they are first
/// written to where it is, `width` bytes each; of what goes elsewhere they are kept in memory, 4 or 8 bytes each.
class KeptPositions {
 public:
  /// `out`: nothing is written to it yet. Throws CapacityError where the host has too little memory for `count`.
  KeptPositions(genocl::io::OutputFile& out, std::uint64_t count, std::size_t width);

  void add(std::span<const std::uint32_t> positions);
  void add(std::span<const std::uint64_t> positions);
  /// All are there: they can be read from now on, and `out` is written to from its beginning. What is written has to
  /// stay behind what is read.
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
