// Writers of motif files: each format is read back by parse_motifs(), with the same names, probabilities and counts.
#include "genocl/pwm/motif_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/enrichment.hpp"
#include "genocl/pwm/motif.hpp"
#include "random.hpp"

using namespace genocl;
using pwm::Motif;
using pwm::MotifFileFormat;

namespace {

constexpr MotifFileFormat all_formats[] = {MotifFileFormat::jaspar, MotifFileFormat::meme,  MotifFileFormat::transfac,
                                           MotifFileFormat::homer,  MotifFileFormat::cisbp, MotifFileFormat::uniprobe,
                                           MotifFileFormat::pcm,    MotifFileFormat::pfm,   MotifFileFormat::pwm};

/// Columns of one sum, so that no format loses it; 5 columns, since rows of four numbers are ambiguous at 4, 8, ...
Motif drawn_motif(genocl_test::Random& random, std::size_t length, unsigned sites) {
  Motif motif;
  motif.id = "MA" + std::to_string(1 + random() % 9999) + ".1";
  motif.alt_id = "Factor (3)";
  for (std::size_t i = 0; i < length; ++i) {
    std::array<double, 4>& column = motif.counts.emplace_back();
    const unsigned preferred = static_cast<unsigned>(random() % 4);
    for (unsigned k = 0; k < sites; ++k) ++column[random() % 2 == 0 ? preferred : random() % 4];
  }
  return motif;
}

double sum_of(const std::array<double, 4>& column) { return column[0] + column[1] + column[2] + column[3]; }

std::string error_of(const Motif& motif, MotifFileFormat format, const pwm::MotifFileOptions& options = {}) {
  try {
    (void)pwm::format_motifs({&motif, 1}, format, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every format is read back") {
  GENOCL_SHOW_SEED();
  genocl_test::Random random(genocl_test::test_seed());
  for (const MotifFileFormat format : all_formats) {
    CAPTURE(pwm::to_string(format));
    CHECK(pwm::motif_file_format_named(pwm::to_string(format)) == format);
    std::vector<Motif> motifs;
    for (const std::size_t length : {5, 6, 7, 9, 13, 30}) motifs.push_back(drawn_motif(random, length, 57));
    for (std::size_t i = 0; i < motifs.size(); ++i) {
      motifs[i].id += "_" + std::to_string(i);
      motifs[i].threshold = 6.25;
    }
    const std::string text = pwm::format_motifs(motifs, format);
    const std::vector<Motif> read = pwm::parse_motifs(text, "m.txt");
    REQUIRE(read.size() == motifs.size());
    const bool counts = format == MotifFileFormat::jaspar || format == MotifFileFormat::transfac ||
                        format == MotifFileFormat::pcm || format == MotifFileFormat::meme;
    for (std::size_t m = 0; m < read.size(); ++m) {
      const bool homer = format == MotifFileFormat::homer;
      CHECK(read[m].id == (homer ? motifs[m].alt_id + "/" + motifs[m].id : motifs[m].id));
      const bool one_word = format == MotifFileFormat::pcm || format == MotifFileFormat::pfm ||
                            format == MotifFileFormat::pwm || format == MotifFileFormat::cisbp;
      if (one_word)
        CHECK(read[m].alt_id == "Factor_(3)");
      else if (!homer && format != MotifFileFormat::uniprobe)
        CHECK(read[m].alt_id == motifs[m].alt_id);
      if (homer) CHECK(read[m].alt_id == pwm::consensus(motifs[m]));
      if (homer) CHECK(read[m].threshold == 6.25);
      REQUIRE(read[m].length() == motifs[m].length());
      for (std::size_t i = 0; i < read[m].length(); ++i)
        for (std::size_t base = 0; base < 4; ++base) {
          const double count = motifs[m].counts[i][base], share = count / 57;
          const double got = read[m].counts[i][base], got_share = got / sum_of(read[m].counts[i]);
          if (counts) CHECK(got == doctest::Approx(count).epsilon(1e-6));
          if (homer) CHECK(std::abs(got_share - share) <= 0.0031);
          if (format == MotifFileFormat::pwm) {
            const double pseudocount = std::log(57.0);
            CHECK(got_share == doctest::Approx((count + pseudocount / 4) / (57 + pseudocount)).epsilon(1e-9));
          } else if (!homer) {
            CHECK(got_share == doctest::Approx(share).epsilon(1e-7));
          }
        }
    }
    // A second pass changes nothing.
    if (format != MotifFileFormat::homer && format != MotifFileFormat::pwm)
      CHECK(pwm::format_motifs(read, format) == pwm::format_motifs(pwm::parse_motifs(text, "m.txt"), format));
  }
}

TEST_CASE("counts that come from probabilities become the counts again") {
  const std::string meme =
      "MEME version 4\n\nMOTIF x\nletter-probability matrix: alength= 4 w= 3 nsites= 17\n"
      "0.176471 0 0.823529 0\n0 0.058824 0.647059 0.294118\n1 0 0 0\n";
  const std::vector<Motif> motifs = pwm::parse_motifs(meme, "m");
  CHECK(pwm::format_motifs(motifs, MotifFileFormat::jaspar) ==
        ">x\nA  [      3      0     17 ]\nC  [      0      1      0 ]\nG  [     14     11      0 ]\nT  [      0      5 "
        "     0 ]\n");
  CHECK(pwm::format_motifs(motifs, MotifFileFormat::transfac).find("\n02      0      1     11      5      G\n") !=
        std::string::npos);
  // Fractions that sum to 100 would be read as percentages; they become integers of the same sum.
  Motif hundred{"h", "", {{33.4, 33.3, 33.3, 0}, {0.5, 0.5, 99, 0}, {25, 25, 25, 25}}, 100, {}};
  const std::vector<Motif> read = pwm::parse_motifs(pwm::format_motifs({&hundred, 1}, MotifFileFormat::pcm), "m");
  CHECK(read[0].sites == 0);
  CHECK(read[0].counts[0] == std::array<double, 4>{34, 33, 33, 0});
  CHECK(sum_of(read[0].counts[1]) == 100);
  // Other fractions stay.
  hundred.counts = {{3.5, 3.25, 3.25, 0}};
  CHECK(pwm::format_motifs({&hundred, 1}, MotifFileFormat::pcm) == ">h\n3.5\t3.25\t3.25\t0\n");
}

TEST_CASE("backgrounds, names and pseudocounts of motif files") {
  const Motif motif{"two words", "", {{1, 1, 0, 0}, {0, 2, 0, 0}, {0, 0, 1, 1}}, 0, {}};
  const pwm::MotifFileOptions options{.background = pwm::Background({0.3, 0.2, 0.2, 0.3}), .pseudocount = 2.0};
  const std::string meme = pwm::format_motifs({&motif, 1}, MotifFileFormat::meme, options);
  CHECK(meme.find("\nMOTIF two_words\nletter-probability matrix: alength= 4 w= 3 nsites= 2 E= 0\n") !=
        std::string::npos);
  CHECK(pwm::parse_motif_background(meme, "m") == options.background);
  // (1 + 0.5) / (2 + 2) * 4, and (0 + 0.5) / (2 + 2) * 4.
  const std::string pwm = pwm::format_motifs({&motif, 1}, MotifFileFormat::pwm, options);
  CHECK(pwm.find(">two_words\n0.405465108108\t0.405465108108\t-0.69314718056\t-0.69314718056\n") == 0);
  CHECK(pwm::format_motifs({&motif, 1}, MotifFileFormat::consensus) == "MCK two words\n");
  const Motif read = pwm::parse_motifs("MCK two words\n", "m").at(0);
  CHECK(read.id == "two words");
  CHECK(read.alt_id == "MCK");
  CHECK(read.counts[0] == std::array<double, 4>{10, 10, 0, 0});
}

TEST_CASE("Cavener's consensus") {
  const Motif motif{"m",
                    "",
                    {{6, 2, 1, 1},
                     {5, 5, 0, 0},
                     {6, 3, 1, 0},
                     {5, 3, 2, 0},
                     {4, 3, 3, 0},
                     {4, 2, 2, 2},
                     {0, 0, 0, 1},
                     {1, 1, 1, 1},
                     {8, 4, 0, 0}},
                    0,
                    {}};
  // 60% and three times the second: A. 50 and 50: M. 60 and 30, not more than twice: M by 90%. 50 and 30: M by 80%.
  // 40 and 30: H, without G... the fourth letter is absent. 40 and 20: N.
  CHECK(pwm::degenerate_consensus(motif) == "AMMMVNTNM");
  // A consensus is its own consensus, for every code.
  std::string codes = "ACGTRYSWKMBDHVN";
  const std::vector<Motif> all = pwm::parse_motifs(codes + " all\n", "m");
  CHECK(pwm::degenerate_consensus(all.at(0)) == codes);
}

TEST_CASE("motifs that a format cannot express") {
  const Motif motif{"m", "", {{1, 1, 0, 0}, {0, 2, 0, 0}}, 0, {}};
  CHECK(error_of(motif, MotifFileFormat::homer) == "motif m has no threshold, which HOMER's format needs");
  CHECK(error_of(motif, MotifFileFormat::consensus).find("motif m has 2 columns; ") == 0);
  CHECK(error_of(motif, MotifFileFormat::pwm, {.pseudocount = 0.0}).find("a pseudocount of 0, ") == 0);
  CHECK(error_of(Motif{"e", "", {}, 0, {}}, MotifFileFormat::meme) == "motif e has no columns");
  CHECK(error_of(Motif{"z", "", {{1, 0, 0, 0}, {0, 0, 0, 0}}, 0, {}}, MotifFileFormat::meme) ==
        "motif z: column 2 has no counts");
  CHECK_THROWS_AS((void)pwm::motif_file_format_named("sites"), InputError);
}
