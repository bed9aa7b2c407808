// Which way of looking for targets: by the method asked for and the device's family.
#include "genocl/error.hpp"
#include "pwm/steps.hpp"

namespace genocl::pwm {

std::string_view to_string(Method method) noexcept {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::naive:
      return "naive";
    case Method::lookahead:
      return "lookahead";
    case Method::slices:
      return "slices";
    case Method::loss:
      break;
  }
  return "loss";
}

Method method_named(std::string_view name) {
  for (const Method method : {Method::automatic, Method::naive, Method::lookahead, Method::slices, Method::loss})
    if (name == to_string(method)) return method;
  throw InputError("no method of scanning is named " + std::string(name) +
                   "; expected auto, naive, lookahead, slices or loss");
}

std::unique_ptr<Finder> make_finder(const Device& device, std::span<const Target> targets, Method method) {
  switch (method) {
    case Method::naive:
      return make_naive_finder(device, targets);
    case Method::lookahead:
      return make_lookahead_finder(device, targets);
    case Method::slices:
      return make_slices_finder(device, targets);
    case Method::automatic:
    case Method::loss:
      break;
  }
  return device.family() == KernelFamily::lanes ? make_loss_finder_lanes(device, targets)
                                                : make_loss_finder_group(device, targets);
}

}  // namespace genocl::pwm
