// Finds all hits of a motif with a P-value of at most 1e-3, on both strands.
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::vector<pwm::Motif> motifs = pwm::parse_motifs(
      ">M1 box\nA [ 1 17 1 17 17 17 ]\nC [ 1 1 1 1 1 1 ]\nG [ 1 1 1 1 1 1 ]\nT [ 17 1 17 1 1 1 ]\n", "motifs.jaspar");
  SequenceSet text(Alphabet::dna);
  text.append_letters("promoter", "GGGCGCTATAAAGGCGCGTTTATAGCGC");
  const std::vector<Device> devices{Device::pick()};
  std::vector<std::uint64_t> places;
  pwm::scan(devices, motifs, text, {.p_value = 1e-3}, [&](std::span<const pwm::MotifHit> hits) {
    for (const pwm::MotifHit& one : hits) {
      std::cout << text.name(one.hit.record) << ':' << one.hit.position + 1 << (one.hit.reverse ? " - " : " + ")
                << one.hit.score << ", P = " << one.p.high << "\n";
      places.push_back(one.hit.position);
    }
  });
  return places == std::vector<std::uint64_t>{6, 18} ? 0 : 1;
}
