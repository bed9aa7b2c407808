#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "align/cases.hpp"
#include "align/scoring/karlin_altschul_tables.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using align::EdgeCorrection;
using align::GapPenalty;
using align::KarlinAltschul;
using align::Matrix;
using align::Significance;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

/// What NCBI BLAST 2.12.0+ printed (-outfmt 5) for a query of this length and a database of this size.
struct Printed {
  GapPenalty gap;
  std::uint64_t query_length, residues, sequences;
  std::uint64_t adjustment;  // Statistics_hsp-len
  double space;              // Statistics_eff-space
  std::int64_t score;
  double bits, evalue;
};
struct PrintedProtein {
  const char* matrix;
  Printed printed;
};
struct PrintedDna {
  int match, mismatch;
  Printed printed;
};

// OLD_FSC=1 blastp -comp_based_stats 0 -seg no -evalue 1000
constexpr PrintedProtein blastp[] = {
    {"BLOSUM62", {{11, 1}, 12, 2000086, 4567, 0, 24001032, 31, 16.5494, 250.241}},
    {"BLOSUM62", {{11, 1}, 12, 2000086, 4567, 0, 24001032, 26, 14.6234, 950.915}},
    {"BLOSUM62", {{11, 1}, 25, 2000086, 4567, 0, 50002150, 46, 22.3274, 9.50096}},
    {"BLOSUM62", {{11, 1}, 25, 2000086, 4567, 0, 50002150, 29, 15.779, 889.263}},
    {"BLOSUM62", {{11, 1}, 40, 2000086, 4567, 14, 50339848, 186, 76.2554, 5.58166e-16}},
    {"BLOSUM62", {{11, 1}, 40, 2000086, 4567, 14, 50339848, 29, 15.779, 895.269}},
    {"BLOSUM62", {{11, 1}, 144, 2000086, 4567, 78, 108494760, 62, 28.4906, 0.287662}},
    {"BLOSUM62", {{11, 1}, 144, 2000086, 4567, 78, 108494760, 33, 17.3198, 663.169}},
    {"BLOSUM62", {{11, 1}, 729, 2000086, 4567, 94, 997450380, 348, 138.658, 1.81455e-33}},
    {"BLOSUM62", {{11, 1}, 729, 2000086, 4567, 94, 997450380, 40, 20.0162, 940.611}},
    {"BLOSUM62", {{11, 1}, 5478, 2000086, 4567, 109, 8065757427, 493, 194.512, 2.25326e-49}},
    {"BLOSUM62", {{11, 1}, 5478, 2000086, 4567, 109, 8065757427, 50, 23.8682, 526.742}},
    {"BLOSUM62", {{11, 1}, 12, 464685, 482, 0, 5576220, 60, 27.7202, 0.0252189}},
    {"BLOSUM62", {{11, 1}, 12, 464685, 482, 0, 5576220, 21, 12.6974, 839.527}},
    {"BLOSUM62", {{11, 1}, 25, 464685, 482, 0, 11617125, 130, 54.6842, 4.01348e-10}},
    {"BLOSUM62", {{11, 1}, 25, 464685, 482, 0, 11617125, 24, 13.853, 785.097}},
    {"BLOSUM62", {{11, 1}, 40, 464685, 482, 15, 11436375, 209, 85.1149, 2.72984e-19}},
    {"BLOSUM62", {{11, 1}, 40, 464685, 482, 15, 11436375, 24, 13.853, 772.882}},
    {"BLOSUM62", {{11, 1}, 144, 464685, 482, 70, 31889930, 719, 281.567, 5.54144e-78}},
    {"BLOSUM62", {{11, 1}, 144, 464685, 482, 70, 31889930, 27, 15.0086, 967.405}},
    {"BLOSUM62", {{11, 1}, 729, 464685, 482, 85, 272872460, 1605, 622.854, 8.67676e-180}},
    {"BLOSUM62", {{11, 1}, 729, 464685, 482, 85, 272872460, 35, 18.0902, 977.826}},
    {"BLOSUM62", {{11, 1}, 5478, 464685, 482, 100, 2239856330, 557, 219.164, 2.37226e-57}},
    {"BLOSUM62", {{11, 1}, 5478, 464685, 482, 100, 2239856330, 43, 21.1718, 948.133}},
    {"BLOSUM62", {{11, 1}, 25, 189, 1, 0, 4725, 18, 11.5418, 1.58477}},
    {"BLOSUM62", {{11, 1}, 144, 189, 1, 18, 21546, 26, 14.6234, 0.853647}},
    {"BLOSUM62", {{11, 1}, 729, 189, 1, 29, 112000, 25, 14.2382, 5.79544}},
    {"BLOSUM62", {{11, 1}, 5478, 189, 1, 43, 793510, 32, 16.9346, 6.33467}},
    {"BLOSUM62", {{9, 2}, 40, 464685, 482, 22, 8173458, 209, 88.2328, 2.24744e-20}},
    {"BLOSUM62", {{9, 2}, 144, 464685, 482, 59, 37080995, 719, 293.514, 1.63182e-81}},
    {"BLOSUM62", {{9, 2}, 729, 464685, 482, 70, 283992755, 35, 18.1957, 945.91}},
    {"BLOSUM62", {{6, 2}, 40, 464685, 482, 0, 18587400, 209, 66.987, 1.27093e-13}},
    {"BLOSUM62", {{6, 2}, 144, 464685, 482, 55, 38997575, 719, 214.878, 8.06148e-58}},
    {"BLOSUM62", {{6, 2}, 729, 464685, 482, 183, 205557534, 39, 17.6901, 972.031}},
    {"BLOSUM45", {{14, 2}, 40, 464685, 482, 8, 14746528, 239, 72.2026, 2.7136e-15}},
    {"BLOSUM45", {{14, 2}, 144, 464685, 482, 94, 20968850, 849, 243.811, 8.45477e-67}},
    {"BLOSUM45", {{14, 2}, 729, 464685, 482, 118, 249171299, 47, 18.1881, 834.332}},
    {"BLOSUM50", {{13, 2}, 40, 464685, 482, 11, 13322107, 255, 75.8387, 1.97169e-16}},
    {"BLOSUM50", {{13, 2}, 144, 464685, 482, 81, 26815509, 910, 258.217, 4.98097e-71}},
    {"BLOSUM50", {{13, 2}, 729, 464685, 482, 100, 261969065, 48, 18.2016, 868.988}},
    {"BLOSUM80", {{10, 1}, 40, 464685, 482, 25, 6789525, 219, 98.2852, 1.75817e-23}},
    {"BLOSUM80", {{10, 1}, 144, 464685, 482, 41, 45827069, 780, 340.281, 1.68353e-95}},
    {"BLOSUM80", {{10, 1}, 729, 464685, 482, 48, 300694869, 34, 18.4825, 821.007}},
    {"BLOSUM80", {{25, 2}, 40, 464685, 482, 20, 9100900, 219, 110.611, 4.58929e-27}},
    {"BLOSUM80", {{25, 2}, 144, 464685, 482, 22, 55397882, 780, 387.41, 1.32296e-109}},
    {"BLOSUM80", {{25, 2}, 729, 464685, 482, 25, 318655040, 32, 18.3452, 956.866}},
    {"BLOSUM90", {{10, 1}, 40, 464685, 482, 26, 6330142, 244, 105.822, 8.82668e-26}},
    {"BLOSUM90", {{10, 1}, 144, 464685, 482, 39, 46818135, 857, 362.29, 4.07632e-102}},
    {"BLOSUM90", {{10, 1}, 729, 464685, 482, 45, 303008580, 35, 18.3803, 888.029}},
    {"PAM30", {{9, 1}, 40, 464685, 482, 16, 10967352, 294, 127.885, 3.48993e-32}},
    {"PAM30", {{9, 1}, 144, 464685, 482, 19, 56940875, 1058, 451.938, 5.11269e-129}},
    {"PAM30", {{9, 1}, 729, 464685, 482, 22, 321035267, 36, 18.4539, 894.072}},
    {"PAM70", {{10, 1}, 40, 464685, 482, 23, 7711183, 247, 107.155, 4.26951e-26}},
    {"PAM70", {{10, 1}, 144, 464685, 482, 28, 52337924, 908, 384.658, 8.4158e-109}},
    {"PAM70", {{10, 1}, 729, 464685, 482, 32, 313134917, 36, 18.5717, 803.718}},
    {"PAM250", {{15, 2}, 40, 464685, 482, 7, 15223263, 161, 49.3759, 2.08391e-08}},
    {"PAM250", {{15, 2}, 144, 464685, 482, 106, 15716534, 661, 187.153, 7.20453e-50}},
    {"PAM250", {{15, 2}, 729, 464685, 482, 138, 235317879, 47, 17.9627, 921.202}},
    {"PAM250", {{14, 2}, 40, 464685, 482, 0, 18587400, 161, 47.6547, 8.38944e-08}},
    {"PAM250", {{14, 2}, 144, 464685, 482, 97, 19642757, 661, 178.94, 2.67251e-47}},
    {"PAM250", {{14, 2}, 729, 464685, 482, 159, 221186790, 48, 17.9842, 853.049}},
};

