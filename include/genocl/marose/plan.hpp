// Plans: the look-ups for reads of a given length, and the proof that they miss nothing.
//
// Method: Tran, Giraud, Varre, "Perfect hashing structures for parallel similarity searches" (MAROSE): a reference is
// indexed by seeds and by their adjacent neighbourhoods. A plan states which seeds of a read are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::marose {

/// Error model. `hamming`: a substitution. `levenshtein`: a substitution, an insertion or a deletion of one base. N,
/// in a read or in the reference, is an error against every base and against N.
enum class Model : std::uint8_t { hamming, levenshtein };

/// Method of the index. See Index.
enum class Method : std::uint8_t { automatic, kmers, canonical, list, binary, phf, bitmap, offset, phf_published };

GENOCL_EXPORT std::string_view to_string(Model model) noexcept;
GENOCL_EXPORT std::string_view to_string(Method method) noexcept;
/// "auto", "kmers", "canonical", "list", "binary", "phf", "phf-published", "bitmap", "offset". Throws InputError for
/// another name.
GENOCL_EXPORT Method method_named(std::string_view name);

/// A spaced seed: '#' for a base that is compared, '-' for one that is not.
class GENOCL_EXPORT SeedMask {
 public:
  static constexpr unsigned longest = 32;  ///< bases from the first '#' to the last

  /// Parses "######-##".
  ///
  /// @throws InputError unless the pattern begins and ends with '#', contains only '#' and '-', and has at most 32
  ///   letters
  explicit SeedMask(std::string_view pattern);
  /// A mask of `weight` consecutive bases.
  static SeedMask solid(unsigned weight);

  unsigned span() const noexcept { return static_cast<unsigned>(pattern_.size()); }
  unsigned weight() const noexcept { return weight_; }
  /// Bit i: base i is compared; base 0 is the first.
  std::uint64_t bits() const noexcept { return bits_; }
  bool is_palindrome() const noexcept;
  bool is_solid() const noexcept { return weight_ == span(); }
  const std::string& pattern() const noexcept { return pattern_; }

  friend bool operator==(const SeedMask&, const SeedMask&) = default;

 private:
  std::string pattern_;
  std::uint64_t bits_ = 0;
  unsigned weight_ = 0;
};

/// Error bound of a read: absolute, or a fraction of its length, rounded down.
struct ErrorBound {
  unsigned count = 0;
  double share = 0;  ///< used if above 0

  unsigned at(std::uint64_t read_length) const noexcept {
    return share > 0 ? static_cast<unsigned>(share * static_cast<double>(read_length) + 1e-9) : count;
  }
  friend bool operator==(const ErrorBound&, const ErrorBound&) = default;
};

/// One look-up of a read. The bases of the seed match exactly, and bases [check_first, check_last) of the read have
/// at most `check_errors` errors (of the plan's model) in all. With `canonical` this range contains the seed's span,
/// including the bases that its mask leaves out; with the published methods it is the neighbourhood after the seed.
struct SeedLookup {
  unsigned offset = 0;  ///< of the first base of the seed, in the read
  unsigned check_first = 0, check_last = 0;
  unsigned check_errors = 0;

  friend bool operator==(const SeedLookup&, const SeedLookup&) = default;
};
using Place [[deprecated("use SeedLookup")]] = SeedLookup;

/// The look-ups for reads of one length, on both strands.
struct Plan {
  unsigned length = 0;  ///< bases of the read, 20 to 1,000
  unsigned errors = 0;
  Model model = Model::hamming;
  Method method = Method::canonical;
  SeedMask mask = SeedMask::solid(10);
  unsigned neighbourhood = 0;         ///< bases of a neighbourhood (its length ln in the paper); not for `canonical`
  unsigned neighbourhood_errors = 0;  ///< substitutions allowed in it (e in the paper)
  std::vector<SeedLookup> places;     ///< by offset, their number is the order here; none with `kmers`

  /// Whether every alignment within the error bound is found; false only for heuristic plans that were requested.
  bool lossless = false;
  /// The proof: "all 9,880 placements of 3 substitutions", "at most 5 errors in 3 disjoint parts ...".
  std::string proof;
  /// Number of the C(length, errors) placements of substitutions that no look-up finds; empty if they are too many to
  /// enumerate or the model has insertions and deletions.
  std::optional<std::uint64_t> missed;

  /// Words looked up for each read, both strands.
  GENOCL_EXPORT double look_ups() const;
  /// Expected number of index entries for each read in a random reference of this size, both strands, before the
  /// neighbourhoods are compared, and after.
  GENOCL_EXPORT double expected_entries(std::uint64_t reference_bases) const;
  GENOCL_EXPORT double expected_candidates(std::uint64_t reference_bases) const;
};

struct PlanRequest {
  unsigned length = 0;
  unsigned errors = 0;
  Model model = Model::levenshtein;
  std::uint64_t reference_bases = 5'000'000;  ///< size of the reference that the plan is chosen for
  Method method = Method::automatic;          ///< `automatic` is `canonical`
  std::optional<SeedMask> mask = {};          ///< of an existing index; without it the best is chosen
  unsigned neighbourhood = 8;                 ///< of the published methods
  /// Parameters of the paper: a pattern every `shift` bases, neighbourhoods with up to this number of substitutions
  /// (0, 1, 2). The plan states the placements that they miss.
  std::optional<unsigned> shift = {};
  std::optional<unsigned> neighbourhood_errors = {};
  bool heuristic = false;  ///< allows plans that are not lossless if no lossless one is known
};

/// The cheapest known plan. Throws InputError if no lossless plan is known, unless `heuristic` is set or parameters
/// of the paper are given. The message states the maximum number of errors with a lossless plan.
GENOCL_EXPORT Plan make_plan(const PlanRequest& request);

/// Whether the look-ups find every set of `errors` substitutions: an exhaustive search that stops after `effort`
/// steps. Empty if it was stopped.
GENOCL_EXPORT std::optional<bool> finds_all_substitutions(const Plan& plan, std::uint64_t effort = 50'000'000);
/// Number of the C(length, errors) placements that no look-up finds, by enumeration. Empty above `most` placements.
GENOCL_EXPORT std::optional<std::uint64_t> count_missed_substitutions(const Plan& plan,
                                                                      std::uint64_t most = 100'000'000);

}  // namespace genocl::marose
