// The candidates of the published methods by their definition: every read, strand, place and position gone through.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace genocl_reference {

/// A text of several contigs, codes of 0 to 3, else an N.
struct Text {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> borders;  ///< contig c is [borders[c], borders[c + 1])
};

struct PatternPlace {
  std::uint32_t offset = 0, errors = 0;
};

struct PatternRead {
  std::vector<std::uint8_t> codes;
  std::vector<PatternPlace> places;
  std::uint32_t slack = 0;  ///< bases that a hit may reach past the text
};

inline std::vector<std::uint8_t> reverse_complement_codes(std::vector<std::uint8_t> codes) {
  std::reverse(codes.begin(), codes.end());
  for (auto& code : codes)
    if (code < 4) code = static_cast<std::uint8_t>(3 - code);
  return codes;
}

/// Whether a pattern of a read is at a position. The seed's bases must be equal and known; of the neighbourhood behind
/// it `errors` bases may differ, an N of the read differs always, an N of the text counts as an A (code 0).
inline bool pattern_matches(const Text& text, std::uint64_t position, const std::string& mask, unsigned neighbourhood,
                            const std::vector<std::uint8_t>& read, std::uint32_t offset, std::uint32_t errors) {
  const std::uint64_t end = position + mask.size() + neighbourhood;
  const auto contig = std::upper_bound(text.borders.begin(), text.borders.end(), position);
  if (contig == text.borders.end() || end > *contig) return false;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const std::uint8_t base = text.codes[position + i];
    if (mask[i] == '#' && (base > 3 || base != read[offset + i])) return false;
  }
  std::uint32_t different = 0;
  for (unsigned i = 0; i < neighbourhood; ++i) {
    const std::uint8_t base = text.codes[position + mask.size() + i];
    different += (base > 3 ? 0 : base) != read[offset + mask.size() + i];
  }
  return different <= errors;
}

/// (read << 33) | (strand << 32) | (diagonal + bias) for each place that finds it, sorted.
inline std::vector<std::uint64_t> pattern_candidates(const Text& text, const std::string& mask, unsigned neighbourhood,
                                                     const std::vector<PatternRead>& reads, std::uint32_t strands,
                                                     std::uint32_t bias) {
  std::vector<std::uint64_t> keys;
  const auto length = static_cast<std::int64_t>(text.codes.size());
  for (std::uint64_t r = 0; r < reads.size(); ++r)
    for (std::uint64_t strand = 0; strand < 2; ++strand) {
      if ((strands >> strand & 1) == 0) continue;
      std::vector<std::uint8_t> read = reads[r].codes;
      if (strand == 1) read = reverse_complement_codes(read);
      for (const PatternPlace& place : reads[r].places) {
        if (place.offset + mask.size() + neighbourhood > read.size()) continue;
        for (std::int64_t position = 0; position < length; ++position) {
          const std::int64_t diagonal = position - place.offset;
          if (diagonal < -std::int64_t{reads[r].slack} ||
              diagonal > length - static_cast<std::int64_t>(read.size()) + reads[r].slack)
            continue;
          if (!pattern_matches(text, static_cast<std::uint64_t>(position), mask, neighbourhood, read, place.offset,
                               place.errors))
            continue;
          keys.push_back(r << 33 | strand << 32 | static_cast<std::uint64_t>(diagonal + bias));
        }
      }
    }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace genocl_reference
