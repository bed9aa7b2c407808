// Deprecated names of texts in host memory.
#pragma once

#include "genocl/overlap/text.hpp"

namespace genocl::overlap {

using HostTextOptions [[deprecated("use TextOptions")]] = TextOptions;

/// The Text of version 0.1 in host memory.
class [[deprecated("use Text with the placement on_host")]] HostText
    : public Text{public : explicit HostText(std::span<const std::uint8_t> bytes) :
                      Text(on_host, bytes){} HostText(Text text) : Text(std::move(text)){}

                  static Text concatenated(const SequenceSet& records){return Text::concatenated(on_host, records);
}  // namespace genocl::overlap
static Text separated(std::span<const SequenceSet* const> sets, const TextOptions& options = {}) {
  return Text::separated(on_host, sets, options);
}
static Text separated(ByteStrings records) { return Text::separated(on_host, records); }
}
;

}  // namespace genocl::overlap
