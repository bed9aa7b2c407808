#include "pwm/scan/hit_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pwm/numbers.hpp"

namespace program {
namespace {

/// A header line may have no name.
std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

void append_number(std::string& to, std::uint64_t number) {
  char text[24];
  to.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// As score_text() and p_text() have them.
void append_score(std::string& to, double score) {
  char text[400];
  to.append(text, std::to_chars(text, text + sizeof text, score, std::chars_format::fixed, 9).ptr);
}
void append_p(std::string& to, double p) {
  char text[32];
  to.append(text, std::to_chars(text, text + sizeof text, p, std::chars_format::general, 3).ptr);
}

/// Gives the score that tracks of genome browsers have: 0 to 1000, the higher the rarer.
double rarity(double p) { return std::min(1000.0, p > 0 ? -10 * std::log10(p) : 1000.0); }

/// Writes FIMO's columns.
class Table : public HitFormat {
 public:
  std::string header() const override {
    return "motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence\n";
  }
  void append(std::string& to, const HitLine& hit) const override {
    to.append(hit.matrix.id()).append("\t").append(hit.matrix.alt_id()).append("\t");
    to.append(or_star(hit.sequence_name)).append("\t");
    append_number(to, hit.begin + 1);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to.append(hit.reverse ? "\t-\t" : "\t+\t");
    append_score(to, hit.score);
    to += '\t';
    append_p(to, hit.p);
    to += '\t';
    if (hit.q >= 0) append_p(to, hit.q);
    to.append("\t").append(hit.letters).append("\n");
  }
};

class Bed : public HitFormat {
 public:
  std::string header() const override { return {}; }
  void append(std::string& to, const HitLine& hit) const override {
    to.append(or_star(hit.sequence_name)).append("\t");
    append_number(to, hit.begin);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to.append("\t").append(hit.matrix.id()).append("\t");
    append_number(to, static_cast<std::uint64_t>(std::nearbyint(rarity(hit.p))));
    to.append(hit.reverse ? "\t-\n" : "\t+\n");
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
  void append(std::string& to, const HitLine& hit) const override {
    to.append(or_star(hit.sequence_name)).append("\tgenocl-pwm\tnucleotide_motif\t");
    append_number(to, hit.begin + 1);
    to += '\t';
    append_number(to, hit.begin + hit.matrix.length());
    to += '\t';
    append_score(to, hit.score);
    to.append(hit.reverse ? "\t-\t.\tName=" : "\t+\t.\tName=").append(escaped(hit.matrix.id()));
    if (!hit.matrix.alt_id().empty()) to.append(";Alias=").append(escaped(hit.matrix.alt_id()));
    to.append(";pvalue=");
    append_p(to, hit.p);
    if (hit.q >= 0) {
      to.append(";qvalue=");
      append_p(to, hit.q);
    }
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
