#include "marose/options.hpp"

#include "common/numbers.hpp"
#include "genocl/error.hpp"

namespace program {
namespace {

using genocl::InputError;

[[noreturn]] void refuse(std::string_view option, const std::string& text, const std::string& expected) {
  throw InputError(std::string(option), {}, genocl::in_quotes(text), expected);
}

}  // namespace

marose::ErrorBound errors_of(std::string_view option, const std::string& text) {
  if (text.ends_with('%')) {
    const auto share = number_of<double>(std::string_view(text).substr(0, text.size() - 1));
    if (share && *share > 0 && *share < 100) return {.count = 0, .share = *share / 100};
    if (share && *share == 0) return {};
  } else if (const auto count = number_of<unsigned>(text)) {
    return {.count = *count, .share = 0};
  }
  refuse(option, text, "a number of errors like 3, or a share of the read's length like 5%");
}

marose::ClipOptions MapSettings::clip_options() const {
  marose::ClipOptions options{.adapter_overlap = adapter_overlap, .least_quality = trim_quality, .ends = clip};
  for (const std::string& adapter : adapters)
    options.adapters.push_back(adapter == "illumina" ? marose::illumina_adapter : adapter);
  return options;
}

marose::Report report_of(const std::string& text) {
  if (text == "best") return marose::Report::best();
  if (text == "all") return marose::Report::all();
  if (text.starts_with("strata:"))
    if (const auto strata = number_of<unsigned>(std::string_view(text).substr(7)))
      return marose::Report::within(*strata);
  if (const auto count = number_of<std::uint64_t>(text); count && *count > 0) return marose::Report::most(*count);
  refuse("--report", text, "best, all, strata:N or a number");
}

marose::InsertRange insert_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const auto least = number_of<std::uint64_t>(std::string_view(text).substr(0, colon));
    const auto most = number_of<std::uint64_t>(std::string_view(text).substr(colon + 1));
    if (least && most && *least <= *most && *most > 0 && *most <= 1'000'000) return {.least = *least, .most = *most};
  }
  refuse("--insert", text, "auto, or LEAST:MOST, at most 1000000, like 0:1000");
}

}  // namespace program
