// Backgrounds: given, read, counted.
#include "genocl/pwm/background.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"

using namespace genocl;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm::Background;

namespace {

SequenceSet set_of(std::initializer_list<std::string_view> records) {
  SequenceSet set;
  for (const std::string_view letters : records) set.append_letters("r", letters);
  return set;
}

/// The text of the error, "" if none.
template <class Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& error, std::string_view text) { return error.find(text) != std::string::npos; }

/// Frequencies must be those of a distribution: so P of all words of a length is one.
void check_sums(const Background& background) {
  const unsigned order = background.order();
  double start = 0;
  for (std::uint32_t before = 0; before < 1u << (2 * order); ++before) {
    start += background.start(before);
    double sum = 0;
    for (Code letter = 0; letter < 4; ++letter) sum += background.conditional(before, letter);
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
  CHECK(start == doctest::Approx(1).epsilon(1e-12));
  double single = 0;
  for (const double frequency : background.frequencies()) single += frequency;
  CHECK(single == doctest::Approx(1).epsilon(1e-12));
}

}  // namespace

TEST_CASE("a background of four numbers") {
  CHECK(Background().uniform());
  CHECK(Background() == Background(std::array{0.25, 0.25, 0.25, 0.25}));
  const Background background(std::array{0.1, 0.2, 0.3, 0.4});
  CHECK(background.order() == 0);
  CHECK_FALSE(background.uniform());
  CHECK(background.start(0) == 1);
  for (Code letter = 0; letter < 4; ++letter) {
    CHECK(background.conditional(0, letter) == doctest::Approx(0.1 * (letter + 1)).epsilon(1e-12));
    CHECK(background.frequencies()[letter] == background.conditional(0, letter));
  }
  // Off by a little: scaled.
  const Background scaled(std::array{0.25, 0.25, 0.25, 0.2505});
  check_sums(scaled);
  CHECK_FALSE(scaled.uniform());
}

TEST_CASE("four numbers that are no background") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::array<double, 4>& wrong :
       {std::array{0.0, 0.5, 0.25, 0.25}, std::array{-0.1, 0.6, 0.25, 0.25}, std::array{nan, 0.25, 0.25, 0.25},
        std::array{0.25, 0.25, 0.25, 0.27}, std::array{0.25, 0.25, 0.25, 0.2}, std::array{1.0, 1.0, 1.0, 1.0}})
    CHECK_THROWS_AS((void)Background(wrong), InputError);
  CHECK(says(error_of([] { (void)Background(std::array{0.0, 0.5, 0.25, 0.25}); }), "a frequency of 0"));
  CHECK(says(error_of([] { (void)Background(std::array{0.2, 0.2, 0.2, 0.2}); }), "sum to 0.8"));
  // Three digits, as people write them.
  CHECK(Background(std::array{0.3, 0.2, 0.2, 0.299}).frequencies()[3] == doctest::Approx(0.299 / 0.999));
  CHECK(Background::parse("A 0.3\nC 0.2\nG 0.2\nT 0.299\n", "b").frequencies()[0] == doctest::Approx(0.3 / 0.999));
  CHECK(Background::parse("A 0.25\nC 0.25\nG 0.25\nT 0.25\n", "b").frequencies()[0] == 0.25);
}

TEST_CASE("MEME's file of order 0 and 1") {
  const Background zero = Background::parse("# order 0\nA 3.0e-01\nc 2.0e-01\n\nG 0.2 # more\r\nT\t0.3", "bg");
  CHECK(zero.order() == 0);
  CHECK(zero.frequencies()[0] == doctest::Approx(0.3));
  CHECK(zero.frequencies()[1] == doctest::Approx(0.2));

  std::string text = "A 0.25\nC 0.25\nG 0.25\nT 0.25\n";
  // After A always A or C, after C evenly, and so on: words of two, by the letter before.
  const double after[4][4] = {{0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0, 0, 0.5, 0.5}, {0.25, 0.25, 0.25, 0.25}};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      text += std::string{"ACGT"[a], "ACGT"[b]} + " " + std::to_string(0.25 * after[a][b]) + "\n";
  const Background one = Background::parse(text, "bg");
  CHECK(one.order() == 1);
  check_sums(one);
  for (std::uint32_t a = 0; a < 4; ++a) {
    CHECK(one.start(a) == doctest::Approx(0.25));
    for (Code b = 0; b < 4; ++b) CHECK(one.conditional(a, b) == doctest::Approx(after[a][b]));
  }
}

TEST_CASE("MEME's file of order 3 is used up to order 2") {
  std::string text;
  for (int length = 1; length <= 4; ++length)
    for (int word = 0; word < 1 << (2 * length); ++word) {
      for (int i = length; i-- > 0;) text += "ACGT"[word >> (2 * i) & 3];
      text += " " + std::to_string(1.0 / (1 << (2 * length))) + "\n";
    }
  const Background background = Background::parse(text, "bg");
  CHECK(background.order() == 2);
  check_sums(background);
  CHECK(background.conditional(7, 2) == doctest::Approx(0.25));
  CHECK(background.start(11) == doctest::Approx(1.0 / 16));
}

