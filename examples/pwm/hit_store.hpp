// Hits of a streamed text, to be read again motif by motif or as they stand in the text: in memory, and beyond that in
// a temporary file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/files.hpp"
#include "genocl/pwm.hpp"

namespace program {

/// This is one hit with its letters, in the motif's direction.
struct StoredHit {
  std::uint32_t motif = 0;
  std::uint64_t record = 0, position = 0;
  double score = 0;
  bool reverse = false;
  std::string_view letters;
};

/// How hits are read again.
enum class HitOrder : std::uint8_t { by_motif, by_position };

class HitStore {
 public:
  /// Holds up to `memory` bytes before it takes a temporary file, in TMPDIR, /var/tmp or /tmp.
  explicit HitStore(std::size_t motifs, HitOrder order, std::uint64_t memory = std::uint64_t{1} << 30)
      : lists_(order == HitOrder::by_motif ? motifs : 1), order_(order), memory_(memory) {}

  HitOrder order() const { return order_; }
  /// Hits come in their order within a batch, batches in the order of their records.
  void begin_batch();
  void add(const StoredHit& hit);
  /// Throws InputError with the folder's name when the temporary file cannot be made or written.
  void end_batch();

  /// Gives the hits of one motif (all of them are in list 0 where they go by position) in the order in which they came.
  /// `length`: each hit has so many letters.
  void read(std::uint32_t list, std::size_t length, const std::function<void(const StoredHit&)>& use) const;

 private:
  struct Slice {
    std::uint64_t begin = 0, bytes = 0;
    bool in_file = false;
  };
  void end_slice();

  std::vector<std::vector<Slice>> lists_;
  HitOrder order_ = HitOrder::by_motif;
  std::uint64_t memory_ = 0;
  std::string held_;   ///< what is kept in memory
  std::string batch_;  ///< of the current batch
  std::uint32_t list_ = 0;
  std::uint64_t slice_begin_ = 0;
  std::vector<std::pair<std::uint32_t, Slice>> slices_;  ///< of the current batch, from its beginning
  std::optional<genocl::files::SpillFile> file_;
};

}  // namespace program
