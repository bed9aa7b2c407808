// The published finders: naive, lookahead and slices, and naive_matrix.

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "genocl/opencl.hpp"
#include "pwm/finders.hpp"
#include "pwm/scores.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

/// Places of a work-item in a tile: many, since the table of a target is copied to local memory once for each tile,
/// and may be larger than the reads of a few places; but few enough that a short text is work for a whole GPU.
std::uint64_t places_each(const Device& device, std::uint64_t places, unsigned group_size) {
  constexpr std::uint64_t fewest = 4, most = 64;
  return std::clamp(places / (runtime::groups_that_fill(device) * group_size), fewest, most);
}

template <class T>
Array<T> upload(const Device& device, const std::vector<T>& host) {
  return Array<T>(device, std::span<const T>(host));
}

}  // namespace

PlaceFinder::PlaceFinder(const Device& device, std::string name, const PlaceTables& tables, bool packed,
                         runtime::Defines defines)
    : name_(std::move(name)),
      defines_(std::move(defines)),
      packed_(packed),
      begin_(upload(device, tables.begin)),
      lengths_(upload(device, tables.lengths)),
      thresholds_(upload(device, tables.thresholds)),
      tables_(upload(device, tables.tables)) {}

Candidates PlaceFinder::find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                             std::uint64_t capacity) const {
  if (count == 0 || text.own.empty()) return {};
  const std::uint64_t places = text.own.length();
  runtime::Defines defines = defines_;
  unsigned size = 1;
  std::uint64_t tile = 0;
  if (runtime::uses_cpu_kernels(device)) {
    defines.set("ONLY_CPU", 1);
    tile = runtime::share_out(device, {}, places, 1, 1024).share;
  } else {
    size = runtime::group_size(device);
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
    tile = size * places_each(device, places, size);
  }
  CandidateMemory memory(device, capacity);
  const cl::Buffer& letters = packed_ ? text.words.buffer() : text.codes.buffer();
  runtime::Kernel(device, "pwm/published/" + name_ + ".cl", name_, defines)
      .args(begin_, lengths_, thresholds_, tables_, first, count, text.size, text.own.begin, text.own.end,
            static_cast<std::uint32_t>(tile), memory.capacity, memory.found, memory.keys, letters)
      .run(runtime::ceil_div(places, tile), size, places * count);
  return memory.take();
}

// `naive` and `naive_matrix`: the whole score of every place, with the text or the matrix in local memory.

namespace {

/// BEHIND_COLUMNS of cl/pwm/published/places.clh.
void add_end(PlaceTables& tables) { tables.tables.insert(tables.tables.end(), 11, FloatScores::forbidden); }

PlaceTables whole_columns(std::span<const Target> targets) {
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    // Column layout of cl/pwm/published/naive.cl.
    for (const std::array<double, 4>& column : scores.columns) {
      for (const double score : column) tables.tables.push_back(static_cast<float>(score));
      tables.tables.push_back(FloatScores::forbidden);
    }
  }
  add_end(tables);
  return tables;
}

}  // namespace

std::unique_ptr<Finder> make_naive_finder(const Device& device, std::span<const Target> targets) {
  return std::make_unique<PlaceFinder>(device, "naive", whole_columns(targets), false);
}

std::unique_ptr<Finder> make_naive_matrix_finder(const Device& device, std::span<const Target> targets) {
  return std::make_unique<PlaceFinder>(device, "naive_matrix", whole_columns(targets), false);
}

// `lookahead`: a place is left as soon as the threshold is out of reach.

std::vector<double> min_sums(const FloatScores& scores) {
  const std::size_t length = scores.columns.size();
  // After a column, a hit has at least the threshold minus the best of all following columns; its float sum is off
  // by no more there than at the end. At the ends of the range scores do not matter; a column without any finite
  // score leaves only those.
  std::vector<double> least(length, scores.threshold);
  if (scores.threshold != FloatScores::everywhere && scores.threshold != FloatScores::nowhere)
    for (std::size_t i = length - 1; i > 0; --i)
      least[i - 1] = least[i] - *std::max_element(scores.columns[i].begin(), scores.columns[i].end());
  return least;
}

std::unique_ptr<Finder> make_lookahead_finder(const Device& device, std::span<const Target> targets) {
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    const std::size_t length = scores.columns.size();
    const std::vector<double> least = min_sums(scores);
    // Column layout of cl/pwm/published/lookahead.cl.
    for (std::size_t i = 0; i < length; ++i) {
      for (const double score : scores.columns[i]) tables.tables.push_back(static_cast<float>(score));
      tables.tables.push_back(FloatScores::forbidden);
      tables.tables.push_back(float_below(least[i]));
    }
  }
  add_end(tables);
  return std::make_unique<PlaceFinder>(device, "lookahead", tables, false);
}

// `slices`: tables of the scores of all words of a few columns.

