// genocl-devices --selftest: runs small cases of every algorithm on a device and compares them with scalar functions.
#pragma once

#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"

namespace program {

/// A result of a device that differs from the scalar function's.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A case of one algorithm. `run` throws Mismatch, or what the library throws.
struct SelftestCheck {
  std::string_view name;  ///< "topic algorithm"
  std::function<void(const genocl::Device&)> run;
};

std::vector<SelftestCheck> primitive_checks();
/// pairwise and align.
std::vector<SelftestCheck> alignment_checks();
/// overlap, marose and pwm.
std::vector<SelftestCheck> sequence_checks();
std::vector<SelftestCheck> stencil_checks(bool fp64);

struct SelftestResult {
  std::string name, family;
  bool passed = false;
  double seconds = 0;
  std::string error;  ///< empty if passed
};

struct DeviceSelftest {
  genocl::DeviceInfo info;
  std::vector<SelftestResult> results;

  std::size_t failures() const;
};

/// Runs all checks with both kernel families. Writes a line for each to `out` when it ends, and its name to `log` when
/// it begins.
DeviceSelftest selftest(const genocl::Device& device, std::ostream& out, std::ostream& log);

/// The header of the lines that selftest() writes.
void write_selftest_header(std::ostream& out);

/// Versions of genocl, device and driver, the device's limits, the GENOCL_ variables that change kernels, and all
/// results: what an issue report needs.
void write_selftest_json(std::ostream& out, const std::vector<DeviceSelftest>& devices);

/// Throws Mismatch for the first element that differs.
template <class Values, class Expected>
void expect_equal(std::string_view what, const Values& values, const Expected& expected) {
  if (values.size() != expected.size())
    throw Mismatch(std::string(what) + ": " + std::to_string(values.size()) + " elements instead of " +
                   std::to_string(expected.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != expected[i])
      throw Mismatch(std::string(what) + ": element " + std::to_string(i) + " is " + std::to_string(values[i]) +
                     " instead of " + std::to_string(expected[i]));
}

template <class Value>
void expect_value(std::string_view what, Value value, Value expected) {
  if (value != expected)
    throw Mismatch(std::string(what) + " is " + std::to_string(value) + " instead of " + std::to_string(expected));
}

}  // namespace program
