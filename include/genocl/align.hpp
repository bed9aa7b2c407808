// Exact Smith-Waterman search of protein and DNA databases (Gotoh's affine gaps), with E-values and alignments.
#pragma once

#include "genocl/align/database.hpp"
#include "genocl/align/formats.hpp"
#include "genocl/align/iterated_search.hpp"
#include "genocl/align/masking.hpp"
#include "genocl/align/pairwise.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/align/subject_ids.hpp"
