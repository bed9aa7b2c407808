// Scans a sequence for a motif and prints the hits as BED, as genocl-pwm scan does.
#include <iostream>
#include <string>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::vector<pwm::Motif> motifs = pwm::parse_motifs(
      ">M1 box\nA [ 1 17 1 17 17 17 ]\nC [ 1 1 1 1 1 1 ]\nG [ 1 1 1 1 1 1 ]\nT [ 17 1 17 1 1 1 ]\n", "motifs.jaspar");
  SequenceSet sequences(Alphabet::dna);
  sequences.append_letters("promoter", "GGGCGCTATAAAGGCGCGTTTATAGCGC");

  const pwm::HitFormatter formatter(pwm::Format::bed);
  std::string text = formatter.header();
  pwm::scan(Device::pick(), motifs, sequences, {.p_value = 1e-3}, [&](std::span<const pwm::MotifHit> hits) {
    for (const pwm::MotifHit& hit : hits) formatter.append(sequences, motifs, hit, text);
  });
  std::cout << text;
  return text.starts_with("promoter\t6\t12\tM1\t") && text.ends_with("\t-\n") ? 0 : 1;
}
