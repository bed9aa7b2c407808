// What a read mapper looks up for a read of a given length, and the proof that nothing is missed.
//
// Method: Tran, Giraud, Varre, "Perfect hashing structures for parallel similarity searches" (MAROSE): a reference is
// indexed by seeds and by the neighbourhoods beside them. The plans here say which seeds of a read are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::marose {

/// What an error is. `hamming`: a substitution. `levenshtein`: a substitution, an insertion or a deletion of one base.
/// N, in a read or in the reference, is an error against every base and against N.
enum class Model : std::uint8_t { hamming, levenshtein };

/// How the index finds a word. See Index.
enum class Method : std::uint8_t { automatic, kmers, canonical, list, binary, phf, bitmap, offset };

GENOCL_EXPORT std::string_view to_string(Model model) noexcept;
GENOCL_EXPORT std::string_view to_string(Method method) noexcept;
/// "auto", "kmers", "canonical", "list", "binary", "phf", "bitmap", "offset". Throws InputError for another name.
GENOCL_EXPORT Method method_named(std::string_view name);

/// A spaced seed: '#' for a base that is compared, '-' for one that is not.
class GENOCL_EXPORT SeedMask {
 public:
  static constexpr unsigned longest = 32;  ///< bases from the first '#' to the last

  /// "######-##". Throws InputError unless it begins and ends with '#', holds nothing but '#' and '-', and is at most
  /// 32 long.
  explicit SeedMask(std::string_view pattern);
  /// `weight` bases in a row.
  static SeedMask solid(unsigned weight);

  unsigned span() const noexcept { return static_cast<unsigned>(pattern_.size()); }
  unsigned weight() const noexcept { return weight_; }
  /// Bit i: whether base i counts, base 0 being the first.
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

/// How many errors a read may have: a number, or a share of its length, rounded down.
struct ErrorBound {
  unsigned count = 0;
  double share = 0;  ///< looked at when it is above 0

  unsigned at(std::uint64_t read_length) const noexcept {
    return share > 0 ? static_cast<unsigned>(share * static_cast<double>(read_length) + 1e-9) : count;
  }
  friend bool operator==(const ErrorBound&, const ErrorBound&) = default;
};

/// One look-up of a read: the seed's bases are matched exactly, and the read's bases [check_first, check_last) may have
/// at most `check_errors` errors (of the plan's model) in all. With `canonical` they hold the whole seed and with it
/// the bases that its mask leaves out; with the published methods they are the neighbourhood behind it.
struct SeedLookup {
  unsigned offset = 0;  ///< in the read, of the seed's first base
  unsigned check_first = 0, check_last = 0;
  unsigned check_errors = 0;

  friend bool operator==(const SeedLookup&, const SeedLookup&) = default;
};
using Place [[deprecated("use SeedLookup")]] = SeedLookup;

/// The look-ups for reads of one length. They are done on both strands.
struct Plan {
  unsigned length = 0;  ///< bases of the read, 20 to 1,000
  unsigned errors = 0;
  Model model = Model::hamming;
  Method method = Method::canonical;
  SeedMask mask = SeedMask::solid(10);
  unsigned neighbourhood = 0;         ///< bases of a neighbourhood (its length ln in the paper); not for `canonical`
  unsigned neighbourhood_errors = 0;  ///< substitutions looked for in it (e in the paper)
  std::vector<SeedLookup> places;     ///< by offset; a place's number is its order here; none with `kmers`

  /// Whether every alignment within the error bound is found. False only for what was asked for as heuristic.
  bool lossless = false;
  /// How that is known: "all 9,880 placements of 3 substitutions", "at most 5 errors in 3 disjoint parts ...".
  std::string proof;
  /// How many of the C(length, errors) placements of substitutions no place finds; empty where they are too many to
  /// be gone through or the model has insertions and deletions.
  std::optional<std::uint64_t> missed;

  /// Words looked up per read, both strands.
  GENOCL_EXPORT double look_ups() const;
  /// Entries of the index that a random reference of that size gives per read, both strands, before the neighbourhoods
  /// are compared, and after.
  GENOCL_EXPORT double expected_entries(std::uint64_t reference_bases) const;
  GENOCL_EXPORT double expected_candidates(std::uint64_t reference_bases) const;
};

struct PlanRequest {
  unsigned length = 0;
  unsigned errors = 0;
  Model model = Model::levenshtein;
  std::uint64_t reference_bases = 5'000'000;  ///< what the choice is made for
  Method method = Method::automatic;          ///< `automatic` is `canonical`
  std::optional<SeedMask> mask = {};          ///< of an index that is there already; without it the best is chosen
  unsigned neighbourhood = 8;                 ///< of the published methods
  /// The paper's parameters, asked for: patterns at every `shift` bases, neighbourhoods with up to that many
  /// substitutions (0, 1, 2). What they miss is in the plan.
  std::optional<unsigned> shift = {};
  std::optional<unsigned> neighbourhood_errors = {};
  bool heuristic = false;  ///< Allows plans that are not lossless where none is known that is.
};

/// The cheapest known plan. Throws InputError when none is known that is lossless (the message says up to which number
/// of errors there is one), unless `heuristic` is set or the parameters were asked for.
GENOCL_EXPORT Plan make_plan(const PlanRequest& request);

/// Whether the places find every set of `errors` substitutions: an exhaustive search that gives up after `effort`
/// steps. Empty when it gave up.
GENOCL_EXPORT std::optional<bool> finds_all_substitutions(const Plan& plan, std::uint64_t effort = 50'000'000);
/// How many of the C(length, errors) placements no place finds, one by one. Empty above `most` placements.
GENOCL_EXPORT std::optional<std::uint64_t> count_missed_substitutions(const Plan& plan,
                                                                      std::uint64_t most = 100'000'000);

}  // namespace genocl::marose
