#include "genocl/align/masking.hpp"

namespace genocl::align {

void mask_low_complexity(SequenceSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    set.mask(i, set.alphabet() == Alphabet::dna ? dust(set[i]) : seg(set[i]));
}

}  // namespace genocl::align
