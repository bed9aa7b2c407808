// The mapper on very many small references: a soak of what mapper_test.cpp does with some.
#include "marose/mapper_cases.hpp"

TEST_CASE("marose: a thousand small references, as by brute force") {
  const std::uint64_t hits = marose_test::map_small_references(1100, 2100, true);
  CHECK(hits > 2000);
}
