// Texts and devices of two contexts of the same OpenCL device.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/pwm.hpp"
#include "pwm/scan_cases.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::pwm;

using genocl_test::Random;
using pwm_test::Collection;
using pwm_test::random_collection;
using pwm_test::random_text;

namespace {

Device other_context() {
  const Device device = genocl_test::device_of_other_context();
  REQUIRE(device.context()() != pwm_test::test_device().context()());
  return device;
}

}  // namespace

TEST_CASE("pwm contexts: a scanner refuses a text of another context") {
  Random random(21);
  const SequenceSet set = random_text(random, 6, 500);
  const Collection collection = random_collection(random, 6);
  const std::vector<Hit> expected = collection.expected(set);
  REQUIRE(!expected.empty());
  const Device other = other_context();
  const Text elsewhere(other, set);
  for (const auto& variant : pwm_test::drawn_variants())
    for (const Method method : pwm_test::methods) {
      CAPTURE(variant.name);
      CAPTURE(to_string(method));
      const Text here(variant.device, set);
      const Scanner scanner(std::span(&variant.device, 1), collection.matrices, collection.thresholds,
                            {.method = method});
      const Scanner there(std::span(&other, 1), collection.matrices, collection.thresholds, {.method = method});
      CHECK_THROWS_AS(scanner.scan(elsewhere), InputError);
      CHECK_THROWS_AS(there.scan(here), InputError);
      CHECK(scanner.scan(here) == expected);
      CHECK(there.scan(elsewhere) == expected);
      // A scanner with a device in either context takes both.
      const std::vector<Device> both = {variant.device, other};
      const Scanner any(both, collection.matrices, collection.thresholds, {.method = method});
      CHECK(any.scan(here) == expected);
      CHECK(any.scan(elsewhere) == expected);
    }
}

TEST_CASE("pwm contexts: devices of several contexts give the results of one") {
  Random random(22);
  const SequenceSet set = random_text(random, 8, 900);
  const Collection collection = random_collection(random, 8);
  const std::vector<Device> both = {pwm_test::test_device(), other_context()};
  const Scanner scanner(both, collection.matrices, collection.thresholds, {.chunk_residues = 100});
  CHECK(scanner.scan(set) == collection.expected(set));
  const std::vector<double> probabilities = {1e-2, 1e-3};
  const auto one = thresholds(std::span(both).first(1), collection.matrices, probabilities);
  const auto two = thresholds(both, collection.matrices, probabilities);
  REQUIRE(one.size() == two.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t p = 0; p < probabilities.size(); ++p) {
      CHECK(one[i][p].none == two[i][p].none);
      if (!one[i][p].none) CHECK(one[i][p].score == two[i][p].score);
    }
}
