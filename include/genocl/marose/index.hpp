// The index of a reference: seeds, the neighbourhoods beside them, and where they are.
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
#include "genocl/sequence.hpp"

namespace genocl::marose {

/// What the tables of an index are made of:
/// - `kmers`: all places of every k-mer, k bases in a row (5 to 14, by the size of the reference), a key standing for a
///   word and its reverse complement. 4 to 5 bytes a base. It serves reads of all lengths and all bounds that a proof
///   exists for: the windows that are looked up are chosen for each read, the rarest first.
/// - `canonical`: the seed's mask is its own reverse, a key stands for a word and its reverse complement, so that one
///   exact look-up serves both strands; up to 16 more bases (those that the mask leaves out and those beside it) are
///   kept with every position and compared first. About 4.2 * 4^weight / 2 / n + 8 bytes a base.
/// - `list`, `binary`, `phf`: for every seed a block of (neighbourhood, position): gone through, searched (sorted), or
///   hashed (BDZ: a perfect hash per seed, from a 3-hypergraph of 1.23 n vertices and Jenkins' mix). As published.
/// - `bitmap`: one bit for each of the 4^(seed + neighbourhood) words, in sectors of 224 bits with a rank.
/// - `offset`: positions only.
struct IndexOptions {
  /// Empty: with `canonical` chosen for the reads described below, with `kmers` by the size of the reference.
  std::string seed_mask = {};
  unsigned neighbourhood = 8;  ///< bases; for the published methods but `offset`
  /// `automatic` is `kmers`, with a mask that is its own reverse `canonical`, with another mask `list`.
  Method method = Method::automatic;
  /// The shortest reads, and the errors in them, that are to be mapped without loss: `canonical` chooses its mask for
  /// them, and `kmers` sees whether they can be.
  unsigned read_length = 100;
  ErrorBound errors{.count = 0, .share = 0.07};
  Model model = Model::levenshtein;
  /// Bases of a segment at most; 0: as many as the device holds. A reference that is longer is cut.
  std::uint64_t segment_bases = 0;
  /// Bytes of device memory that building takes at most, the tables and the packed reference with them; 0: what the
  /// device has. Less than a sort of all bases at once needs (some 20 bytes a base) means that ranges of them are
  /// sorted one after the other, and less than the tables with a little room (6 bytes a base) more segments.
  std::uint64_t memory = 0;
  Progress progress = {};
};

/// Cheap to copy: copies share the tables.
class GENOCL_EXPORT Index {
 public:
  /// Builds the tables on the device. `reference`: DNA, one record a contig. Throws InputError without a single A, C, G
  /// or T, or when every contig is shorter than a seed; CapacityError; Cancelled. O(n).
  static Index build(const Device& device, const SequenceSet& reference, const IndexOptions& options = {});
  /// Does the same, and gives the memory of the reference back as soon as it is packed.
  static Index build(const Device& device, SequenceSet&& reference, const IndexOptions& options = {});
  /// A file that save() wrote: mapped into memory, and read once to check it. Devices that compute in the host's memory
  /// use it there. Throws InputError for a file that is cut off, of another version or
  /// damaged (every section has a checksum).
  static Index open(const std::string& path);
  /// Writes the file, which appears whole or not at all. Tables on a device pass through a little memory of the host.
  void save(const std::string& path) const;

  std::size_t contigs() const noexcept;
  std::string_view name(std::size_t contig) const;
  std::uint64_t length(std::size_t contig) const;
  /// Counts the bases of all contigs together.
  std::uint64_t bases() const noexcept;
  const SeedMask& mask() const noexcept;
  Method method() const noexcept;
  unsigned neighbourhood() const noexcept;
  std::size_t segments() const noexcept;
  /// Counts the bytes of the tables and the packed reference.
  std::uint64_t bytes() const noexcept;
  /// The codes [first, first + codes.size()) of a contig; N for what was not one of the four bases.
  void reference(std::size_t contig, std::uint64_t first, std::span<Code> codes) const;
  /// The same with the ambiguity codes of the FASTA (R, Y, ...) in place of the N that stands for them. O(codes +
  /// log(their number)).
  void reference_letters(std::size_t contig, std::uint64_t first, std::span<Code> codes) const;

  /// This is for the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  static Index build(const Device& device, std::shared_ptr<State> state, const IndexOptions& options);
  std::shared_ptr<const State> state_;
};

}  // namespace genocl::marose