// blastn -task blastn -dust no -evalue 100
constexpr PrintedDna blastn[] = {
    {2, -3, {{5, 2}, 39, 5964907, 200, 20, 113257233, 61, 56.2891, 2.40329e-09}},
    {2, -3, {{5, 2}, 157, 5964907, 200, 23, 798681138, 167, 151.868, 2.86487e-37}},
    {2, -3, {{5, 2}, 700, 5964907, 200, 25, 4022937225, 315, 285.317, 9.70588e-77}},
    {2, -3, {{6, 4}, 39, 5964907, 200, 17, 131153154, 55, 51.5783, 7.35167e-08}},
    {2, -3, {{6, 4}, 157, 5964907, 200, 19, 822632766, 149, 137.521, 6.20245e-33}},
    {2, -3, {{6, 4}, 700, 5964907, 200, 21, 4047320053, 675, 618.433, 5.19532e-177}},
    {2, -3, {{12, 8}, 39, 5964907, 200, 17, 131153154, 55, 51.5783, 7.35167e-08}},
    {2, -3, {{12, 8}, 157, 5964907, 200, 19, 822632766, 119, 110.092, 1.12033e-24}},
    {2, -3, {{12, 8}, 700, 5964907, 200, 21, 4047320053, 229, 210.663, 2.92711e-54}},
    {1, -2, {{1, 2}, 39, 5964907, 200, 17, 131153154, 30, 57.2085, 7.87585e-10}},
    {1, -2, {{1, 2}, 157, 5964907, 200, 19, 822632766, 89, 167.863, 2.41734e-42}},
    {1, -2, {{1, 2}, 700, 5964907, 200, 21, 4047320053, 137, 257.887, 9.44765e-69}},
    {1, -2, {{5, 2}, 39, 5964907, 200, 16, 137119261, 25, 48.7546, 2.88745e-07}},
    {1, -2, {{5, 2}, 157, 5964907, 200, 17, 834610980, 65, 125.662, 1.24002e-29}},
    {1, -2, {{5, 2}, 700, 5964907, 200, 19, 4059513867, 109, 210.26, 2.05969e-54}},
    {1, -3, {{5, 2}, 39, 5964907, 200, 14, 149052675, 26, 52.0341, 3.23235e-08}},
    {1, -3, {{5, 2}, 157, 5964907, 200, 15, 846590794, 52, 103.575, 5.60277e-23}},
    {1, -3, {{5, 2}, 700, 5964907, 200, 16, 4077807588, 145, 287.934, 8.58201e-78}},
    {1, -3, {{2, 1}, 39, 5964907, 200, 15, 143085768, 28, 54.8669, 4.35531e-09}},
    {1, -3, {{2, 1}, 157, 5964907, 200, 16, 840600687, 61, 118.663, 1.59775e-27}},
    {1, -3, {{2, 1}, 700, 5964907, 200, 18, 4065611374, 223, 431.843, 4.08696e-121}},
    {1, -4, {{1, 2}, 39, 5964907, 200, 14, 149052675, 23, 45.7053, 2.59826e-06}},
    {1, -4, {{1, 2}, 157, 5964907, 200, 16, 840600687, 45, 88.8707, 1.4854e-18}},
    {1, -4, {{1, 2}, 700, 5964907, 200, 17, 4071709281, 130, 255.646, 4.49353e-68}},
    {4, -6, {{10, 4}, 39, 5964907, 200, 20, 113257233, 117, 54.0348, 8.38832e-09}},
    {4, -6, {{10, 4}, 157, 5964907, 200, 23, 798681138, 372, 169, 1.06764e-42}},
    {4, -6, {{10, 4}, 700, 5964907, 200, 25, 4022937225, 1376, 621.645, 2.95597e-178}},
    {2, -7, {{4, 2}, 39, 5964907, 200, 15, 143085768, 49, 48.4068, 7.5309e-07}},
    {2, -7, {{4, 2}, 157, 5964907, 200, 16, 840600687, 105, 102.941, 1.69632e-22}},
    {2, -7, {{4, 2}, 700, 5964907, 200, 18, 4065611374, 359, 350.291, 2.84614e-96}},
    {2, -5, {{4, 2}, 39, 5964907, 200, 15, 143085768, 58, 56.7762, 1.15943e-09}},
    {2, -5, {{4, 2}, 157, 5964907, 200, 17, 834610980, 141, 137.005, 9.33236e-33}},
    {2, -5, {{4, 2}, 700, 5964907, 200, 18, 4065611374, 227, 220.133, 4.30116e-57}},
    {2, -5, {{6, 6}, 39, 5964907, 200, 14, 149052675, 49, 49.0632, 5.00471e-07}},
    {2, -5, {{6, 6}, 157, 5964907, 200, 16, 840600687, 105, 104.042, 7.95071e-23}},
    {2, -5, {{6, 6}, 700, 5964907, 200, 17, 4071709281, 179, 176.692, 5.19583e-44}},
    {1, -1, {{4, 1}, 39, 5964907, 200, 28, 65552377, 29, 47.0217, 4.58821e-07}},
    {1, -1, {{4, 1}, 157, 5964907, 200, 33, 738830068, 81, 128.043, 2.10679e-30}},
    {1, -1, {{4, 1}, 700, 5964907, 200, 36, 3955917448, 173, 271.39, 7.95837e-73}},
    {1, -1, {{4, 2}, 39, 5964907, 200, 28, 65552377, 29, 47.5489, 3.18384e-07}},
    {1, -1, {{4, 2}, 157, 5964907, 200, 33, 738830068, 75, 120.457, 4.04883e-28}},
    {1, -1, {{4, 2}, 700, 5964907, 200, 36, 3955917448, 377, 599.116, 1.7596e-171}},
    {3, -4, {{6, 3}, 39, 5964907, 200, 25, 83438698, 94, 54.7536, 2.74723e-09}},
    {3, -4, {{6, 3}, 157, 5964907, 200, 29, 762765696, 295, 167.556, 4.0908e-42}},
    {3, -4, {{6, 3}, 700, 5964907, 200, 32, 3980282676, 509, 287.655, 1.49987e-77}},
    {3, -4, {{7, 4}, 39, 5964907, 200, 21, 107292726, 92, 55.9217, 1.572e-09}},
    {3, -4, {{7, 4}, 157, 5964907, 200, 23, 798681138, 283, 168.789, 1.86083e-42}},
    {3, -4, {{7, 4}, 700, 5964907, 200, 25, 4022937225, 495, 294.066, 1.8189e-79}},
    {5, -4, {{8, 6}, 39, 5964907, 200, 13, 155019982, 163, 39.0136, 0.000279327}},
    {5, -4, {{8, 6}, 157, 5964907, 200, 114, 255510601, 535, 117.369, 1.19051e-27}},
    {5, -4, {{8, 6}, 700, 5964907, 200, 137, 3342816441, 1725, 368.023, 5.47157e-102}},
    {5, -4, {{25, 10}, 39, 5964907, 200, 33, 35749842, 142, 41.7453, 9.69812e-06}},
    {5, -4, {{25, 10}, 157, 5964907, 200, 51, 631198942, 409, 115.522, 1.05801e-26}},
    {5, -4, {{25, 10}, 700, 5964907, 200, 56, 3834187308, 1934, 536.908, 9.08506e-153}},
    {4, -5, {{6, 5}, 39, 5964907, 200, 28, 65552377, 127, 53.5538, 4.95788e-09}},
    {4, -5, {{6, 5}, 157, 5964907, 200, 33, 738830068, 371, 152.119, 1.19194e-37}},
    {4, -5, {{6, 5}, 700, 5964907, 200, 37, 3949827141, 1539, 623.938, 5.92406e-179}},
    {4, -5, {{12, 8}, 39, 5964907, 200, 22, 101328619, 113, 50.7861, 5.21914e-08}},
    {4, -5, {{12, 8}, 157, 5964907, 200, 25, 786707724, 317, 139.389, 8.62226e-34}},
    {4, -5, {{12, 8}, 700, 5964907, 200, 27, 4010748211, 1446, 629.744, 1.0752e-180}},
    {3, -2, {{5, 5}, 39, 5964907, 200, 5, 202772838, 97, 34.1667, 0.0105149}},
    {3, -2, {{5, 5}, 157, 5964907, 200, 123, 201970438, 317, 100.184, 1.40206e-22}},
    {3, -2, {{5, 5}, 700, 5964907, 200, 207, 2920288951, 1071, 326.445, 1.56904e-89}},
    {1, -5, {{3, 3}, 39, 5964907, 200, 13, 155019982, 21, 42.5331, 2.43586e-05}},
    {1, -5, {{3, 3}, 157, 5964907, 200, 14, 852581301, 41, 82.64, 1.13139e-16}},
    {1, -5, {{3, 3}, 700, 5964907, 200, 15, 4083906295, 29, 58.5759, 9.50574e-09}},
    {2, -4, {{4, 2}, 39, 5964907, 200, 18, 125187447, 57, 54.0698, 6.62095e-09}},
    {2, -4, {{4, 2}, 157, 5964907, 200, 20, 816644259, 178, 166.665, 5.50655e-42}},
    {2, -4, {{4, 2}, 700, 5964907, 200, 22, 4041223746, 637, 593.782, 7.24948e-170}},
    {2, -2, {{8, 4}, 39, 5964907, 200, 30, 53630163, 58, 47.5489, 2.60478e-07}},
    {2, -2, {{8, 4}, 157, 5964907, 200, 35, 726864654, 170, 136.307, 6.74568e-33}},
    {2, -2, {{8, 4}, 700, 5964907, 200, 38, 3943737234, 547, 435.072, 4.22789e-122}},
    {3, -9, {{12, 9}, 39, 5964907, 200, 14, 149052675, 78, 52.0341, 3.23235e-08}},
    {3, -9, {{12, 9}, 157, 5964907, 200, 15, 846590794, 156, 103.575, 5.60277e-23}},
    {3, -9, {{12, 9}, 700, 5964907, 200, 16, 4077807588, 432, 285.952, 3.39107e-77}},
};

