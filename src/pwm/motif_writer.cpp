// Writers of motif files.

#include "genocl/pwm/motif_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>

#include "genocl/error.hpp"
#include "genocl/pwm/enrichment.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

using Column = std::array<double, 4>;

constexpr std::string_view bases = "ACGT";
constexpr std::array<std::string_view, 10> format_names = {"jaspar",   "meme", "transfac", "homer", "cisbp",
                                                           "uniprobe", "pcm",  "pfm",      "pwm",   "consensus"};

double total_of(const Column& column) { return std::accumulate(column.begin(), column.end(), 0.0); }

double largest_sum(const Motif& motif) {
  double largest = 0;
  for (const Column& column : motif.counts) largest = std::max(largest, total_of(column));
  return largest;
}

std::string number_as(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Integers of the same sum as the column, rounded: the largest remainders are rounded up.
Column rounded_column(const Column& column) {
  Column result{}, remainder{};
  for (std::size_t i = 0; i < 4; ++i) {
    result[i] = std::floor(column[i]);
    remainder[i] = column[i] - result[i];
  }
  for (long left = std::lround(total_of(column) - total_of(result)); left > 0; --left) {
    const auto largest = std::ranges::max_element(remainder);
    ++result[static_cast<std::size_t>(largest - remainder.begin())];
    *largest = -1;
  }
  return result;
}

/// The counts as they are written, see format_motifs().
std::vector<Column> written_counts(const Motif& motif) {
  const double total = largest_sum(motif);
  const double tolerance = motif.sites > 0 ? std::min(0.01, 1e-6 * total) : 0;
  const bool integers = std::ranges::all_of(motif.counts, [tolerance](const Column& column) {
    return std::ranges::all_of(column,
                               [tolerance](double value) { return std::abs(value - std::round(value)) <= tolerance; });
  });
  std::vector<Column> counts = motif.counts;
  if (integers)
    for (Column& column : counts)
      for (double& value : column) value = std::round(value);
  else if (std::abs(total - 100) <= 2)
    for (Column& column : counts) column = rounded_column(column);
  return counts;
}

std::vector<Column> probabilities_of(const Motif& motif) {
  std::vector<Column> result = motif.counts;
  for (Column& column : result) {
    const double sum = total_of(column);
    for (double& value : column) value /= sum;
  }
  return result;
}

/// HOMER's motifs have no probability below 0.001.
std::vector<Column> homer_probabilities(const Motif& motif) {
  constexpr double lowest = 0.001;
  std::vector<Column> result = probabilities_of(motif);
  for (Column& column : result) {
    double raised = 0, others = 0;
    for (double& value : column) {
      if (value < lowest) {
        value = lowest;
        raised += lowest;
      } else {
        others += value;
      }
    }
    if (raised == 0) continue;
    for (double& value : column)
      if (value > lowest) value *= (1 - raised) / others;
  }
  return result;
}

/// HOCOMOCO: ln((count + a / 4) / (sum + a) / (1 / 4)).
std::vector<Column> log_odds_of(const Motif& motif, const std::optional<double>& pseudocount) {
  std::vector<Column> result = motif.counts;
  for (Column& column : result) {
    const double sum = total_of(column), added = pseudocount.value_or(std::max(1e-3, std::log(sum)));
    for (double& value : column) value = std::log((value + added / 4) / (sum + added) * 4);
  }
  return result;
}

/// @param blanks  may be part of the name
std::string name_text(std::string_view name, bool blanks) {
  std::string text(name);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || (c == ' ' && !blanks)) c = blanks ? ' ' : '_';
  return text;
}

/// "id alt_id", with a blank or a tab between. `blanks`: in alt_id.
std::string names_text(const Motif& motif, char separator, bool blanks = true) {
  std::string text = name_text(motif.id, false);
  if (!motif.alt_id.empty()) text += separator + name_text(motif.alt_id, blanks);
  return text;
}

/// One position in each row.
void append_rows(std::string& text, const std::vector<Column>& columns, const char* format, bool numbered = false) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (numbered) text += std::to_string(i + 1) + '\t';
    for (std::size_t letter = 0; letter < 4; ++letter)
      text += number_as(format, columns[i][letter]) + (letter < 3 ? '\t' : '\n');
  }
}

void append_jaspar(std::string& text, const Motif& motif) {
  text += '>' + names_text(motif, '\t') + '\n';
  const std::vector<Column> counts = written_counts(motif);
  for (std::size_t letter = 0; letter < 4; ++letter) {
    text += std::string(1, bases[letter]) + "  [";
    for (const Column& column : counts) text += ' ' + number_as("%6.9g", column[letter]);
    text += " ]\n";
  }
}

std::string meme_header(const Background& background) {
  std::string text = "MEME version 5\n\nALPHABET= ACGT\n\nstrands: + -\n\nBackground letter frequencies\n";
  for (std::size_t letter = 0; letter < 4; ++letter)
    text += (letter > 0 ? " " : "") + std::string(1, bases[letter]) + ' ' +
            number_as("%.9g", background.frequencies()[letter]);
  return text + '\n';
}

void append_meme(std::string& text, const Motif& motif) {
  const double sites = std::max(1.0, std::round(motif.sites > 0 ? motif.sites : largest_sum(motif)));
  text += "\nMOTIF " + names_text(motif, ' ') +
          "\nletter-probability matrix: alength= 4 w= " + std::to_string(motif.length()) +
          " nsites= " + number_as("%.0f", sites) + " E= 0\n";
  append_rows(text, probabilities_of(motif), " %.9f");
}

