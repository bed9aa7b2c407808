// Warnings about repaired records of input files: one for the first record of each kind, and a count.
#pragma once

#include <cstdint>
#include <iostream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/program.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"

namespace program {

/// The first repair of a kind is a warning, or with --strict an error. Another warning at the end states the number of
/// repaired records. Thread-safe.
class Repairs {
 public:
  explicit Repairs(bool strict, bool warns = true) : strict_(strict), warns_(warns) {}

  /// `kind`: the repair, such as "gaps were left out of". Throws `why` with --strict.
  void add(const std::string& kind, const genocl::InputError& why) {
    if (strict_) throw genocl::InputError(why);
    const std::lock_guard lock(mutex_);
    for (auto& [name, count] : kinds_)
      if (name == kind) {
        ++count;
        return;
      }
    kinds_.emplace_back(kind, 1);
    warn(why.what());
  }
  /// Writes the counts. `records`: number of all records of `file`.
  void finish(const std::string& file, std::uint64_t records) {
    for (const auto& [kind, count] : kinds_) {
      const bool many = count >= 100 && count * 100 > records;
      if (count > 1)
        warn(file + ": " + kind + " " + std::to_string(count) + " of " + std::to_string(records) + " records" +
             (many ? ", more than 1%: is the file what it should be?" : ""));
    }
    kinds_.clear();
  }

 private:
  void warn(const std::string& text) const {
    if (warns_ && team().is_root()) std::cerr << called_name() + ": warning: " + text + "\n";
  }

  bool strict_, warns_;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::uint64_t>> kinds_;
};

}  // namespace program