/// `digits`: how exact the parameters are that BLAST computes itself.
void check_printed(const Matrix& matrix, const Printed& printed, double digits) {
  CAPTURE(matrix.name());
  CAPTURE(printed.gap.open);
  CAPTURE(printed.gap.extend);
  CAPTURE(printed.query_length);
  CAPTURE(printed.score);
  const auto parameters = KarlinAltschul::find(matrix, printed.gap);
  REQUIRE(parameters.has_value());
  const Significance significance(*parameters, printed.query_length, {printed.residues, printed.sequences},
                                  EdgeCorrection::length_adjustment);
  CHECK(significance.correction() == EdgeCorrection::length_adjustment);
  CHECK(significance.length_adjustment() == printed.adjustment);
  CHECK(significance.search_space() == printed.space);
  CHECK(significance.bits(printed.score) == doctest::Approx(printed.bits).epsilon(1e-5));
  CHECK(std::abs(significance.evalue(static_cast<double>(printed.score), 100) / printed.evalue - 1) < digits);
}

}  // namespace

TEST_CASE("align statistics: what BLAST prints for proteins") {
  for (const PrintedProtein& one : blastp) check_printed(Matrix::named(one.matrix), one.printed, 1e-5);
}

TEST_CASE("align statistics: what BLAST prints for DNA") {
  for (const PrintedDna& one : blastn) {
    CAPTURE(one.match);
    CAPTURE(one.mismatch);
    check_printed(Matrix::dna(one.match, one.mismatch), one.printed, 2e-4);
  }
}

