// Looking at a suffix array: what inverse(), bwt() and first_error() do, on the text and its positions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

/// `positions` holds a permutation of [0, size). Nothing is waited for.
Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size);
/// Returns the primary row. Throws InputError for a text with breaks and for symbols of another size.
std::uint64_t bwt_of(const Text::State& text, const Array<std::uint32_t>& positions, std::span<std::uint8_t> symbols);
/// [rank]: the record, of which begins[record] is the first place.
Array<std::uint32_t> documents_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size,
                                  std::span<const std::uint64_t> begins);

}  // namespace genocl::overlap
