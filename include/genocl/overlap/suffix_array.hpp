// Suffix arrays, built and kept on a device.
//
// `published` is Kärkkäinen and Sanders' difference cover algorithm as Zhong et al. run it on a GPU: triples on every
// level, sorted by the split radix sort, one bit at a time (where their text compares suffixes of residue 2 by the rank
// of i + 1, it must be i + 2). `dc3` is the same with windows of more symbols in place of the first triples, sorted by
// digits, and with a recursion that goes over the names that repeat where those are few, and ends in one launch where
// few symbols are left. `hybrid` sorts by as many symbols as a key holds, then only what is not unique yet; sets of
// nearly equal texts are cut into phrases that repeat, which are sorted once; and what neither helps goes to DC3 on
// packed names.
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
  Progress progress = {};  ///< counts suffixes that have their place
  /// Waits after each step, so that BuildReport::steps tells what each took.
  bool time_steps = false;
};

/// How an array was built.
struct BuildReport {
  /// How many suffixes were not yet told apart from all others after `depth` symbols.
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
  unsigned levels = 0;                      ///< of recursion; 0 where there was none
  std::vector<Round> rounds;
  std::uint64_t peak_bytes = 0;  ///< on the device, text and array included
  std::vector<Step> steps;       ///< empty unless asked for
};

/// positions()[i] is where the i-th smallest suffix of the text begins: size() of them, a permutation, no sentinel. A
/// suffix that is a prefix of another one is smaller. Breaks are as Text says.
class GENOCL_EXPORT SuffixArray {
 public:
  /// Linear for `dc3` and, up to a constant factor, for `hybrid`; O(size log(size)) for `published`, whose keys are
  /// sorted bit by bit. Throws CapacityError before the start when peak_bytes() does not fit, Cancelled when the
  /// progress says so.
  explicit SuffixArray(const Text& text, const SuffixArrayOptions& options = {});
  /// The same of bytes.
  SuffixArray(const Device& device, std::span<const std::uint8_t> bytes, const SuffixArrayOptions& options = {});
  /// An existing suffix array. Throws InputError unless it has one position for each symbol and break of the text, in
  /// the context of the text's device. The order is not checked; first_error() checks it.
  SuffixArray(const Text& text, Array<std::uint32_t> positions);
  SuffixArray(SuffixArray&&) noexcept;
  SuffixArray& operator=(SuffixArray&&) noexcept;
  ~SuffixArray();

  /// The array of another text, in the same memory where it is large enough. After an exception it is empty.
  void rebuild(const Text& text, const SuffixArrayOptions& options = {});

  const Device& device() const noexcept;
  const Text& text() const noexcept;
  std::uint64_t size() const noexcept;
  const Array<std::uint32_t>& positions() const noexcept;
  std::vector<std::uint32_t> download() const { return positions().download(); }
  const BuildReport& report() const noexcept;

  /// The most that building takes on the device, text and array included: at most 20 bytes a symbol from 2^20 symbols
  /// on (on a CPU, whose workers have tables of their own, from 2^20 a core), 22 by `published`.
  static std::uint64_t peak_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks,
                                  Algorithm algorithm = Algorithm::automatic);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// ranks[positions[i]] = i. Linear.
GENOCL_EXPORT Array<std::uint32_t> inverse(const SuffixArray& suffixes);

/// The Burrows-Wheeler transform as bytes of the alphabet, size() of them, no sentinel: the symbol before each suffix
/// in the array's order; the text's last symbol stands first, for the empty suffix, and the suffix that is the whole
/// text is left out (its row is `primary`, counted with the empty suffix as row 0). Throws InputError for a text with
/// breaks. Linear.
struct BurrowsWheeler {
  std::vector<std::uint8_t> symbols;
  std::uint64_t primary = 0;
};
GENOCL_EXPORT BurrowsWheeler bwt(const SuffixArray& suffixes);
/// The same into `symbols`, which may be page-locked (HostArray): size() of them. Returns the primary row.
GENOCL_EXPORT std::uint64_t bwt(const SuffixArray& suffixes, std::span<std::uint8_t> symbols);

/// The text of a transform, whose primary row is from 1 to its size (0 for no symbols). Its suffixes are followed from
/// many places at a time. Throws InputError where no text has this transform and primary row, or for more than
/// Text::longest symbols; CapacityError: it takes 18 bytes a symbol on the device. Linear.
GENOCL_EXPORT std::vector<std::uint8_t> inverse_bwt(const Device& device, std::span<const std::uint8_t> symbols,
                                                    std::uint64_t primary);

/// The document array: records[i] is the record that suffix i begins in (its break counts to it), of a text of records;
/// together with the suffix array it is the generalised one. O(size log(records)).
GENOCL_EXPORT Array<std::uint32_t> document_array(const SuffixArray& suffixes);

/// Looks on the device whether `positions` is the suffix array of `text`: a permutation, each suffix smaller than the
/// next by its first symbol and the rank of what follows. The first index that is wrong, or nothing. Linear; takes 4
/// bytes a symbol.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Text& text, Span<const std::uint32_t> positions);

}  // namespace genocl::overlap
