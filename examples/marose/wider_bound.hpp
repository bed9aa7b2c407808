// What a wider bound on errors would bring: told by mapping some of the unmapped reads again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/marose.hpp"
#include "marose/summary.hpp"

namespace program {

/// Reads without a hit, evenly from all of the input: the same whatever batches it comes in.
class UnmappedSample {
 public:
  void add(std::span<const genocl::Code> read);

  const std::vector<std::vector<genocl::Code>>& reads() const noexcept { return reads_; }

 private:
  static constexpr std::size_t most_ = 200;
  std::vector<std::vector<genocl::Code>> reads_;
  std::uint64_t seen_ = 0, every_ = 1;
};

/// Maps the sample with the wider bound. No value where it says nothing: few reads are unmapped, or the bound of
/// `options` is not the narrower one.
std::optional<WiderBound> try_wider_bound(const UnmappedSample& sample, const Counts& counts,
                                          const genocl::Device& device, const genocl::marose::Index& index,
                                          genocl::marose::MapOptions options);

}  // namespace program
