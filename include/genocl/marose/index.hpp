// The index of a reference: seeds, their neighbourhoods and their positions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::marose {

/// Methods of the index and their tables:
/// - `kmers`: all positions of every k-mer of k consecutive bases (5 to 14, by the size of the reference). A key
///   represents a word and its reverse complement. 4 to 5 bytes for each base. For reads of all lengths and all
///   bounds for which a proof exists: the windows to look up are chosen for each read, the rarest first.
/// - `canonical`: the seed mask is a palindrome, and a key represents a word and its reverse complement: one exact
///   look-up serves both strands. Up to 16 more bases (those that the mask leaves out and those on either side) are
///   stored with every position and compared first. About 4.2 * 4^weight / 2 / n + 8 bytes for each base.
/// - `list`, `binary`, `phf`: a block of (neighbourhood, position) for every seed, searched linearly, by bisection
///   (sorted), or hashed (BDZ: a perfect hash for each seed, from a 3-hypergraph of 1.23 n vertices and Jenkins'
///   mix). As published, except for the hash function and the layout of the tables of `phf` (docs/methods/marose.md).
/// - `phf_published`: `phf` with the hash function, the tables and the work-groups of the paper.
/// - `bitmap`: not published. One bit for each of 4^(seed + neighbourhood) words, in sectors of 224 bits with a rank.
/// - `offset`: positions only.
struct IndexOptions {
  /// Empty: chosen for the reads described below (`canonical`), or by the size of the reference (`kmers`).
  std::string seed_mask = {};
  unsigned neighbourhood = 8;  ///< bases; for the published methods except `offset`
  /// `automatic`: `kmers`; with a palindromic mask `canonical`, with any other mask `list`.
  Method method = Method::automatic;
  /// Shortest read length to support without loss, and its errors: `canonical` chooses its mask for them, and `kmers`
  /// checks that they are supported.
  unsigned read_length = 100;
  ErrorBound errors{.count = 0, .share = 0.07};
  Model model = Model::levenshtein;
  /// Maximum number of bases of a segment; 0: the capacity of the device. A longer reference is cut.
  std::uint64_t segment_bases = 0;
  /// Maximum device memory in bytes, including the tables and the packed reference; 0: the memory of the device. If
  /// it is below the need of a sort of all bases (about 20 bytes for each), ranges of them are sorted one after the
  /// other. If it is below the tables with some margin (6 bytes for each base), there are more segments.
  std::uint64_t memory = 0;
  Progress progress = {};
};

/// Cheap to copy: copies share the tables.
class GENOCL_EXPORT Index {
 public:
  /// Builds the tables on the device. O(n).
  ///
  /// @param reference  DNA, one record for each contig
  /// @throws InputError for a reference without any A, C, G or T, or if every contig is shorter than a seed;
  ///   CapacityError; Cancelled
  static Index build(const Device& device, const SequenceSet& reference, const IndexOptions& options = {});
  /// The same; frees the memory of the reference once it is packed.
  static Index build(const Device& device, SequenceSet&& reference, const IndexOptions& options = {});
  /// Opens a file of save(): maps it into memory and reads it once to check it. Devices that compute in host memory
  /// use it there. Throws InputError for a file that is truncated, of another version or damaged (every section has a
  /// checksum).
  static Index open(const std::string& path);
  /// Writes the file, which appears whole or not at all. Tables on a device are streamed through a small host buffer.
  void save(const std::string& path) const;

  std::size_t contigs() const noexcept;
  std::string_view name(std::size_t contig) const;
  std::uint64_t length(std::size_t contig) const;
  /// Number of bases of all contigs.
  std::uint64_t bases() const noexcept;
  const SeedMask& mask() const noexcept;
  Method method() const noexcept;
  unsigned neighbourhood() const noexcept;
  std::size_t segments() const noexcept;
  /// Bytes of the tables and the packed reference.
  std::uint64_t bytes() const noexcept;
  /// Codes [first, first + codes.size()) of a contig; N for anything but the four bases.
  void reference(std::size_t contig, std::uint64_t first, std::span<Code> codes) const;
  /// The same with the ambiguity codes of the FASTA file (R, Y, ...) instead of N. O(codes + log(number of ambiguity
  /// codes)).
  void reference_letters(std::size_t contig, std::uint64_t first, std::span<Code> codes) const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  static Index build(const Device& device, std::shared_ptr<State> state, const IndexOptions& options);
  std::shared_ptr<const State> state_;
};

}  // namespace genocl::marose
