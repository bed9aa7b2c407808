#include "align/search/searcher_state.hpp"
#include "align/scoring/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "genocl/error.hpp"
#include "runtime/access.hpp"

namespace genocl::align {
namespace {

/// Returns the device with the family that a kernel requires.
Device with_kernel(const Device& device, Kernel kernel) {
  if (kernel == Kernel::cpu) return device.with_family(KernelFamily::cpu);
  if (kernel == Kernel::gpu) return device.with_family(KernelFamily::gpu);
  return device.with_family(device.tuning().search_family);
}

bool is_published(Kernel kernel) {
  return kernel == Kernel::published || kernel == Kernel::inter || kernel == Kernel::intra;
}

DeviceChunk::Layout layout_for(const Device& device, Kernel kernel) {
  return !is_published(kernel) && device.family() == KernelFamily::cpu ? DeviceChunk::Layout::interleaved
                                                                       : DeviceChunk::Layout::plain;
}

/// Maximum letters of subjects that cannot be cut.
constexpr std::uint64_t max_uncut_letters = std::uint64_t{1} << 24;
/// Minimum letters of a sequence that may span chunks.
constexpr std::uint64_t min_split_letters = std::uint64_t{1} << 18;
/// Offsets in a chunk have 32 bits, with pads.
constexpr std::uint64_t longest_piece = std::uint64_t{1} << 30;

/// Minimum ratio of a piece to its overlap. Shorter pieces cost more than they gain.
constexpr std::uint64_t min_overlaps = 4;
constexpr std::uint64_t min_piece_letters = 1024;
/// The published scheme divides long subjects itself.
constexpr std::uint64_t min_published_letters = std::uint64_t{1} << 20;

/// Number of pieces that keep a device busy: several rounds of subjects of similar length.
std::uint64_t pieces_that_fill(const Device& device) {
  const std::uint64_t units = std::max(1u, device.info().compute_units);
  return units * (device.family() == KernelFamily::cpu ? 8 * DeviceChunk::lanes : 128);
}

}  // namespace

Searcher::State::State(Devices d, const Database& db, const SearchOptions& o)
    : given(db), database((check_translation(o), translated_database(db, o, subject_numbers))), options(o) {
  if (d.empty()) throw InputError("no device given");
  if (options.matrix.alphabet() != database.alphabet())
    throw InputError("a matrix for " + std::string(to_string(options.matrix.alphabet())) + " and a database of " +
                     std::string(to_string(database.alphabet())));
  if (options.top == 0) throw InputError("top 0: no hit would be left; expected 1 or more");
  if (options.max_hsps == 0) throw InputError("max_hsps 0: no alignment would be left; expected 1 or more");
  if (options.as_published && !is_published(options.kernel))
    throw InputError("as_published with the kernel " + std::string(to_string(options.kernel)) +
                     "; expected published, inter or intra");
  if (options.held_hits == 0) throw InputError("held_hits 0: no hit could be held; expected 1 or more");
  if (std::isnan(options.max_evalue) || options.max_evalue < 0)
    throw InputError("an E-value of " + std::to_string(options.max_evalue) + "; expected 0 or more");
  check_filter(options);
  if (options.chunk_queue && options.chunk_residues == 0)
    throw InputError("a search that is shared needs chunks of a size that is given");
  table = make_scoring_table(options.matrix, options.gap, database.letter_counts());
  statistics = search_statistics(options);
  if (statistics && statistics->finite_size && options.edge_correction == EdgeCorrection::finite_size &&
      options.sizes.search_space == 0)
    bounds = std::make_unique<LengthBounds>(*statistics, database.size() == 0 ? 0 : database.length_at(0),
                                            database.longest(), options.matrix.highest());
  if (options.composition != CompositionStatistics::none)
    adjuster.emplace(options.matrix, options.gap, statistics, options.composition);
  for (const Device& device : d) devices.push_back(with_kernel(device, options.kernel));
  const std::uint64_t of_chunk =
      options.chunk_residues != 0 ? options.chunk_residues : chunk_residues(devices, database.residues());
  if (options.gap.extend > 0)
    split = std::max(of_chunk, options.piece_letters != 0 ? options.piece_letters : min_split_letters);
  else if (database.longest() > max_uncut_letters)
    throw InputError("a subject of " + std::to_string(database.longest()) +
                     " letters, with gaps that cost nothing for each further letter; expected " +
                     std::to_string(max_uncut_letters) + " at most, or extend 1 or more");
  for (const Device& device : devices) wanted_pieces = std::max(wanted_pieces, pieces_that_fill(device));
  chunks = cut_into_chunks(database, of_chunk, split);
  for (const Device& device : devices)
    resident.push_back(
        std::make_unique<ResidentChunks>(device, layout_for(device, options.kernel), database, chunks, table));
}

ResidentChunks& Searcher::State::resident_on(const Device& device) const {
  for (const auto& one : resident)
    if (&runtime::core_of(one->device()) == &runtime::core_of(device) && one->device().family() == device.family())
      return *one;
  throw InputError("a device that the searcher was not made for");
}

void Searcher::State::check_alphabet(const SequenceSet& queries) const {
  const Alphabet expected = options.translation.queries ? Alphabet::dna : database.alphabet();
  if (queries.alphabet() == expected) return;
  const std::string of_queries = "queries of " + std::string(to_string(queries.alphabet()));
  if (options.translation.any())
    throw InputError(of_queries + " in a translated search; expected " + std::string(to_string(expected)));
  throw InputError(of_queries + " and a database of " + std::string(to_string(expected)));
}

std::uint64_t Searcher::State::overlap_for(const StrandQuery& query) const {
  return overlap_for(query.codes.size(),
                     query.profile != nullptr ? query.profile->highest() : options.matrix.highest());
}

std::uint64_t Searcher::State::overlap_for(std::uint64_t query_length, int highest) const {
  if (options.gap.extend == 0) return 0;
  // Each letter of the query is matched at most once, and gaps must cost less than the score of these matches.
  const auto most = query_length * static_cast<std::uint64_t>(std::max(highest, 0));
  const auto open = static_cast<std::uint64_t>(options.gap.open),
             extend = static_cast<std::uint64_t>(options.gap.extend);
  const std::uint64_t exact = query_length + (most > open + 1 ? (most - open - 1) / extend : 0);
  if (options.piece_letters != 0) return exact;
  // Rounds up to four steps per power of two.
  const double step = std::ceil(4 * std::log2(static_cast<double>(exact)));
  return std::max(exact, static_cast<std::uint64_t>(std::exp2(step / 4)));
}

Cut Searcher::State::cut_of(const ChunkRange& chunk, std::uint64_t overlap) const {
  if (overlap == 0) return {};
  std::uint64_t piece = options.piece_letters;
  if (piece == 0) {
    piece = std::max({min_overlaps * overlap, min_piece_letters, chunk.residues / wanted_pieces});
    if (is_published(options.kernel)) piece = std::max(piece, min_published_letters);
  }
  const bool is_whole = chunk.before == 0 && chunk.behind == 0 && chunk.longest <= piece + overlap;
  return is_whole ? Cut{} : Cut{piece, overlap};
}

void Searcher::State::check_pieces(const SequenceSet& queries, std::span<const Profile> profiles) const {
  if (split == 0 || database.longest() <= longest_piece) return;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const int highest = profiles.empty() ? options.matrix.highest() : profiles[i].highest();
    if (split + overlap_for(std::max<std::uint64_t>(1, queries.length(i)), highest) > longest_piece)
      throw InputError({}, "query " + std::to_string(i + 1) + " (" + shown(queries.name(i)) + ")",
                       std::to_string(queries.length(i)) + " letters, for subjects of more than 2^30",
                       "fewer letters, higher gap costs, or smaller chunks");
  }
}

