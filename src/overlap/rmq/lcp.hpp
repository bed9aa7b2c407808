// LCP values of any array of positions that is a text's suffix array.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/overlap/text.hpp"

namespace genocl::overlap {

/// The values are those that Lcp keeps. Nothing is waited for.
Array<std::uint32_t> lcp_values(const Text& text, const Array<std::uint32_t>& positions);
/// The same by Kasai's method.
Array<std::uint32_t> kasai_values(const Text& text, const Array<std::uint32_t>& positions);

}  // namespace genocl::overlap
