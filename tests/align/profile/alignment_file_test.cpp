// Files of multiple alignments: one alignment in every format.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using align::AlignedSequence;
using align::parse_alignment;

namespace {

std::string text_of(const std::vector<AlignedSequence>& rows) {
  std::string text;
  for (const AlignedSequence& row : rows) text += row.name + " " + row.letters + "\n";
  return text;
}

const std::string expected = "q MEVKPKLY\ns1 ME--PKLY\ns/2-9 -EVKPK--\n";

std::string with_cr(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  return text;
}

std::string error_of(std::string_view text) {
  try {
    (void)parse_alignment(text, "m.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("one alignment in every format") {
  const std::string fasta = ">q the query\nMEVK\nPKLY\n>s1\nME--PKLY\n\n>s/2-9 third\n-EVKPK--\n";
  const std::string a3m =
      "#A3M#\n>ss_pred\nCCCC\n>q_consensus\nMEVKPKLYA\n>q the query\nMEVKPKLY\n>s1\nMEaa--PKLYw\n>s/2-9\n-EVgg.KPK--\n";
  const std::string stockholm =
      "# STOCKHOLM 1.0\n#=GF ID family\n\nq      MEVK\ns1 ME--\n#=GR s1 SS CC..\ns/2-9  -EVK\n#=GC SS_cons HHHH\n\nq  "
      "PKLY\n"
      "s1 PKLY\ns/2-9 PK--\n//\n";
  const std::string clustal =
      "CLUSTAL W (1.83) multiple sequence alignment\n\n\nq      MEVK 4\ns1     ME-- 2\ns/2-9  -EVK 3\n        *  \n\nq "
      "     PKLY 8\n"
      "s1     PKLY 6\ns/2-9  PK-- 5\n       **\n";
  const std::string muscle = "MUSCLE (3.8) multiple sequence alignment" + clustal.substr(clustal.find('\n'));
  for (const std::string& text : {fasta, a3m, stockholm, clustal, muscle}) {
    CAPTURE(text);
    CHECK(text_of(parse_alignment(text, "m")) == expected);
    CHECK(text_of(parse_alignment(with_cr(text), "m")) == expected);
    CHECK(text_of(parse_alignment("\xef\xbb\xbf\n" + text, "m")) == expected);
  }
  // Rows of one length are as they are: lower case and '.' are columns of A2M.
  CHECK(text_of(parse_alignment(">a\nMeV.K\n>b\nM.VaK\n", "m")) == "a MeV.K\nb M.VaK\n");
}

TEST_CASE("files that are no alignment") {
  CHECK(error_of("").find("m.txt: no aligned sequence in it; expected FASTA") == 0);
  CHECK(error_of("MEVK\n") == "m.txt:1: \"MEVK\"; expected \">name\"");
  CHECK(error_of(">a\nMEVK\n>b\nMEV\n")
            .find("m.txt: sequence \"b\" of an alignment has 3 letters and gaps; expected 4") == 0);
  CHECK(error_of("# STOCKHOLM 1.0\na MEVK\n//\n# STOCKHOLM 1.0\nb MEVK\n//\n") ==
        "m.txt:4: a second alignment; expected one in a file");
  CHECK(error_of("# STOCKHOLM 1.0\na\n") == "m.txt:2: \"a\"; expected a name and letters");
  CHECK(error_of("CLUSTAL\n\na MEVK x\n") == "m.txt:3: \"a MEVK x\"; expected a name and letters");
  CHECK(error_of("CLUSTAL\n\na MEVK\nb MEVK\n\na ME\n").find("sequence \"b\" of an alignment has 4") !=
        std::string::npos);
}
