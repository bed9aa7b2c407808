#include "runtime/call.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/event.hpp"
#include "runtime/transfer.hpp"

namespace genocl::runtime {
namespace {

bool same_start(const MemoryView& a, const MemoryView& b) {
  return a.memory != nullptr && a.memory == b.memory && a.offset == b.offset;
}

std::string conflict(const char* function, const char* a, const char* b) {
  return std::string(function) + ": " + a + " and " + b + " share memory; expected separate arrays";
}

}  // namespace

void CallFrame::check_operands(const Device& device, const char* function, std::initializer_list<Operand> operands) {
  for (const Operand& one : operands)
    if (one.view.memory != nullptr && one.view.context != device.context()())
      throw InputError(std::string(function) + ": " + one.name + " of another context than that of " +
                       device.info().name + "; expected memory of this Device or a copy of it");
  for (auto a = operands.begin(); a != operands.end(); ++a)
    for (auto b = operands.begin(); b != a; ++b) {
      if (a->access == Access::read && b->access == Access::read) continue;
      if (same_start(a->view, b->view) && (a->in_place || b->in_place)) continue;
      if (share_memory(a->view, b->view)) throw InputError(conflict(function, b->name, a->name));
    }
}

CallFrame::CallFrame(const Device& device, const Call& call, const char* function,
                     std::initializer_list<Operand> operands)
    : device_(device), call_(call), function_(function) {
  core_of(device).check_process();
  check_operands(device, function, operands);
  if (!call.scratch.empty()) {
    const Operand scratch{"scratch", call.scratch.view(), Access::update};
    check_operands(device, function, {scratch});
    for (const Operand& one : operands)
      if (share_memory(one.view, scratch.view)) throw InputError(conflict(function, one.name, "scratch memory"));
    arena_.emplace(device, call.scratch);
    arena_device_ = DeviceAccess::with_arena(device, &*arena_);
  }
  if (!call.wait_for.empty()) device.enqueue_barrier(call.wait_for);
  for (const Operand& one : operands) {
    slots_[count_].view = one.view;
    slots_[count_++].access = one.access;
  }
  for (std::size_t i = 0; i < count_; ++i) make_buffer(i);
}

void CallFrame::make_buffer(std::size_t index) {
  Slot& slot = slots_[index];
  for (std::size_t i = 0; i < index; ++i)
    if (same_start(slots_[i].view, slot.view) && slots_[i].buffer() != nullptr) {  // in place
      slot.buffer = slots_[i].buffer;
      return std::swap(slot.copy, slots_[i].copy);  // copied back if this operand is written
    }
  MemoryView whole = slot.view;
  for (std::size_t i = index + 1; i < count_; ++i)
    if (same_start(slots_[i].view, whole)) whole.bytes = std::max(whole.bytes, slots_[i].view.bytes);
  if (is_aligned(device_, whole)) {
    slot.buffer = sub_buffer(device_, whole);
    return;
  }
  slot.copy = Scratch(device_, whole.bytes);
  slot.buffer = slot.copy.buffer();
  if (slot.access != Access::write)
    copy(device_, cl::Buffer(slot.view.memory, true), slot.view.offset, slot.buffer, 0, slot.view.bytes);
}

void CallFrame::require_scratch(std::uint64_t bytes) const {
  if (arena_ && arena_->free_bytes() < bytes)
    throw CapacityError(std::string("scratch memory of ") + function_ + " on " + device_.info().name, bytes,
                        arena_->free_bytes());
}

void CallFrame::finish() {
  for (std::size_t i = 0; i < count_; ++i) {
    const Slot& slot = slots_[i];
    if (slot.copy.bytes() == 0 || slot.access == Access::read) continue;
    copy(device_, slot.buffer, 0, cl::Buffer(slot.view.memory, true), slot.view.offset, slot.view.bytes);
  }
  if (call_.event == nullptr) return;
  *call_.event = enqueue_marker(device_);
  flush(device_);
}

}  // namespace genocl::runtime