namespace {

constexpr unsigned narrow = 4, wide = 5;
/// A table is 4^columns floats.
constexpr std::uint64_t table_bytes(unsigned columns) { return sizeof(float) << (2 * columns); }

/// Bytes of a work-group's table, so that a compute unit has two groups at a time.
std::uint64_t local_bytes(const Device& device) { return device.info().local_memory / 2; }

std::uint64_t slices_of(std::size_t length, unsigned columns) { return runtime::ceil_div(length, columns); }

/// Columns of a slice: 5 if the longest target's tables of two groups fit into a GPU's local memory, and those of all
/// targets are not too large in total.
unsigned columns_of_slice(const Device& device, std::span<const Target> targets, std::size_t longest) {
  constexpr std::uint64_t altogether = std::uint64_t{256} << 20;
  std::uint64_t bytes = 0;
  for (const Target& target : targets) bytes += slices_of(target.scores->length(), wide) * table_bytes(wide);
  const bool fits =
      runtime::uses_cpu_kernels(device) || slices_of(longest, wide) * table_bytes(wide) <= local_bytes(device);
  return fits && bytes <= altogether ? wide : narrow;
}

/// Sets table[word * stride] to the score of each word of `letters` letters by `columns`, the first letter highest;
/// letters after the last column do not count.
void fill_table(float* table, std::size_t stride, std::span<const std::array<double, 4>> columns, unsigned letters) {
  std::vector<double> words = {0}, longer;
  for (unsigned i = 0; i < letters; ++i) {
    longer.clear();
    for (const double word : words)
      for (unsigned letter = 0; letter < 4; ++letter)
        longer.push_back(i < columns.size() ? word + columns[i][letter] : word);
    words.swap(longer);
  }
  for (std::size_t word = 0; word < words.size(); ++word) table[word * stride] = static_cast<float>(words[word]);
}

/// Number of columns of the longest target.
std::size_t longest_of(std::span<const Target> targets) {
  std::size_t longest = 1;
  for (const Target& target : targets) longest = std::max(longest, target.scores->length());
  return longest;
}

/// Adds a group of `matrices` targets, or fewer: tables [slice][word][target], in which shorter targets end with zeros.
void add_together(PlaceTables& tables, std::span<const Target> targets, unsigned matrices, unsigned columns) {
  const std::size_t words = std::size_t{1} << (2 * columns), begin = tables.tables.size();
  for (const Target& target : targets) tables.add(target, float_below(FloatScores(target).threshold));
  tables.tables.resize(begin + slices_of(longest_of(targets), columns) * words * matrices);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const FloatScores scores(targets[i]);
    const std::span<const std::array<double, 4>> all = scores.columns;
    for (std::size_t first = 0; first < all.size(); first += columns)
      fill_table(tables.tables.data() + begin + first / columns * words * matrices + i, matrices,
                 all.subspan(first, std::min<std::size_t>(columns, all.size() - first)), columns);
  }
}

runtime::Defines slices_defines(unsigned columns, std::size_t longest) {
  runtime::Defines defines;
  defines.set("SLICE", columns).set("SLICES", slices_of(longest, columns));
  return defines;
}

}  // namespace

std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets,
                                           std::uint32_t first_target) {
  const std::span<const Target> searched = targets.subspan(first_target);
  const std::size_t longest = longest_of(searched);
  const unsigned columns = columns_of_slice(device, searched, longest);
  PlaceTables tables;
  for (const Target& target : targets.first(first_target)) tables.add(target, 0);
  for (std::size_t i = 0; i < searched.size(); ++i) add_together(tables, searched.subspan(i, 1), 1, columns);
  return std::make_unique<PlaceFinder>(device, "slices", tables, true, slices_defines(columns, longest));
}

std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets) {
  return make_slices_finder(device, targets, 0);
}

std::unique_ptr<Finder> make_slices_finder_of(const Device& device, std::span<const Target> targets, unsigned columns) {
  const std::size_t longest = longest_of(targets);
  const bool local =
      !runtime::uses_cpu_kernels(device) && slices_of(longest, columns) * table_bytes(columns) <= local_bytes(device);
  const unsigned matrices = local || targets.size() < 2 ? 1 : targets.size() == 2 ? 2 : 4;
  const auto group = [&](std::size_t first) {
    return targets.subspan(first, std::min<std::size_t>(matrices, targets.size() - first));
  };
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < targets.size(); i += matrices)
    bytes += slices_of(longest_of(group(i)), columns) * table_bytes(columns) * matrices;
  const std::string what = "tables of slices of " + std::to_string(columns) + " columns for " +
                           std::to_string(targets.size()) + " matrices and strands";
  runtime::check_capacity(device, what.c_str(), bytes, bytes);
  PlaceTables tables;
  tables.tables.reserve(bytes / sizeof(float));
  for (std::size_t i = 0; i < targets.size(); i += matrices) add_together(tables, group(i), matrices, columns);
  runtime::Defines defines = slices_defines(columns, longest);
  defines.set("MATRICES", matrices);
  if (!local) defines.set("GLOBAL_TABLES", 1);
  return std::make_unique<PlaceFinder>(device, "slices", tables, true, defines);
}

}  // namespace genocl::pwm
