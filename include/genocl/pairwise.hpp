// Pairwise alignment with affine gaps: scores, alignments and edit distances of pairs of sequences.
#pragma once

#include "genocl/pairwise/alignment.hpp"
#include "genocl/pairwise/banded.hpp"
#include "genocl/pairwise/dna_scoring.hpp"
#include "genocl/pairwise/edit_distance.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "genocl/pairwise/scoring.hpp"
