// The launch of the finders `naive`, `lookahead` and `slices`.
#include "pwm/find/place_finder.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "genocl/opencl.hpp"
#include "pwm/scan/candidate_memory.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

/// Places of a work-item in a tile: many, as a target's table is copied to local memory once for each tile, and may be
/// larger than what a few places would read of it; but so few that a short text still is work for all of a GPU.
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
                             std::uint64_t room) const {
  if (count == 0 || text.own_begin >= text.own_end) return {};
  const std::uint64_t places = text.own_end - text.own_begin;
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
  CandidateMemory memory(device, room);
  const cl::Buffer& letters = packed_ ? text.words.buffer() : text.codes.buffer();
  runtime::Kernel(device, "pwm/find/" + name_ + ".cl", name_, defines)
      .args(begin_, lengths_, thresholds_, tables_, first, count, text.size, text.own_begin, text.own_end,
            static_cast<std::uint32_t>(tile), memory.room, memory.found, memory.keys, letters)
      .run(runtime::ceil_div(places, tile), size, places * count);
  return memory.take();
}

}  // namespace genocl::pwm
