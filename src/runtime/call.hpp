// The frame of a call that takes Spans and a Call: checks contexts and aliasing, waits for the caller's events,
// provides scratch memory, and makes each operand a buffer that kernels can use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/scratch.hpp"

namespace genocl::runtime {

enum class Access { read, write, update };

/// An argument of the call. `write`: the call writes all elements; `update`: reads them, or writes some.
struct Operand {
  const char* name = "";  ///< "keys"
  MemoryView view;
  Access access = Access::read;
  /// An operand that is written: may be the very elements of an operand that is read.
  bool in_place = false;
};

class CallFrame {
 public:
  static constexpr std::size_t max_operands = 6;

  /// Throws InputError for an operand of another context, and if an operand that is written overlaps another one.
  /// `function`: the name of the call, for errors.
  CallFrame(const Device& device, const Call& call, const char* function, std::initializer_list<Operand> operands);
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;

  /// Throws CapacityError if the caller's scratch memory is smaller. Call it before any work starts.
  void require_scratch(std::uint64_t bytes) const;
  /// The device, with the call's scratch memory. Do not use it after the frame.
  const Device& device() const noexcept { return arena_device_ ? *arena_device_ : device_; }
  /// The buffer of an operand, which starts with its first element. Null for an empty operand.
  const cl::Buffer& operator[](std::size_t operand) const noexcept { return slots_[operand].buffer; }
  /// Copies the results of unaligned operands, and signals the call's event.
  void finish();

 private:
  struct Slot {
    MemoryView view;
    Access access = Access::read;
    cl::Buffer buffer;
    Scratch copy;  // of an unaligned operand
  };

  static void check_operands(const Device& device, const char* function, std::initializer_list<Operand> operands);
  void make_buffer(std::size_t index);

  const Device& device_;
  const Call& call_;
  const char* function_;
  std::optional<ScratchArena> arena_;
  std::optional<Device> arena_device_;
  std::array<Slot, max_operands> slots_;
  std::size_t count_ = 0;
};

}  // namespace genocl::runtime
