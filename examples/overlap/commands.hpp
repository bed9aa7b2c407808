// The subcommands of genocl-overlap.
#pragma once

#include "overlap/options.hpp"

namespace program {

void write_array(const ArraySettings& settings);
void write_inverse(const InverseSettings& settings);
void write_merged(const MergeSettings& settings);
void write_common(const CommonSettings& settings);
void write_shared(const SharedSettings& settings);
void write_repeated(const RepeatedSettings& settings);
void write_matches(const MatchSettings& settings);
void write_genome_alignments(const GenomeSettings& settings);
void write_plot(const PlotSettings& settings);
void write_index(const IndexSettings& settings);
void write_occurrences(const FindSettings& settings);
void write_read_overlaps(const ReadSettings& settings);
void answer_extensions(const QuerySettings& settings);
void answer_minima(const QuerySettings& settings);

}  // namespace program
