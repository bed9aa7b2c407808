// E-values with the finite-size correction, and the cutoffs that follow from them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "align/cases.hpp"
#include "align/search/search_plan.hpp"
#include "genocl/align/statistics.hpp"

using namespace genocl;
using namespace genocl::align;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

struct Printed {
  const char* matrix;
  GapPenalty gap;
  std::uint64_t query_length, residues, subject_length;
  std::int64_t score;
  double bits, evalue;
};

// What NCBI BLAST 2.12.0+ printed: blastp -comp_based_stats 0 -seg no -evalue 1000 -outfmt 5
constexpr Printed blastp[] = {
    {"BLOSUM62", {11, 1}, 12, 2000086, 1741, 32, 16.9346, 26.7991},
    {"BLOSUM62", {11, 1}, 12, 2000086, 96, 23, 13.4678, 939.004},
    {"BLOSUM62", {11, 1}, 12, 2000086, 96, 31, 16.5494, 38.6082},
    {"BLOSUM62", {11, 1}, 12, 2000086, 5434, 25, 14.2382, 367.279},
    {"BLOSUM62", {11, 1}, 12, 2000086, 254, 26, 14.6234, 243.577},
    {"BLOSUM62", {11, 1}, 12, 2000086, 253, 25, 14.2382, 377.812},
    {"BLOSUM62", {11, 1}, 25, 2000086, 251, 39, 19.631, 7.9853},
    {"BLOSUM62", {11, 1}, 25, 2000086, 6485, 25, 14.2382, 969.135},
    {"BLOSUM62", {11, 1}, 25, 2000086, 94, 26, 14.6234, 648.372},
    {"BLOSUM62", {11, 1}, 25, 2000086, 859, 25, 14.2382, 968.864},
    {"BLOSUM62", {11, 1}, 25, 2000086, 2019, 35, 18.0902, 28.6311},
    {"BLOSUM62", {11, 1}, 60, 2000086, 483, 52, 24.6386, 0.675045},
    {"BLOSUM62", {11, 1}, 60, 2000086, 146, 29, 15.779, 989.445},
    {"BLOSUM62", {11, 1}, 60, 2000086, 66, 29, 15.779, 815.971},
    {"BLOSUM62", {11, 1}, 60, 2000086, 8242, 34, 17.705, 225.729},
    {"BLOSUM62", {11, 1}, 60, 2000086, 287, 32, 16.9346, 402.767},
    {"BLOSUM62", {11, 1}, 60, 2000086, 1117, 35, 18.0902, 161.116},
    {"BLOSUM62", {11, 1}, 144, 2000086, 251, 62, 28.4906, 0.218841},
    {"BLOSUM62", {11, 1}, 144, 2000086, 126, 33, 17.3198, 990.881},
    {"BLOSUM62", {11, 1}, 144, 2000086, 94, 38, 19.2458, 188.372},
    {"BLOSUM62", {11, 1}, 144, 2000086, 8242, 34, 17.705, 988.303},
    {"BLOSUM62", {11, 1}, 144, 2000086, 261, 35, 18.0902, 648.515},
    {"BLOSUM62", {11, 1}, 144, 2000086, 951, 48, 23.0978, 16.7818},
    {"BLOSUM62", {11, 1}, 375, 2000086, 398, 386, 153.295, 1.6148e-43},
    {"BLOSUM62", {11, 1}, 375, 2000086, 729, 38, 19.2458, 996.692},
    {"BLOSUM62", {11, 1}, 375, 2000086, 41, 34, 17.705, 907.984},
    {"BLOSUM62", {11, 1}, 375, 2000086, 6485, 41, 20.4014, 463.966},
    {"BLOSUM62", {11, 1}, 375, 2000086, 228, 46, 22.3274, 89.366},
    {"BLOSUM62", {11, 1}, 375, 2000086, 803, 48, 23.0978, 63.9175},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 366, 555, 218.394, 2.1414e-63},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 291, 43, 21.1718, 994.444},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 43, 40, 20.0162, 547.765},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 8242, 53, 25.0238, 82.861},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 348, 45, 21.9422, 595.701},
    {"BLOSUM62", {11, 1}, 1500, 2000086, 184, 43, 21.1718, 861.355},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 1306, 493, 194.512, 7.82707e-50},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 373, 48, 23.0978, 997.92},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 39, 47, 22.7126, 188.602},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 8242, 49, 23.483, 915.734},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 766, 68, 30.8018, 4.97724},
    {"BLOSUM62", {11, 1}, 5478, 2000086, 267, 57, 26.5646, 75.5867},
    {"BLOSUM62", {11, 1}, 12, 464685, 144, 60, 27.7202, 0.00114931},
    {"BLOSUM62", {11, 1}, 12, 464685, 298, 20, 12.3122, 704.514},
    {"BLOSUM62", {11, 1}, 12, 464685, 10548, 26, 14.6234, 55.1082},
    {"BLOSUM62", {11, 1}, 25, 464685, 144, 120, 50.8322, 4.96988e-12},
    {"BLOSUM62", {11, 1}, 25, 464685, 292, 22, 13.0826, 706.365},
    {"BLOSUM62", {11, 1}, 25, 464685, 82, 24, 13.853, 333.015},
    {"BLOSUM62", {11, 1}, 60, 464685, 144, 298, 119.398, 3.15657e-38},
    {"BLOSUM62", {11, 1}, 60, 464685, 42196, 25, 14.2382, 942.086},
    {"BLOSUM62", {11, 1}, 60, 464685, 26, 24, 13.853, 808.76},
    {"BLOSUM62", {11, 1}, 144, 464685, 144, 719, 281.567, 7.30808e-101},
    {"BLOSUM62", {11, 1}, 144, 464685, 42196, 29, 15.779, 953.949},
    {"BLOSUM62", {11, 1}, 144, 464685, 61, 32, 16.9346, 211.681},
    {"BLOSUM62", {11, 1}, 375, 464685, 435, 860, 335.88, 3.05458e-114},
    {"BLOSUM62", {11, 1}, 375, 464685, 42196, 33, 17.3198, 961.814},
    {"BLOSUM62", {11, 1}, 375, 464685, 35, 29, 15.779, 949.221},
    {"BLOSUM62", {11, 1}, 1500, 464685, 1715, 1410, 547.74, 1.40146e-168},
    {"BLOSUM62", {11, 1}, 1500, 464685, 462, 38, 19.2458, 980.999},
    {"BLOSUM62", {11, 1}, 1500, 464685, 102, 46, 22.3274, 54.1427},
    {"BLOSUM62", {11, 1}, 5478, 464685, 4061, 570, 224.172, 5.01396e-59},
    {"BLOSUM62", {11, 1}, 5478, 464685, 865, 43, 21.1718, 998.963},
    {"BLOSUM62", {11, 1}, 5478, 464685, 59, 44, 21.557, 187.581},
    {"BLOSUM62", {9, 2}, 12, 464685, 160, 60, 28.2585, 0.000406337},
    {"BLOSUM62", {9, 2}, 25, 464685, 144, 120, 52.4092, 1.00567e-12},
    {"BLOSUM62", {9, 2}, 60, 464685, 144, 298, 124.056, 2.68669e-40},
    {"BLOSUM62", {9, 2}, 144, 464685, 144, 719, 293.514, 7.28825e-107},
    {"BLOSUM62", {9, 2}, 375, 464685, 435, 829, 337.79, 1.9769e-113},
    {"BLOSUM62", {9, 2}, 1500, 464685, 1715, 970, 394.544, 1.84344e-112},
    {"BLOSUM62", {9, 2}, 5478, 464685, 6523, 1505, 609.888, 2.51594e-175},
    {"BLOSUM62", {6, 2}, 12, 464685, 144, 60, 23.7797, 0.0255609},
    {"BLOSUM62", {6, 2}, 25, 464685, 144, 120, 41.1786, 2.7406e-09},
    {"BLOSUM62", {6, 2}, 60, 464685, 144, 298, 92.7954, 2.18459e-30},
    {"BLOSUM62", {6, 2}, 144, 464685, 144, 719, 214.878, 1.88162e-80},
    {"BLOSUM62", {6, 2}, 375, 464685, 394, 1335, 393.506, 1.01673e-150},
    {"BLOSUM62", {6, 2}, 1500, 464685, 1715, 1454, 428.014, 1.08132e-145},
    {"BLOSUM62", {6, 2}, 5478, 464685, 4061, 849, 252.575, 3.87128e-68},
    {"BLOSUM45", {14, 2}, 12, 464685, 144, 70, 24.6586, 0.0152125},
    {"BLOSUM45", {14, 2}, 25, 464685, 144, 141, 44.6327, 7.13071e-10},
    {"BLOSUM45", {14, 2}, 60, 464685, 144, 346, 102.304, 6.88783e-32},
    {"BLOSUM45", {14, 2}, 144, 464685, 144, 849, 243.811, 2.61045e-86},
    {"BLOSUM45", {14, 2}, 375, 464685, 394, 1585, 450.867, 5.69387e-162},
    {"BLOSUM45", {14, 2}, 1500, 464685, 1715, 1674, 475.905, 4.15253e-149},
    {"BLOSUM45", {14, 2}, 5478, 464685, 4061, 807, 231.995, 1.70045e-61},
    {"BLOSUM50", {13, 2}, 12, 464685, 144, 75, 25.7195, 0.00611206},
    {"BLOSUM50", {13, 2}, 25, 464685, 144, 152, 47.1594, 8.96278e-11},
    {"BLOSUM50", {13, 2}, 60, 464685, 144, 377, 109.808, 9.11248e-35},
    {"BLOSUM50", {13, 2}, 144, 464685, 144, 910, 258.217, 4.1259e-92},
    {"BLOSUM50", {13, 2}, 375, 464685, 394, 1708, 480.412, 3.52745e-173},
    {"BLOSUM50", {13, 2}, 1500, 464685, 1715, 1773, 498.511, 3.2919e-154},
    {"BLOSUM50", {13, 2}, 5478, 464685, 6523, 1964, 551.693, 4.8634e-158},
    {"BLOSUM80", {10, 1}, 12, 464685, 160, 65, 31.8548, 3.97002e-05},
    {"BLOSUM80", {10, 1}, 25, 464685, 144, 131, 60.325, 9.94277e-15},
    {"BLOSUM80", {10, 1}, 60, 464685, 144, 324, 143.579, 6.02932e-45},
    {"BLOSUM80", {10, 1}, 144, 464685, 144, 780, 340.281, 2.25505e-118},
    {"BLOSUM80", {10, 1}, 375, 464685, 435, 913, 397.653, 1.16277e-127},
    {"BLOSUM80", {10, 1}, 1500, 464685, 1715, 1320, 573.219, 2.80113e-166},
    {"BLOSUM80", {10, 1}, 5478, 464685, 6523, 1427, 619.375, 4.92155e-178},
    {"BLOSUM90", {10, 1}, 12, 464685, 160, 73, 34.2788, 4.37725e-06},
    {"BLOSUM90", {10, 1}, 25, 464685, 144, 146, 64.8207, 1.49917e-16},
    {"BLOSUM90", {10, 1}, 60, 464685, 144, 361, 154.773, 6.18462e-50},
    {"BLOSUM90", {10, 1}, 144, 464685, 144, 857, 362.29, 3.73028e-129},
    {"BLOSUM90", {10, 1}, 375, 464685, 435, 1006, 424.629, 5.98126e-139},
    {"BLOSUM90", {10, 1}, 1500, 464685, 1715, 1432, 602.859, 2.24422e-175},
    {"BLOSUM90", {10, 1}, 5478, 464685, 6523, 1492, 627.962, 1.29029e-180},
    {"PAM30", {9, 1}, 12, 464685, 160, 92, 42.2064, 1.19456e-08},
    {"PAM30", {9, 1}, 25, 464685, 144, 182, 80.3802, 4.33387e-21},
    {"PAM30", {9, 1}, 60, 464685, 144, 444, 191.508, 6.87386e-59},
    {"PAM30", {9, 1}, 144, 464685, 144, 1058, 451.938, 5.29323e-154},
    {"PAM30", {9, 1}, 375, 464685, 435, 1025, 437.941, 1.10438e-128},
    {"PAM30", {9, 1}, 1500, 464685, 1715, 390, 168.604, 9.64083e-43},
    {"PAM30", {9, 1}, 5478, 464685, 6039, 1132, 483.325, 6.68643e-137},
    {"PAM70", {10, 1}, 12, 464685, 160, 78, 36.2043, 1.38159e-06},
    {"PAM70", {10, 1}, 25, 464685, 144, 156, 68.9506, 2.38069e-17},
    {"PAM70", {10, 1}, 60, 464685, 144, 380, 162.991, 3.10636e-50},
    {"PAM70", {10, 1}, 144, 464685, 144, 908, 384.658, 1.9669e-131},
    {"PAM70", {10, 1}, 375, 464685, 435, 986, 417.405, 9.89685e-128},
    {"PAM70", {10, 1}, 1500, 464685, 1715, 633, 269.207, 3.34972e-73},
    {"PAM70", {10, 1}, 5478, 464685, 6523, 1421, 600.028, 4.16442e-172},
    {"PAM250", {14, 2}, 12, 464685, 144, 54, 19.5596, 1.0064},
    {"PAM250", {14, 2}, 25, 464685, 144, 110, 34.2636, 3.03917e-06},
    {"PAM250", {14, 2}, 60, 464685, 144, 275, 77.5877, 2.09466e-23},
    {"PAM250", {14, 2}, 144, 464685, 144, 661, 178.94, 7.79692e-64},
    {"PAM250", {14, 2}, 375, 464685, 394, 1206, 322.041, 1.23498e-117},
    {"PAM250", {14, 2}, 1500, 464685, 1715, 984, 263.75, 1.59782e-77},
    {"PAM250", {14, 2}, 5478, 464685, 6523, 734, 198.108, 2.88918e-51},
};

}  // namespace

