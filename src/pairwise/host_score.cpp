// The score of a pair on the host, with vectors in stripes along the query (Farrar 2007): row r is element r % segments
// of lane r / segments. Computes in 16 bits, and again in 32 bits if the score does not fit.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "genocl/error.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::pairwise {
namespace {

template <class Value>
class Stripes {
 public:
  Stripes(std::span<const Code> query, const HostScoring& scoring)
      : query_(query),
        scoring_(scoring),
        segments_((query.size() + lanes - 1) / lanes),
        first_(splat(scoring.gap_first)),
        extend_(splat(scoring.gap_extend)),
        h_(segments_, Kept{Vector{}}),
        before_(segments_, Kept{Vector{}}),
        e_(segments_, Kept{splat(-scoring.gap_first)}) {}

  /// Empty if a value might exceed a lane.
  std::optional<std::int32_t> score(std::span<const Code> subject) {
    const std::int32_t highest_score = scoring_.highest();
    const std::int32_t limit = std::numeric_limits<Value>::max() - std::max(0, highest_score);
    if (scoring_.lowest() < pad || scoring_.gap_first > -pad) return {};
    Vector best{};
    for (const Code letter : subject) {
      compute_column(profile(letter), best);
      if (highest(best) > limit) return {};
    }
    return highest(best);
  }

 private:
  static constexpr std::size_t bytes = 16, lanes = bytes / sizeof(Value);
  typedef Value Vector __attribute__((vector_size(bytes)));
  /// Templates ignore the attributes of a bare vector type.
  struct Kept {
    Vector lanes;
  };
  /// The score of a row after the query: no alignment continues there.
  static constexpr std::int32_t pad = std::numeric_limits<Value>::min() / 2;

  static Vector splat(std::int32_t value) { return Vector{} + static_cast<Value>(value); }
  static Vector highest_of(const Vector& a, const Vector& b) { return a > b ? a : b; }
  /// Returns whether any lane of `a` exceeds that of `b`.
  static bool any_above(const Vector& a, const Vector& b) {
    const auto above = a > b;
    std::uint64_t halves[2];
    std::memcpy(halves, &above, sizeof halves);
    return (halves[0] | halves[1]) != 0;
  }
  static std::int32_t highest(const Vector& vector) {
    Value values[lanes];
    std::memcpy(values, &vector, sizeof values);
    return *std::max_element(values, values + lanes);
  }
  /// Moves each lane to the next one.
  static Vector shifted(const Vector& vector, std::int32_t into_first) {
    Value values[lanes + 1];
    values[0] = static_cast<Value>(into_first);
    std::memcpy(values + 1, &vector, sizeof vector);
    Vector result;
    std::memcpy(&result, values, sizeof result);
    return result;
  }

  const std::vector<Kept>& profile(Code letter) {
    std::vector<Kept>& scores = profiles_[letter];
    if (!scores.empty()) return scores;
    scores.resize(segments_);
    for (std::size_t k = 0; k < segments_; ++k) {
      Value values[lanes];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t row = lane * segments_ + k;
        values[lane] = static_cast<Value>(row < query_.size() ? scoring_.of_row(row, query_[row], letter) : pad);
      }
      std::memcpy(&scores[k].lanes, values, sizeof values);
    }
    return scores;
  }

  void compute_column(const std::vector<Kept>& scores, Vector& best) {
    std::swap(h_, before_);
    const Vector nothing = splat(-scoring_.gap_first);  // of a gap: no more than opening one at 0
    Vector diagonal = shifted(before_.back().lanes, 0), f = nothing;
    for (std::size_t k = 0; k < segments_; ++k) {
      Vector value = highest_of(diagonal + scores[k].lanes, e_[k].lanes);
      value = highest_of(highest_of(value, f), Vector{});
      best = highest_of(best, value);
      h_[k].lanes = value;
      const Vector opened = value - first_;
      e_[k].lanes = highest_of(e_[k].lanes - extend_, opened);
      f = highest_of(f - extend_, opened);
      diagonal = before_[k].lanes;
    }
    // F continues into the next lane while it exceeds a gap that opens there.
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      f = shifted(f, -scoring_.gap_first);
      for (std::size_t k = 0; k < segments_; ++k) {
        const Vector known = h_[k].lanes - first_;  // already in the rows below
        h_[k].lanes = highest_of(h_[k].lanes, f);
        e_[k].lanes = highest_of(e_[k].lanes, h_[k].lanes - first_);
        f = highest_of(f - extend_, nothing);
        if (!any_above(f, known)) return;
      }
    }
  }

  std::span<const Code> query_;
  const HostScoring& scoring_;
  std::size_t segments_;
  Vector first_, extend_;
  std::vector<Kept> h_, before_, e_;
  std::array<std::vector<Kept>, HostScoring::codes> profiles_;
};

}  // namespace

std::int32_t score_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring) {
  if (query.empty() || subject.empty()) return 0;
  if (const auto narrow = Stripes<std::int16_t>(query, scoring).score(subject)) return *narrow;
  if (const auto wide = Stripes<std::int32_t>(query, scoring).score(subject)) return *wide;
  throw Error("a score on the host that 32 bits do not hold");
}

}  // namespace genocl::pairwise
