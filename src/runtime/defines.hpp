// What specialises a kernel: names with integers or names, nothing else, so that equal requests hit the same program.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace genocl::runtime {

class Defines {
 public:
  template <std::integral Int>
  Defines& set(std::string_view name, Int value) {
    if constexpr (std::unsigned_integral<Int>)
      return set_text(name, std::to_string(value) + (value > 0x7fffffffu ? (value > 0xffffffffu ? "UL" : "U") : ""));
    else
      return set_text(name, std::to_string(value));
  }
  /// `value` is an identifier: a type ("uint") or a function. Throws InputError when it is not one.
  Defines& set(std::string_view name, std::string_view value);
  Defines& set(std::string_view name, const char* value) { return set(name, std::string_view(value)); }

  /// At most this many registers for each work-item, on NVIDIA only; no effect on a kernel with reqd_work_group_size.
  Defines& limit_registers(unsigned count) {
    registers_ = count;
    return *this;
  }
  unsigned register_limit() const noexcept { return registers_; }

  /// " -DA=1 -DB=uint", sorted by name.
  std::string options() const;

 private:
  Defines& set_text(std::string_view name, std::string value);

  std::map<std::string, std::string, std::less<>> values_;
  unsigned registers_ = 0;
};

}  // namespace genocl::runtime
