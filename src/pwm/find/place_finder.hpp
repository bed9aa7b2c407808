// What the finders `naive`, `lookahead` and `slices` share: a table of floats for each target, and the launch of a
// kernel that goes through the places of a text with them (cl/pwm/find/places.clh).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pwm/steps.hpp"
#include "runtime/defines.hpp"

namespace genocl::pwm {

/// On the host.
struct PlaceTables {
  std::vector<float> tables;         ///< of one target after the other
  std::vector<std::uint64_t> begin;  ///< [target]
  std::vector<std::uint32_t> lengths;
  std::vector<float> thresholds;

  /// What is added to `tables` from here on is the target's.
  void add(const Target& target, float threshold) {
    begin.push_back(tables.size());
    lengths.push_back(static_cast<std::uint32_t>(target.scores->length()));
    thresholds.push_back(threshold);
  }
};

class PlaceFinder : public Finder {
 public:
  /// The kernel `name` of pwm/<name>.cl.
  PlaceFinder(const Device& device, std::string name, const PlaceTables& tables, bool packed,
              runtime::Defines defines = {});

  bool wants_packed() const override { return packed_; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t room) const override;

 private:
  std::string name_;
  runtime::Defines defines_;
  bool packed_;
  Array<std::uint64_t> begin_;
  Array<std::uint32_t> lengths_;
  Array<float> thresholds_, tables_;
};

}  // namespace genocl::pwm
