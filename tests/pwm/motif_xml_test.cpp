// The XML output of MEME, DREME and STREME.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/motif.hpp"

using namespace genocl;
using pwm::Motif;
using pwm::parse_motifs;

namespace {

using Column = std::array<double, 4>;

std::string value(const std::string& letter, const std::string& number) {
  return "<value letter_id=\"" + letter + "\">" + number + "</value>\n";
}

/// MEME 5, or with ids of letters as MEME 4 has them.
std::string meme_text(const std::string& prefix = "", const std::string& last = "T", const std::string& width = "2") {
  const auto letter = [&](const std::string& symbol) {
    return "<letter id=\"" + prefix + symbol + "\" symbol=\"" + symbol + "\" name=\"base\"/>\n";
  };
  const auto array = [&](const std::vector<std::string>& numbers) {
    std::string text = "<alphabet_array>\n";
    // Not in the order of the alphabet.
    for (const std::size_t i : {3U, 0U, 1U, 2U})
      text += value(prefix + (i == 3 ? last : std::string(1, "ACG"[i])), numbers[i]);
    return text + "</alphabet_array>\n";
  };
  return "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<!-- Document definition -->\n"
         "<!DOCTYPE MEME[\n<!ELEMENT MEME (training_set, motifs)>\n<!ATTLIST motif id ID #REQUIRED>\n]>\n"
         "<!-- Begin document body -->\n<MEME version=\"5.0.1\">\n<training_set>\n<alphabet name=\"DNA\" "
         "like=\"dna\">\n" +
         letter("A") + letter("C") + letter("G") + letter(last) +
         "<letter id=\"N\" symbol=\"N\" equals=\"ACGT\"/>\n</alphabet>\n<letter_frequencies>\n" +
         array({"0.1", "0.2", "0.3", "0.4"}) +
         "</letter_frequencies></training_set>\n<model><background_frequencies source=\"x\">\n" +
         array({"0.3", "0.2", "0.2", "0.3"}) + "</background_frequencies></model>\n<motifs>\n" +
         "<motif id=\"motif_1\" name=\"A&lt;C\" alt='MEME-1' width=\"" + width +
         "\" sites=\"10\" e_value=\"1.9e-001\" url=\"a>b\">\n<scores>\n<alphabet_matrix>\n" +
         array({"-118", "229", "1", "2"}) + "</alphabet_matrix>\n</scores>\n<probabilities>\n<alphabet_matrix>\n" +
         array({"1.000000", "0", "0", "0.000000"}) + array({"0.1", "0.2", "3e-1", "0.4"}) +
         "</alphabet_matrix>\n</probabilities>\n<contributing_sites>\n<contributing_site sequence_id=\"s\">"
         "<site>\n<letter_ref letter_id=\"A\"/></site>\n</contributing_site></contributing_sites>\n</motif>\n"
         "</motifs>\n</MEME>\n";
}

std::string error_of(std::string_view text) {
  try {
    (void)parse_motifs(text, "m.xml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("MEME's XML") {
  for (const std::string& text :
       {meme_text(), meme_text("letter_"), meme_text("", "U"), "\xef\xbb\xbf" + meme_text()}) {
    const std::vector<Motif> motifs = parse_motifs(text, "m.xml");
    REQUIRE(motifs.size() == 1);
    CHECK(motifs[0].id == "A<C");
    CHECK(motifs[0].alt_id == "MEME-1");
    CHECK(motifs[0].sites == 10);
    REQUIRE(motifs[0].length() == 2);
    CHECK(motifs[0].counts[0] == Column{10, 0, 0, 0});
    CHECK(motifs[0].counts[1] == Column{1, 2, 3, 4});
    CHECK(pwm::parse_motif_background(text, "m.xml") == pwm::Background({0.3, 0.2, 0.2, 0.3}));
  }
}

TEST_CASE("XML of DREME and STREME") {
  const std::string dreme =
      "<dreme version=\"5.0.5\">\n<model>\n<background type=\"dna\" A=\"0.2\" C=\"0.3\" G=\"0.3\" T=\"0.2\" "
      "from=\"dataset\"/>\n</model>\n<motifs>\n<motif id=\"m01\" alt=\"DREME-1\" seq=\"AY\" length=\"2\" nsites=\"8\" "
      "p=\"3\">\n<pos A=\"1\" C=\"0\" G=\"0\" T=\"0\"/>\n<pos A=\"0\" C=\"0.75\" G=\"0\" T=\"0.25\"/>\n"
      "<match seq=\"AC\" p=\"1\"/>\n</motif>\n</motifs>\n</dreme>\n";
  const std::vector<Motif> of_dreme = parse_motifs(dreme, "m");
  REQUIRE(of_dreme.size() == 1);
  CHECK(of_dreme[0].id == "AY");
  CHECK(of_dreme[0].alt_id == "DREME-1");
  CHECK(of_dreme[0].counts == std::vector<Column>{{8, 0, 0, 0}, {0, 6, 0, 2}});
  CHECK(pwm::parse_motif_background(dreme, "m") == pwm::Background({0.2, 0.3, 0.3, 0.2}));
  const std::string streme =
      "<STREME version=\"5.5.5\">\n<motifs>\n<motif id=\"1-AY\" alt=\"STREME-1\" width=\"1\" total_sites=\"4\">\n"
      "<pos A=\"0.5\" C=\"0\" G=\"0\" T=\"0.5\"/>\n</motif>\n<motif id=\"2-C\" alt=\"STREME-2\" width=\"1\">\n"
      "<pos A=\"0\" C=\"1\" G=\"0\" T=\"0\"/>\n</motif>\n</motifs>\n</STREME>\n";
  const std::vector<Motif> of_streme = parse_motifs(streme, "m");
  REQUIRE(of_streme.size() == 2);
  CHECK(of_streme[0].id == "1-AY");
  CHECK(of_streme[0].counts == std::vector<Column>{{2, 0, 0, 2}});
  CHECK(of_streme[1].sites == 20);
  CHECK(!pwm::parse_motif_background(streme, "m"));
}

TEST_CASE("XML that is no motif file, or a broken one") {
  CHECK(error_of("<?xml version=\"1.0\"?>\n<svg/>\n") ==
        "m.xml:2: XML with the root <svg>; expected output of MEME, DREME or STREME");
  CHECK(error_of(meme_text("", "T", "3")).find("motif A<C has 2 positions; expected 3 as its width says") !=
        std::string::npos);
  CHECK(error_of(meme_text("", "D")).find("an alphabet of \"ACGD\"; expected ACGT") != std::string::npos);
  std::string text = meme_text();
  CHECK(error_of(text.substr(0, text.find("</motif>"))).find("the file ends within motif A<C") != std::string::npos);
  CHECK(error_of(text.substr(0, text.find("<motifs>"))).find("no motif in it") != std::string::npos);
  const std::size_t at = text.find("3e-1");
  text.replace(at, 4, "x");
  CHECK(error_of(text).find("\"x\" in <value>; expected a number, 0 or more") != std::string::npos);
  CHECK(error_of("<MEME a=\"1\n").find("a tag without an end") != std::string::npos);
  CHECK(error_of("<MEME version=4>\n<motif id=m name=x>").find("an attribute without quotes") != std::string::npos);
}
