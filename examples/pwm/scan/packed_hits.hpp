// Hits on their way from who finds them to who writes them: as bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/files.hpp"
#include "genocl/packing.hpp"

namespace program {

struct PackedHit {
  std::uint32_t motif = 0;
  bool reverse = false;
  std::uint64_t record = 0;  ///< Place::record
  std::uint64_t begin = 0;   ///< of the sequence, from 0
  double score = 0, p = 1;
  std::string_view name, letters;

  void add_to(genocl::Packer& packer) const;
  static PackedHit next(genocl::Unpacker& left);
};

/// Blocks of such bytes, kept until all are known: in memory, and beyond that in a temporary file.
class HitSpill {
 public:
  /// Holds up to `memory` bytes before it takes a temporary file, in TMPDIR, /var/tmp or /tmp.
  explicit HitSpill(std::uint64_t memory = std::uint64_t{256} << 20) : memory_(memory) {}

  /// Throws InputError with the folder's name when the temporary file cannot be made or written.
  void add(std::string bytes);
  /// All blocks, in the order in which they came.
  void read(const std::function<void(std::string_view)>& use) const;

 private:
  std::uint64_t memory_ = 0, held_bytes_ = 0;
  std::vector<std::string> held_;
  std::vector<std::uint64_t> in_file_;  ///< bytes of each block there; they follow those that are held
  std::optional<genocl::files::SpillFile> file_;
};

}  // namespace program
