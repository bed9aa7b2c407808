#include "primitives/sort_values.hpp"

#include "genocl/primitives/gather.hpp"
#include "primitives/launch.hpp"
#include "runtime/defines.hpp"
#include "runtime/launch.hpp"

namespace genocl::primitives {
namespace {

constexpr const char* widen_file = "primitives/widen.cl";

runtime::Defines widen_defines(const ValueWords& values) {
  return runtime::Defines().set("BYTES", values.value_bytes).set("WORD", type_of_size(values.word_bytes));
}

runtime::ItemLaunch widen_launch(const ValueWords& values) {
  return {.items = values.count, .bytes = values.count * (values.value_bytes + values.word_bytes), .least = 4096};
}

MemoryView view_of(const Device& device, const cl::Buffer& buffer, std::uint64_t bytes) {
  return {buffer(), device.context()(), 0, static_cast<std::size_t>(bytes)};
}

}  // namespace

void ValueWords::make(const Device& device, const cl::Buffer& values, const cl::Buffer& words) const {
  if (are_numbers()) return detail::iota(device, view_of(device, words, array_bytes()), word_bytes, 0, {});
  runtime::launch_items(device, widen_file, "widen_values", widen_defines(*this), widen_launch(*this), values, count,
                        words);
}

void ValueWords::take(const Device& device, const cl::Buffer& words, const cl::Buffer& values,
                      const cl::Buffer& to) const {
  const std::uint64_t bytes = count * value_bytes;
  if (are_numbers())
    return detail::gather(device, view_of(device, values, bytes), view_of(device, words, array_bytes()),
                          view_of(device, to, bytes), value_bytes, word_bytes, {});
  runtime::launch_items(device, widen_file, "narrow_values", widen_defines(*this), widen_launch(*this), words, count,
                        to);
}

}  // namespace genocl::primitives
