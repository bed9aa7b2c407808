// Motif formats other than JASPAR, MEME, TRANSFAC and HOMER: HOCOMOCO, CIS-BP, UniPROBE, ENCODE, aligned sites,
// consensus. Each is read with both line ends, with blank lines and comments around it, and twice in one file.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/score_matrix.hpp"

using namespace genocl;
using pwm::Motif;
using pwm::MotifNote;
using pwm::parse_motifs;

namespace {

using Column = std::array<double, 4>;
using Columns = std::vector<Column>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string error_of(std::string_view text) {
  try {
    (void)parse_motifs(text, "m.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void check_columns(const Motif& motif, const Columns& expected) {
  REQUIRE(motif.length() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t letter = 0; letter < 4; ++letter)
      CHECK(motif.counts[i][letter] == doctest::Approx(expected[i][letter]).epsilon(1e-9));
}

/// What a file of one motif is read as.
struct Expected {
  std::string id, alt_id;
  double sites;
  Columns columns;
};

void check_motif(const Motif& motif, const Expected& expected, const std::string& id) {
  CHECK(motif.id == id);
  CHECK(motif.alt_id == expected.alt_id);
  CHECK(motif.sites == expected.sites);
  check_columns(motif, expected.columns);
}

/// The text in its variants. `unnamed`: a second motif is numbered.
void check_variants(const std::string& text, const Expected& expected, bool unnamed = false) {
  CAPTURE(text);
  const std::string second = unnamed ? expected.id + "_2" : expected.id;
  for (const std::string& one : {text, replaced(text, "\n", "\r\n"), "\xef\xbb\xbf" + text, "\n# comment\n\n" + text,
                                 replaced(text, "\n", " \n") + "\n\n", text.substr(0, text.size() - 1)}) {
    const std::vector<Motif> motifs = parse_motifs(one, "folder/m.txt.gz");
    REQUIRE(motifs.size() == 1);
    check_motif(motifs[0], expected, expected.id);
  }
  for (const char* const between : {"\n", "\n\n\n", "\r\n", "\n# comment\n"}) {
    const std::vector<Motif> motifs = parse_motifs(text + between + text, "folder/m.txt.gz");
    REQUIRE(motifs.size() == 2);
    check_motif(motifs[0], expected, expected.id);
    check_motif(motifs[1], expected, second);
  }
}

const Columns three = {{2, 18, 0, 0}, {20, 0, 0, 0}, {5, 4, 1, 10}};
const std::string keys =
    "TF\tT000676_1.02\nTF Name\tANT\nGene\tAT4G37750\nMotif\tM2364_1.02\nFamily\tAP2\nSpecies\tArabidopsis_thaliana\n";

}  // namespace

TEST_CASE("CIS-BP") {
  const std::string rows = "Pos\tA\tC\tG\tT\n1\t0.1\t0.9\t0.0\t0.0\n2\t1.0\t0.0\t0\t0.0\n3\t0.25\t0.2\t0.05\t0.5\n";
  check_variants(rows, {"m", "", 20, three}, true);
  check_variants(keys + rows, {"M2364_1.02", "ANT", 20, three});
  check_variants("Gene ENSG1\n" + replaced(rows, "\t", "  "), {"ENSG1", "", 20, three});
  check_variants("TF\tT01\n" + rows, {"T01", "", 20, three});
  check_variants("Gene\tFBgn1\nMotif\tM1734_0.90\n" + rows, {"M1734_0.90", "FBgn1", 20, three});
  check_variants("Pos\tU\tG\tC\tA\n1\t0\t0\t0.9\t0.1\n2\t0\t0\t0\t1\n3\t.5\t.05\t.2\t.25\n", {"m", "", 20, three},
                 true);
  // Probabilities of 0 and 1 alone are no counts.
  check_columns(parse_motifs("Pos\tA\tC\tG\tT\n1\t1\t0\t0\t0\n2\t0\t1\t0\t0\n", "m").at(0),
                {{20, 0, 0, 0}, {0, 20, 0, 0}});
  // Four positions are not taken for letters.
  check_columns(parse_motifs("Pos A C G T\n1 0 .5 .5 0\n2 0 0 1 0\n3 0 0 0 1\n4 1 0 0 0\n", "m").at(0),
                {{0, 10, 10, 0}, {0, 0, 20, 0}, {0, 0, 0, 20}, {20, 0, 0, 0}});
  // CIS-BP has files without rows: those motifs are left out.
  std::string said;
  const auto motifs =
      parse_motifs("Pos\tA\tC\tG\tT\n" + keys + rows + keys + "Pos\tA\tC\tG\tT\n", "m",
                   {.note = [&](const MotifNote& note) { said += note.motif + ": " + note.what + "; "; }});
  REQUIRE(motifs.size() == 1);
  CHECK(motifs[0].id == "M2364_1.02");
  CHECK(said == "m: without columns; M2364_1.02: without columns; ");
  CHECK(error_of("Pos\tA\tC\tG\tT\n") == "m.txt:1: motif m without columns; expected a matrix");
  CHECK(error_of(rows + "4\t0.1\t0.2\n").find("m.txt:5: motif m: a row of 3 numbers; expected four") == 0);
  CHECK(error_of(rows + "4\t0,1\t0,2\t0,3\t0,4\n").find("m.txt:5: \"0,1\"; expected a number") == 0);
}

TEST_CASE("UniPROBE") {
  const std::string rows = "A:\t0.1\t1.0\t0.25\nC:\t0.9\t0\t0.2\nG:\t0\t0\t0.05\nT:\t0\t0\t0.5\n";
  check_variants("Protein: Foo\tSeed k-mer: ATGC\tEnrichment Score: 0.4\n" + rows, {"Foo", "ATGC", 20, three});
  check_variants("Protein: Alx3_3418.2\n\n" + rows, {"Alx3_3418.2", "", 20, three});
  check_variants("Motif XYZ\n" + replaced(rows, "T:", "U:"), {"XYZ", "", 20, three});
  check_variants("# Motif: C.GCAC\tEnrichment Score: 0.49\n" + rows, {"C.GCAC", "", 20, three});
  // Full files: other matrices of that motif in front of the probabilities.
  const std::string full =
      "# Motif: GTAA\tEnrichment Score: 0.494153723616089\n1\tGTAA\t0.494153723616089\n\nEnrichment score matrix\n\n"
      "A:\t-0.01\t-0.06\t0.03\nC:\t-0.02\t-0.07\t-0.05\nG:\t0.08\t0.12\t0.01\nT:\t-0.05\t0.02\t-0.008\n\n"
      "Energy matrix for enoLOGOS\n\nPO\t1\t2\t3\nA:\t0.1\t0.6\t-0.3\nC:\t0.2\t0.7\t0.5\nG:\t-0.8\t-1.1\t-0.1\n"
      "T:\t0.4\t-0.2\t0.07\n\nProbability matrix\n\n" +
      rows;
  check_variants(full, {"GTAA", "", 20, three});
  CHECK(error_of("Protein: Foo\nA:\t0.1\nC:\t0.9\nG:\t0\n").find("m.txt:1: motif Foo with 3 rows; expected four") == 0);
}

TEST_CASE("HOCOMOCO: counts with a position per row, and log-odds scores") {
  check_variants(">AHR.H12CORE.0.P.B\n2.0\t18.0\t0\t0\n20\t0.0\t0\t0\n5\t4\t1\t10.0\n",
                 {"AHR.H12CORE.0.P.B", "", 0, three});
  // As v11 computes them: ln((count + a p) / ((W + a) p)), with a = ln W; the probabilities are smoothed.
  const double sites = 20, pseudo = std::log(sites);
  for (const double base : {std::numbers::e, 2.0, 10.0})
    for (const std::size_t length : {1, 3, 4, 8, 12}) {
      Columns counts;
      for (std::size_t i = 0; i < length; ++i) counts.push_back(three[(i * i + i / 3) % 3]);
      std::string positions = ">X_HUMAN.H11MO.0.B\n", letters = ">X_HUMAN.H11MO.0.B\n";
      Columns expected(length);
      for (std::size_t i = 0; i < length; ++i)
        for (std::size_t letter = 0; letter < 4; ++letter) {
          const double probability = (counts[i][letter] + pseudo / 4) / (sites + pseudo);
          expected[i][letter] = 20 * probability;
          positions += std::to_string(std::log(probability * 4) / std::log(base)) + (letter < 3 ? "\t" : "\n");
        }
      for (std::size_t letter = 0; letter < 4; ++letter)
        for (std::size_t i = 0; i < length; ++i)
          letters += std::to_string(std::log(expected[i][letter] / 5) / std::log(base)) + (i + 1 < length ? " " : "\n");
      for (const std::string& text : {positions, letters, replaced(positions, "\n", "\r\n")}) {
        CAPTURE(text);
        std::vector<MotifNote> notes;
        const auto motifs = parse_motifs(text, "m", {.note = [&](const MotifNote& note) { notes.push_back(note); }});
        REQUIRE(motifs.size() == 1);
        CHECK(motifs[0].sites == 20);
        REQUIRE(motifs[0].length() == length);
        for (std::size_t i = 0; i < length; ++i)
          for (std::size_t letter = 0; letter < 4; ++letter)
            CHECK(motifs[0].counts[i][letter] == doctest::Approx(expected[i][letter]).epsilon(1e-5));
        REQUIRE(notes.size() == 1);
        CHECK(notes[0].kind == MotifNote::Kind::log_odds);
        CHECK(notes[0].what == "log-odds scores to the base " + std::string(base == 2 ? "2" : base == 10 ? "10" : "e"));
      }
    }
  // Natural logarithms and no pseudocount: the scores of the file.
  const std::string text = ">HX.H11MO.0.B\n0.0079\t-0.5027\t-0.6427\t0.6213\n-0.8233\t-0.2300\t-0.1084\t0.6255\n";
  const pwm::ScoreMatrix matrix =
      pwm::log_odds(parse_motifs(text, "m").at(0), {.pseudocount = 0, .base = std::numbers::e});
  const std::vector<Code> word = {1, 3};
  CHECK(matrix.score(word) == doctest::Approx(-0.5027 + 0.6255).epsilon(1e-3));
  CHECK(
      error_of(">x\n1 -2 1 1\n1 1 1 1\n2 1 1 1\n") ==
      "m.txt:2: \"-2\"; expected 0 or more, or log-odds scores (base e, 2 or 10; uniform background) of probabilities");
}

TEST_CASE("rows below a name, letters of columns, consensus letters, commas") {
  const std::string rows = "2 18 0 0\n20 0 0 0\n5 4 1 10\n";
  check_variants("MX0006.1_Ahr::Arnt\n" + rows, {"MX0006.1_Ahr::Arnt", "", 0, three});
  check_variants("UW.Motif.0001\tatgactca\n" + rows, {"UW.Motif.0001", "atgactca", 0, three});
  check_variants("GATA\n" + rows, {"GATA", "", 0, three});
  check_variants("T A G C\n0 2 0 18\n0 20 0 0\n10 5 1 4\n", {"m", "", 0, three}, true);
  check_variants(">x y\nT A G C\n0 2 0 18\n0 20 0 0\n10 5 1 4\n", {"x", "y", 0, three});
  // ENCODE's: a letter of the consensus in front of each position.
  check_variants(">x y\nC 0.1 0.9 0 0\nA 1 0 0 0\nW 0.25 0.2 0.05 0.5\n", {"x", "y", 20, three});
  check_variants(">x\nC 0.1 0.9 0 0\nA 1 0 0 0\nT 0.25 0.2 0.05 0.5\nG 0 0 1 0\n",
                 {"x", "", 20, {{2, 18, 0, 0}, {20, 0, 0, 0}, {5, 4, 1, 10}, {0, 0, 20, 0}}});
  check_variants(">x\nA 2 5 0 8\nC 18 4 20 4\nG 0 1 0 4\nT 0 10 0 4\n",
                 {"x", "", 0, {{2, 18, 0, 0}, {5, 4, 1, 10}, {0, 20, 0, 0}, {8, 4, 4, 4}}});
  for (const char* const separator : {",", ", ", ";", " , ", ",\t"})
    for (const char* const letters : {"", "A", "A,", "A ["}) {
      const bool with = letters[0] != 0;
      std::string text = ">x y\n";
      for (std::size_t letter = 0; letter < 4; ++letter) {
        text += with ? replaced(letters, "A", std::string(1, "ACGT"[letter])) + " " : "";
        for (std::size_t i = 0; i < 3; ++i)
          text += std::to_string(static_cast<int>(three[i][letter])) + (i < 2 ? separator : "");
        text += with && letters[1] == ' ' ? " ]\n" : "\n";
      }
      check_variants(text, {"x", "y", 0, three});
    }
  CHECK(error_of(">x\n0,9\t0,1\t0\t0\n").find("m.txt:2: \"0,9\"; expected a number") == 0);
  CHECK(error_of(">x\nC 2 18 0 0\nC 9 0 0 0\nA 5 4 1 10\nT 1 1 1 1\n").find("m.txt:3: motif x: a second row of C") ==
        0);
  CHECK(error_of(">x\nR 2 18 0\nA 9 0 0\nG 5 4 1\nT 1 1 1\n").find("m.txt:2: motif x: a row of R; expected A, C") == 0);
  CHECK(error_of("some name\nanother\n1 2 3 4\n").find("m.txt:1: no motif file that is known begins like this") == 0);
  CHECK(error_of(">x\n1 2\n1 2\n1 2\n1 2\nname\n1 2\n").find("m.txt:6: \"name\"; expected a row of numbers") == 0);
}

TEST_CASE("aligned sites") {
  const Columns sites = {{1.25, 0.25, 0.25, 2.25}, {0, 1, 3, 0}, {4, 0, 0, 0}};
  const std::string fasta = ">s1 a\nAGA\n>s2\nTCA\n>s3\nTGA\n>s4\n-GA\n";
  for (const std::string& text :
       {fasta, replaced(fasta, "\n", "\r\n"), replaced(fasta, "GA\n", "G\nA\n"), "\n" + fasta + "\n",
        std::string(">s1\naga\n>s2\nuca\n>s3\ntga\n>s4\nnga\n"),
        // A3M: insertions in lower case; JASPAR's .sites: letters around the site.
        std::string(">s1\nAGA\n>s2\nTaacCA\n>s3\nTGA\n>s4\n.-GA\n"),
        std::string(">M 1\ncctAGAg\n>M 2\nTCAaaaa\n>M 3\naaaaTGA\n>M 4\naaNGAcc\n"),
        std::string("AGA\nTCA\nTGA\nNGA\n"), std::string("# sites\r\nAGA\r\nTCA\r\nUGA\r\n-GA\r\n\r\n")}) {
    CAPTURE(text);
    std::vector<MotifNote> notes;
    const auto motifs =
        parse_motifs(text, "folder/ap1.fa.gz", {.note = [&](const MotifNote& note) { notes.push_back(note); }});
    REQUIRE(motifs.size() == 1);
    CHECK(motifs[0].id == "ap1");
    CHECK(motifs[0].sites == 0);
    check_columns(motifs[0], sites);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].kind == MotifNote::Kind::sites);
    CHECK(notes[0].what == "4 aligned sites");
  }
  const auto two = parse_motifs("AGAT\nTCAT\n\nACG\nACG\nACT\n", "m");
  REQUIRE(two.size() == 2);
  CHECK(two[0].length() == 4);
  CHECK(two[1].id == "m_2");
  CHECK(two[1].counts[2] == Column{0, 0, 2, 1});
  CHECK(error_of(">s1\nAGA\n>s2\nTCAT\n") == "m.txt:3: site s2 of 4 letters; expected 3, as the first one has");
  CHECK(error_of("AGA\nTCAT\n") == "m.txt:2: a site of 4 letters; expected 3, as the first one has");
  CHECK(error_of(">chr1\nACGTACGT\n") == "m.txt:1: one record, chr1; expected two aligned sites at least");
  CHECK(error_of(">s1\nAGA\n>s2\nTJA\n").find("m.txt:4: \"TJA\": \"J\"; expected a nucleotide code") == 0);
  CHECK(error_of(">s1\nAGA\n>s2\n>s3\nTGA\n") == "m.txt:3: site s2 of 0 letters; expected 3, as the first one has");
  CHECK(error_of(">s1\nMKTAYIAKQRQ\n>s2\nMKTaaAYIAKQRQ\n").find("m.txt:2: ") == 0);
}

