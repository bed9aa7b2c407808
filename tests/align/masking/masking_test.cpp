// SEG and DUST: what segmasker and dustmasker of NCBI BLAST 2.12.0+ print, and the definition of DUST.
#include "genocl/align/masking.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "align/cases.hpp"
#include "genocl/error.hpp"
#include "reference/dust.hpp"

using namespace genocl;
using namespace genocl::align;
using align_test::random_codes;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

std::string text_of(std::span<const Interval> ranges) {
  std::string text;
  for (const Interval& range : ranges)
    text += (text.empty() ? "" : " ") + std::to_string(range.begin) + "-" + std::to_string(range.end - 1);
  return text;
}

std::string seg_of(std::string_view letters, const SegOptions& options = {}) {
  return text_of(seg(encode(Alphabet::protein, letters), options));
}
std::string dust_of(std::string_view letters, const DustOptions& options = {}) {
  return text_of(dust(encode(Alphabet::dna, letters), options));
}

}  // namespace

TEST_CASE("align masking: SEG finds what segmasker prints") {
  CHECK(seg_of("MSTPQQQQQQQQHQQQQQQQQPQQQQQQLNDSGSRKWTTPHDEVLQQLQQQQQAAGHYWPRKTSLQQQHQQQQSVTLLKQAEDFGHIKLMNPRS") ==
        "4-27 44-52 65-72");
  CHECK(
      seg_of(
          "MADSERLSAPGCWAACTNFSRTRKGILLFAEIILCLVILICFSASTPGYSSLSVIEMILAAIFFVVYMCDLHTKIPFINWPWSDFFRTLIAAILYLITSIVVLVERG")
          .empty());
  CHECK(seg_of("GGGSGGGSGGSSXXXXGGSGGGSBZGGGSGGGS") == "0-13 16-32");
  CHECK(seg_of("KKKKEEEKKKDDDEEEDDEKKDWTYHPGLMKEKEKEKEKDKDKDKEKWQRTYPLHGV") == "0-21 30-46");
  CHECK(seg_of("AAAAAAAAAAAA") == "0-11");
  CHECK(seg_of("AAAAAAAAAAA").empty());  // shorter than the window
  CHECK(seg_of("").empty());
  CHECK(seg_of("AAAAAAAAAAA", {.window = 10, .low = 1.8, .high = 2.1}) == "0-10");
  CHECK_THROWS_AS(seg({}, {.window = 0}), InputError);
}

TEST_CASE("align masking: DUST finds what dustmasker prints") {
  CHECK(dust_of("ACGTACACACACACACACACACACACACGGTTCAGGCTAATTTTTTTTTTTTTTTTGCATGC") == "4-27 40-55");
  CHECK(dust_of("GATTACAGATTACAGATTACAGATTACACCCTGTCTCCTTTCTCCCTGTCTCTCTGT").empty());
  CHECK(dust_of("AAAAAAAAAA") == "0-9");
  for (const char* text : {"", "A", "AA", "AAA"}) CHECK(dust_of(text).empty());
  // Letters that are none of the four are in no interval, and end it.
  CHECK(dust_of("AAAAAAAAAANAAAAAAAAAA") == "0-9 11-20");
  CHECK(dust_of("NNNNNNNNNNNNNNNNNNNNNNNNN").empty());
  CHECK_THROWS_AS(dust({}, {.window = 7}), InputError);
  CHECK_THROWS_AS(dust({}, {.window = 65}), InputError);
  CHECK_THROWS_AS(dust({}, {.level = 1}), InputError);
}

TEST_CASE("align masking: DUST finds every perfect interval") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int repeat = 0; repeat < 60; ++repeat) {
    std::vector<Code> text = random_codes(random, random() % 300, repeat % 3 == 0 ? 2 : 4);
    for (int i = 0; i < repeat % 4; ++i) {  // some repeats
      const auto unit = align_test::repeated(random_codes(random, 1 + random() % 7, 4), 4 + random() % 30);
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1)), unit.begin(), unit.end());
    }
    const DustOptions options{.window = repeat % 2 == 0 ? 64u : 8u + static_cast<unsigned>(random() % 50),
                              .level = repeat % 5 == 0 ? 10u + static_cast<unsigned>(random() % 30) : 20u};
    CAPTURE(options.window);
    CAPTURE(options.level);
    CAPTURE(decode(Alphabet::dna, text));
    std::vector<bool> found(text.size(), false);
    for (const Interval& range : dust(text, options))
      std::fill(found.begin() + static_cast<std::ptrdiff_t>(range.begin),
                found.begin() + static_cast<std::ptrdiff_t>(range.end), true);
    CHECK(found == genocl_reference::dust(text, options.window, options.level / 10.0));
  }
}

TEST_CASE("align masking: intervals that are found are masked in their set") {
  SequenceSet proteins(Alphabet::protein), reads(Alphabet::dna);
  proteins.append_letters("a", "MKWVTFISLLFLFSSAYSRGVFRRDAHKS");
  proteins.append_letters("b", "MKWVTFISLLQQQQQQQQQQQQQQFLFSSAYSRGVFRRDAHKS");
  mask_low_complexity(proteins);
  CHECK(proteins.masked(0).empty());
  CHECK(text_of(proteins.masked(1)) == seg_of(proteins.letters(1)));
  CHECK(proteins.letters(1) == "MKWVTFISLLQQQQQQQQQQQQQQFLFSSAYSRGVFRRDAHKS");
  reads.append_letters("r", "ACGTACACACACACACACACACACACACGGTTCAGGCTA");
  mask_low_complexity(reads);
  CHECK(text_of(reads.masked(0)) == "4-27");
  CHECK(text_of(reads.reverse_complement().masked(0)) == "11-34");
}
