// Access of the library to the state behind its handles, such as Text, Index and Database.
#pragma once

#include <utility>

#include "genocl/export.hpp"

namespace genocl::runtime {

/// A friend of each handle.
struct StateAccess {
  template <class Handle>
  static const auto& pointer(const Handle& handle) noexcept {
    return handle.state_;
  }
  template <class Handle, class Pointer>
  static Handle make(Pointer state) {
    return Handle(std::move(state));
  }
};

/// The state of a handle, valid as long as the handle.
template <class Handle>
const auto& state_of(const Handle& handle) noexcept {
  return *StateAccess::pointer(handle);
}
/// The pointer that copies of a handle share.
template <class Handle>
const auto& shared_state_of(const Handle& handle) noexcept {
  return StateAccess::pointer(handle);
}

}  // namespace genocl::runtime
