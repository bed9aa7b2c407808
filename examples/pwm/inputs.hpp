// Files that genocl-pwm reads beside sequences: motifs, backgrounds, thresholds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pwm/options.hpp"

namespace program {

/// Files may be compressed, "-" is standard input. Warns of motifs that were left out or repaired, and says, unless
/// `quiet`, which frequencies were taken for counts. Throws InputError for a motif of more columns than `longest`.
std::vector<pwm::Motif> read_motifs(const std::string& path, const MotifReading& reading, bool quiet = false,
                                    std::size_t longest = pwm::ScoreMatrix::longest);

/// Motifs of a file, and what it says of the background.
struct MotifCollection {
  std::vector<pwm::Motif> motifs;
  std::optional<pwm::Background> background;
};
/// Motifs of one name get different ones, "x", "x_2", "x_3", and a warning says so, unless `quiet`.
MotifCollection read_collection(const std::string& path, const MotifReading& reading, bool quiet);
/// Those whose id or second name is among `names`, in their order. Throws InputError for a name that none has.
void choose(std::vector<pwm::Motif>& motifs, const std::vector<std::string>& names, const std::string& file);

/// uniform, four numbers or a file; `motifs`: that of the motif file (InputError where it has none); `input`: the
/// letters of `texts`, both strands together (InputError where there are none, or one is standard input;
/// `replace_letters`: letters outside the alphabet are no error).
pwm::Background read_background(const MatrixSettings& settings, const MotifCollection& collection = {},
                                const std::vector<std::string>& texts = {}, bool replace_letters = false);

std::vector<pwm::ScoreMatrix> matrices_of(std::span<const pwm::Motif> motifs, const MatrixSettings& settings,
                                          const pwm::Background& background);

/// [matrix]: what a table of `motif_id score` says, or that of `genocl-pwm threshold`; no number where it says nothing.
/// Throws InputError when it names none of the matrices.
std::vector<double> read_thresholds(const std::string& path, std::span<const pwm::ScoreMatrix> matrices);

/// Gives each matrix its threshold for a probability; it is no number where no score qualifies.
std::vector<double> thresholds_for(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                                   double p, const pwm::PValueOptions& options);
/// The same by all members of the team, each for some of the matrices: everybody has all of them then.
std::vector<double> thresholds_by_team(std::span<const genocl::Device> devices,
                                       std::span<const pwm::ScoreMatrix> matrices, double p,
                                       const pwm::PValueOptions& options);

}  // namespace program
