#include <doctest/doctest.h>

#include "genocl/marose.hpp"

using namespace genocl::marose;

TEST_CASE("marose: mapping quality") {
  ReadSummary summary;
  CHECK(summary.mapping_quality() == 0);
  summary.hits = summary.best_hits = 1;
  summary.bound = 3;
  summary.explored = 4;
  CHECK(summary.mapping_quality() == 60);
  summary.best = 3;  // another one may lie just beyond the bound
  CHECK(summary.mapping_quality() == 17);
  summary.hits = summary.best_hits = 2;
  CHECK(summary.mapping_quality() == 3);
  summary.best_hits = 4;
  CHECK(summary.mapping_quality() == 1);
  summary.best_hits = 1;
  summary.best = 0;
  summary.second = 1;
  summary.second_hits = 1;
  CHECK(summary.mapping_quality() == 17);
  summary.second = 2;
  CHECK(summary.mapping_quality() == 34);
}

TEST_CASE("marose: mapping quality never rises with errors") {
  // Errors of the best place from none to far beyond the bound, as those of a rescued pair may be: two reads of up to
  // 1,000 bases have at most 250 errors each within their bounds, and 500 each when they are rescued.
  for (unsigned bound = 0; bound <= 500; ++bound)
    for (const std::uint64_t second_hits : {0u, 1u, 2u, 7u, 1000u})
      for (const unsigned beyond_best : {0u, 1u, 2u, 3u, 5u, 400u}) {
        if (second_hits == 0 && beyond_best != 0) continue;
        unsigned before = 60;
        for (unsigned best = 0; best <= 1000; ++best) {
          ReadSummary summary;
          summary.best_hits = 1;
          summary.hits = 1 + second_hits;
          summary.bound = static_cast<std::uint16_t>(bound);
          summary.explored = static_cast<std::uint16_t>(bound + 1);
          summary.best = static_cast<std::uint16_t>(best);
          summary.second_hits = second_hits;
          // Once at a distance from the best place, once wherever the best place is.
          if (second_hits > 0)
            summary.second = static_cast<std::uint16_t>(beyond_best == 0 ? bound : best + beyond_best);
          const unsigned quality = summary.mapping_quality();
          if (quality > before) FAIL("bound " << bound << ", best " << best << ": " << quality << " after " << before);
          before = quality;
        }
        if (before > 17 && second_hits == 0) FAIL("bound " << bound << ": " << before << " for 1,000 errors");
      }
  // Nor does it with the number of places.
  for (unsigned best = 0; best <= 8; ++best)
    for (unsigned second = best + 1; second <= 10; ++second) {
      unsigned before = 60;
      for (std::uint64_t places = 1; places <= 300; ++places) {
        ReadSummary summary;
        summary.best_hits = 1;
        summary.hits = 1 + places;
        summary.bound = 7;
        summary.explored = 8;
        summary.best = static_cast<std::uint16_t>(best);
        summary.second = static_cast<std::uint16_t>(second);
        summary.second_hits = places;
        CHECK(summary.mapping_quality() <= before);
        before = summary.mapping_quality();
      }
    }
}
