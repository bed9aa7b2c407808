// HOMER: ">consensus<tab>name<tab>threshold...", then a row of four probabilities for each position.
#include <algorithm>
#include <cmath>

#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

/// The name is unique, the consensus is not.
Motif named(const TextLines& lines) {
  const std::string_view header = trimmed(lines.line().substr(1));
  const std::size_t tab = header.find('\t');
  if (tab == std::string_view::npos) {
    TwoNames names = two_names(header);
    if (names.first.empty()) lines.fail("a header without a name", "\">consensus<tab>name\"");
    return {std::move(names.first), std::move(names.rest), {}, 0, {}};
  }
  const std::string_view rest = header.substr(tab + 1);
  const std::string consensus(trimmed(header.substr(0, tab)));
  const std::string name(trimmed(rest.substr(0, rest.find('\t'))));
  Motif motif;
  motif.id = name.empty() ? consensus : name;
  if (!name.empty()) motif.alt_id = consensus;
  const std::size_t second = rest.find('\t');
  if (second != std::string_view::npos) {
    const std::string_view third = trimmed(rest.substr(second + 1, rest.find('\t', second + 1) - second - 1));
    if (is_numbers(third)) motif.threshold = lines.number(third);
  }
  return motif;
}

/// Probabilities become counts of the usual number of sites; counts stay.
void scale(Motif& motif) {
  const bool probabilities = std::ranges::all_of(motif.counts, [](const std::array<double, 4>& column) {
    return std::abs(column[0] + column[1] + column[2] + column[3] - 1) < 0.05;
  });
  if (!probabilities) return;
  motif.sites = usual_sites;
  for (std::array<double, 4>& column : motif.counts)
    for (double& value : column) value *= usual_sites;
}

}  // namespace

std::vector<Motif> parse_homer(TextLines& lines) {
  std::vector<Motif> motifs;
  std::size_t begin = 0;
  const auto finish = [&] {
    if (motifs.empty()) return;
    check_motif(lines, begin, motifs.back());
    scale(motifs.back());
  };
  while (lines.next_filled()) {
    if (lines.line().starts_with('#')) continue;
    if (lines.line().starts_with('>')) {
      finish();
      motifs.push_back(named(lines));
      begin = lines.line_number();
      continue;
    }
    if (motifs.empty()) lines.fail(in_quotes(lines.line()), "a header, \">consensus<tab>name\"");
    const std::vector<std::string_view> fields = fields_of(lines.line());
    if (fields.size() != 4)
      lines.fail("motif " + shown(motifs.back().id) + ": a row of " + std::to_string(fields.size()) + " numbers",
                 "four");
    motifs.back().counts.push_back(column_of(lines, fields, 0));
  }
  finish();
  return motifs;
}

}  // namespace genocl::pwm
