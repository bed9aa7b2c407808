// Which way of looking for targets: by the method asked for and the device's family.
#include "pwm/steps.hpp"
#include "runtime/names.hpp"

namespace genocl::pwm {

namespace {

constexpr runtime::Names<Method, 5> names = {{{Method::automatic, "auto"},
                                              {Method::naive, "naive"},
                                              {Method::lookahead, "lookahead"},
                                              {Method::slices, "slices"},
                                              {Method::loss, "loss"}}};

}  // namespace

std::string_view to_string(Method method) noexcept { return runtime::name_of(names, method); }

Method method_named(std::string_view name) { return runtime::value_named(names, "method of scanning", name); }

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
  return device.family() == KernelFamily::cpu ? make_loss_finder_cpu(device, targets)
                                              : make_loss_finder_gpu(device, targets);
}

}  // namespace genocl::pwm
