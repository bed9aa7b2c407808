#include "align/search/searcher_state.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "genocl/error.hpp"
#include "runtime/device/access.hpp"

namespace genocl::align {
namespace {

/// The shape that a kernel asks for.
Device with_kernel(const Device& device, Kernel kernel) {
  if (kernel == Kernel::lanes) return device.with_family(KernelFamily::lanes);
  if (kernel == Kernel::group) return device.with_family(KernelFamily::group);
  return device;
}

bool is_published(Kernel kernel) {
  return kernel == Kernel::published || kernel == Kernel::inter || kernel == Kernel::intra;
}

DeviceChunk::Layout layout_for(const Device& device, Kernel kernel) {
  return !is_published(kernel) && device.family() == KernelFamily::lanes ? DeviceChunk::Layout::interleaved
                                                                         : DeviceChunk::Layout::plain;
}

}  // namespace

Searcher::State::State(std::span<const Device> d, const Database& db, const SearchOptions& o)
    : database(db), options(o) {
  if (d.empty()) throw InputError("no device given");
  if (options.matrix.alphabet() != database.alphabet())
    throw InputError("a matrix for " + std::string(to_string(options.matrix.alphabet())) + " and a database of " +
                     std::string(to_string(database.alphabet())));
  if (options.top == 0) throw InputError("top 0: no hit would be left; expected 1 or more");
  if (options.max_hsps == 0) throw InputError("max_hsps 0: no alignment would be left; expected 1 or more");
  if (options.held_hits == 0) throw InputError("held_hits 0: no hit could be held; expected 1 or more");
  if (std::isnan(options.max_evalue) || options.max_evalue < 0)
    throw InputError("an E-value of " + std::to_string(options.max_evalue) + "; expected 0 or more");
  if (options.share && options.chunk_residues == 0)
    throw InputError("a search that is shared needs chunks of a size that is given");
  table = make_scoring_table(options.matrix, options.gap, database.letter_counts());
  statistics = KarlinAltschul::find(options.matrix, options.gap);
  if (statistics && statistics->finite_size && options.edge_correction == EdgeCorrection::finite_size)
    bounds = std::make_unique<LengthBounds>(*statistics, database.size() == 0 ? 0 : database.length_at(0),
                                            database.longest(), options.matrix.highest());
  if (options.composition != CompositionStatistics::none)
    adjuster.emplace(options.matrix, options.gap, statistics, options.composition);
  for (const Device& device : d) devices.push_back(with_kernel(device, options.kernel));
  chunks = cut_into_chunks(
      database, options.chunk_residues != 0 ? options.chunk_residues : chunk_residues(devices, database.residues()));
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
  if (queries.alphabet() != database.alphabet())
    throw InputError("queries of " + std::string(to_string(queries.alphabet())) + " and a database of " +
                     std::string(to_string(database.alphabet())));
}

StrandQueries Searcher::State::strands_of(const SequenceSet& queries) const {
  check_alphabet(queries);
  return {queries, options.strands};
}

KarlinAltschul Searcher::State::statistics_of(const StrandQuery& query) const {
  KarlinAltschul own = *statistics;
  if (query.profile != nullptr && query.profile->gapped() &&
      std::lround(query.profile->gapped()->lambda * 1e4) == std::lround(own.lambda * 1e4))
    own.k = query.profile->gapped()->k;
  return own;
}

SequenceSet Searcher::State::letters_of(std::span<const Profile> profiles) const {
  if (database.alphabet() != Alphabet::protein) throw InputError("profiles of proteins and a database of DNA");
  if (options.composition != CompositionStatistics::none)
    throw InputError("profiles with statistics of composition; expected none");
  if (is_published(options.kernel)) throw InputError("profiles with a published kernel, which has none");
  SequenceSet letters(Alphabet::protein);
  for (const Profile& profile : profiles) letters.append(profile.name(), profile.letters());
  check_queries(letters);
  return letters;
}

StrandQueries Searcher::State::strands_of(const SequenceSet& queries, std::span<const Profile> profiles) const {
  return profiles.empty() ? strands_of(queries) : StrandQueries(queries, profiles);
}

std::uint64_t Searcher::State::score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                                     DeviceScores& scores) const {
  switch (options.kernel) {
    case Kernel::published:
      score_published(device, table, chunk, queries, options.threshold, scores);
      return 0;
    case Kernel::inter:
      score_published(device, table, chunk, queries, std::numeric_limits<std::uint64_t>::max(), scores);
      return 0;
    case Kernel::intra:
      score_published(device, table, chunk, queries, 0, scores);
      return 0;
    case Kernel::automatic:
    case Kernel::lanes:
    case Kernel::group:
      break;
  }
  return chunk.layout == DeviceChunk::Layout::interleaved ? score_lanes(device, table, chunk, queries, scores)
                                                          : score_group(device, table, chunk, queries, scores);
}

}  // namespace genocl::align
