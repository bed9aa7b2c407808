// Suffix arrays, LCP values, range minima, longest common regions, exact matches and overlaps of reads.
#pragma once

#include "genocl/overlap/bwt_merge.hpp"
#include "genocl/overlap/fm_index.hpp"
#include "genocl/overlap/genome_alignment.hpp"
#include "genocl/overlap/genome_formats.hpp"
#include "genocl/overlap/host_text.hpp"
#include "genocl/overlap/lcp.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/overlap/pieces.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/overlap/repeats.hpp"
#include "genocl/overlap/rmq.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/overlap/suffix_prefix.hpp"
#include "genocl/overlap/text.hpp"