TEST_CASE("align statistics: known parameters") {
  const auto blosum62 = KarlinAltschul::find(align::blosum62(), {11, 1});
  REQUIRE(blosum62.has_value());
  CHECK(blosum62->lambda == 0.267);
  CHECK(blosum62->k == 0.041);
  CHECK(blosum62->h == 0.14);
  CHECK(blosum62->alpha == 1.9);
  CHECK(blosum62->beta == -30);
  CHECK_FALSE(blosum62->even_scores);
  CHECK_FALSE(KarlinAltschul::find(align::blosum62(), {11, 3}).has_value());
  CHECK_FALSE(KarlinAltschul::find(align::blosum62(), {999, 1}).has_value());
  CHECK(KarlinAltschul::find(align::blosum62(), {1000, 1})->lambda == 0.3176);
  CHECK(KarlinAltschul::find(Matrix::dna(2, -3), {5, 2})->even_scores);
  CHECK_FALSE(KarlinAltschul::find(Matrix::dna(2, -3), {5, 3}).has_value());
  CHECK_FALSE(KarlinAltschul::find(Matrix::dna(3, -5), {5, 2}).has_value());
  CHECK(KarlinAltschul::find(Matrix::dna(3, -5), {1000, 0}).has_value());
  CHECK_FALSE(KarlinAltschul::find(Matrix::dna(1, 0), {1000, 0}).has_value());  // the mean is above 0
  CHECK(KarlinAltschul::known_gaps(Matrix::named("PAM70")) ==
        "8/2 7/2 6/2 11/1 10/1 9/1 11/2 12/3, and all from 1000/0 on");
  CHECK(KarlinAltschul::known_gaps(Matrix::dna(2, -6)) == "4/4 2/4 0/4 4/2 2/2, and all from 4/4 on");
  CHECK(KarlinAltschul::known_gaps(Matrix::dna(3, -5)) == "all from 1000/0 on");
  CHECK(KarlinAltschul::usual_gap(align::blosum62()) == GapPenalty{11, 1});
  CHECK(KarlinAltschul::usual_gap(Matrix::named("PAM250")) == GapPenalty{14, 2});
  CHECK_FALSE(KarlinAltschul::usual_gap(Matrix::dna()).has_value());
}

