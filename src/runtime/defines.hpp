// The preprocessor definitions that specialise a kernel. Values are integers or identifiers, so equal requests find the
// same program.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genocl::runtime {

/// Hashes `text` (FNV-1a over words of 8 bytes), starting from `seed`. For tables in memory only.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed) noexcept;

class Defines {
 public:
  template <std::integral Int>
  Defines& set(std::string_view name, Int value) {
    return set_number(name, static_cast<std::uint64_t>(value), std::unsigned_integral<Int>);
  }
  /// `value`: an identifier, such as a type ("uint") or a function. Throws InputError for anything else.
  Defines& set(std::string_view name, std::string_view value);
  Defines& set(std::string_view name, const char* value) { return set(name, std::string_view(value)); }

  /// Maximum number of registers per work-item. Applies to NVIDIA only, and not to kernels with reqd_work_group_size.
  Defines& limit_registers(unsigned count) {
    registers_ = count;
    return *this;
  }
  unsigned register_limit() const noexcept { return registers_; }

  /// OpenCL C in front of the kernel file. Its #line directives give the names in messages.
  Defines& set_front(std::string text) {
    front_ = std::move(text);
    return *this;
  }
  const std::string& front() const noexcept { return front_; }

  /// " -DA=1 -DB=uint", sorted by name.
  std::string options() const;

  /// Equal for equal definitions, whatever the order in which they were set.
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
  std::string front_;
};

}  // namespace genocl::runtime
