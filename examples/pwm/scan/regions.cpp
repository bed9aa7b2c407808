#include "pwm/scan/regions.hpp"

#include <algorithm>
#include <tuple>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/text_file.hpp"
#include "pwm/fields.hpp"

namespace program {

using genocl::InputError;

Regions::Regions(const std::string& path) : path_(path) {
  const std::string text = genocl::io::read_text_file(path);
  std::uint64_t number = 0;
  bool any = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    const std::vector<std::string> fields = split(line, line.find('\t') != std::string_view::npos ? "\t" : " ");
    if (fields[0] == "track" || fields[0] == "browser" || line.starts_with("track ") || line.starts_with("browser "))
      continue;
    const auto whole = [&](std::size_t i) {
      const auto value = i < fields.size() ? number_of<std::uint64_t>(fields[i]) : std::nullopt;
      if (!value)
        throw InputError(path_, std::to_string(number), genocl::in_quotes(line), "a sequence, a begin and an end");
      return *value;
    };
    const Region region{whole(1), whole(2), number};
    if (region.begin >= region.end)
      throw InputError(path_, std::to_string(number), "a region that ends at " + std::to_string(region.end),
                       "an end behind its begin, " + std::to_string(region.begin));
    sequences_[fields[0]].regions.push_back(region);
    any = true;
  }
  if (!any) throw InputError(path_, {}, "no region in it", "BED: lines of a sequence, a begin and an end");
  for (auto& [name, sequence] : sequences_)
    std::ranges::stable_sort(sequence.regions, {}, [](const Region& one) { return std::tuple(one.begin, one.end); });
}

const std::vector<Region>& Regions::of(std::string_view name, std::uint64_t length) {
  static const std::vector<Region> none;
  const auto found = sequences_.find(name);
  if (found == sequences_.end()) return none;
  Sequence& sequence = found->second;
  if (sequence.found) throw InputError(path_, {}, "regions of " + genocl::shown(name) + ", which the text has twice");
  sequence.found = true;
  for (const Region& region : sequence.regions)
    if (region.end > length)
      throw InputError(path_, std::to_string(region.line), "a region that ends at " + std::to_string(region.end),
                       genocl::shown(name) + " has " + std::to_string(length) + " letters");
  return sequence.regions;
}

void Regions::check_all_found() const {
  for (const auto& [name, sequence] : sequences_)
    if (!sequence.found)
      throw InputError(path_, std::to_string(sequence.regions.front().line), "a region of " + genocl::shown(name),
                       "the name of a sequence of the text");
}

}  // namespace program
