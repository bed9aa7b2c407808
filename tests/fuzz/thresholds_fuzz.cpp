// Any bytes as a table of thresholds of genocl-pwm: a score for each motif that the table names, or an InputError.
#include <cmath>

#include "fuzz.hpp"
#include "pwm/inputs.hpp"

void fuzz::check(std::string_view bytes) {
  static const std::vector<genocl::pwm::ScoreMatrix> matrices = {
      {"a", "", {{{1, 0, 0, 0}}}}, {"b", "", {{{1, 0, 0, 0}}}}, {"a b", "", {{{1, 0, 0, 0}}}}};
  const std::string path = written(bytes);
  reads(path, [&] {
    const std::vector<double> thresholds = program::read_thresholds(path, matrices);
    require(thresholds.size() == matrices.size(), "one for each matrix, which may be no number");
  });
}
