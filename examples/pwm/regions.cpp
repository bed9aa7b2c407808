#include "pwm/regions.hpp"

#include <algorithm>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/text_file.hpp"
#include "pwm/output.hpp"

namespace program {

using genocl::InputError;

namespace {

/// Splits a line at tabs, or else at blanks. Fields between tabs may contain blanks and may be empty.
std::vector<std::string> fields_of(std::string_view line) {
  if (line.find('\t') != std::string_view::npos) return split(line, "\t");
  std::vector<std::string> fields = split(line, " ");
  std::erase(fields, "");
  return fields;
}

std::string number_text(std::uint64_t number) { return std::to_string(number); }

}  // namespace

Regions::Regions(const std::string& path, bool strict) : path_(path), repairs_(strict) {
  const std::string text = genocl::io::read_text_file(path);
  std::uint64_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (fields[0] == "track" || fields[0] == "browser" || line.starts_with("track ") || line.starts_with("browser "))
      continue;
    const auto whole = [&](std::size_t i) {
      const auto value = i < fields.size() ? number_of<std::uint64_t>(fields[i]) : std::nullopt;
      if (!value)
        throw InputError(path_, number_text(number), genocl::in_quotes(line), "a sequence, a begin and an end");
      return *value;
    };
    const Region region{{whole(1), whole(2)}, number};
    if (region.begin > region.end)
      throw InputError(path_, number_text(number), "a region that ends at " + number_text(region.end),
                       "an end behind its begin, " + number_text(region.begin));
    ++lines_;
    if (region.empty()) {
      repairs_.add("regions without a letter were left out:",
                   InputError(path_, number_text(number), "a region without a letter is left out"));
      continue;
    }
    sequences_[fields[0]].regions.push_back(region);
  }
  if (sequences_.empty())
    throw InputError(path_, {}, "no region in it", "BED: lines of a sequence, a begin and an end");
  for (auto& [name, sequence] : sequences_) {
    std::vector<Region>& regions = sequence.regions;
    std::ranges::stable_sort(regions, [](const genocl::Interval& a, const genocl::Interval& b) { return a < b; });
    const auto same = [](const genocl::Interval& a, const genocl::Interval& b) { return a == b; };
    regions.erase(std::unique(regions.begin(), regions.end(), same), regions.end());
  }
}

const std::vector<Region>& Regions::of(std::string_view name, std::uint64_t length) {
  static const std::vector<Region> none;
  const auto found = sequences_.find(name);
  if (found == sequences_.end()) return none;
  Sequence& sequence = found->second;
  // As in an index of samtools faidx, the first sequence of a name counts.
  if (sequence.found) {
    repairs_.add("sequences were left out whose name an earlier one has:",
                 InputError(path_, {},
                            "regions of " + genocl::shown(name) +
                                ", which the text has twice, are those of the first sequence of that name"));
    return none;
  }
  sequence.found = true;
  std::erase_if(sequence.regions, [&](const Region& region) {
    if (region.end <= length) return false;
    repairs_.add("regions beyond the end of their sequence were left out:",
                 InputError(path_, number_text(region.line),
                            "a region that ends at " + number_text(region.end) +
                                " is left out: " + genocl::shown(name) + " has " + number_text(length) + " letters"));
    return true;
  });
  used_ += sequence.regions.size();
  return sequence.regions;
}

void Regions::finish() {
  const Region* first = nullptr;
  std::string first_name;
  for (const auto& [name, sequence] : sequences_) {
    if (sequence.found) continue;
    for (const Region& region : sequence.regions)
      if (first == nullptr || region.line < first->line) {
        first = &region;
        first_name = name;
      }
  }
  if (used_ == 0 && first != nullptr)
    throw InputError(path_, number_text(first->line),
                     "a region of " + genocl::shown(first_name) + ", and none of a sequence of the text",
                     "names of sequences of the text");
  if (used_ == 0) throw InputError(path_, {}, "no region within a sequence of the text", "one at least");
  if (first != nullptr) {
    const std::string kind = "regions of sequences that the text does not have were left out:";
    repairs_.add(
        kind, InputError(path_, number_text(first->line),
                         "a region of " + genocl::shown(first_name) + ", which the text does not have, is left out"));
    for (const auto& [name, sequence] : sequences_)
      for (const Region& region : sequence.regions)
        if (!sequence.found && &region != first) repairs_.add(kind, InputError(path_, {}, {}));
  }
  repairs_.finish(path_, lines_);
}

}  // namespace program
