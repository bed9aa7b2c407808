// Real data: E-values of hits are those that NCBI's blastp prints.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "genocl/align.hpp"
#include "real_data.hpp"

using namespace genocl;
using namespace genocl::align;
using align_test::proteins;

namespace {

struct Printed {
  std::size_t query;
  const char* subject;
  std::int32_t score;
  double bits, evalue;
};

// What NCBI BLAST 2.12.0+ printed: blastp -comp_based_stats 0 -seg no -evalue 10 -max_target_seqs 5000 -outfmt 5, of
// queries20.fasta in proteins_2m.fasta: the first, the middle and the last of a query's hits, of those whose score its
// heuristics do not miss.
constexpr Printed blastp[] = {
    {0, "tr|A0A509AQW2|A0A509AQW2_PLABA", 56, 26.1794, 1.69163},
    {0, "tr|G0SGJ3|G0SGJ3_CHATD", 52, 24.6386, 5.15119},
    {0, "tr|G0S5K3|G0S5K3_CHATD", 50, 23.8682, 9.27086},
    {1, "sp|Q06625|GDE_YEAST", 62, 28.4906, 0.494591},
    {1, "tr|Q584J2|Q584J2_TRYB2", 53, 25.0238, 5.15957},
    {1, "sp|P0A8V2|RPOB_ECOLI", 52, 24.6386, 8.53983},
    {2, "tr|G0S4Q2|G0S4Q2_CHATD", 61, 28.1054, 0.448255},
    {2, "Staphyloc_91445", 60, 27.7202, 0.916814},
    {2, "Archaea_s_94966", 54, 25.409, 4.86565},
    {3, "tr|B2A9H4|B2A9H4_PODAN", 386, 153.295, 1.6148e-43},
    {3, "tr|A0A0H3NW85|A0A0H3NW85_SALTS", 94, 40.817, 0.000136684},
    {3, "tr|A0A384KF90|A0A384KF90_PLAKH", 57, 26.5646, 5.69064},
    {4, "tr|G0RZ76|G0RZ76_CHATD", 67, 30.4166, 0.453955},
    {4, "tr|G0S4P2|G0S4P2_CHATD", 58, 26.9498, 4.17503},
    {4, "tr|Q57ZX9|Q57ZX9_TRYB2", 56, 26.1794, 9.50288},
    {5, "Viruses_s_114163", 1204, 468.389, 8.98629e-161},
    {5, "sp|P63389|YHES_ECOLI", 61, 28.1054, 2.86357},
    {5, "Bacteria__98218", 56, 26.1794, 9.08355},
    {6, "sp|P0C2I6|YL13B_YEAST", 68, 30.8018, 0.558998},
    {6, "tr|A0A384LPB2|A0A384LPB2_PLAKH", 59, 27.335, 4.97519},
    {6, "tr|Q8IBH7|Q8IBH7_PLAF7", 57, 26.5646, 8.80978},
    {7, "tr|B2B5L0|B2B5L0_PODAN", 348, 138.658, 7.75326e-37},
    {7, "tr|Q6ZED1|Q6ZED1_SYNY3", 67, 30.4166, 0.723571},
    {7, "tr|A0A090D554|A0A090D554_PODAN", 58, 26.9498, 9.67201},
    {8, "sp|P38798|NMD2_YEAST", 76, 33.8834, 0.0826984},
    {8, "Archaea_s_95495", 62, 28.4906, 3.62037},
    {8, "Viruses_s_112993", 59, 27.335, 8.40232},
    {9, "tr|A0A509ALU6|A0A509ALU6_PLABA", 223, 90.5077, 5.71606e-19},
    {9, "tr|A0A509AJ20|A0A509AJ20_PLABA", 73, 32.7278, 0.229541},
    {9, "tr|G0RZ41|G0RZ41_CHATD", 59, 27.335, 9.98024},
    {10, "Staphyloc_90425", 555, 218.394, 2.1414e-63},
    {10, "tr|A0A0H3NFG7|A0A0H3NFG7_SALTS", 68, 30.8018, 1.21606},
    {10, "Escherich_88426", 62, 28.4906, 6.70034},
    {11, "tr|Q8ILW2|Q8ILW2_PLAF7", 94, 40.817, 0.00122541},
    {11, "tr|A0A509AMQ1|A0A509AMQ1_PLABA", 65, 29.6462, 3.76286},
    {11, "tr|B2B478|B2B478_PODAN", 61, 28.1054, 9.87841},
    {12, "tr|P74017|P74017_SYNY3", 245, 98.9821, 4.19235e-22},
    {12, "tr|Q8ZL22|Q8ZL22_SALTY", 68, 30.8018, 0.493001},
    {12, "tr|Q8IIL9|Q8IIL9_PLAF7", 62, 28.4906, 9.69196},
    {13, "tr|A0A144A2K5|A0A144A2K5_PLAF7", 116, 49.2914, 7.54448e-06},
    {13, "tr|Q8IK00|Q8IK00_PLAF7", 72, 32.3426, 0.974156},
    {13, "tr|Q57UY4|Q57UY4_TRYB2", 63, 28.8758, 9.94155},
    {14, "tr|B3L5V7|B3L5V7_PLAKH", 87, 38.1206, 0.0195875},
    {14, "Viruses_s_114327", 66, 30.0314, 1.76327},
    {14, "sp|P72640|LEP4_SYNY3", 65, 29.6462, 5.2971},
    {15, "Viruses_s_114277", 253, 102.064, 9.42207e-22},
    {15, "sp|P75750|YBGQ_ECOLI", 76, 33.8834, 0.426143},
    {15, "tr|G0S5X5|G0S5X5_CHATD", 64, 29.261, 9.94646},
    {16, "tr|B2ARV3|B2ARV3_PODAN", 80, 35.4242, 0.110957},
    {16, "tr|B2B241|B2B241_PODAN", 68, 30.8018, 3.96747},
    {16, "tr|A0A0H3NEL2|A0A0H3NEL2_SALTS", 68, 30.8018, 4.29487},
    {17, "tr|Q57WP1|Q57WP1_TRYB2", 95, 41.2022, 0.002443},
    {17, "Staphyloc_91642", 70, 31.5722, 2.43471},
    {17, "tr|A0A509AN88|A0A509AN88_PLABA", 65, 29.6462, 9.68801},
    {18, "tr|B2AS73|B2AS73_PODAN", 92, 40.0466, 0.00682951},
    {18, "tr|G0SCG1|G0SCG1_CHATD", 71, 31.9574, 2.11256},
    {18, "tr|B2ARJ2|B2ARJ2_PODAN", 66, 30.0314, 7.46961},
    {19, "sp|P32334|MSB2_YEAST", 493, 194.512, 7.82707e-50},
    {19, "tr|A0A090CNG7|A0A090CNG7_PODAN", 81, 35.8094, 0.133362},
    {19, "tr|Q8IFQ4|Q8IFQ4_PLAF7", 66, 30.0314, 9.36172},
};

// The same with -comp_based_stats 1 -use_sw_tback -outfmt "6 std score": bits and E-values as tables have them.
constexpr Printed scaled[] = {
    {0, "tr|G0S478|G0S478_CHATD", 56, 26.2, 1.7},
    {0, "tr|A0A509AQW2|A0A509AQW2_PLABA", 54, 25.4, 3.2},
    {0, "sp|P41921|GSHR_YEAST", 50, 23.9, 10.0},
    {1, "sp|Q06625|GDE_YEAST", 63, 28.9, 0.39},
    {1, "sp|B1WZG0|NDHJ_CYAA5", 55, 25.8, 2.5},
    {1, "sp|P0A8V2|RPOB_ECOLI", 53, 25.0, 7.4},
    {2, "tr|G0S4Q2|G0S4Q2_CHATD", 66, 30.0, 0.088},
    {2, "Staphyloc_91445", 59, 27.3, 1.3},
    {2, "Archaea_s_94966", 52, 24.6, 8.9},
    {3, "tr|B2A9H4|B2A9H4_PODAN", 338, 134, 1.37e-36},
    {3, "tr|Q1PWV1|Q1PWV1_KUEST", 112, 47.8, 8.18e-07},
    {3, "tr|A0A384KF90|A0A384KF90_PLAKH", 57, 26.6, 5.1},
    {4, "tr|G0RZ76|G0RZ76_CHATD", 66, 30.0, 0.53},
    {4, "tr|Q381G0|Q381G0_TRYB2", 60, 27.7, 3.0},
    {4, "tr|G0S4P2|G0S4P2_CHATD", 57, 26.6, 6.0},
    {5, "Viruses_s_114163", 1192, 463, 6.18e-159},
    {5, "Archaea_s_95495", 64, 29.3, 1.3},
    {5, "tr|G0SDY0|G0SDY0_CHATD", 59, 27.3, 6.0},
    {6, "Bacteria__111214", 64, 29.3, 1.2},
    {6, "sp|P0C2I6|YL13B_YEAST", 64, 29.3, 1.8},
    {6, "tr|A0A384LPB2|A0A384LPB2_PLAKH", 58, 26.9, 5.9},
    {7, "tr|B2B5L0|B2B5L0_PODAN", 348, 138, 8.30e-37},
    {7, "sp|P0ABU0|MENB_ECOLI", 126, 53.1, 2.84e-08},
    {7, "tr|A0A0H3NF96|A0A0H3NF96_SALTS", 60, 27.7, 5.6},
    {8, "tr|Q8IBJ3|Q8IBJ3_PLAF7", 67, 30.4, 1.1},
    {8, "sp|P38116|ARL1_YEAST", 58, 26.9, 6.3},
    {8, "Viruses_s_115613", 59, 27.3, 9.9},
    {9, "tr|Q382W3|Q382W3_TRYB2", 308, 123, 3.18e-29},
    {9, "Bacteria__103819", 63, 28.9, 3.3},
    {9, "tr|A0A509AH81|A0A509AH81_PLABA", 59, 27.3, 9.6},
    {10, "Staphyloc_90425", 562, 221, 2.52e-64},
    {10, "tr|A0A0H3NFG7|A0A0H3NFG7_SALTS", 74, 33.1, 0.25},
    {10, "Escherich_88426", 62, 28.5, 6.3},
    {11, "tr|Q57W86|Q57W86_TRYB2", 76, 33.9, 0.19},
    {11, "Mitochond_112440", 64, 29.3, 4.1},
    {11, "tr|A0A509ATE7|A0A509ATE7_PLABA", 62, 28.5, 9.5},
    {12, "tr|Q8YTN5|Q8YTN5_NOSS1", 1232, 479, 2.99e-137},
    {12, "tr|B2ANU9|B2ANU9_PODAN", 93, 40.4, 0.002},
    {12, "sp|P27796|THIK_YEAST", 63, 28.9, 8.1},
    {13, "sp|P33749|MSN4_YEAST", 76, 33.9, 0.31},
    {13, "tr|A0A0H3N8X4|A0A0H3N8X4_SALTS", 64, 29.3, 7.0},
    {13, "tr|C0H5A4|C0H5A4_PLAF7", 63, 28.9, 10.0},
    {14, "tr|B3L5V7|B3L5V7_PLAKH", 94, 40.8, 0.003},
    {14, "tr|A0A509ARP4|A0A509ARP4_PLABA", 68, 30.8, 2.1},
    {14, "tr|Q38D00|Q38D00_TRYB2", 68, 30.8, 2.4},
    {15, "tr|A0A509AS07|A0A509AS07_PLABA", 86, 37.7, 0.029},
    {15, "tr|A0A384LK20|A0A384LK20_PLAKH", 70, 31.6, 2.0},
    {15, "tr|G0S4U4|G0S4U4_CHATD", 65, 29.6, 8.3},
    {16, "tr|A0A0H3NEL2|A0A0H3NEL2_SALTS", 65, 29.6, 9.6},
    {17, "tr|Q57WP1|Q57WP1_TRYB2", 96, 41.6, 0.002},
    {17, "tr|A0A509AFV5|A0A509AFV5_PLABA", 72, 32.3, 1.5},
    {17, "tr|Q38CQ1|Q38CQ1_TRYB2", 67, 30.4, 5.6},
    {18, "Bacteria__99372", 79, 35.0, 0.19},
    {18, "tr|G0S285|G0S285_CHATD", 71, 32.0, 1.2},
    {18, "tr|Q8YSC3|Q8YSC3_NOSS1", 68, 30.8, 1.3},
    {19, "tr|B2B1N1|B2B1N1_PODAN", 91, 39.7, 0.010},
    {19, "tr|G0S575|G0S575_CHATD", 69, 31.2, 3.6},
    {19, "tr|G0SFT5|G0SFT5_CHATD", 66, 30.0, 8.6},
};

// And with -comp_based_stats 2.
constexpr Printed conditional[] = {
    {0, "tr|Q38D00|Q38D00_TRYB2", 59, 27.3, 0.56},
    {0, "tr|A0A509AQW2|A0A509AQW2_PLABA", 54, 25.4, 3.2},
    {0, "Bacteria__108968", 50, 23.9, 7.6},
    {1, "sp|Q06625|GDE_YEAST", 63, 28.9, 0.39},
    {1, "sp|P0A8V2|RPOB_ECOLI", 53, 25.0, 7.4},
    {1, "tr|G0RXS6|G0RXS6_CHATD", 51, 24.3, 10.0},
    {2, "tr|G0S4Q2|G0S4Q2_CHATD", 63, 28.9, 0.28},
    {2, "Archaea_s_94966", 52, 24.6, 8.1},
    {2, "tr|Q1PZ82|Q1PZ82_KUEST", 52, 24.6, 8.9},
    {3, "tr|B2A9H4|B2A9H4_PODAN", 344, 137, 1.71e-37},
    {3, "tr|Q1PWV1|Q1PWV1_KUEST", 116, 49.3, 2.69e-07},
    {3, "tr|A0A384KF90|A0A384KF90_PLAKH", 57, 26.6, 5.1},
    {4, "tr|Q8YYU9|Q8YYU9_NOSS1", 60, 27.7, 2.8},
    {4, "Staphyloc_93609", 60, 27.7, 3.2},
    {4, "tr|Q6ZED1|Q6ZED1_SYNY3", 56, 26.2, 8.6},
    {5, "Viruses_s_114163", 1195, 464, 2.30e-159},
    {5, "tr|B2AV16|B2AV16_PODAN", 61, 28.1, 3.0},
    {5, "tr|Q57UI9|Q57UI9_TRYB2", 58, 26.9, 7.8},
    {6, "sp|P0C2I6|YL13B_YEAST", 71, 32.0, 0.22},
    {6, "Bacteria__111214", 61, 28.1, 3.4},
    {7, "tr|B2B5L0|B2B5L0_PODAN", 360, 143, 1.96e-38},
    {7, "sp|P46675|STU2_YEAST", 75, 33.5, 0.092},
    {7, "tr|G0SBR5|G0SBR5_CHATD", 60, 27.7, 5.1},
    {8, "tr|Q8IBJ3|Q8IBJ3_PLAF7", 62, 28.5, 3.4},
    {8, "tr|B1WY44|B1WY44_CYAA5", 61, 28.1, 5.4},
    {8, "tr|A0A384KLM4|A0A384KLM4_PLAKH", 59, 27.3, 9.0},
    {9, "tr|Q382W3|Q382W3_TRYB2", 371, 147, 8.12e-37},
    {9, "tr|A0A384L4W0|A0A384L4W0_PLAKH", 62, 28.5, 3.9},
    {9, "tr|C0H4M7|C0H4M7_PLAF7", 58, 26.9, 7.6},
    {10, "Staphyloc_90425", 559, 219, 5.60e-64},
    {10, "tr|A0A090CW51|A0A090CW51_PODAN", 68, 30.8, 0.90},
    {10, "tr|Q8ZP42|Q8ZP42_SALTY", 62, 28.5, 5.5},
    {11, "sp|P20435|RPAB2_YEAST", 68, 30.8, 0.77},
    {11, "tr|Q57W86|Q57W86_TRYB2", 64, 29.3, 4.8},
    {11, "tr|B2B1K6|B2B1K6_PODAN", 61, 28.1, 9.9},
    {12, "tr|Q8YTN5|Q8YTN5_NOSS1", 1282, 498, 3.04e-143},
    {12, "Staphyloc_90742", 106, 45.4, 4.33e-05},
    {12, "Archaea_s_95334", 64, 29.3, 5.6},
    {13, "sp|P33749|MSN4_YEAST", 93, 40.4, 0.003},
    {13, "tr|Q380V4|Q380V4_TRYB2", 68, 30.8, 2.6},
    {13, "tr|A0A0H3N8X4|A0A0H3N8X4_SALTS", 64, 29.3, 7.0},
    {14, "tr|B3L5V7|B3L5V7_PLAKH", 94, 40.8, 0.003},
    {14, "tr|Q38D00|Q38D00_TRYB2", 68, 30.8, 2.4},
    {14, "Escherich_88825", 65, 29.6, 7.0},
    {15, "tr|A0A509AS07|A0A509AS07_PLABA", 86, 37.7, 0.029},
    {15, "tr|A0A384LIJ3|A0A384LIJ3_PLAKH", 75, 33.5, 0.49},
    {15, "tr|A0A2C9CC29|A0A2C9CC29_KUEST", 65, 29.6, 8.3},
    {17, "tr|Q57WP1|Q57WP1_TRYB2", 86, 37.7, 0.031},
    {17, "Bacteria__98408", 66, 30.0, 5.1},
    {17, "tr|A0A384LJF4|A0A384LJF4_PLAKH", 65, 29.6, 9.9},
    {18, "Bacteria__99372", 79, 35.0, 0.19},
    {18, "tr|Q8YSC3|Q8YSC3_NOSS1", 68, 30.8, 1.5},
    {18, "Staphyloc_90095", 65, 29.6, 9.8},
    {19, "tr|Q8YX69|Q8YX69_NOSS1", 66, 30.0, 6.9},
};

/// Within two percent, as adjusted scores are rounded to a part of a unit, or equal in all digits that a table has:
/// three of an E-value below 0.0009, up to three places of those above.
void check_table(const Database& database, std::span<const std::vector<Hit>> hits, std::span<const Printed> printed) {
  for (const Printed& one : printed) {
    CAPTURE(one.query);
    CAPTURE(one.subject);
    const auto found = std::ranges::find_if(hits[one.query],
                                            [&](const Hit& hit) { return database.name(hit.subject) == one.subject; });
    REQUIRE(found != hits[one.query].end());
    CHECK(found->score == one.score);
    CHECK(std::abs(found->bits - one.bits) <= (one.bits > 99.9 ? 1 : 0.051));
    const double e = one.evalue, unit = e < 0.0009 ? e / 100 : e < 0.1 ? 0.001 : e < 1 ? 0.01 : 0.1;
    CHECK(std::abs(found->evalue - e) <= std::max(0.51 * unit, 0.02 * e));
  }
}

}  // namespace