TEST_CASE("align finite size: what BLAST prints") {
  for (const Printed& one : blastp) {
    CAPTURE(one.matrix);
    CAPTURE(one.query_length);
    CAPTURE(one.subject_length);
    CAPTURE(one.score);
    const auto parameters = KarlinAltschul::find(Matrix::named(one.matrix), one.gap);
    REQUIRE(parameters.has_value());
    const Significance significance(*parameters, one.query_length, {one.residues, 1000});
    CHECK(significance.correction() == EdgeCorrection::finite_size);
    CHECK(significance.bits(one.score) == doctest::Approx(one.bits).epsilon(1e-5));
    const double evalue = significance.evalue(static_cast<double>(one.score), one.subject_length);
    CHECK(std::abs(evalue / one.evalue - 1) < 1e-5);  // all digits that are printed
  }
}

TEST_CASE("align finite size: known for proteins with gaps alone") {
  const auto blosum62 = KarlinAltschul::find(align::blosum62(), {11, 1});
  REQUIRE(blosum62->finite_size.has_value());
  CHECK(blosum62->finite_size->a == 1.9);
  CHECK(blosum62->finite_size->b == doctest::Approx(2 * 12 * (0.7916 - 1.9)));
  CHECK(blosum62->finite_size->tau == doctest::Approx(2 * 12 * (4.96466 - 43.6362)));
  for (const auto& other : {KarlinAltschul::find(align::blosum62(), {KarlinAltschul::without_gaps, 1}),
                            KarlinAltschul::find(Matrix::dna(2, -3), {5, 2})}) {
    REQUIRE(other.has_value());
    CHECK_FALSE(other->finite_size.has_value());
    const Significance asked(*other, 300, {100'000, 100}),
        old(*other, 300, {100'000, 100}, EdgeCorrection::length_adjustment);
    CHECK(asked.correction() == EdgeCorrection::length_adjustment);
    CHECK(asked.evalue(40, 17) == old.evalue(40, 4000));
  }
}

TEST_CASE("align finite size: a subject's length counts, and scores may be fractions") {
  const Significance one(*KarlinAltschul::find(align::blosum62(), {11, 1}), 300, {1'000'000, 3000});
  CHECK(one.evalue(60, 80) < one.evalue(60, 200));
  CHECK(one.evalue(60, 200) < one.evalue(60, 2000));
  CHECK(one.evalue(60.5, 200) < one.evalue(60, 200));
  CHECK(one.evalue(60.5, 200) > one.evalue(61, 200));
  CHECK(std::isfinite(one.evalue(60, 0)));
}

TEST_CASE("align finite size: no score below the cutoff has as low an E-value, and few above it have none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const auto parameters = *KarlinAltschul::find(align::blosum62(), {11, 1});
  double units = 0, cutoffs_seen = 0;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const std::uint64_t shortest = 1 + random() % (repeat % 2 == 0 ? 10 : 300), longest = shortest + random() % 3000;
    const LengthBounds bounds(parameters, shortest, longest, 11);
    const Significance significance(parameters, 1 + random() % (repeat % 3 == 0 ? 20 : 1000), {10'000'000, 30'000});
    ScoreCutoffs cutoffs(significance, &bounds);
    for (int turn = 0; turn < 20; ++turn) {
      const double evalue = std::exp(random.between(-200, 10));
      const std::int64_t cutoff = cutoffs.min_score(evalue);
      const auto lowest = [&](std::int64_t score) {
        double least = std::numeric_limits<double>::infinity();
        for (std::uint64_t n = shortest; n <= longest; ++n)
          if (static_cast<std::int64_t>(n) * 11 >= score || n == longest)
            least = std::min(least, significance.evalue(static_cast<double>(score), n));
        return least;
      };
      for (std::int64_t score = std::max<std::int64_t>(1, cutoff - 3); score < cutoff; ++score)
        CHECK(lowest(score) > evalue);
      // Room and probability are bounded apart, so the bound is of a length that no subject may have: a cutoff was one
      // unit of score too low or none in 95% of 60,000 draws, and never more than six.
      std::int64_t too_low = 0;
      while (too_low <= 8 && lowest(cutoff + too_low) > evalue) ++too_low;
      CHECK(too_low <= 8);
      units += static_cast<double>(too_low);
      ++cutoffs_seen;
    }
  }
  CHECK(units <= 1.5 * cutoffs_seen);
}
