// Motifs as letters: aligned sites (FASTA, A3M, JASPAR's .sites, a site per line) and IUPAC consensus. MEME's
// sites2meme and iupac2meme count in the same way: a letter for several bases is shared out between them in equal
// parts.
#include <algorithm>
#include <cctype>
#include <optional>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

constexpr const char* expected_letter = "a nucleotide code, or - for a gap";

bool is_gap(char c) { return c == '-' || c == '.'; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

struct Site {
  std::string name, letters;
  std::size_t line = 0;
};

/// Throws InputError for a letter that is no nucleotide code.
void check_letters(const TextLines& lines, std::string_view letters) {
  for (const char c : letters)
    if (!is_gap(c) && dna::encode(c) == invalid_code)
      lines.fail(in_quotes(letters) + ": " + in_quotes(std::string(1, c)), expected_letter);
}

/// Adds the letters of one site to existing columns, with weight `sites`.
void count_letters(std::string_view letters, double sites, Motif& motif) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const unsigned bases = dna::bases_table[is_gap(letters[i]) ? dna::unknown : dna::encode(letters[i])];
    double number = 0;
    for (unsigned base = 0; base < 4; ++base) number += (bases >> base) & 1U;
    for (unsigned base = 0; base < 4; ++base)
      if (((bases >> base) & 1U) != 0) motif.counts[i][base] += sites / number;
  }
}

/// A motif of sites of one length.
void add_sites(const TextLines& lines, MotifList& motifs, const std::vector<Site>& sites, std::string id) {
  Motif motif;
  motif.id = std::move(id);
  motif.counts.resize(sites.front().letters.size());
  for (const Site& site : sites) {
    if (site.letters.size() != motif.length())
      lines.fail_at(site.line,
                    (site.name.empty() ? std::string("a site") : "site " + shown(site.name)) + " of " +
                        std::to_string(site.letters.size()) + " letters",
                    std::to_string(motif.length()) + ", as the first one has");
    count_letters(site.letters, 1, motif);
  }
  motifs.add_sites(sites.front().line, std::move(motif), std::to_string(sites.size()) + " aligned sites");
}

void add_consensus(MotifList& motifs, const Site& site) {
  Motif motif;
  motif.id = site.name.empty() ? site.letters : site.name;
  if (!site.name.empty()) motif.alt_id = site.letters;
  motif.sites = usual_sites;
  motif.counts.resize(site.letters.size());
  count_letters(site.letters, usual_sites, motif);
  motifs.add_sites(site.line, std::move(motif), "an IUPAC consensus, as 20 sites");
}

/// The whole text is one alignment.
void parse_fasta(TextLines& lines, MotifList& motifs) {
  std::vector<Site> sites;
  bool upper = false, lower = false;
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with('>')) {
      sites.push_back({two_names(line.substr(1)).first, {}, lines.line_number()});
      continue;
    }
    if (sites.empty()) continue;  // comments
    check_letters(lines, line);
    sites.back().letters += line;
    for (const char c : line) {
      lower = lower || is_lower(c);
      upper = upper || (!is_lower(c) && !is_gap(c));
    }
  }
  if (sites.size() < 2)
    lines.fail_at(sites.front().line, "one record, " + shown(sites.front().name), "two aligned sites at least");
  // Lower case: insertions in A3M, flanks in JASPAR's .sites.
  if (upper && lower)
    for (Site& site : sites) std::erase_if(site.letters, [](char c) { return is_lower(c) || c == '.'; });
  if (sites.front().letters.empty())
    lines.fail_at(sites.front().line, "site " + shown(sites.front().name) + " without letters", "aligned sites");
  add_sites(lines, motifs, sites, name_of_file(lines.file()));
}

/// Lines up to an empty one: one motif of several sites, or a consensus in each.
void add_block(const TextLines& lines, MotifList& motifs, const std::vector<Site>& sites, std::size_t& number) {
  if (sites.empty()) return;
  const bool named = std::ranges::all_of(sites, [](const Site& site) { return !site.name.empty(); });
  if (sites.size() > 1 && !named) {
    std::string id = name_of_file(lines.file());
    if (++number > 1) id += "_" + std::to_string(number);
    add_sites(lines, motifs, sites, std::move(id));
    return;
  }
  for (const Site& site : sites) add_consensus(motifs, site);
}

}  // namespace

bool is_site(std::string_view line, std::size_t min_letters) {
  const TwoNames words = two_names(line);
  return words.first.size() >= min_letters &&
         std::ranges::all_of(words.first, [](char c) { return is_gap(c) || dna::encode(c) != invalid_code; }) &&
         std::ranges::any_of(words.first, [](char c) { return !is_gap(c); });
}

void parse_sites(TextLines& lines, MotifList& motifs) {
  std::vector<Site> block;
  std::size_t number = 0;
  for (TextLines::Mark begin = lines.mark(); lines.next();) {
    const std::string_view line = lines.line();
    if (line.starts_with('>') && block.empty()) {
      lines.back_to(begin);
      return parse_fasta(lines, motifs);
    }
    if (line.empty()) {
      add_block(lines, motifs, block, number);
      block.clear();
    } else if (!line.starts_with('#')) {
      TwoNames words = two_names(line);
      check_letters(lines, words.first);
      block.push_back({std::move(words.rest), std::move(words.first), lines.line_number()});
    }
    begin = lines.mark();
  }
  add_block(lines, motifs, block, number);
}

}  // namespace genocl::pwm
