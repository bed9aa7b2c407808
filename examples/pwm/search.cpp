#include "pwm/search.hpp"

#include <algorithm>

#include "common/progress_bar.hpp"

namespace program {
namespace {

/// Expected hits of a piece. Each thread holds those of one piece in memory.
constexpr double hits_of_piece = 1 << 17;

MotifCollection chosen(const ScanSettings& settings) {
  MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  choose(collection.motifs, settings.only, settings.motifs);
  return collection;
}

}  // namespace

Search::Search(const ScanSettings& settings)
    : collection(chosen(settings)),
      background(read_background(settings.matrix, collection, settings.texts, settings.replace_letters)),
      matrices(matrices_of(collection.motifs, settings.matrix, background)),
      devices(settings.common.open_devices(settings.common.profile)),
      model(settings, background),
      thresholds(thresholds_of(settings, devices, collection.motifs, matrices, model)) {
  if (settings.format == "counts") return;
  ProgressBar bar("P-values", settings.common.quiet, "motifs", 1);
  p_values.emplace(matrices, thresholds,
                   pwm::StrandOptions{.background = background,
                                      .strands = settings.strands,
                                      .average = settings.average_strands,
                                      .progress = bar.progress()});
}

std::uint64_t Search::overlap() const {
  std::uint64_t longest = 1;
  for (const pwm::ScoreMatrix& matrix : matrices) longest = std::max<std::uint64_t>(longest, matrix.length());
  return longest - 1;
}

std::uint64_t Search::piece_residues() const {
  constexpr double least = 1 << 16, most = 1 << 23;
  const double rate = p_values ? p_values->hits_per_letter() : 0;
  return static_cast<std::uint64_t>(std::clamp(rate > 0 ? hits_of_piece / rate : most, least, most));
}

}  // namespace program
