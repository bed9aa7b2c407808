// Buffers over the caller's own host memory, which begins at any element: drivers that use it where it lies (PoCL) give
// kernels an address that no vector is aligned to.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/transfer.hpp"

namespace genocl_test {

/// An array over host memory that begins `offset` bytes after a line of the cache.
template <class T>
class CallersMemory {
 public:
  CallersMemory(const genocl::Device& device, const std::vector<T>& host, std::size_t offset)
      : bytes_(host.size() * sizeof(T) + offset + line) {
    void* begin = bytes_.data();
    std::size_t room = bytes_.size();
    begin = std::align(line, 1, begin, room);
    begin = static_cast<unsigned char*>(begin) + offset;
    std::memcpy(begin, host.data(), host.size() * sizeof(T));
    cl_int code = CL_SUCCESS;
    const cl::Buffer buffer(
        clCreateBuffer(device.context()(), CL_MEM_USE_HOST_PTR, host.size() * sizeof(T), begin, &code));
    REQUIRE(code == CL_SUCCESS);
    genocl::runtime::Memory memory{genocl::runtime::shared_handle(device, buffer), host.size() * sizeof(T), false};
    array_ = genocl::runtime::MemoryAccess::borrow<T>(device, std::move(memory), host.size());
  }
  genocl::Array<T>& operator*() { return array_; }
  genocl::Array<T>* operator->() { return &array_; }

 private:
  static constexpr std::size_t line = 64;
  std::vector<unsigned char> bytes_;
  genocl::Array<T> array_;
};

}  // namespace genocl_test