TEST_CASE("align statistics: every pair that is listed is found, with parameters that can be") {
  for (const align::ProteinParameters& entry : align::protein_parameters())
    for (const align::GappedParameters& row : entry.gapped) {
      const auto found = KarlinAltschul::find(Matrix::named(entry.matrix), {row.open, row.extend});
      REQUIRE(found.has_value());
      CHECK(found->lambda == row.values.lambda);
      CHECK(found->lambda < entry.ungapped.lambda);
    }
  for (const align::DnaParameters& entry : align::dna_parameters())
    for (const int factor : {1, 2, 5}) {
      const Matrix matrix = Matrix::dna(entry.match * factor, entry.mismatch * factor);
      const auto ungapped = align::ungapped_parameters(align::score_distribution(matrix));
      REQUIRE(ungapped.has_value());
      for (const align::GappedParameters& row : entry.gapped) {
        const auto found = KarlinAltschul::find(matrix, {row.open * factor, row.extend * factor});
        REQUIRE(found.has_value());
        CHECK(found->lambda == doctest::Approx(row.values.lambda / factor));
        CHECK(found->lambda < ungapped->lambda * 1.02);
        CHECK(found->even_scores == entry.even_scores);
      }
    }
}

TEST_CASE("align statistics: a matrix is known by its scores") {
  std::string text = "   ";
  const std::string letters = "ARNDCQEGHILKMFPSTWYVX*";
  for (const char letter : letters) text += std::string("  ") + letter;
  for (const char a : letters) {
    text += std::string("\n") + a;
    for (const char b : letters) {
      const int score = align::blosum62()(protein::encode(a), protein::encode(b));
      text += " " + std::to_string(a == 'X' || b == 'X' ? -2 : score);  // another X
    }
  }
  const Matrix own = Matrix::parse(text, "own");
  CHECK(own.name() != "BLOSUM62");
  CHECK(KarlinAltschul::find(own, {11, 1})->k == 0.041);
  text.replace(text.find(" 11"), 3, " 10");  // W with W
  const Matrix other = Matrix::parse(text, "other");
  CHECK_FALSE(KarlinAltschul::find(other, {11, 1}).has_value());
  CHECK_FALSE(KarlinAltschul::usual_gap(other).has_value());
  CHECK(KarlinAltschul::find(other, {1000, 1})->lambda == doctest::Approx(0.3176).epsilon(0.01));
}

