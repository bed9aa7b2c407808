// A text with repeats of the kinds that a human genome has, drawn: about half of it are copies.
#pragma once

#include <cstdint>
#include <vector>

namespace genocl_bench {

/// Letters A, C, G and T, the same in every run. A tenth are copies of 20 templates of 300 letters with every eighth
/// letter drawn anew (as Alu), a sixth are ends of 30 templates of 6,000 with every tenth (L1), a fiftieth are tandem
/// copies of a template of 171 with every fiftieth (alpha satellites), a fifth are older copies of 300 templates of
/// 1,500 with every fourth; the rest is random. On all cores.
std::vector<std::uint8_t> drawn_genome(std::uint64_t size);

}  // namespace genocl_bench
