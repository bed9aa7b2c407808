// Faults of reads: their counts, the first of each kind, and the warnings about them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/packing.hpp"
#include "genocl/sequence.hpp"

namespace program {

/// Each gives one warning when it is first met, and a count at the end.
enum class ReadFault : std::uint8_t {
  letters,       ///< a letter that is no base, read as N
  plus_line,     ///< the '+' line names another read
  name_letters,  ///< a character that QNAME cannot have, written as '_'
  name_length,   ///< a name above 254 bytes, cut
  comment,       ///< -C: a field that is no tag, or one that the record has already; left out
  no_mate,       ///< interleaved reads: a read without its mate, mapped as a single one
  too_long,      ///< unmapped
  too_short,     ///< unmapped
};
constexpr std::size_t read_faults = 8;

/// Quality characters of a file's first reads.
struct QualityRange {
  static constexpr std::uint64_t most_reads = 10'000;
  std::uint8_t min = 0xff, max = 0;  ///< Phred scores, as if their zero were '!'

  void add(std::span<const std::uint8_t> quality);
  /// None below '@' and some above 'J'.
  bool looks_like_phred64() const noexcept { return min != 0xff && min >= '@' - '!' && max > 'J' - '!'; }
};

/// Counts of faults with the first of each kind.
class ReadNotes {
 public:
  struct Kind {
    std::uint64_t count = 0;
    std::string first;  ///< "reads.fq:record 3 (name): the fault"
  };

  /// Calls `first()` for the text of the first fault of a kind.
  template <class Text>
  void add(ReadFault fault, Text&& first) {
    Kind& kind = kinds_[static_cast<std::size_t>(fault)];
    if (kind.count++ == 0) kind.first = first();
  }
  const Kind& operator[](ReadFault fault) const noexcept { return kinds_[static_cast<std::size_t>(fault)]; }

  void pack(genocl::Packer& packed) const;
  static ReadNotes unpack(genocl::Unpacker& packed);

  std::string file;        ///< the reads' own
  QualityRange qualities;  ///< of those among its first QualityRange::most_reads

 private:
  std::array<Kind, read_faults> kinds_;
};

/// Notes about a batch of reads.
struct BatchNotes {
  /// A read too long for the mapper, which receives an empty read in its place.
  struct LongRead {
    std::uint64_t read = 0;
    std::vector<genocl::Code> codes;
    std::vector<std::uint8_t> quality;
  };

  ReadNotes notes;
  std::vector<LongRead> long_reads;  ///< by number
  /// Numbers of pairs whose second read is an empty one added here: the file has none.
  std::vector<std::uint64_t> single;

  const LongRead* long_read(std::uint64_t read) const noexcept;
  bool is_single(std::uint64_t pair) const noexcept;
};

/// Writes warnings about the reads of an input from the notes of its batches, in the input's order.
class ReadWarnings {
 public:
  /// Warns of the first fault of each kind. Calls `before_line` before it writes.
  void add(const ReadNotes& notes, std::ostream& out, const std::function<void()>& before_line);
  /// The counts, and a warning where more than one read in a hundred, and 100 at least, were repaired.
  void finish(std::uint64_t reads, std::ostream& out);

 private:
  void end_file(std::ostream& out);

  std::array<std::uint64_t, read_faults> counts_{};
  std::string file_;
  QualityRange qualities_;
};

}  // namespace program
