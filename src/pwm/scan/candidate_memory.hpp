// Where a finder's kernels leave their candidates (cl/pwm/find/keep_candidate.clh).
#pragma once

#include <algorithm>
#include <cstdint>

#include "pwm/on_device.hpp"

namespace genocl::pwm {

struct CandidateMemory {
  /// Of more candidates than this the kernels do not keep count.
  static constexpr std::uint64_t most = std::uint64_t{1} << 31;

  CandidateMemory(const Device& device, std::uint64_t wanted)
      : room(static_cast<std::uint32_t>(std::min(wanted, most - 1))), keys(device, room), found(device, 1) {
    found.fill(0);
  }

  /// Waits for the kernels.
  Candidates take() {
    std::uint32_t count = 0;
    found.download(std::span(&count, 1));
    return {.keys = std::move(keys), .count = count};
  }

  std::uint32_t room;
  runtime::ScratchArray<std::uint64_t> keys;
  runtime::ScratchArray<std::uint32_t> found;
};

}  // namespace genocl::pwm
