// A call of each topic, small, with the answer that it gave at first: for tests that make many of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "genocl/device.hpp"

namespace genocl_test {

struct TopicCall {
  std::string name;
  /// Makes the call on that device, and gives its answer as bytes, which are the same each time.
  std::function<std::string(const genocl::Device&)> call;
};

/// One for each topic at least, of inputs drawn from the seed.
std::vector<TopicCall> topic_calls(std::uint64_t seed);

}  // namespace genocl_test
