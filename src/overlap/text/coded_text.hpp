// A text coded as another one is.
#pragma once

#include <memory>

#include "genocl/device.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

/// The records, a break behind each, with the symbols and codes of `coding`; what is none of these symbols is a break
/// too. `both_strands`: behind each record its reverse complement. Throws what Text::separated() throws.
std::shared_ptr<const Text::State> coded_as(const Text::State& coding, const Device& device, const SequenceSet& records,
                                            bool both_strands);

}  // namespace genocl::overlap
