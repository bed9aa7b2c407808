// Patterns in an index by one device, on any queue of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "overlap/find/index_state.hpp"
#include "overlap/find/patterns.hpp"

namespace genocl::overlap {

/// As SuffixIndex::find() says; enqueued only.
void find_by(const Device& device, const SuffixIndex::State& index, const Patterns::State& patterns,
             Array<std::uint32_t>& first, Array<std::uint32_t>& counts);

/// As SuffixIndex::count() and locate() say.
std::vector<std::uint32_t> count_by(const Device& device, const SuffixIndex::State& index,
                                    std::span<const std::string_view> patterns);
Occurrences locate_by(const Device& device, const SuffixIndex::State& index, std::span<const std::string_view> patterns,
                      std::uint64_t most);

}  // namespace genocl::overlap
