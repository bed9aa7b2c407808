// Lines of tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace program {

/// Puts fields into lines, with tabs between.
class Lines {
 public:
  void field(std::string_view text) {
    if (!first_) text_ += '\t';
    first_ = false;
    text_ += text;
  }
  void field(std::uint64_t number) { field(std::to_string(number)); }
  void end() {
    text_ += '\n';
    first_ = true;
  }
  const std::string& text() const noexcept { return text_; }
  void clear() noexcept { text_.clear(); }

 private:
  std::string text_;
  bool first_ = true;
};

/// The first word of a header line may be missing.
inline std::string_view or_star(std::string_view name) { return name.empty() ? "*" : name; }

}  // namespace program
