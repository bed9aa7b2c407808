// Biological sequences in host memory: alphabets as small codes, sets of sequences, 2-bit packed DNA, and positions:
// strands, intervals, CIGARs.
#pragma once

#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/cigar.hpp"
#include "genocl/sequence/genetic_code.hpp"
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/packed_dna.hpp"
#include "genocl/sequence/sam.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"