TEST_CASE("align data: composition-based statistics of blastp") {
  const SequenceSet queries = proteins("queries20.fasta"), subjects = proteins("proteins_2m.fasta.gz");
  if (queries.empty() || subjects.empty()) return;
  const Database database = Database::build(subjects);
  const Device device = Device::pick();
  for (const bool scales : {true, false}) {
    CAPTURE(scales);
    const Searcher searcher(
        device, database,
        {.top = 500, .composition = scales ? CompositionStatistics::scaled : CompositionStatistics::conditional});
    check_table(database, searcher.search(queries).hits,
                scales ? std::span<const Printed>(scaled) : std::span<const Printed>(conditional));
  }
}

TEST_CASE("align data: E-values of blastp") {
  const SequenceSet queries = proteins("queries20.fasta"), subjects = proteins("proteins_2m.fasta.gz");
  if (queries.empty() || subjects.empty()) return;
  const Database database = Database::build(subjects);
  const Searcher searcher(Device::pick(), database, {.top = 5000});
  const auto hits = searcher.search(queries).hits;
  for (const Printed& one : blastp) {
    CAPTURE(one.query);
    CAPTURE(one.subject);
    const auto found = std::ranges::find_if(hits[one.query],
                                            [&](const Hit& hit) { return database.name(hit.subject) == one.subject; });
    REQUIRE(found != hits[one.query].end());
    CHECK(found->score == one.score);
    CHECK(found->bits == doctest::Approx(one.bits).epsilon(1e-5));
    CHECK(std::abs(found->evalue / one.evalue - 1) < 1e-5);
  }
  for (const std::vector<Hit>& of_query : hits)
    CHECK(std::ranges::is_sorted(of_query, {}, [](const Hit& hit) { return hit.evalue < 1e-180 ? 0 : hit.evalue; }));
}
