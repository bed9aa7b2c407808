#include "align/summary.hpp"

#include <iomanip>
#include <ostream>

#include "align/subjects.hpp"

namespace program {
namespace {

double gcups(std::uint64_t cells, double seconds) {
  return seconds > 0 ? static_cast<double>(cells) / seconds / 1e9 : 0;
}

}  // namespace

void Counts::add(const align::SearchCounts& one) {
  cells += one.cells;
  computed_again += one.computed_again;
  score_seconds += one.seconds;
  alignment_seconds += one.alignment_seconds;
}

void write_summary(std::ostream& out, const Context& context, const Counts& counts) {
  const align::DatabaseSize size = context.database.whole();
  const Scoring& scoring = context.scoring;
  out << name_of(context.settings.subjects) << ": " << size.sequences << " sequences, " << size.residues
      << " residues\n"
      << scoring.name << ", " << scoring.gap_text() << '\n';
  if (scoring.statistics)
    out << std::setprecision(4) << "lambda " << scoring.statistics->lambda << ", K " << scoring.statistics->k
        << ", E-values by " << scoring.correction_name() << '\n';
  else
    out << "no bit scores and E-values: none are known for these penalties; known are "
        << align::KarlinAltschul::known_gaps(scoring.matrix) << '\n';
  out << counts.queries << " queries, " << counts.residues << " residues";
  if (!context.settings.all_scores) out << ", " << counts.hits << " hits";
  out << std::fixed << std::setprecision(2) << "; " << gcups(counts.cells, counts.search_seconds)
      << " GCUPS with reading and writing\n";
  out.unsetf(std::ios::floatfield);
}

void write_stats(std::ostream& out, const Counts& counts) {
  const auto line = [&](const char* what, double seconds, bool rate) {
    out << what << '\t' << std::fixed << std::setprecision(6) << seconds;
    if (rate) out << '\t' << std::setprecision(3) << gcups(counts.cells, seconds);
    out << '\n';
  };
  out << "cells\t" << counts.cells << "\ncomputed_again\t" << counts.computed_again << "\nstage\tseconds\tGCUPS\n";
  line("kernels", counts.kernel_seconds, true);
  line("scores", counts.score_seconds, true);
  line("alignments", counts.alignment_seconds, false);
  line("search_with_files", counts.search_seconds, true);
  line("end_to_end", counts.whole_seconds, true);
  out.unsetf(std::ios::floatfield);
}

}  // namespace program