TEST_CASE("align statistics: parameters without gaps are those that NCBI tabulates") {
  for (const align::ProteinParameters& entry : align::protein_parameters()) {
    CAPTURE(entry.matrix);
    const auto computed = align::ungapped_parameters(align::score_distribution(Matrix::named(entry.matrix)));
    REQUIRE(computed.has_value());
    CHECK(computed->lambda == doctest::Approx(entry.ungapped.lambda).epsilon(2e-3));
    CHECK(computed->k == doctest::Approx(entry.ungapped.k).epsilon(1e-2));
    CHECK(computed->h == doctest::Approx(entry.ungapped.h).epsilon(5e-3));
    CHECK(computed->alpha == doctest::Approx(entry.ungapped.alpha).epsilon(5e-2));  // theirs are simulated
  }
}

TEST_CASE("align statistics: parameters without gaps solve their equations") {
  // One match in four: exp(lambda) / 4 + 3 exp(-lambda) / 4 = 1 has the zero ln 3.
  const auto one = align::ungapped_parameters({.lowest = -1, .probability = {0.75, 0, 0.25}});
  REQUIRE(one.has_value());
  CHECK(one->lambda == doctest::Approx(std::log(3.0)));
  CHECK(one->k == doctest::Approx(1.0 / 3));
  CHECK(one->h == doctest::Approx(std::log(3.0) / 2));
  // Scores of all others: lambda as the scale of the scores goes.
  const auto single = align::ungapped_parameters(align::score_distribution(Matrix::dna(1, -3)));
  const auto sevenfold = align::ungapped_parameters(align::score_distribution(Matrix::dna(7, -21)));
  CHECK(sevenfold->lambda * 7 == doctest::Approx(single->lambda));
  CHECK(sevenfold->k == doctest::Approx(single->k));
  CHECK(sevenfold->h == doctest::Approx(single->h));
  // Altschul's example in BLAST: lambda = 0.330 and K = 0.154.
  const auto example = align::ungapped_parameters({.lowest = -2, .probability = {0.7, 0, 0.1, 0, 0, 0.2}});
  CHECK(example->lambda == doctest::Approx(0.330).epsilon(2e-3));
  CHECK(example->k == doctest::Approx(0.154).epsilon(5e-3));
  CHECK_FALSE(align::ungapped_parameters({.lowest = -1, .probability = {0.5, 0, 0.5}}).has_value());
  CHECK_FALSE(align::ungapped_parameters({.lowest = -2, .probability = {0.5, 0.5}}).has_value());
  CHECK_FALSE(align::ungapped_parameters({.lowest = 1, .probability = {0.5, 0.5}}).has_value());
}

