// The page of genocl-pwm enrich: one file of HTML with the table and the logos.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "genocl/version.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

constexpr std::string_view style = R"(
body { font-family: Helvetica, Arial, sans-serif; margin: 2em; color: #222; }
h1 { font-size: 1.4em; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0.2em 1em; }
dt { color: #666; }
dd { margin: 0; }
table { border-collapse: collapse; margin-top: 1em; }
th { text-align: left; border-bottom: 2px solid #888; position: sticky; top: 0; background: white; }
th, td { padding: 0.3em 0.8em; white-space: nowrap; }
td { border-bottom: 1px solid #ddd; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.name { white-space: normal; max-width: 16em; overflow-wrap: break-word; }
small { color: #666; }
)";

std::string escaped(std::string_view text) { return svg_escaped(text); }

std::string term(std::string_view name, std::string_view value) {
  return "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
}

std::string set_text(std::uint64_t count, double mean_length) {
  return std::to_string(count) + ", " + formatted("%.1f", mean_length) + " letters on average";
}

std::string control_text(const EnrichSettings& settings, const EnrichmentReport& report) {
  const std::string size = "; " + set_text(report.controls, report.control_length);
  const std::string seed = ", seed " + std::to_string(settings.seed.value_or(1));
  if (settings.background == "shuffled")
    return "shuffled sequences with the same words of " + std::to_string(settings.kmer.value_or(2)) + " letters" +
           seed + size;
  if (settings.background == "matched")
    return "pieces of " + settings.genome + " with the same lengths and GC contents" + seed + size;
  return settings.background + size;
}

std::string header(const EnrichSettings& settings, const EnrichmentReport& report) {
  std::string limits = "E-value at most " + formatted("%g", settings.evalue);
  if (settings.q_threshold) limits += ", q-value at most " + formatted("%g", *settings.q_threshold);
  return "<dl>\n" + term("Motifs", settings.motifs + "; " + std::to_string(report.motifs.size()) + " tested") +
         term("Sequences", settings.sequences + "; " + set_text(report.sequences, report.sequence_length)) +
         term("Controls", control_text(settings, report)) +
         term("Hit", "best word with P at most " + p_text(settings.hit_p()) +
                         (settings.strands == pwm::Strands::both ? ", on either strand" : ", on one strand")) +
         term("Test", settings.test == "fisher" ? "Fisher's exact test, one-sided"
                                                : "rank-sum test of the best scores, one-sided") +
         term("Rows", std::to_string(report.rows.size()) + " with " + limits) +
         term("Program", "genocl enrich " GENOCL_VERSION) + "</dl>\n";
}

/// Two bars: the fractions of sequences and of controls with a hit.
std::string bars(double of_sequences, double of_controls) {
  constexpr double width = 100;
  const auto bar = [&](const char* colour, double share, const char* y) {
    return "<rect fill=\"" + std::string(colour) + "\" x=\"0\" y=\"" + y + "\" width=\"" + svg_number(width * share) +
           "\" height=\"8\"/>";
  };
  return "<svg width=\"100\" height=\"20\">" + bar("#2c5fb3", of_sequences, "1") + bar("#bbb", of_controls, "11") +
         "</svg>";
}

std::string row_text(const EnrichmentReport& report, const pwm::MotifEnrichment& row, std::size_t rank) {
  const pwm::Motif& motif = report.motifs[row.motif];
  const double sequences = static_cast<double>(row.true_positives) / static_cast<double>(report.sequences),
               controls = static_cast<double>(row.false_positives) / static_cast<double>(report.controls);
  const auto number = [](const std::string& text) { return "<td class=\"number\">" + text + "</td>"; };
  const auto count = [&](std::uint64_t hits, double share) {
    return number(std::to_string(hits) + " <small>" + formatted("%.1f", 100 * share) + "%</small>");
  };
  return "<tr>" + number(std::to_string(rank)) + "<td class=\"name\">" +
         escaped(motif.alt_id.empty() ? motif.id : motif.alt_id) +
         (motif.alt_id.empty() ? "" : "<br/><small>" + escaped(motif.id) + "</small>") + "</td><td>" +
         small_logo(motif) + "</td>" + number(exponent_text(row.log_p)) + number(exponent_text(row.log_e)) +
         number(exponent_text(row.log_q)) + count(row.true_positives, sequences) +
         count(row.false_positives, controls) + "<td>" + bars(sequences, controls) + "</td>" +
         number(formatted("%.3g", row.ratio)) + number(formatted("%.3g", row.threshold)) + "</tr>\n";
}

}  // namespace

std::string enrichment_page(const EnrichSettings& settings, const EnrichmentReport& report) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>Motif enrichment: " +
      escaped(settings.sequences) + "</title>\n<style>" + std::string(style) +
      "</style>\n</head>\n<body>\n<h1>Motif enrichment</h1>\n" + logo_letters() + header(settings, report);
  page +=
      "<table>\n<thead><tr><th class=\"number\">Rank</th><th>Motif</th><th>Logo</th><th class=\"number\">P-value</th>"
      "<th class=\"number\">E-value</th><th class=\"number\">q-value</th><th class=\"number\">Sequences</th>"
      "<th class=\"number\">Controls</th><th>With a hit</th><th class=\"number\">Enrichment</th>"
      "<th class=\"number\">Threshold</th></tr></thead>\n<tbody>\n";
  std::size_t rank = 0;
  for (const pwm::MotifEnrichment& row : report.rows) page += row_text(report, row, ++rank);
  return page + "</tbody>\n</table>\n</body>\n</html>\n";
}

}  // namespace program
