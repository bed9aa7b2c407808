#include "marose/clip/trimmer.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::marose {
namespace {

constexpr unsigned least_part = 30;

std::size_t cut_by_quality(std::span<const std::uint8_t> quality, unsigned least) {
  std::int64_t sum = 0, most = 0;
  std::size_t kept = quality.size();
  for (std::size_t i = quality.size(); i-- > 0;) {
    sum += static_cast<std::int64_t>(least) - quality[i];
    if (sum < 0) break;
    if (sum > most) most = sum, kept = i;
  }
  return kept;
}

bool begins_adapter(std::span<const Code> rest, std::span<const Code> adapter) {
  const std::size_t overlap = std::min(rest.size(), adapter.size()), most = overlap / 10;
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < overlap && mismatches <= most; ++i)
    mismatches += adapter[i] == dna::unknown || rest[i] == adapter[i] ? 0 : 1;
  return mismatches <= most;
}

std::size_t cut_by_adapter(std::span<const Code> read, std::span<const Code> adapter, std::size_t overlap) {
  for (std::size_t i = 0; i + overlap <= read.size(); ++i)
    if (begins_adapter(read.subspan(i), adapter)) return i;
  return read.size();
}

}  // namespace

Trimmer::Trimmer(const ClipOptions& options)
    : overlap_(options.adapter_overlap), least_quality_(options.least_quality) {
  if (!options.adapters.empty() && overlap_ == 0) throw InputError("an adapter that overlaps the read by no letter");
  for (const std::string& letters : options.adapters) {
    if (letters.find_first_not_of("ACGTNacgtn") != std::string::npos)
      throw InputError({}, "adapter " + in_quotes(letters), "other letters", "A, C, G, T and N");
    if (letters.size() < std::max(overlap_, 1u))
      throw InputError({}, "adapter " + in_quotes(letters), std::to_string(letters.size()) + " letters",
                       "at least " + std::to_string(overlap_));
    adapters_.push_back(encode(Alphabet::dna, letters));
  }
}

ReadPart Trimmer::kept(std::span<const Code> read, std::span<const std::uint8_t> quality) const {
  std::size_t kept = read.size();
  if (least_quality_ > 0 && !quality.empty()) kept = cut_by_quality(quality, least_quality_);
  for (const std::vector<Code>& adapter : adapters_)
    kept = std::min(kept, cut_by_adapter(read.first(kept), adapter, overlap_));
  return {0, static_cast<std::uint16_t>(kept)};
}

void parts_to_try(const ReadPart& whole, unsigned round, std::vector<ReadPart>& parts) {
  parts.clear();
  const unsigned step = std::max(1u, whole.length / 8u), least = std::max(least_part, (whole.length + 1u) / 2u);
  if (whole.length < least + round * step) return;
  const auto length = static_cast<std::uint16_t>(whole.length - round * step);
  for (unsigned i = 0; i <= round; ++i) parts.push_back({static_cast<std::uint16_t>(whole.first + i * step), length});
}

}  // namespace genocl::marose
