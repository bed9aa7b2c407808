// Computes the score threshold for a P-value of 1e-3, with proved bounds of the P-value.
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  pwm::Motif motif{.id = "M1",
                   .alt_id = "box",
                   .counts = {{1, 1, 1, 17}, {17, 1, 1, 1}, {1, 1, 1, 17}, {17, 1, 1, 1}, {17, 1, 1, 1}}};
  motif.sites = 20;
  const pwm::ScoreMatrix matrix = pwm::log_odds(motif, {.pseudocount = 1});
  const pwm::Threshold threshold = pwm::threshold(Device::pick(), matrix, 1e-3);
  std::cout << "score " << threshold.score << ": P between " << threshold.p.low << " and " << threshold.p.high << ", "
            << threshold.p.words.value_or(0) << " word of 1024\n";
  return threshold.p.exact && threshold.p.words == 1 && threshold.p.high <= 1e-3 ? 0 : 1;
}
