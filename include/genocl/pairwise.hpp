// Alignment of pairs of sequences.
#pragma once

#include "genocl/pairwise/banded.hpp"
