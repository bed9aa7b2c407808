// Finds the motif that is enriched in sequences against shuffled ones, as genocl-pwm enrich does.
#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::vector<pwm::Motif> motifs = pwm::parse_motifs("AGATAAG gata\nCACGTG ebox\n", "motifs.txt");

  // 100 random sequences of 200 letters, every second one with a site of the first motif.
  std::mt19937 random(7);
  SequenceSet peaks(Alphabet::dna);
  for (int i = 0; i < 100; ++i) {
    std::string letters;
    for (int at = 0; at < 200; ++at) letters += "ACGT"[random() % 4];
    if (i % 2 == 0) letters.replace(random() % 190, 7, "AGATAAG");
    peaks.append_letters("peak" + std::to_string(i + 1), letters);
  }

  const SequenceSet controls = pwm::shuffled(peaks, {.kmer = 2, .copies = 5, .seed = 1});
  const std::vector<pwm::MotifEnrichment> rows =
      pwm::enrichment(Device::pick(), motifs, peaks, controls, {.p_value = 1e-3});
  for (const pwm::MotifEnrichment& row : rows)
    std::cout << motifs[row.motif].id << ' ' << pwm::consensus(motifs[row.motif]) << ' ' << row.true_positives << " of "
              << peaks.size() << ", " << row.false_positives << " of " << controls.size() << ", q "
              << std::exp(row.log_q) << '\n';
  return rows[0].motif == 0 && rows[0].log_q < std::log(1e-6) && rows[1].log_q > std::log(0.01) ? 0 : 1;
}