TEST_CASE("align statistics: the least score is the least one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int repeat = 0; repeat < 600; ++repeat) {
    const bool dna = repeat % 2 != 0;
    const auto parameters =
        dna ? KarlinAltschul::find(Matrix::dna(2, -3), {5, 2}) : KarlinAltschul::find(align::blosum62(), {11, 1});
    const std::uint64_t sequences = 1 + random() % 100'000, query = 1 + random() % 10'000, subject = 1 + random() % 500;
    const Significance significance(*parameters, query, {sequences * (1 + random() % 2'000), sequences},
                                    repeat % 3 == 0 ? EdgeCorrection::length_adjustment : EdgeCorrection::finite_size);
    const auto evalue_of = [&](std::int64_t score) { return significance.evalue(static_cast<double>(score), subject); };
    double evalue = std::exp(random.between(-600, 30));
    if (repeat % 5 == 0) evalue = evalue_of(static_cast<std::int64_t>(1 + random() % 2000));  // just so
    const std::int64_t least = significance.min_score(evalue, subject);
    CAPTURE(evalue);
    CHECK(least >= 1);
    CHECK(evalue_of(least) <= evalue);
    for (std::int64_t score = 1; score < least; ++score) REQUIRE(evalue_of(score) > evalue);
  }
  const Significance significance(*KarlinAltschul::find(align::blosum62(), {11, 1}), 100, {1000, 10});
  CHECK(significance.min_score(std::numeric_limits<double>::infinity(), 50) == 1);
  CHECK(significance.evalue(static_cast<double>(significance.min_score(0, 50)), 50) == 0);
  CHECK_THROWS_AS(significance.min_score(-1, 50), InputError);
  CHECK_THROWS_AS(significance.min_score(std::nan(""), 50), InputError);
}

TEST_CASE("align statistics: searches too small for an adjustment") {
  const auto parameters = KarlinAltschul::find(align::blosum62(), {11, 1});
  for (const std::uint64_t query : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{10}})
    for (const align::DatabaseSize size :
         {align::DatabaseSize{0, 1}, align::DatabaseSize{1, 1}, align::DatabaseSize{5, 5}}) {
      const Significance significance(*parameters, query, size);
      CHECK(significance.length_adjustment() == 0);
      CHECK(significance.search_space() == static_cast<double>(query * std::max<std::uint64_t>(size.residues, 1)));
      for (const std::uint64_t length : {0, 1, 5}) CHECK(std::isfinite(significance.evalue(10, length)));
    }
  // Nothing gets larger than a billion sequences.
  const Significance large(*parameters, 1u << 24, {350'000'000'000, 1'000'000'000});
  CHECK(large.length_adjustment() > 100);
  CHECK(large.search_space() > 1e18);
}
