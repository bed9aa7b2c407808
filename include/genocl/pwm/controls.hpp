// Control sequences for the enrichment of motifs: shuffled sequences, and pieces of a genome with the same lengths and
// GC contents.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pwm {

struct ShuffleOptions {
  unsigned kmer = 2;         ///< length of the words whose counts are kept, 1 to 6
  std::uint64_t copies = 1;  ///< shuffled sequences for each sequence
  std::uint64_t seed = 1;
};

/// Shuffles sequences and keeps the number of each word of `kmer` letters: a random Eulerian path with uniform
/// probability (Altschul and Erickson 1985), by a random tree of last edges (Wilson 1996; Kandel, Matias, Unger and
/// Winkler 1996). Letters other than A, C, G and T keep their places, as in SEA; each stretch between them is shuffled
/// by itself and keeps its first and last kmer - 1 letters. Equal seeds give equal bytes on every machine, for any
/// number of threads. The result has the copies of the first sequence, then those of the second; names are those of
/// the sequences with "_shuf_1", "_shuf_2", ... behind.
///
/// Expected O(residues * copies), on all of the host's cores.
///
/// @throws InputError for a set that is not DNA, and for kmer outside 1 to 6
GENOCL_EXPORT SequenceSet shuffled(const SequenceSet& sequences, const ShuffleOptions& options = {});

struct MatchedOptions {
  std::uint64_t copies = 1;  ///< pieces for each sequence
  std::uint64_t seed = 1;
  double max_unknown = 0.1;  ///< maximum fraction of letters other than A, C, G and T in a piece, 0 to 1
};

/// Draws pieces of a genome with the lengths and GC contents of given sequences. The genome is read twice, in batches
/// of whole records:
///
///   pwm::MatchedControls controls(peaks, places, options);
///   while (first.read(batch)) controls.survey(batch);
///   while (second.read(batch)) controls.draw(batch);
///   const SequenceSet pieces = controls.take();
///
/// Sequences are divided into classes by length, the longest of a class at most 10% longer than the shortest. For each
/// class the genome is cut into tiles as long as the longest sequence. Tiles with too many unknown letters, and those
/// that overlap a place, are left out. A sequence gets the middle of a random tile of its GC content in whole percent,
/// or of the nearest GC content that has tiles left. No tile is drawn twice. Equal seeds give equal pieces. Memory:
/// O(1) for each sequence, and the pieces. Not thread-safe.
class GENOCL_EXPORT MatchedControls {
 public:
  /// Places of the genome by the names of its records: no piece overlaps them.
  using Places = std::map<std::string, std::vector<Interval>, std::less<>>;

  /// @throws InputError for a set that is not DNA, and for max_unknown outside 0 to 1
  MatchedControls(const SequenceSet& sequences, Places places, const MatchedOptions& options = {});
  MatchedControls(MatchedControls&&) noexcept;
  MatchedControls& operator=(MatchedControls&&) noexcept;
  ~MatchedControls();

  /// Counts the tiles of the next records. O(residues) for each class.
  void survey(const SequenceSet& genome);
  /// Copies the drawn tiles of the next records, in the same order as in survey(); batches may differ. The first call
  /// throws InputError if the genome has fewer tiles than pieces are needed.
  void draw(const SequenceSet& genome);
  /// Returns all pieces in the order of the genome, named "chr1:100-200" (from 0, the end not included). Throws
  /// InputError if the genome of draw() was shorter than that of survey().
  SequenceSet take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::pwm
