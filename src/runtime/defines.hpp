// What specialises a kernel: names with integers or names, nothing else, so that equal requests hit the same program.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace genocl::runtime {

/// Hashes `text` (FNV-1a by words of 8 bytes), going on from `seed`. It is for tables in memory, not for files.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed) noexcept;

class Defines {
 public:
  template <std::integral Int>
  Defines& set(std::string_view name, Int value) {
    return set_number(name, static_cast<std::uint64_t>(value), std::unsigned_integral<Int>);
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

  /// The same for equal ones, whatever the order in which they were set.
  std::uint64_t hash(std::uint64_t seed) const noexcept;
  friend bool operator==(const Defines&, const Defines&) = default;

 private:
  struct Value {
    std::string name, text;  // text: empty for a number
    std::uint64_t number = 0;
    bool is_unsigned = false;
    friend bool operator==(const Value&, const Value&) = default;
  };
  Value& place_of(std::string_view name);
  Defines& set_number(std::string_view name, std::uint64_t number, bool is_unsigned);

  std::vector<Value> values_;  // sorted by name
  unsigned registers_ = 0;
};

}  // namespace genocl::runtime
