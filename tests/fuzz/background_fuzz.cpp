// Any bytes as a background in MEME's format: probabilities, or an InputError.
#include <cmath>

#include "fuzz.hpp"
#include "genocl/pwm/background.hpp"

using fuzz::require;

namespace {

void check_background(const genocl::pwm::Background& background) {
  double sum = 0;
  for (const double frequency : background.frequencies()) {
    require(frequency > 0 && frequency <= 1, "frequencies are probabilities");
    sum += frequency;
  }
  require(std::abs(sum - 1) < 1e-9, "frequencies sum to one");
  require(background.order() <= 2, "the order is 0 to 2");
  const std::uint32_t words = 1u << 2 * background.order();
  for (std::uint32_t before = 0; before < words; ++before) {
    double all = 0;
    for (genocl::Code letter = 0; letter < 4; ++letter) all += background.conditional(before, letter);
    require(std::abs(all - 1) < 1e-9, "some letter follows every word");
    require(background.start(before) >= 0 && background.start(before) <= 1 + 1e-9, "a word's begin has a probability");
  }
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  const std::string file = "background.txt";
  reads(file, [&] {
    const auto background = genocl::pwm::Background::parse(bytes, file);
    check_background(background);
    check_background(background.reverse_complement());
  });
}
