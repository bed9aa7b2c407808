// Input files of genocl-pwm other than sequences: motifs, backgrounds, thresholds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pwm/options.hpp"

namespace program {

/// Reads motifs from a file, which may be compressed; "-" is standard input. Warns of motifs that were omitted or
/// repaired. Unless `quiet`, notes which frequencies were converted to counts. Throws InputError for a motif of more
/// columns than `longest`.
std::vector<pwm::Motif> read_motifs(const std::string& path, const MotifReading& reading, bool quiet = false,
                                    std::size_t longest = pwm::ScoreMatrix::longest);

/// The motifs and the background of a file.
struct MotifCollection {
  std::vector<pwm::Motif> motifs;
  std::optional<pwm::Background> background;
};
/// Makes the names of motifs unique: "x", "x_2", "x_3". Warns unless `quiet`.
MotifCollection read_collection(const std::string& path, const MotifReading& reading, bool quiet);
/// Returns the motifs whose id or second name is in `names`, in their order. Throws InputError for a name without a
/// motif.
void choose(std::vector<pwm::Motif>& motifs, const std::vector<std::string>& names, const std::string& file);

/// Returns a background: uniform, four numbers or a file; `motifs`: that of the motif file (InputError if it has none);
/// `input`: the frequencies of `texts` on both strands together (InputError without texts and for standard input).
/// `replace_letters`: accept letters outside the alphabet.
pwm::Background read_background(const MatrixSettings& settings, const MotifCollection& collection = {},
                                const std::vector<std::string>& texts = {}, bool replace_letters = false);

std::vector<pwm::ScoreMatrix> matrices_of(std::span<const pwm::Motif> motifs, const MatrixSettings& settings,
                                          const pwm::Background& background);

/// Returns the threshold of each matrix from a table of `motif_id score` or of `genocl-pwm threshold`; NaN for matrices
/// that the table lacks. Throws InputError if it has none of the matrices.
std::vector<double> read_thresholds(const std::string& path, std::span<const pwm::ScoreMatrix> matrices);

/// Computes the threshold of each matrix for a P-value; NaN if no score reaches it.
std::vector<double> thresholds_for(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                                   double p, const pwm::PValueOptions& options);
/// The same, divided among the members of the team. All members get all thresholds.
std::vector<double> thresholds_by_team(std::span<const genocl::Device> devices,
                                       std::span<const pwm::ScoreMatrix> matrices, double p,
                                       const pwm::PValueOptions& options);

}  // namespace program
