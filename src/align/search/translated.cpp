// Translated searches: the proteins of a database of DNA, and statistics of frames.

#include <algorithm>

#include "align/scoring/statistics.hpp"
#include "align/search/searcher_state.hpp"
#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// Nucleotides that are translated at a time, unless one subject has more.
constexpr std::uint64_t batch_nucleotides = std::uint64_t{8} << 20;

std::vector<std::uint64_t> numbers_of(const Database& database) {
  std::vector<std::uint64_t> numbers(database.size());
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) numbers[rank] = database.number(rank);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

void check_translation(const SearchOptions& options) {
  const Translation& translation = options.translation;
  if (!translation.any()) return;
  if (translation.queries) GeneticCode{translation.query_code};
  if (translation.database) GeneticCode{translation.database_code};
  if (options.kernel == Kernel::published || options.kernel == Kernel::inter || options.kernel == Kernel::intra)
    throw InputError("a translated search with a published kernel");
  if (translation.queries && translation.database && options.composition != CompositionStatistics::none)
    throw InputError("statistics of composition, with both the queries and the database translated; expected none");
}

Database translated_database(const Database& source, const SearchOptions& options,
                             std::vector<std::uint64_t>& subject_numbers) {
  const Translation& translation = options.translation;
  const Alphabet expected = translation.database ? Alphabet::dna : Alphabet::protein;
  if (translation.any() && source.alphabet() != expected)
    throw InputError("a translated search of a database of " + std::string(to_string(source.alphabet())) +
                     "; expected " + std::string(to_string(expected)));
  if (!translation.database) return source;
  const GeneticCode code(translation.database_code);
  subject_numbers = numbers_of(source);
  const std::span<const Frame> frames = frames_of(Strands::both);
  DatabaseBuilder builder;
  builder.reserve(2 * source.residues());
  SequenceSet batch(Alphabet::protein);
  for (std::size_t first = 0, end = 0; first < subject_numbers.size(); first = end) {
    std::uint64_t nucleotides = 0;
    while (end < subject_numbers.size() && nucleotides < batch_nucleotides)
      nucleotides += source.length(subject_numbers[end++]);
    std::vector<std::vector<Code>> proteins(frames.size() * (end - first));
    runtime::parallel_for(proteins.size(), runtime::threads_for(proteins.size(), 6, 64), [&](std::size_t i) {
      const std::span<const Code> dna = source.sequence(subject_numbers[first + i / frames.size()]);
      proteins[i] = translate(dna, frames[i % frames.size()], code);
    });
    batch.clear();
    for (const std::vector<Code>& protein : proteins) batch.append({}, protein);
    builder.append(batch);
  }
  return builder.finish();
}

DatabaseSize searched_size(const SearchOptions& options, DatabaseSize whole) noexcept {
  if (options.translation.database) whole.residues /= 3;
  return whole;
}

EffectiveSizes searched_sizes(const SearchOptions& options) noexcept {
  EffectiveSizes sizes = options.sizes;
  if (options.translation.database && sizes.residues != 0)
    sizes.residues = std::max<std::uint64_t>(1, sizes.residues / 3);
  return sizes;
}

std::optional<KarlinAltschul> search_statistics(const SearchOptions& options) {
  if (!options.evalues) return {};
  std::optional<KarlinAltschul> known = KarlinAltschul::find(options.matrix, options.gap);
  if (!known || !options.translation.queries || known->finite_size) return known;
  // BLAST computes the parameters of ungapped translated searches instead of taking them from its table.
  const std::optional<KarlinAltschul> computed = ungapped_parameters(score_distribution(options.matrix));
  if (!computed) return known;
  known->lambda = computed->lambda;
  known->k = computed->k;
  known->h = computed->h;
  return known;
}

std::optional<KarlinAltschul> frame_statistics(const KarlinAltschul& of_matrix, const Matrix& matrix,
                                               std::span<const Code> frame) {
  const std::optional<KarlinAltschul> own = ungapped_parameters(protein_score_distribution(matrix, frame));
  if (!own || own->lambda >= of_matrix.lambda) return {};
  KarlinAltschul statistics = of_matrix;
  statistics.lambda = own->lambda;
  statistics.k = own->k;
  statistics.h = own->h;
  return statistics;
}

void Searcher::State::to_source(std::span<Hit> hits) const {
  if (!options.translation.database) return;
  for (Hit& hit : hits) {
    hit.subject_frame = frames_of(Strands::both)[hit.subject % subject_frames()];
    hit.subject = subject_numbers[hit.subject / subject_frames()];
  }
}

void Searcher::State::from_source(std::span<Hit> hits) const {
  if (!options.translation.database) return;
  const std::span<const Frame> frames = frames_of(Strands::both);
  for (Hit& hit : hits) {
    const auto number = std::ranges::lower_bound(subject_numbers, hit.subject);
    const auto frame = std::ranges::find(frames, hit.subject_frame);
    if (number == subject_numbers.end() || *number != hit.subject || frame == frames.end())
      throw InputError("a hit of a subject or a frame that the database does not have");
    hit.subject = static_cast<std::uint64_t>(number - subject_numbers.begin()) * subject_frames() +
                  static_cast<std::uint64_t>(frame - frames.begin());
    hit.subject_frame = 0;
  }
}

}  // namespace genocl::align
