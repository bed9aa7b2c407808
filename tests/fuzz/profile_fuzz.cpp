// Any bytes as a profile of psiblast's (-out_ascii_pssm, -out_pssm): rows of scores, or an InputError. And as the rows
// of a multiple alignment, one a line: a profile, which reads back from what it is written as, or an InputError.
#include "fuzz.hpp"

#include <algorithm>
#include "genocl/align/profile.hpp"
#include "genocl/align/profile_making.hpp"

using fuzz::reads, fuzz::require;
using namespace genocl::align;

namespace {

void check_profile(const Profile& profile) {
  require(profile.size() > 0, "a profile has rows");
  for (std::size_t row = 0; row < profile.size(); ++row) {
    require(profile.letters()[row] < genocl::protein::letters.size(), "letters are codes");
    for (genocl::Code code = 0; code < genocl::protein::letters.size(); ++code)
      require(profile(row, code) <= profile.highest() && profile(row, code) >= profile.lowest(),
              "the range is that of the scores");
  }
}

void check_alignment(std::string_view bytes) {
  std::vector<AlignedSequence> rows;
  while (!bytes.empty() && rows.size() < 6) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    // It costs more than all the rest.
    rows.push_back({"row" + std::to_string(rows.size()), std::string(line.substr(0, 24))});
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
  }
  reads({}, [&] {
    const MadeProfile made = make_profile("made", rows);
    check_profile(made.profile);
    const Profile again = Profile::parse(made.ascii(), "made.pssm", "made");
    require(again.size() == made.profile.size(), "what is written reads back");
    for (std::size_t row = 0; row < again.size(); ++row)
      for (genocl::Code code = 0; code < 20; ++code)
        require(again(row, code) == made.profile(row, code), "what is written reads back the same");
  });
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  const std::string file = "profile.pssm";
  reads(file, [&] { check_profile(Profile::parse(bytes, file, "profile")); });
  check_alignment(bytes);
}