TEST_CASE("files that are no background") {
  const auto error = [](std::string_view text) { return error_of([&] { (void)Background::parse(text, "bg.txt"); }); };
  CHECK(says(error(""), "bg.txt: no background"));
  CHECK(says(error("# nothing\n\n"), "bg.txt: no background"));
  CHECK(says(error("A 0.25\nC 0.25\nX 0.25\n"), "bg.txt:3: \"X\""));
  CHECK(says(error("A 0.25\nN 0.25\n"), "bg.txt:2: \"N\""));
  CHECK(says(error("A 0.25 0.25\n"), "bg.txt:1:"));
  CHECK(says(error("A\n"), "bg.txt:1:"));
  CHECK(says(error("A x\n"), "bg.txt:1: \"x\"; expected a number"));
  CHECK(says(error("A nan\n"), "bg.txt:1:"));
  CHECK(says(error("\nA 0\n"), "bg.txt:2: frequency 0"));
  CHECK(says(error("A -0.1\n"), "bg.txt:1: frequency -0.1"));
  CHECK(says(error("A 0.25\nC 0.25\nG 0.5\n"), "no frequency for T"));
  CHECK(says(error("A 0.25\nA 0.25\n"), "bg.txt:2: a second frequency for A"));
  CHECK(says(error("A 0.3\nC 0.3\nG 0.3\nT 0.3\n"), "sum to 1.2"));
  CHECK(says(error("A 0.25\nC 0.25\nG 0.25\nT 0.25\nAA 1\n"), "no frequency for AC"));
  CHECK(says(error("AA 1\n"), "no frequency for A"));
  CHECK(says(error("A 0.25\nC 0.25\nG 0.25\nT 0.25\nAA -1\n"), "bg.txt:5: frequency -1"));
}

TEST_CASE("the background of a text: nothing over N and records' ends") {
  const SequenceSet text = set_of({"AACGT", "NNA", "", "CNTG"});
  const Background forward = Background::of(text, 0, false);
  CHECK(forward.frequencies()[0] == doctest::Approx(3.0 / 9));
  CHECK(forward.frequencies()[1] == doctest::Approx(2.0 / 9));
  CHECK(forward.frequencies()[2] == doctest::Approx(2.0 / 9));
  const Background both = Background::of(text);
  CHECK(both.frequencies()[0] == doctest::Approx(5.0 / 18));
  CHECK(both.frequencies()[0] == both.frequencies()[3]);
  CHECK(both.frequencies()[1] == both.frequencies()[2]);
  // Words: AA AC CG GT TG.
  const Background one = Background::of(text, 1, false);
  CHECK(one.order() == 1);
  check_sums(one);
  CHECK(one.start(0) == doctest::Approx(2.0 / 5));
  CHECK(one.conditional(0, 0) == doctest::Approx(0.5));
  CHECK(one.conditional(0, 1) == doctest::Approx(0.5));
  CHECK(one.conditional(1, 2) == doctest::Approx(1));
  CHECK(one.frequencies()[0] == doctest::Approx(3.0 / 9));
}

TEST_CASE("the background of a text equals counting word by word") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const unsigned order : {0u, 1u, 2u}) {
    CAPTURE(order);
    SequenceSet text;
    for (int record = 0; record < 20; ++record) text.append("r", pwm_test::random_codes(random, random() % 200, 5));
    for (const bool both : {false, true}) {
      CAPTURE(both);
      std::vector<double> counts(std::size_t{1} << (2 * (order + 1)));
      for (std::size_t r = 0; r < text.size(); ++r)
        for (std::size_t i = 0; i + order < text.length(r); ++i) {
          const std::span<const Code> word = text[r].subspan(i, order + 1);
          std::size_t forward = 0, reverse = 0;
          bool bases = true;
          for (std::size_t k = 0; k < word.size(); ++k) {
            bases = bases && word[k] < 4;
            forward = forward * 4 + word[k];
            reverse += static_cast<std::size_t>(3 - word[k] % 4) << (2 * k);
          }
          if (!bases) continue;
          ++counts[forward];
          if (both) ++counts[reverse];
        }
      const Background background = Background::of(text, order, both);
      CHECK(background.order() == order);
      check_sums(background);
      double sum = 0;
      for (const double count : counts) sum += count;
      for (std::uint32_t before = 0; before < counts.size() / 4; ++before)
        for (Code letter = 0; letter < 4; ++letter)
          CHECK(background.start(before) * background.conditional(before, letter) ==
                doctest::Approx(counts[before * 4 + letter] / sum).epsilon(1e-9));
    }
  }
}

TEST_CASE("texts that give no background") {
  CHECK(says(error_of([] { (void)Background::of(set_of({"NNNN", ""})); }), "no A in the text"));
  CHECK(says(error_of([] { (void)Background::of(set_of({})); }), "no A in the text"));
  CHECK(says(error_of([] { (void)Background::of(set_of({"AAAA"})); }), "no C in the text"));
  CHECK_NOTHROW(Background::of(set_of({"AACC"})));
  CHECK(says(error_of([] { (void)Background::of(set_of({"AACC"}), 0, false); }), "no G in the text"));
  CHECK(says(error_of([] { (void)Background::of(set_of({"ANCNGNT"}), 1); }), "no word of 2 bases"));
  CHECK(says(error_of([] { (void)Background::of(set_of({"ACGT"}), 3); }), "order 3"));
  CHECK(says(error_of([] { (void)Background::of(SequenceSet(Alphabet::protein)); }), "protein"));
  // A word at the very end, without a successor: single letters are used instead.
  const Background background = Background::of(set_of({"AGCAT"}), 1, false);
  check_sums(background);
  CHECK(background.conditional(3, 1) == doctest::Approx(2.0 / 8));
}
