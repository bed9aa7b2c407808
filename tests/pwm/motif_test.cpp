// Motif files: every format, every error.
#include "genocl/pwm/motif.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "genocl/error.hpp"

using namespace genocl;
using pwm::Motif;
using pwm::MotifFormat;
using pwm::parse_motifs;

namespace {

using Column = std::array<double, 4>;

std::string error_of(std::string_view text, MotifFormat format = MotifFormat::automatic) {
  try {
    (void)parse_motifs(text, "m.txt", {.format = format, .strict = true});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The error, in full or from the beginning on.
void check_error(std::string_view text, const std::string& begin, MotifFormat format = MotifFormat::automatic) {
  CAPTURE(text);
  const std::string error = error_of(text, format);
  CHECK(error.substr(0, begin.size()) == begin);
}

const std::vector<Column> two_columns = {{4, 16, 0, 0}, {19, 0, 1, 0}};

void check_one(std::string_view text, const std::string& id, const std::string& alt_id, double sites = 0) {
  CAPTURE(text);
  const std::vector<Motif> motifs = parse_motifs(text, "folder/m.txt");
  REQUIRE(motifs.size() == 1);
  CHECK(motifs[0].id == id);
  CHECK(motifs[0].alt_id == alt_id);
  CHECK(motifs[0].sites == sites);
  REQUIRE(motifs[0].length() == two_columns.size());
  for (std::size_t i = 0; i < two_columns.size(); ++i)
    for (std::size_t letter = 0; letter < 4; ++letter)
      CHECK(motifs[0].counts[i][letter] == doctest::Approx(two_columns[i][letter]).epsilon(1e-12));
}

/// A file of the real data, decompressed if necessary; empty if absent.
std::string data_file(const std::string& name) {
  const char* const folder = std::getenv("GENOCL_TEST_DATA");
  std::string text;
  if (folder == nullptr) return text;
  const std::string path = std::string(folder) + "/motifs/" + name;
  const std::string command = "gzip -dcf '" + path + "' 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  pclose(pipe);
  return text;
}

std::size_t columns_of(const std::vector<Motif>& motifs) {
  std::size_t columns = 0;
  for (const Motif& motif : motifs) columns += motif.length();
  return columns;
}

}  // namespace

TEST_CASE("JASPAR in its layouts") {
  check_one(">MA0004.1 Arnt\nA [ 4 19 ]\nC [ 16 0 ]\nG [ 0 1 ]\nT [ 0 0 ]\n", "MA0004.1", "Arnt");
  check_one(">MA0004.1\tArnt and more\r\nA  [4.00 19.00]\r\nC  [16 0]\r\nG [0 1]\r\nT [0 0]", "MA0004.1",
            "Arnt and more");
  check_one("\xef\xbb\xbf>x\n4\t19\n16 0\n0 1\n0 0\n\n", "x", "");
  check_one("# made by hand\n\n> x y\n\na | 4 19\nc | 16 0\n\ng | 0 1\nu | 0 0\n", "x", "y");
  check_one(">x\nT 0 0\nG 0 1\nC 16 0\nA 4 19\n", "x", "");
  check_one("4 19\n16 0\n0 +1\n0 0\n", "m", "");
  check_one("A 4 19\nC 1.6e1 0\nG 0 1\nT 0 0", "m", "");

  const auto two = parse_motifs(">x\n1 1 1 1\n2 2 2 2\n1 2 3 4\n5 5 5 5\n>y z\n1\n2\n0\n0.5\n", "m");
  REQUIRE(two.size() == 2);
  CHECK(two[0].counts == std::vector<Column>{{1, 2, 1, 5}, {1, 2, 2, 5}, {1, 2, 3, 5}, {1, 2, 4, 5}});
  CHECK(two[1].counts == std::vector<Column>{{1, 2, 0, 0.5}});
  const auto bare = parse_motifs("1\n2\n3\n4\n\n5\n6\n7\n8\n", "x/pair.pfm");
  REQUIRE(bare.size() == 2);
  CHECK(bare[0].id == "pair");
  CHECK(bare[1].id == "pair_2");
}

TEST_CASE("errors in JASPAR files") {
  check_error(">x y\nA [ 1 2 ]\nC [ 1 2 ]\nG [ 1 2 ]\n", "m.txt:1: motif x with 3 rows; expected four");
  check_error(">x\n>y\n1\n1\n1\n1\n", "m.txt:1: motif x without columns");
  check_error("\n>x", "m.txt:2: motif x without columns");
  check_error(">\n1\n1\n1\n1\n", "m.txt:1: a header without a name");
  check_error(">x\nA 1 2\nC 1 2\nG 1\nT 1 2\n", "m.txt:4: motif x: a row of 1 numbers; expected 2");
  check_error(">x\nA 1 2\nC 1 -2\nG 1 2\nT 1 2\n", "m.txt:3: \"-2\"; expected 0 or more");
  check_error(">x\nA 1 2\nC 1 inf\nG 1 2\nT 1 2\n", "m.txt:3: \"inf\"; expected a number");
  check_error(">x\nA 1 2\nC 1 nan\nG 1 2\nT 1 2\n", "m.txt:3: \"nan\"; expected a number");
  check_error(">x\nA 1 1e999\nC 1 2\nG 1 2\nT 1 2\n", "m.txt:2: \"1e999\"");
  check_error(">x\nA 1 2\nC 1 two\nG 1 2\nT 1 2\n", "m.txt:3: \"two\"; expected a number");
  check_error(">x\nA 1 0\nC 1 0\nG 1 0\nT 1 0\n", "m.txt:1: motif x: column 2 holds zeros only");
  check_error(">x\nA 1 2\nC 1 2\nC 1 2\nT 1 2\n", "m.txt:4: motif x: a second row of C");
  check_error(">x\nA 1 2\nC 1 2\nG 1 2\n1 2\n", "m.txt:5: a row with a letter beside one without");
  check_error(">x\nA 1 2\nC 1 2\nG 1 2\nT 1 2\nA 1 2\n", "m.txt:6: motif x: a fifth row");
  check_error(">x\nA []\nC []\nG []\nT []\n", "m.txt:1: motif x without columns");
}

TEST_CASE("MEME, files one after the other") {
  const std::string header =
      "MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n\nBackground letter frequencies\nA 0.25 C "
      "0.25 G 0.25 T 0.25\n\n";
  const std::string rows = " 0.2 0.8 0.000000  0\n0.95 0 0.05\t0\n";
  check_one(header + "MOTIF MA0004.1 Arnt\nletter-probability matrix: alength= 4 w= 2 nsites= 20 E= 0\n" + rows +
                "URL http://x\n",
            "MA0004.1", "Arnt", 20);
  check_one("MEME version 5.1\nMOTIF x a name\n\nletter-probability matrix:\n" + rows, "x", "a name", 20);
  check_one(
      "MEME version 4\nMOTIF x\nlog-odds matrix: alength= 4 w= 2\n1 2 3 4\n5 6 7 8\nletter-probability matrix: "
      "alength=4 w=2\n" +
          rows,
      "x", "", 20);
  check_one("MOTIF x\nletter-probability matrix: w= 2 nsites= 0\n" + rows, "x", "", 20);
  const std::string one = header + "MOTIF a\nletter-probability matrix: alength= 4 w= 1 nsites= 8\n.5 .5 0 0\n\n";
  const auto motifs = parse_motifs(one + one + one, "m");
  REQUIRE(motifs.size() == 3);
  CHECK(motifs[2].counts == std::vector<Column>{{4, 4, 0, 0}});
  CHECK(motifs[2].sites == 8);
  // Unequal sums, as rounding leaves them.
  CHECK(parse_motifs("MOTIF a\nletter-probability matrix: nsites= 100\n.33 .33 .33 0\n", "m")[0].counts[0][1] ==
        doctest::Approx(33));
}

TEST_CASE("errors in MEME files") {
  const std::string matrix = "letter-probability matrix: alength= 4 w= 2\n";
  check_error("MEME version 4\n", "m.txt: no motif in it");
  check_error("MEME version 4\nALPHABET= ACDEFGHIKLMNPQRSTVWY\n", "m.txt:2: an alphabet of \"ACDEFGHIKLMNPQRSTVWY\"");
  check_error("MEME version 4\nMOTIF x\n", "m.txt:2: motif x without columns");
  check_error("MEME version 4\nMOTIF x\nMOTIF y\n", "m.txt:2: motif x without columns");
  check_error("MEME version 4\nMOTIF x\n\nMEME version 4\n", "m.txt:2: motif x without columns");
  check_error("MEME version 4\nMOTIF\n", "m.txt:2: a motif without a name");
  check_error("MEME version 4\n" + matrix, "m.txt:2: a matrix before the first motif");
  check_error("MOTIF x\nletter-probability matrix: w= 1\n1 0 0 0\n" + matrix, "m.txt:4: a second matrix of motif x");
  check_error("MOTIF x\n" + matrix + "1 0 0 0\n", "m.txt:3: motif x ends after 1 rows; expected 2");
  check_error("MOTIF x\n" + matrix + "1 0 0 0\nURL\n", "m.txt:4: motif x: \"URL\" for row 2 of 2");
  check_error("MOTIF x\n" + matrix + "1 0 0 0\n1 0 0\n", "m.txt:4: motif x: \"1 0 0\" for row 2");
  check_error("MOTIF x\n" + matrix + "1 0 0 0\n1 0 0 0\n1 0 0 0\n", "m.txt:5: motif x: a row more");
  check_error("MOTIF x\n" + matrix + "1 0 0 0\n0 0 0 0\n", "m.txt:1: motif x: column 2 holds zeros only");
  check_error("MOTIF x\n" + matrix + "1.1 -.1 0 0\n0 0 0 0\n", "m.txt:3: \"-.1\"; expected 0 or more");
  check_error("MOTIF x\n" + matrix + "1 nan 0 0\n0 0 0 0\n", "m.txt:3: ");
  check_error("MOTIF x\n" + matrix + "1 20 0 0\n0 1 0 0\n", "m.txt:1: motif x: column 1 sums to 21 instead of 1");
  check_error("MOTIF x\nletter-probability matrix: alength= 20 w= 2\n", "m.txt:2: motif x with alength= 20");
  check_error("MOTIF x\nletter-probability matrix: w= two\n", "m.txt:2: \"two\"");
  check_error("MOTIF x\nletter-probability matrix: w= 1.5\n", "m.txt:2: w= 1.5");
  check_error("MOTIF x\nletter-probability matrix: nsites= -1\n", "m.txt:2: \"-1\"");
  check_error("MOTIF x\nletter-probability matrix:\n", "m.txt:1: motif x without columns");
  check_error("MOTIF x\nletter-probability matrix: w= 0\n", "m.txt:1: motif x without columns");
}

TEST_CASE("TRANSFAC and similar formats") {
  const std::string rows = "01 4 16 0 0 C\n02  19 0 1.0 0 A\nXX\n//\n";
  check_one("VV  TRANSFAC 7\nXX\n//\nAC  M00001\nXX\nID  V$MYOD_01\nXX\nNA  MyoD\nXX\nP0   A C G T\n" + rows, "M00001",
            "V$MYOD_01");
  check_one("AC M1\nNA a name\nPO A C G T\n" + rows, "M1", "a name");
  check_one("ID some\nNA a name\nP0 A C G T\n" + rows, "some", "a name");
  check_one("DE\tsome family\n0\t4\t16\t0\t0\tC\n1\t19\t0\t1\t0\tA\nXX\n", "some", "");
  check_one("ID x\nP0 T G C A\n01 0 0 16 4\n02 0 1 0 19\n", "x", "");  // no end, other letters first
  const auto two = parse_motifs("ID a\nP0 A C G T\n1 1 2 3 4\n//\nID b\nP0 A C G T\n1 1 0 0 0\n2 5 6 7 8\n//\n", "m");
  REQUIRE(two.size() == 2);
  CHECK(two[1].counts == std::vector<Column>{{1, 0, 0, 0}, {5, 6, 7, 8}});
}

TEST_CASE("errors in TRANSFAC files") {
  const std::string head = "AC M1\nP0 A C G T\n";
  check_error("AC M1\nXX\n//\n", "m.txt:1: motif M1 without columns");
  check_error(head + "01 1 2 3\n", "m.txt:3: \"01 1 2 3\"");
  check_error(head + "01 1 2 3 4 A B\n", "m.txt:3: ");
  check_error(head + "01 1 2 3 x\n", "m.txt:3: \"x\"");
  check_error(head + "01 1 2 -3 4\n", "m.txt:3: \"-3\"");
  check_error(head + "01 1 2 inf 4\n", "m.txt:3: \"inf\"");
  check_error(head + "01 1 2 3 4\n02 0 0 0 0\n//", "m.txt:1: motif M1: column 2 holds zeros only");
  check_error("AC M1\nP0 A C G\n", "m.txt:2: \"P0 A C G\"");
  check_error("AC M1\nP0 A C G G\n", "m.txt:2: \"P0 A C G G\"");
  check_error("AC M1\nP0 A C G T\nP0 A C G T\n", "m.txt:3: a second matrix");
  check_error("AC M1\n01 1 2 3 4\n", "m.txt:2: counts before");
  check_error("P0 A C G T\n01 1 2 3 4\n//\n", "m.txt:1: a motif without a name");
  check_error("VV TRANSFAC\n//\n", "m.txt: no motif in it");
  check_error(head + "hello\n", "m.txt:3: \"hello\"");
}

TEST_CASE("HOMER") {
  check_one(">CA\tname\t6.05\t-10.1\n0.2 0.8 0 0\n0.95\t0\t0.05\t0\n", "name", "CA", 20);
  check_one(">CA\tAP-1(bZIP)/ThioMac and more\t6.05\n4 16 0 0\n19 0 1 0\n", "AP-1(bZIP)/ThioMac and more", "CA");
  // Four rows of four: sums tell them from JASPAR's, or the threshold.
  const std::string rows = "1 0 0 0\n.5 .5 0 0\n0 0 1 0\n0 0 0 1\n";
  CHECK(parse_motifs(">ACGT\tx\t5\n" + rows, "m")[0].counts[1] == Column{10, 10, 0, 0});
  CHECK(parse_motifs(">ACGT\tx\n" + rows, "m")[0].counts[1] == Column{10, 10, 0, 0});
  const std::string cycle = "0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n";
  CHECK(parse_motifs(">CGTA\tx\t5\n" + cycle, "m")[0].counts[0] == Column{0, 20, 0, 0});
  CHECK(parse_motifs(">ACGT\tx\n" + rows, "m", {.format = MotifFormat::homer})[0].counts[1] == Column{10, 10, 0, 0});
  const auto two = parse_motifs(">ACG\n1 0 0 0\n0 1 0 0\n0 0 1 0\n>A\n1 0 0 0\n", "m");
  REQUIRE(two.size() == 2);
  CHECK(two[0].id == "ACG");
  CHECK(two[1].length() == 1);
}

TEST_CASE("errors in HOMER files") {
  check_error(">A\tx\t5\n1 0 0\n", "m.txt:2: motif x: a row of 3 numbers; expected four");
  check_error(">A\tx\t5\n1 0 0 -1\n", "m.txt:2: \"-1\"");
  check_error(">A\tx\t5\n1 0 0 nan\n", "m.txt:2: ");
  check_error(">A\tx\t5\n", "m.txt:1: motif x without columns");
  check_error(">A\tx\t5\n>B\ty\t5\n1 0 0 0\n", "m.txt:1: motif x without columns");
  check_error(">A\tx\t5\n0 0 0 0\n", "m.txt:1: motif x: column 1 holds zeros only");
  check_error(">\n1 0 0 0\n", "m.txt:1: a header without a name", MotifFormat::homer);
  check_error("1 0 0 0\n", "m.txt:1: \"1 0 0 0\"; expected a header", MotifFormat::homer);
}

namespace {

/// Both ends of a motif file, and the message about it.
struct Parsed {
  std::vector<Motif> motifs;
  std::vector<pwm::MotifNote> notes;

  explicit Parsed(std::string_view text, pwm::MotifRows rows = pwm::MotifRows::automatic) {
    motifs = parse_motifs(text, "m.txt",
                          {.rows = rows, .note = [this](const pwm::MotifNote& note) { notes.push_back(note); }});
  }
  std::string ids() const {
    std::string all;
    for (const Motif& motif : motifs) all += motif.id + " ";
    return all;
  }
  /// "left_out 2 x: column 1 ..."
  std::string said(std::size_t i) const {
    if (i >= notes.size()) return "nothing";
    const char* const kinds[] = {"left_out", "rescaled", "frequencies", "log_odds", "sites"};
    return std::string(kinds[static_cast<std::size_t>(notes[i].kind)]) + " " + std::to_string(notes[i].line) + " " +
           notes[i].motif + ": " + notes[i].what;
  }
};

void check_counts(const Motif& motif, const std::vector<Column>& expected) {
  REQUIRE(motif.length() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t letter = 0; letter < 4; ++letter)
      CHECK(motif.counts[i][letter] == doctest::Approx(expected[i][letter]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("one bad motif is left out, wherever it stands and in every format") {
  const auto jaspar = [](const std::string& id, bool bad) {
    return ">" + id + "\nA 1 " + (bad ? "0" : "2") + "\nC 1 0\nG 1 0\nT 1 0\n";
  };
  const auto transfac = [](const std::string& id, bool bad) {
    return "ID " + id + "\nP0 A C G T\n01 1 2 3 4\n02 0 0 " + (bad ? "0" : "7") + " 0\n//\n";
  };
  const auto homer = [](const std::string& id, bool bad) {
    return ">AC\t" + id + "\t5.5\n.2 .3 .3 .2\n0 0 " + (bad ? "0" : "1") + " 0\n";
  };
  const auto zero_row = [](const std::string& id, bool bad) {
    return "MOTIF " + id + "\nletter-probability matrix: w= 2\n.2 .3 .3 .2\n0 0 " + (bad ? "0" : "1") + " 0\n";
  };
  const auto no_matrix = [](const std::string& id, bool bad) {
    return "MOTIF " + id + "\n" + (bad ? "URL x\n" : "letter-probability matrix: w= 1\n.2 .3 .3 .2\n");
  };
  const auto bad_sum = [](const std::string& id, bool bad) {
    return "MOTIF " + id + "\nletter-probability matrix: w= 1\n.2 .3 " + (bad ? ".1" : ".3") + " .2\n";
  };
  const auto bad_homer_sum = [](const std::string& id, bool bad) {
    return ">ACG\t" + id + "\t5.5\n.2 .3 .3 .2\n0 0 1 0\n.4 .3 " + (bad ? ".1" : ".3") + " 0\n";
  };
  const std::vector<std::pair<std::string, std::function<std::string(const std::string&, bool)>>> kinds = {
      {"column 2 holds zeros only", jaspar},
      {"column 2 holds zeros only", transfac},
      {"column 2 holds zeros only", homer},
      {"column 2 holds zeros only", zero_row},
      {"without columns", no_matrix},
      {"column 1 sums to 0.8 instead of 1", bad_sum},
      {"column 3 sums to 0.8 instead of 1", bad_homer_sum}};
  for (const auto& [wrong, text_of] : kinds)
    for (std::size_t bad = 0; bad < 3; ++bad) {
      std::string text;
      for (std::size_t i = 0; i < 3; ++i) text += text_of("m" + std::to_string(i), i == bad);
      CAPTURE(text);
      const Parsed parsed(text);
      REQUIRE(parsed.motifs.size() == 2);
      CHECK(parsed.motifs[0].id == (bad == 0 ? "m1" : "m0"));
      REQUIRE(parsed.notes.size() == 1);
      CHECK(parsed.notes[0].kind == pwm::MotifNote::Kind::left_out);
      CHECK(parsed.notes[0].motif == "m" + std::to_string(bad));
      CHECK(parsed.notes[0].what == wrong);
      CHECK(error_of(text).find("motif m" + std::to_string(bad)) != std::string::npos);
      // No other motif: an error.
      CHECK_THROWS_AS(Parsed(text_of("only", true)), InputError);
    }
}

TEST_CASE("probabilities within 10% of 1 are rescaled") {
  for (const auto& [row, said] : {std::pair(".4 .18 .18 .18", "column 2 sums to 0.94 instead of 1"),
                                  std::pair(".45 .2 .2 .2", "column 2 sums to 1.05 instead of 1")}) {
    const std::string rows = "1 0 0 0\n" + std::string(row) + "\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
    for (const char* const head : {">x\n", ">ACGTA\tx\t5.0\n", "MOTIF x\nletter-probability matrix: w= 5\n"}) {
      CAPTURE(head);
      const Parsed parsed(std::string(head) + rows);
      REQUIRE(parsed.motifs.size() == 1);
      CHECK(parsed.said(0) == "rescaled 1 x: " + std::string(said));
      CHECK(parsed.motifs[0].sites == 20);
      const Column& column = parsed.motifs[0].counts[1];
      CHECK(column[0] + column[1] + column[2] + column[3] == doctest::Approx(20).epsilon(1e-12));
      CHECK(parsed.motifs[0].counts[0] == Column{20, 0, 0, 0});
      CHECK(error_of(std::string(head) + rows) == "m.txt:1: motif x: " + std::string(said));
    }
  }
  // What rounding leaves is kept, to the last bit.
  CHECK(Parsed("MOTIF x\nletter-probability matrix: nsites= 100\n.33 .33 .33 0\n").motifs[0].counts[0][0] == .33 * 100);
}

TEST_CASE("frequencies of JASPAR and TRANSFAC are those of MEME") {
  const std::vector<Column> expected = {{19.4, 0.2, 0.2, 0.2}, {0.2, 19.4, 0.2, 0.2}, {8, 4, 4, 4}};
  for (const double unit : {1.0, 100.0}) {
    const auto text = [unit](double value) { return std::to_string(value * unit) + " "; };
    std::string jaspar = ">x name\n", transfac = "ID x\nP0 A C G T\n", bare;
    for (std::size_t letter = 0; letter < 4; ++letter) {
      std::string row;
      for (const Column& column : expected) row += text((column[letter] + (letter == 3 ? 0.02 : 0)) / 20);
      jaspar += row + "\n";
      bare += row + "\n";
    }
    for (const Column& column : expected) {
      transfac += "01 ";
      for (std::size_t letter = 0; letter < 4; ++letter)
        transfac += text((column[letter] + (letter == 3 ? 0.02 : 0)) / 20);
      transfac += "\n";
    }
    for (const std::string& one : {jaspar, bare, transfac}) {
      CAPTURE(one);
      const Parsed parsed(one);
      REQUIRE(parsed.motifs.size() == 1);
      CHECK(parsed.motifs[0].sites == 20);
      REQUIRE(parsed.motifs[0].length() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(parsed.motifs[0].counts[i][0] == doctest::Approx(expected[i][0]).epsilon(1e-5));
        CHECK(parsed.motifs[0].counts[i][3] == doctest::Approx(expected[i][3] + 0.02).epsilon(1e-4));
      }
      CHECK(parsed.said(0) == "frequencies 1 " + parsed.motifs[0].id + ": columns sum to " + (unit == 1 ? "1" : "100"));
    }
  }
  // Integers are counts, whatever they sum to, and so are numbers with other sums.
  for (const char* const one :
       {">x\n1 0 1\n0 1 0\n0 0 0\n0 0 0\n", ">x\n100 0 25\n0 100 25\n0 0 25\n0 0 25\n",
        ">x\n0.5 3 2\n0.5 1 2\n4 1 2\n1 2 1\n", "ID x\nP0 A C G T\n01 1 0 0 0\n02 0 1 0 0\n//\n"}) {
    CAPTURE(one);
    const Parsed parsed(one);
    REQUIRE(parsed.motifs.size() == 1);
    CHECK(parsed.motifs[0].sites == 0);
    CHECK(parsed.notes.empty());
    CHECK(parsed.motifs[0].counts[0][0] == (one[0] == 'I' || one[3] == '1' ? (one[4] == '0' ? 100 : 1) : 0.5));
  }
}

TEST_CASE("matrices with a position per row") {
  const std::string rows = "0.9\t.04 .03 .03\n0.9 0.04\t0.03 0.03\r\n0.03 0.02 0.90 0.05\n0.05 0.03 0.02 0.90\n";
  const std::vector<Column> four = {{18, .8, .6, .6}, {18, .8, .6, .6}, {.6, .4, 18, 1}, {1, .6, .4, 18}};
  for (const char* const head : {">x\n", "> x\r\n", "# c\n>x\n"}) {
    check_counts(Parsed(head + rows).motifs.at(0), four);
    // As the first of several, before one of another length, and behind JASPAR's own rows.
    const Parsed two(std::string(head) + rows +
                     ">y\n1 0 0 0\n0 1 0 0\n.5 .5 0 0\n0 0 1 0\n0 0 0 1\n0 0 1 0\n>z\nA [ 1 2 ]\nC [ 3 4 ]\nG [ 5 "
                     "6 ]\nT [ 7 8 ]\n");
    CHECK(two.ids() == "x y z ");
    check_counts(two.motifs[0], four);
    check_counts(two.motifs[2], {{1, 3, 5, 7}, {2, 4, 6, 8}});
  }
  // Counts: rows of equal sums.
  check_counts(Parsed(">x\n97 1 1 1\n1 97 1 1\n1 1 97 1\n97 1 1 1\n").motifs.at(0),
               {{97, 1, 1, 1}, {1, 97, 1, 1}, {1, 1, 97, 1}, {97, 1, 1, 1}});
  // The same numbers the other way round are JASPAR's.
  check_counts(Parsed(">x\n97 1 1 97\n1 97 1 1\n1 1 97 1\n1 1 1 1\n").motifs.at(0),
               {{97, 1, 1, 1}, {1, 97, 1, 1}, {1, 1, 97, 1}, {97, 1, 1, 1}});
  // Bare rows: one motif of eight columns, not two of four; an empty line ends it.
  const Parsed bare(rows + rows);
  REQUIRE(bare.motifs.size() == 1);
  CHECK(bare.motifs[0].length() == 8);
  const Parsed apart(rows + "\n" + rows + "0 1 0 0\n");
  REQUIRE(apart.motifs.size() == 2);
  check_counts(apart.motifs[0], four);
  CHECK(apart.motifs[1].length() == 5);
  // HOMER's header with blanks for tabs.
  const Parsed blanks(">h1 one 5.5\n.97 .01 .01 .01\n.97 .01 .01 .01\n.01 .97 .01 .01\n.01 .01 .97 .01\n");
  CHECK(blanks.motifs[0].id == "one");
  CHECK(blanks.motifs[0].alt_id == "h1");
  CHECK(blanks.motifs[0].threshold == 5.5);
  check_counts(blanks.motifs[0], {{19.4, .2, .2, .2}, {19.4, .2, .2, .2}, {.2, 19.4, .2, .2}, {.2, .2, 19.4, .2}});
  // Both ways have equal sums: the user says which, unless they give the same.
  const std::string cycle = ">x\n0 9 0 0\n0 0 9 0\n0 0 0 9\n9 0 0 0\n";
  check_error(cycle,
              "m.txt:1: rows of four numbers that may be letters or positions; expected letters in front of them, "
              "or --motif-rows");
  CHECK(Parsed(cycle, pwm::MotifRows::letters).motifs[0].counts[0] == Column{0, 0, 0, 9});
  CHECK(Parsed(cycle, pwm::MotifRows::positions).motifs[0].counts[0] == Column{0, 9, 0, 0});
  CHECK(Parsed(">x\n9 0 0 0\n0 9 0 0\n0 0 9 0\n0 0 0 9\n").motifs[0].counts[1] == Column{0, 9, 0, 0});
  CHECK(Parsed(">x\nA 0 9 0 0\nC 0 0 9 0\nG 0 0 0 9\nT 9 0 0 0\n").motifs[0].counts[0] == Column{0, 0, 0, 9});
}

TEST_CASE("MEME's text output, RNA, backgrounds over several lines, names with tabs") {
  const std::string stars(80, '*'), rows = " 0.2 0.8 0 0\n0.95 0 0.05 0\n";
  const std::string result =
      stars + "\nMEME - Motif discovery tool\n" + stars +
      "\nMEME version 5.4.1 (Release date: x)\n\nFor further information\nALPHABET= ACGT\n"
      "Sequence name Weight\nBackground letter frequencies (from file dataset):\nA 0.26 C 0.24 G 0.24 "
      "T 0.26 \nBackground model order: 0\n" +
      stars + "\nMOTIF AC MEME-1\twidth =   2  sites =  10  llr = 100  E-value = 1.0e-005\n" + stars +
      "\n\tMotif AC MEME-1 Description\nlog-odds matrix: alength= 4 w= 2 n= 72\n1 2 3 4\n1 2 3 4\n-----\n"
      "letter-probability matrix: alength= 4 w= 2 nsites= 20 E= 1\n" +
      rows + "-----\n\tMotif AC MEME-1 regular expression\nAC\nTime 0.1 secs.\n" + stars + "\n";
  check_one(result, "AC", "MEME-1", 20);
  CHECK(pwm::parse_motif_background(result, "m")->frequencies()[0] == doctest::Approx(.26));
  check_one("MEME version 4\nMOTIF  7\twidth =   2   sites =  20\nletter-probability matrix: w= 2\n" + rows, "7", "",
            20);
  for (const char* const rna :
       {"ALPHABET \"RNA\" RNA-LIKE\nA \"Adenine\" CC0000\nN = ACGU\nEND ALPHABET", "ALPHABET= ACGU", "ALPHABET \"RNA\"",
        "ALPHABET \"DNA\" DNA-LIKE\nA \"Adenine\" CC0000 ~ T"})
    check_one("MEME version 4\n" + std::string(rna) + "\nMOTIF x y\nletter-probability matrix: w= 2\n" + rows, "x", "y",
              20);
  for (const char* const lines :
       {"A 0.3 C 0.2 G 0.2 T 0.3", "A 0.3 C 0.2\nG 0.2 T 0.3", "A 0.3\r\nC 0.2\r\nG 0.2\r\nU 0.3",
        "A 0.3 C 0.2 G 0.2\nT 0.299", "A 0.303 C 0.2 G 0.2 T 0.306"}) {
    CAPTURE(lines);
    const auto found = pwm::parse_motif_background(
        "MEME version 5\nBackground letter frequencies\n" + std::string(lines) + "\nMOTIF x\n", "m");
    REQUIRE(found);
    CHECK(found->frequencies()[0] == doctest::Approx(.3).epsilon(0.01));
    CHECK(found->frequencies()[3] == doctest::Approx(.3).epsilon(0.01));
  }
  CHECK_THROWS_AS((void)pwm::parse_motif_background("Background letter frequencies\nA .3 C .2\nMOTIF x\n", "m"),
                  InputError);
  CHECK_THROWS_AS((void)pwm::parse_motif_background("Background letter frequencies\nA .3 C .2", "m"), InputError);

  const std::string four = "A 4 19\nC 16 0\nG 0 1\nT 0 0\n";
  check_one(">x\tname\tclass: MADS\tfam\n" + four, "x", "name class: MADS fam");
  check_one("AC x\nID a\tb\nP0 A C G T\n01 4 16 0 0\n02 19 0 1 0\n//\n", "x", "a b");
  check_one("MOTIF x a\tb\nletter-probability matrix: w= 2\n" + rows, "x", "a b", 20);
  check_one(">x a\001b\n" + four, "x", "a b");
}

TEST_CASE("texts that are no motif file") {
  check_error("", "m.txt: no motif in it");
  check_error("\n \n\t\n", "m.txt: no motif in it");
  check_error("# only this\n", "m.txt: no motif in it");
  check_error("hello there\n", "m.txt:1: no motif file that is known begins like this");
  check_error("@read\nACGT\n+\nIIII\n", "m.txt:1: no motif file that is known");
  check_error(">chr1\nACGTNNACGT\n", "m.txt:1: one record, chr1; expected two aligned sites at least");
  check_error(std::string_view("\0\1\2", 3), "m.txt:1: ");
  for (const MotifFormat format :
       {MotifFormat::jaspar, MotifFormat::meme, MotifFormat::transfac, MotifFormat::homer, MotifFormat::sites})
    check_error("", "m.txt: no motif in it", format);
}

TEST_CASE("real collections") {
  const std::string jaspar = data_file("jaspar2024.jaspar.gz"), meme = data_file("jaspar2018_core.meme.gz"),
                    vertebrates = data_file("jaspar2018_vertebrates.jaspar");
  if (jaspar.empty() || meme.empty() || vertebrates.empty()) {
    MESSAGE("left out: no data");
    return;
  }
  const auto newest = parse_motifs(jaspar, "jaspar2024");
  CHECK(newest.size() == 2346);
  CHECK(columns_of(newest) == 22090);
  CHECK(newest[0].id == "MA0004.1");
  CHECK(newest[0].alt_id == "Arnt");
  CHECK(newest[0].counts[1] == Column{19, 0, 1, 0});

  const auto core = parse_motifs(meme, "core.meme");
  CHECK(core.size() == 1404);
  const auto animals = parse_motifs(vertebrates, "vertebrates");
  CHECK(animals.size() == 579);
  CHECK(animals[0].alt_id == "RUNX1");
  CHECK(animals[0].counts[10] == Column{500, 158, 289, 1053});
  CHECK(parse_motifs(meme + meme, "twice").size() == 2 * core.size());
  // The same motifs in both: counts within what the digits of either leave.
  std::size_t shared = 0;
  for (const Motif& a : animals)
    for (const Motif& b : core)
      if (a.id == b.id && a.length() == b.length()) {
        ++shared;
        for (std::size_t i = 0; i < a.length(); ++i) {
          const double sum_a = a.counts[i][0] + a.counts[i][1] + a.counts[i][2] + a.counts[i][3];
          for (std::size_t letter = 0; letter < 4; ++letter)
            if (std::abs(a.counts[i][letter] / sum_a - b.counts[i][letter] / b.sites) > 5e-6)
              FAIL_CHECK(a.id << " column " << i);
        }
      }
  CHECK(shared > 500);
}
