// Real data: E-values of hits are those that NCBI's blastp prints.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

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