void append_transfac(std::string& text, const Motif& motif) {
  text += "AC  " + name_text(motif.id, false) + "\nXX\n";
  if (!motif.alt_id.empty()) text += "ID  " + name_text(motif.alt_id, true) + "\nXX\n";
  text += "P0      A      C      G      T\n";
  const std::vector<Column> counts = written_counts(motif);
  const std::string letters = degenerate_consensus(motif);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += (i < 9 ? "0" : "") + std::to_string(i + 1);
    for (const double value : counts[i]) text += ' ' + number_as("%6.9g", value);
    text += std::string("      ") + letters[i] + '\n';
  }
  text += "XX\n//\n";
}

void append_homer(std::string& text, const Motif& motif) {
  if (!motif.threshold) throw InputError("motif " + shown(motif.id) + " has no threshold, which HOMER's format needs");
  const std::string letters = consensus(motif);
  // The name is HOMER's: "factor/source".
  const bool named = !motif.alt_id.empty() && motif.alt_id != letters && motif.alt_id != motif.id;
  text += '>' + letters + '\t' + name_text(named ? motif.alt_id + '/' + motif.id : motif.id, true) + '\t' +
          number_as("%.9g", *motif.threshold) + '\n';
  append_rows(text, homer_probabilities(motif), "%.9g");
}

void append_cisbp(std::string& text, const Motif& motif) {
  const std::string id = name_text(motif.id, true);
  text += "TF\t" + id + '\n';
  if (!motif.alt_id.empty()) text += "TF Name\t" + name_text(motif.alt_id, false) + '\n';
  text += "Motif\t" + id + "\nPos\tA\tC\tG\tT\n";
  append_rows(text, probabilities_of(motif), "%.9g", true);
  text += '\n';
}

void append_uniprobe(std::string& text, const Motif& motif) {
  text += "Protein: " + name_text(motif.id, true) + '\n';
  const std::vector<Column> columns = probabilities_of(motif);
  for (std::size_t letter = 0; letter < 4; ++letter) {
    text += std::string(1, bases[letter]) + ':';
    for (const Column& column : columns) text += '\t' + number_as("%.9g", column[letter]);
    text += '\n';
  }
  text += '\n';
}

void append_consensus(std::string& text, const Motif& motif) {
  if (motif.length() < 3)
    throw InputError("motif " + shown(motif.id) + " has " + std::to_string(motif.length()) +
                     " columns; a file of consensus words needs 3 or more");
  text += degenerate_consensus(motif) + ' ' + name_text(motif.id, true) + '\n';
}

void append_motif(std::string& text, const Motif& motif, MotifFileFormat format, const MotifFileOptions& options) {
  switch (format) {
    case MotifFileFormat::jaspar:
      return append_jaspar(text, motif);
    case MotifFileFormat::meme:
      return append_meme(text, motif);
    case MotifFileFormat::transfac:
      return append_transfac(text, motif);
    case MotifFileFormat::homer:
      return append_homer(text, motif);
    case MotifFileFormat::cisbp:
      return append_cisbp(text, motif);
    case MotifFileFormat::uniprobe:
      return append_uniprobe(text, motif);
    case MotifFileFormat::consensus:
      return append_consensus(text, motif);
    case MotifFileFormat::pcm:
    case MotifFileFormat::pfm:
    case MotifFileFormat::pwm:
      // A third word that is a number would be a threshold.
      text += '>' + names_text(motif, ' ', false) + '\n';
      append_rows(text,
                  format == MotifFileFormat::pcm   ? written_counts(motif)
                  : format == MotifFileFormat::pfm ? probabilities_of(motif)
                                                   : log_odds_of(motif, options.pseudocount),
                  format == MotifFileFormat::pwm ? "%.12g" : "%.9g");
  }
}

void check_columns(const Motif& motif) {
  if (motif.counts.empty()) throw InputError("motif " + shown(motif.id) + " has no columns");
  for (std::size_t i = 0; i < motif.length(); ++i)
    if (!(total_of(motif.counts[i]) > 0))
      throw InputError("motif " + shown(motif.id) + ": column " + std::to_string(i + 1) + " has no counts");
}

}  // namespace

std::string_view to_string(MotifFileFormat format) noexcept { return format_names[static_cast<std::size_t>(format)]; }

MotifFileFormat motif_file_format_named(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == format_names.end())
    throw InputError("format of motifs", {}, in_quotes(name), "jaspar, meme, transfac, ...");
  return static_cast<MotifFileFormat>(found - format_names.begin());
}

std::string degenerate_consensus(const Motif& motif) {
  std::string word;
  for (const Column& column : motif.counts) {
    std::array<std::size_t, 4> order = {0, 1, 2, 3};
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t base) { return column[base]; });
    const double first = column[order[0]], second = column[order[1]], sum = total_of(column);
    const std::size_t number = 2 * first > sum && first > 2 * second ? 1
                               : 4 * (first + second) > 3 * sum      ? 2
                               : column[order[3]] == 0               ? 3
                                                                     : 4;
    unsigned set = 0;
    for (std::size_t i = 0; i < number; ++i) set |= 1U << order[i];
    word += letter_of_bases(set);
  }
  return word;
}

std::string format_motifs(std::span<const Motif> motifs, MotifFileFormat format, const MotifFileOptions& options) {
  if (options.pseudocount && !(*options.pseudocount > 0))
    throw InputError("a pseudocount of " + number_as("%g", *options.pseudocount) +
                     ", which makes scores of letters without counts infinite");
  std::string text;
  if (format == MotifFileFormat::meme) text = meme_header(options.background);
  for (const Motif& motif : motifs) {
    check_columns(motif);
    append_motif(text, motif, format, options);
  }
  return text;
}

}  // namespace genocl::pwm
