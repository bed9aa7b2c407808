// `slices`: the scores of all words of a few columns in tables.
#include <algorithm>

#include "pwm/find/place_finder.hpp"
#include "pwm/motif/float_scores.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

constexpr unsigned narrow = 4, wide = 5;
/// A table is 4^columns floats.
constexpr std::uint64_t table_bytes(unsigned columns) { return sizeof(float) << (2 * columns); }

std::uint64_t slices_of(std::size_t length, unsigned columns) { return runtime::ceil_div(length, columns); }

/// Columns of a slice: 5 where two groups' tables of the longest target fit into a GPU's local memory, and those of all
/// targets are not too large altogether.
unsigned columns_of_slice(const Device& device, std::span<const Target> targets, std::size_t longest) {
  constexpr std::uint64_t altogether = std::uint64_t{256} << 20;
  std::uint64_t bytes = 0;
  for (const Target& target : targets) bytes += slices_of(target.scores->length(), wide) * table_bytes(wide);
  const bool fits = runtime::uses_cpu_kernels(device) ||
                    slices_of(longest, wide) * table_bytes(wide) <= device.info().local_memory / 2;
  return fits && bytes <= altogether ? wide : narrow;
}

/// Scores of all words of `columns`, the first letter highest; those behind the last column do not count.
void add_table(std::vector<float>& tables, std::span<const std::array<double, 4>> columns, unsigned letters) {
  std::vector<double> words = {0}, longer;
  for (unsigned i = 0; i < letters; ++i) {
    longer.clear();
    for (const double word : words)
      for (unsigned letter = 0; letter < 4; ++letter)
        longer.push_back(i < columns.size() ? word + columns[i][letter] : word);
    words.swap(longer);
  }
  for (const double word : words) tables.push_back(static_cast<float>(word));
}

}  // namespace

std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets) {
  std::size_t longest = 1;
  for (const Target& target : targets) longest = std::max(longest, target.scores->length());
  const unsigned columns = columns_of_slice(device, targets, longest);
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    const std::span<const std::array<double, 4>> all = scores.columns;
    for (std::size_t first = 0; first < all.size(); first += columns)
      add_table(tables.tables, all.subspan(first, std::min<std::size_t>(columns, all.size() - first)), columns);
  }
  runtime::Defines defines;
  defines.set("SLICE", columns).set("SLICES", slices_of(longest, columns));
  return std::make_unique<PlaceFinder>(device, "slices", tables, true, defines);
}

}  // namespace genocl::pwm
