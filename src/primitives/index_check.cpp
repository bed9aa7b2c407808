#include "primitives/index_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives/segmented_reduce.hpp"
#include "primitives/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

/// Read at each call, so that a program can enable the checks while it runs.
bool checks_are_on() {
  const char* const variable = std::getenv("GENOCL_CHECK");
  const std::string choice = variable != nullptr ? variable : "";
  if (!choice.empty() && choice != "0" && choice != "1")
    throw InputError("GENOCL_CHECK", choice, "is not a choice", "0 or 1");
  return choice == "1";
}

constexpr std::uint64_t no_index = std::numeric_limits<std::uint64_t>::max();

/// The position of the first bad number, or no_index.
std::uint64_t find_bad(const Device& device, const CheckedNumbers& numbers, std::uint64_t bound, bool offsets) {
  constexpr std::uint64_t max_groups = 64;
  const std::uint64_t items =
      std::max<std::uint64_t>(max_groups * device.info().max_work_group_size, runtime::workers_that_fill(device));
  const runtime::Scratch found(device, static_cast<std::size_t>(items) * sizeof(std::uint64_t));
  runtime::fill(device, found.buffer(), &no_index, sizeof no_index, static_cast<std::size_t>(items) * sizeof no_index);
  runtime::Defines defines;
  defines.set("INDEX", type_of_size(numbers.bytes)).set("OFFSETS", offsets ? 1 : 0);
  runtime::launch_items(
      device, "primitives/index_check.cl", "find_bad_index", defines,
      {.items = numbers.count, .bytes = numbers.count * numbers.bytes, .least = 4096, .max_groups = max_groups},
      numbers.buffer, numbers.count, bound, found);
  std::vector<std::uint64_t> host(static_cast<std::size_t>(items));
  runtime::download(device, found.buffer(), 0, host.data(), host.size() * sizeof(std::uint64_t));
  return *std::min_element(host.begin(), host.end());
}

std::uint64_t number_at(const Device& device, const CheckedNumbers& numbers, std::uint64_t position) {
  std::uint32_t narrow = 0;
  std::uint64_t wide = 0;
  void* const to = numbers.bytes == 4 ? static_cast<void*>(&narrow) : static_cast<void*>(&wide);
  runtime::download(device, numbers.buffer, static_cast<std::size_t>(position) * numbers.bytes, to, numbers.bytes);
  return numbers.bytes == 4 ? narrow : wide;
}

}  // namespace

void check_indices(const Device& device, const char* function, const CheckedNumbers& indices, std::uint64_t bound) {
  if (!checks_are_on() || indices.count == 0) return;
  const std::uint64_t position = find_bad(device, indices, bound, false);
  if (position == no_index) return;
  throw InputError(std::string(function) + ": indices[" + std::to_string(position) + "] is " +
                   std::to_string(number_at(device, indices, position)) + "; expected a number below " +
                   std::to_string(bound));
}

void check_offsets(const Device& device, const char* function, const CheckedNumbers& offsets, std::uint64_t bound) {
  if (!checks_are_on() || offsets.count == 0) return;
  const std::uint64_t position = find_bad(device, offsets, bound, true);
  if (position == no_index) return;
  const std::uint64_t before = position == 0 ? 0 : number_at(device, offsets, position - 1);
  throw InputError(std::string(function) + ": offsets[" + std::to_string(position) + "] is " +
                   std::to_string(number_at(device, offsets, position)) + "; expected " + std::to_string(before) +
                   " to " + std::to_string(bound));
}

std::uint64_t segments_of(const char* function, const detail::SegmentOffsets& offsets) {
  if (offsets.view.bytes == 0) throw InputError(std::string(function) + ": no offsets; even no segments need one");
  return offsets.view.bytes / offsets.offset_bytes - 1;
}

}  // namespace genocl::primitives