TEST_CASE("IUPAC consensus") {
  const Columns ap1 = {{0, 0, 0, 20}, {0, 0, 20, 0}, {20, 0, 0, 0}, {0, 10, 10, 0}, {20. / 3, 20. / 3, 0, 20. / 3},
                       {5, 5, 5, 5}};
  for (const char* const text : {"TGASHN\n", "TGASHN", "\r\n# AP-1\r\nTGASHN\r\n", "tgashn\n\n", "UGASHN  \n"}) {
    CAPTURE(text);
    const auto motifs = parse_motifs(text, "m");
    REQUIRE(motifs.size() == 1);
    CHECK(motifs[0].sites == 20);
    CHECK(motifs[0].alt_id.empty());
    check_columns(motifs[0], ap1);
  }
  CHECK(parse_motifs("TGASHN\n", "m")[0].id == "TGASHN");
  const auto named = parse_motifs("TGASHN\tAP-1 (Jun)\nCACGTG Myc\r\n\nGATAAG\n", "m");
  REQUIRE(named.size() == 3);
  CHECK(named[0].id == "AP-1 (Jun)");
  CHECK(named[0].alt_id == "TGASHN");
  check_columns(named[0], ap1);
  CHECK(named[1].id == "Myc");
  CHECK(named[1].counts[0] == Column{0, 20, 0, 0});
  CHECK(named[2].id == "GATAAG");
  CHECK(error_of("TGASXCA\n").find("m.txt:1: no motif file that is known") == 0);
  CHECK(error_of("TGASTCA\n\nCAJG\n").find("m.txt:3: \"CAJG\": \"J\"") == 0);
}
