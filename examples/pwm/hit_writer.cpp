#include "pwm/hit_writer.hpp"

#include <algorithm>
#include <cmath>

#include "pwm/numbers.hpp"

namespace program {
namespace {

/// A header line may have no name.
std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

/// Gives the score that tracks of genome browsers have: 0 to 1000, the higher the rarer.
double rarity(double p) { return std::min(1000.0, p > 0 ? -10 * std::log10(p) : 1000.0); }

/// Writes FIMO's columns.
class Table : public HitFormat {
 public:
  std::string header() const override {
    return "motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp_value\tq_value\tmatched_sequence\n";
  }
  void append(std::string& to, const HitLine& line) const override {
    const StoredHit& hit = line.hit;
    to.append(line.matrix.id()).append("\t").append(line.matrix.alt_id()).append("\t");
    to.append(or_star(line.sequence_name)).append("\t").append(std::to_string(hit.position + 1)).append("\t");
    to.append(std::to_string(hit.position + line.matrix.length())).append(hit.reverse ? "\t-\t" : "\t+\t");
    to.append(score_text(hit.score)).append("\t").append(p_text(line.p)).append("\t");
    if (line.q >= 0) to.append(p_text(line.q));
    to.append("\t").append(hit.letters).append("\n");
  }
};

class Bed : public HitFormat {
 public:
  std::string header() const override { return {}; }
  void append(std::string& to, const HitLine& line) const override {
    const StoredHit& hit = line.hit;
    to.append(or_star(line.sequence_name)).append("\t").append(std::to_string(hit.position)).append("\t");
    to.append(std::to_string(hit.position + line.matrix.length())).append("\t").append(line.matrix.id());
    to.append("\t").append(formatted("%.0f", rarity(line.p))).append(hit.reverse ? "\t-\n" : "\t+\n");
  }
};

/// What has a meaning in the ninth column, and control characters, as %XX.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127 || c == ';' || c == '=' || c == '&' || c == ',' || c == '%')
      result += formatted("%%%02X", static_cast<unsigned>(byte));
    else
      result += c;
  }
  return result;
}

class Gff3 : public HitFormat {
 public:
  std::string header() const override { return "##gff-version 3\n"; }
  void append(std::string& to, const HitLine& line) const override {
    const StoredHit& hit = line.hit;
    to.append(or_star(line.sequence_name)).append("\tgenocl-pwm\tnucleotide_motif\t");
    to.append(std::to_string(hit.position + 1)).append("\t");
    to.append(std::to_string(hit.position + line.matrix.length())).append("\t").append(score_text(hit.score));
    to.append(hit.reverse ? "\t-\t.\tName=" : "\t+\t.\tName=").append(escaped(line.matrix.id()));
    if (!line.matrix.alt_id().empty()) to.append(";Alias=").append(escaped(line.matrix.alt_id()));
    to.append(";pvalue=").append(p_text(line.p));
    if (line.q >= 0) to.append(";qvalue=").append(p_text(line.q));
    to.append(";sequence=").append(hit.letters).append("\n");
  }
};

}  // namespace

std::unique_ptr<HitFormat> hit_format(std::string_view name) {
  if (name == "bed") return std::make_unique<Bed>();
  if (name == "gff3") return std::make_unique<Gff3>();
  return std::make_unique<Table>();
}

}  // namespace program