StrandQueries Searcher::State::strands_of(const SequenceSet& queries) const {
  check_alphabet(queries);
  check_pieces(queries, {});
  if (!options.translation.queries) {
    StrandQueries strands(queries, options.strands);
    add_statistics(strands.all());
    if (adjuster && options.translation.database &&
        std::ranges::any_of(strands.all(), [&](const StrandQuery& query) { return is_soft(query); }))
      throw InputError("soft masks with statistics of composition in a translated search; expected Masking::hard");
    return strands;
  }
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (!queries.masked(i).empty())
      throw InputError({}, "query " + std::to_string(i + 1) + " (" + shown(queries.name(i)) + ")",
                       "masked letters in a query that is translated", "no masks");
  StrandQueries strands(queries, options.strands, GeneticCode(options.translation.query_code));
  if (statistics && !statistics->finite_size)
    for (StrandQuery& query : strands.all())
      query.statistics = frame_statistics(*statistics, options.matrix, query.codes);
  return strands;
}

// Tabulated parameters are those of random bases. Without gaps BLAST computes them from the query's letters except N,
// because other codes score less with a base than the base itself.
void Searcher::State::add_statistics(std::span<StrandQuery> queries) const {
  if (!statistics || database.alphabet() != Alphabet::dna) return;
  const std::optional<KarlinAltschul> of_bases = ungapped_parameters(score_distribution(options.matrix));
  if (!of_bases || of_bases->lambda != statistics->lambda || of_bases->k != statistics->k) return;
  for (StrandQuery& query : queries) {
    const std::span<const Code> letters = options.masking == Masking::soft ? query.letters : query.codes;
    if (std::ranges::none_of(letters, [](Code code) { return code > dna::unknown; })) continue;
    const std::optional<KarlinAltschul> of_letters = ungapped_parameters(score_distribution(options.matrix, letters));
    if (!of_letters) continue;
    query.statistics = *statistics;
    query.statistics->lambda = of_letters->lambda;
    query.statistics->k = of_letters->k;
    query.statistics->h = of_letters->h;
    query.statistics->alpha = of_letters->alpha;
  }
}

