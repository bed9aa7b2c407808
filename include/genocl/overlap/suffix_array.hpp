// Suffix arrays on a device.
//
// - `published`: the difference cover algorithm of Kärkkäinen and Sanders as Zhong et al. run it on a GPU: triples on
//   every level. Chunks are sorted in local memory by the split radix sort, one bit at a time, and merged in pairs (its
//   Algorithm 1). (Its text compares suffixes of residue 2 by the rank of i + 1; correct is i + 2.)
// - `dc3`: the same algorithm with windows of more symbols in place of the first triples and a sort by digits. If few
//   names repeat, the recursion covers only these; it ends in one launch when few symbols are left.
// - `hybrid`: sorts by as many symbols as a key holds, then only the suffixes that are not unique. Sets of nearly equal
//   texts are cut into repeated phrases, each sorted once. Other repetitive texts go to `dc3`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"

namespace genocl::overlap {

enum class Algorithm : std::uint8_t { automatic, dc3, hybrid, published };

GENOCL_EXPORT std::string_view to_string(Algorithm algorithm) noexcept;
/// Throws InputError for another name; "auto" is automatic, which is hybrid.
GENOCL_EXPORT Algorithm algorithm_named(std::string_view name);

struct SuffixArrayOptions {
  Algorithm algorithm = Algorithm::automatic;
  Progress progress = {};  ///< counts suffixes with a final rank
  /// Waits after each step, for the times in BuildReport::steps.
  bool time_steps = false;
};

/// How an array was built.
struct BuildReport {
  /// `unresolved`: the number of suffixes that share their first `depth` symbols with another.
  struct Round {
    std::uint64_t depth = 0, unresolved = 0;
    friend bool operator==(const Round&, const Round&) = default;
  };
  struct Step {
    std::string name;
    double seconds = 0;
  };

  Algorithm algorithm = Algorithm::hybrid;  ///< never automatic
  std::string finished_by;                  ///< of hybrid: "keys", "rounds", "phrases" or "dc3"
  unsigned levels = 0;                      ///< of recursion; 0 without recursion
  std::vector<Round> rounds;
  std::uint64_t peak_bytes = 0;  ///< on the device, text and array included
  std::vector<Step> steps;       ///< empty unless asked for
};

/// positions()[i] is the first position of the i-th smallest suffix of the text: a permutation of [0, size()), without
/// a sentinel. A suffix that is a prefix of another is smaller. Separators compare as Text describes.
/// Const members may be called concurrently.
class GENOCL_EXPORT SuffixArray {
 public:
  /// Linear for `dc3` and, up to a constant factor, for `hybrid`; O(size log(size)) for `published`, whose keys are
  /// sorted bit by bit and merged. Throws CapacityError before the start if peak_bytes() do not fit, InputError for a
  /// text in host memory, Cancelled if the progress says so.
  explicit SuffixArray(const Text& text, const SuffixArrayOptions& options = {});
  /// The same of bytes.
  SuffixArray(const Device& device, std::span<const std::uint8_t> bytes, const SuffixArrayOptions& options = {});
  /// An existing suffix array. Throws InputError unless it has one position for each symbol and separator of the text,
  /// in the context of the text's device. first_error() checks the order.
  SuffixArray(const Text& text, Array<std::uint32_t> positions);
  SuffixArray(SuffixArray&&) noexcept;
  SuffixArray& operator=(SuffixArray&&) noexcept;
  ~SuffixArray();

  /// Makes the array of another text, in the same memory if it is large enough. Empty after an exception.
  void rebuild(const Text& text, const SuffixArrayOptions& options = {});

  const Device& device() const noexcept;
  const Text& text() const noexcept;
  std::uint64_t size() const noexcept;
  const Array<std::uint32_t>& positions() const noexcept;
  std::vector<std::uint32_t> download() const { return positions().download(); }
  const BuildReport& report() const noexcept;

  /// Peak memory of the construction on the device in bytes, text and array included: at most 20 bytes a symbol from
  /// 2^20 symbols on (on a CPU from 2^20 symbols a core, since each worker has tables), 21 by `published`.
  static std::uint64_t peak_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators,
                                  Algorithm algorithm = Algorithm::automatic);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// ranks[positions[i]] = i. Linear.
GENOCL_EXPORT Array<std::uint32_t> inverse(const SuffixArray& suffixes);

/// The Burrows-Wheeler transform: size() bytes of the alphabet, without a sentinel. Row 0 is the empty suffix, with the
/// text's last symbol; the next rows have the symbol before each suffix, in the order of the array. The suffix that is
/// the whole text has no byte; its row is `primary`. Throws InputError for a text with separators. Linear.
struct BurrowsWheeler {
  std::vector<std::uint8_t> symbols;
  std::uint64_t primary = 0;
};
GENOCL_EXPORT BurrowsWheeler bwt(const SuffixArray& suffixes);
/// The same into `symbols`, size() bytes that may be page-locked (HostArray). Returns the primary row.
GENOCL_EXPORT std::uint64_t bwt(const SuffixArray& suffixes, std::span<std::uint8_t> symbols);

/// The text of a transform. `primary`: the primary row, from 1 to the size (0 for no symbols). Takes 18 bytes a symbol
/// on the device. Linear. Throws InputError if no text has this transform and primary row, and for more than
/// Text::longest symbols; CapacityError.
GENOCL_EXPORT std::vector<std::uint8_t> inverse_bwt(const Device& device, std::span<const std::uint8_t> symbols,
                                                    std::uint64_t primary);

/// The document array of a text of records: element i is the record in which suffix i begins; a separator belongs to
/// the record before it. With the suffix array it forms the generalised suffix array. O(size log(records)).
GENOCL_EXPORT Array<std::uint32_t> document_array(const SuffixArray& suffixes);

/// Checks on the device whether `positions` is the suffix array of `text`: a permutation, each suffix smaller than the
/// next by its first symbol and the rank of the rest. Returns the first wrong index, or nothing. Linear; takes 4 bytes
/// a symbol.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Text& text, Span<const std::uint32_t> positions);

}  // namespace genocl::overlap
