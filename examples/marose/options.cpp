#include "marose/options.hpp"

#include <algorithm>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "marose/read_source.hpp"

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

marose::Method Request::index_method() const {
  const marose::Method named = marose::method_named(method);
  if (!as_published) return named;
  if (named != marose::Method::phf) refuse("--as-published", "--method " + method, "--method phf");
  return marose::Method::phf_published;
}

bool MapSettings::is_table() const { return format == "tsv" || (format.empty() && output.ends_with(".tsv")); }

bool MapSettings::aligned(marose::Method method) const {
  if (unit_costs || request.hamming || is_table()) return false;
  if (clip || !scoring.empty()) return true;
  return report == "best" && method == marose::Method::kmers;
}

marose::AlignOptions MapSettings::align_options() const {
  marose::AlignOptions options;
  if (!scoring.empty()) {
    // A,B,O,E[,O2,E2]
    std::vector<int> numbers;
    for (std::size_t at = 0; at <= scoring.size();) {
      const std::size_t comma = std::min(scoring.find(',', at), scoring.size());
      const auto number = number_of<int>(std::string_view(scoring).substr(at, comma - at));
      if (!number) refuse("--scoring", scoring, "numbers like 2,8,12,2,32,1");
      numbers.push_back(*number);
      at = comma + 1;
    }
    if (numbers.size() != 4 && numbers.size() != 6) refuse("--scoring", scoring, "A,B,O,E or A,B,O,E,O2,E2");
    const bool two = numbers.size() == 6;
    options.scoring = {.match = numbers[0],
                       .mismatch = numbers[1],
                       .gap_open = numbers[2],
                       .gap_extend = numbers[3],
                       .gap_open2 = numbers[two ? 4 : 2],
                       .gap_extend2 = numbers[two ? 5 : 3],
                       .ambiguous = 1,
                       .end_bonus = 5 * numbers[0]};
  }
  if (end_bonus) options.scoring.end_bonus = static_cast<int>(*end_bonus);
  try {
    options.scoring.check(longest_read);
  } catch (const InputError& error) {
    throw InputError("--scoring", {}, error.what());
  }
  if (min_score) options.min_score = static_cast<std::int32_t>(*min_score);
  options.clip = !end_to_end;
  options.min_supplementary = min_supplementary;
  // Number of records besides the primary one. For the report best, one position more than XA may list.
  const auto besides = [&](std::uint64_t unless_given) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(max_hits.value_or(unless_given), 0xffffffffu) - 1);
  };
  options.max_secondary = report == "best" ? max_xa + 1 : besides(0xffffffffu);
  if (secondary) options.max_secondary = besides(1000);
  return options;
}

marose::ClipOptions MapSettings::clip_options(bool aligned) const {
  marose::ClipOptions options{.adapter_overlap = adapter_overlap, .min_quality = trim_quality, .ends = clip};
  options.overlap = aligned;
  for (const std::string& adapter : adapters) {
    if (adapter == "none") options.overlap = false;
    if (adapter != "none" && adapter != "auto")
      options.adapters.push_back(adapter == "illumina" ? marose::illumina_adapter : adapter);
  }
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
