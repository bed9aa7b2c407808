// Hits are written in one of these formats.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "genocl/pwm.hpp"

namespace program {

/// A hit as it is written.
struct HitLine {
  const genocl::pwm::ScoreMatrix& matrix;
  std::string_view sequence_name;
  std::uint64_t begin = 0;  ///< of the sequence, from 0
  bool reverse = false;
  double score = 0;
  std::string_view letters;  ///< in the motif's direction
  double p = 1, q = -1;      ///< q below 0: not asked for
};

class HitFormat {
 public:
  virtual ~HitFormat() = default;
  virtual std::string header() const = 0;
  /// Any thread may call it.
  virtual void append(std::string& to, const HitLine& line) const = 0;
};

/// `name` is tsv, bed or gff3.
std::unique_ptr<HitFormat> hit_format(std::string_view name);

}  // namespace program
