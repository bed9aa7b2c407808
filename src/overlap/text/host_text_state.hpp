// What a HostText is made of, and how it gets to devices.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/host_text.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

/// Words and breaks as in Text::State, margins too.
struct HostText::State {
  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_breaks = false;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> breaks;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;

  unsigned code_at(std::uint64_t position) const {
    const std::uint64_t bit = position * bits;
    return static_cast<unsigned>(words[bit / 64] << bit % 64 >> (64 - bits));
  }
  bool is_break(std::uint64_t position) const {
    return has_breaks && (breaks[position / 32] << position % 32) >> 31 != 0;
  }
};

/// Waits until it is there. Throws CapacityError.
std::shared_ptr<const Text::State> bring_to(const Device& device, const HostText& text);

/// What lies on a device, on the host too.
HostText copied(const Text& text);

}  // namespace genocl::overlap