KarlinAltschul Searcher::State::statistics_of(const StrandQuery& query) const {
  if (query.statistics) return *query.statistics;
  KarlinAltschul own = *statistics;
  if (query.profile != nullptr && query.profile->gapped() &&
      std::lround(query.profile->gapped()->lambda * 1e4) == std::lround(own.lambda * 1e4))
    own.k = query.profile->gapped()->k;
  return own;
}

SequenceSet Searcher::State::letters_of(std::span<const Profile> profiles) const {
  if (database.alphabet() != Alphabet::protein) throw InputError("profiles of proteins and a database of DNA");
  if (options.translation.any()) throw InputError("profiles in a translated search");
  if (is_published(options.kernel)) throw InputError("profiles with a published kernel, which has none");
  SequenceSet letters(Alphabet::protein);
  for (const Profile& profile : profiles) letters.append(profile.name(), profile.letters());
  check_queries(letters);
  return letters;
}

StrandQueries Searcher::State::strands_of(const SequenceSet& queries, std::span<const Profile> profiles) const {
  if (profiles.empty()) return strands_of(queries);
  check_pieces(queries, profiles);
  StrandQueries strands(queries, profiles);
  if (adjuster) strands.scale_profiles(options.matrix, options.gap, *statistics);
  return strands;
}

std::uint64_t Searcher::State::score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                                     DeviceScores& scores) const {
  switch (options.kernel) {
    case Kernel::published:
      score_published(device, table, chunk, queries, options.threshold, options.as_published, scores);
      return 0;
    case Kernel::inter:
      score_published(device, table, chunk, queries, std::numeric_limits<std::uint64_t>::max(), options.as_published,
                      scores);
      return 0;
    case Kernel::intra:
      score_published(device, table, chunk, queries, 0, options.as_published, scores);
      return 0;
    case Kernel::automatic:
    case Kernel::cpu:
    case Kernel::gpu:
      break;
  }
  return chunk.layout == DeviceChunk::Layout::interleaved ? score_cpu(device, table, chunk, queries, scores)
                                                          : score_gpu(device, table, chunk, queries, scores);
}

}  // namespace genocl::align
