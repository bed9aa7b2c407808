// Copies between host and device. Devices that share the host's memory map it. For others, pageable memory goes through
// two page-locked slots in turn, so that the copy into one overlaps with the transfer from the other (H200, NVIDIA's
// OpenCL: 55 GB/s page-locked, 9 GB/s pageable).
#include "runtime/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/parallel.hpp"

namespace genocl::runtime {
namespace {

// Below this size the latency of staging outweighs its rate.
constexpr std::size_t direct_bytes = std::size_t{64} << 10;

// One thread reaches about 10 GB/s, less than the bus.
void copy_host(void* to, const void* from, std::size_t bytes) {
  const std::size_t threads = threads_for(bytes, std::size_t{2} << 20);
  const std::size_t share = (bytes / threads + 63) / 64 * 64;
  parallel_for(threads, threads, [&](std::size_t index) {
    const std::size_t begin = std::min(bytes, index * share);
    const std::size_t end = index + 1 == threads ? bytes : std::min(bytes, begin + share);
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  });
}

// Maps a device buffer into host memory for the duration of a scope.
class Mapping {
 public:
  Mapping(const Device& device, const cl::Buffer& buffer, cl_map_flags flags, std::size_t offset, std::size_t bytes)
      : device_(device), buffer_(buffer) {
    cl_int code = CL_SUCCESS;
    data_ = clEnqueueMapBuffer(device.queue()(), buffer(), CL_TRUE, flags, offset, bytes, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer", device.info().name);
  }
  ~Mapping() {
    if (data_ != nullptr) clEnqueueUnmapMemObject(device_.queue()(), buffer_(), data_, 0, nullptr, nullptr);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  void* data() const noexcept { return data_; }
  /// Unmaps; only then is the device sure to see the written bytes.
  void unmap() {
    void* const data = std::exchange(data_, nullptr);
    check(clEnqueueUnmapMemObject(device_.queue()(), buffer_(), data, 0, nullptr, nullptr), "clEnqueueUnmapMemObject",
          device_.info().name);
  }

 private:
  const Device& device_;
  const cl::Buffer& buffer_;
  void* data_ = nullptr;
};

bool goes_direct(const Device& device, const void* host, std::size_t bytes) {
  return bytes <= direct_bytes || core_of(device).is_pinned(host, bytes);
}

// A blocking transfer of NVIDIA's driver delays kernels on other queues (H200: bands of 340 MB at 0.38 of the resident
// rate; in parts awaited by an event, 0.69). Large transfers are therefore split.
constexpr std::size_t part_bytes = std::size_t{64} << 20;

template <class Enqueue>
void in_parts(const Device& device, std::size_t bytes, const Enqueue& enqueue) {
  Event last;  // the queue is in order
  try {
    for (std::size_t done = 0; done < bytes; done += part_bytes) {
      last = EventAccess::own(enqueue(done, std::min(part_bytes, bytes - done)));
      flush(device);
    }
  } catch (...) {
    clFinish(device.queue()());  // the caller owns the memory
    throw;
  }
  last.wait();
}

void write_direct(const Device& device, const cl::Buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
  if (bytes > part_bytes)
    return in_parts(device, bytes, [&](std::size_t done, std::size_t part) {
      cl_event event = nullptr;
      check(clEnqueueWriteBuffer(device.queue()(), to(), CL_FALSE, offset + done, part,
                                 static_cast<const char*>(from) + done, 0, nullptr, &event),
            "clEnqueueWriteBuffer", device.info().name);
      return event;
    });
  check(clEnqueueWriteBuffer(device.queue()(), to(), CL_TRUE, offset, bytes, from, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer", device.info().name);
}

void read_direct(const Device& device, const cl::Buffer& from, std::size_t offset, void* to, std::size_t bytes) {
  if (bytes > part_bytes)
    return in_parts(device, bytes, [&](std::size_t done, std::size_t part) {
      cl_event event = nullptr;
      check(clEnqueueReadBuffer(device.queue()(), from(), CL_FALSE, offset + done, part, static_cast<char*>(to) + done,
                                0, nullptr, &event),
            "clEnqueueReadBuffer", device.info().name);
      return event;
    });
  check(clEnqueueReadBuffer(device.queue()(), from(), CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
        "clEnqueueReadBuffer", device.info().name);
}

}  // namespace

Memory allocate(const Device& device, std::size_t bytes) {
  try {
    return core_of(device).allocate(bytes, CL_MEM_READ_WRITE);
  } catch (const CapacityError&) {
    if (bytes > device.info().max_allocation) throw;
    device.finish();
    device.release_scratch();
    return core_of(device).allocate(bytes, CL_MEM_READ_WRITE);
  }
}

namespace {

// Fills device memory through the queue's page-locked slots: fill(there, done, bytes) writes bytes from `done` on,
// whole units. Returns false without staging memory.
template <class Fill>
bool upload_staged(const Device& device, const cl::Buffer& to, std::size_t offset, std::size_t bytes, std::size_t unit,
                   const Fill& fill) {
  if (unit > DeviceQueue::staging_bytes) return false;
  DeviceQueue& own = queue_of(device);
  const std::lock_guard lock(own.staging_mutex());
  auto* const staging = own.staging();
  if (staging == nullptr) return false;
  const std::size_t most = DeviceQueue::staging_bytes / unit * unit;
  for (std::size_t done = 0, turn = 0; done < bytes; ++turn) {
    StagingSlot& slot = (*staging)[turn % staging->size()];
    const std::size_t piece = std::min(bytes - done, most);
    slot.in_use.wait();
    fill(slot.data, done, piece);
    cl_event event = nullptr;
    check(clEnqueueWriteBuffer(device.queue()(), to(), CL_FALSE, offset + done, piece, slot.data, 0, nullptr, &event),
          "clEnqueueWriteBuffer", device.info().name);
    slot.in_use = EventAccess::own(event);
    flush(device);
    done += piece;
  }
  return true;
}

// The inverse: drain(there, done, bytes) reads.
template <class Drain>
bool download_staged(const Device& device, const cl::Buffer& from, std::size_t offset, std::size_t bytes,
                     std::size_t unit, const Drain& drain) {
  if (unit > DeviceQueue::staging_bytes) return false;
  DeviceQueue& own = queue_of(device);
  const std::lock_guard lock(own.staging_mutex());
  auto* const staging = own.staging();
  if (staging == nullptr) return false;
  const std::size_t most = DeviceQueue::staging_bytes / unit * unit, pieces = (bytes + most - 1) / most;
  const auto piece_bytes = [&](std::size_t i) { return std::min(most, bytes - i * most); };
  for (std::size_t i = 0; i <= pieces; ++i) {
    if (i < pieces) {
      StagingSlot& slot = (*staging)[i % staging->size()];
      slot.in_use.wait();
      cl_event event = nullptr;
      check(clEnqueueReadBuffer(device.queue()(), from(), CL_FALSE, offset + i * most, piece_bytes(i), slot.data, 0,
                                nullptr, &event),
            "clEnqueueReadBuffer", device.info().name);
      slot.in_use = EventAccess::own(event);
      flush(device);
    }
    if (i > 0) {
      StagingSlot& slot = (*staging)[(i - 1) % staging->size()];
      slot.in_use.wait();
      drain(slot.data, (i - 1) * most, piece_bytes(i - 1));
    }
  }
  return true;
}

}  // namespace

void upload(const Device& device, const cl::Buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
  core_of(device).check_process();
  if (core_of(device).maps_buffers()) {
    Mapping mapping(device, to, CL_MAP_WRITE_INVALIDATE_REGION, offset, bytes);
    copy_host(mapping.data(), from, bytes);
    return mapping.unmap();
  }
  const auto fill = [&](void* there, std::size_t done, std::size_t piece) {
    copy_host(there, static_cast<const char*>(from) + done, piece);
  };
  // The driver's own transfer is slower but needs no staging memory.
  if (goes_direct(device, from, bytes) || !upload_staged(device, to, offset, bytes, 1, fill))
    write_direct(device, to, offset, from, bytes);
}

void download(const Device& device, const cl::Buffer& from, std::size_t offset, void* to, std::size_t bytes) {
  core_of(device).check_process();
  if (core_of(device).maps_buffers()) {
    const Mapping mapping(device, from, CL_MAP_READ, offset, bytes);
    copy_host(to, mapping.data(), bytes);
    return;
  }
  const auto drain = [&](const void* there, std::size_t done, std::size_t piece) {
    copy_host(static_cast<char*>(to) + done, there, piece);
  };
  if (goes_direct(device, to, bytes) || !download_staged(device, from, offset, bytes, 1, drain))
    read_direct(device, from, offset, to, bytes);
}

namespace {

// Rows of up to this size in total need no page-locked memory, which takes milliseconds to allocate.
constexpr std::size_t few_rows_bytes = std::size_t{1} << 20;

}  // namespace

void copy_rows_in_threads(void* memory, std::size_t pitch, std::size_t rows, const CopyRows& copy_rows) {
  const std::size_t threads = threads_for(rows * pitch, std::size_t{2} << 20);
  parallel_for(threads, threads, [&](std::size_t thread) {
    const std::size_t begin = rows * thread / threads, end = rows * (thread + 1) / threads;
    if (begin < end) copy_rows(begin, end - begin, static_cast<char*>(memory) + begin * pitch);
  });
}

void upload_rows(const Device& device, const cl::Buffer& to, std::size_t offset, std::size_t pitch, std::size_t rows,
                 const CopyRows& copy_rows) {
  core_of(device).check_process();
  const std::size_t bytes = rows * pitch;
  if (bytes == 0) return;
  if (core_of(device).maps_buffers()) {
    Mapping mapping(device, to, CL_MAP_WRITE_INVALIDATE_REGION, offset, bytes);
    copy_rows_in_threads(mapping.data(), pitch, rows, copy_rows);
    return mapping.unmap();
  }
  const auto fill = [&](void* there, std::size_t done, std::size_t piece) {
    copy_rows_in_threads(there, pitch, piece / pitch, [&](std::size_t first, std::size_t count, void* row) {
      copy_rows(done / pitch + first, count, row);
    });
  };
  if (bytes > few_rows_bytes && upload_staged(device, to, offset, bytes, pitch, fill)) return;
  std::vector<char> memory(std::max(pitch, std::min(bytes, few_rows_bytes / pitch * pitch)));
  for (std::size_t done = 0; done < bytes; done += memory.size()) {
    const std::size_t piece = std::min(memory.size(), bytes - done);
    fill(memory.data(), done, piece);
    write_direct(device, to, offset + done, memory.data(), piece);
  }
}

void download_rows(const Device& device, const cl::Buffer& from, std::size_t offset, std::size_t pitch,
                   std::size_t rows, const CopyRows& copy_rows) {
  core_of(device).check_process();
  const std::size_t bytes = rows * pitch;
  if (bytes == 0) return;
  if (core_of(device).maps_buffers()) {
    const Mapping mapping(device, from, CL_MAP_READ, offset, bytes);
    return copy_rows_in_threads(mapping.data(), pitch, rows, copy_rows);
  }
  const auto drain = [&](void* there, std::size_t done, std::size_t piece) {
    copy_rows_in_threads(there, pitch, piece / pitch, [&](std::size_t first, std::size_t count, void* row) {
      copy_rows(done / pitch + first, count, row);
    });
  };
  if (bytes > few_rows_bytes && download_staged(device, from, offset, bytes, pitch, drain)) return;
  std::vector<char> memory(std::max(pitch, std::min(bytes, few_rows_bytes / pitch * pitch)));
  for (std::size_t done = 0; done < bytes; done += memory.size()) {
    const std::size_t piece = std::min(memory.size(), bytes - done);
    read_direct(device, from, offset + done, memory.data(), piece);
    drain(memory.data(), done, piece);
  }
}

void copy(const Device& device, const cl::Buffer& from, std::size_t from_offset, const cl::Buffer& to,
          std::size_t to_offset, std::size_t bytes) {
  core_of(device).check_process();
  check(clEnqueueCopyBuffer(device.queue()(), from(), to(), from_offset, to_offset, bytes, 0, nullptr, nullptr),
        "clEnqueueCopyBuffer", device.info().name);
}

void fill(const Device& device, const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes,
          std::size_t bytes) {
  core_of(device).check_process();
  check_context(device, buffer);
  // Fills the first piece and copies it to the others: NVIDIA's driver (580, H200) fills only the remainder of 2^32
  // patterns, and faults at an offset past them.
  const std::size_t piece = std::min(bytes, (std::size_t{1} << 30) / pattern_bytes * pattern_bytes);
  check(clEnqueueFillBuffer(device.queue()(), buffer(), pattern, pattern_bytes, 0, piece, 0, nullptr, nullptr),
        "clEnqueueFillBuffer", device.info().name);
  for (std::size_t done = piece; done < bytes; done += piece)
    copy(device, buffer, 0, buffer, done, std::min(piece, bytes - done));
}

std::size_t bytes_of(const Device& device, std::size_t size, std::size_t element_bytes) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  if (size > most / element_bytes)
    throw CapacityError("an array of " + std::to_string(size) + " elements of " + std::to_string(element_bytes) +
                            " bytes on " + device.info().name,
                        most, device.info().max_allocation);
  return size * element_bytes;
}

std::shared_ptr<const cl::Buffer> shared_handle(const Device& device, const cl::Buffer& buffer) {
  return {new cl::Buffer(buffer), [process = core_of(device).process()](const cl::Buffer* gone) {
            if (platform::process_id() == process) delete gone;
          }};
}

Root root_of(cl_mem buffer) {
  Root root{buffer, 0};
  cl_mem parent = nullptr;
  std::size_t offset = 0;
  check(clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr), "clGetMemObjectInfo");
  if (parent == nullptr) return root;
  check(clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), "clGetMemObjectInfo");
  return {parent, offset};
}

bool share_memory(const MemoryView& a, const MemoryView& b) {
  if (a.bytes == 0 || b.bytes == 0 || a.memory == nullptr || b.memory == nullptr) return false;
  Root in_a{a.memory, 0}, in_b{b.memory, 0};
  if (in_a.buffer != in_b.buffer) {
    in_a = root_of(in_a.buffer);
    in_b = root_of(in_b.buffer);
    if (in_a.buffer != in_b.buffer) return false;
  }
  const std::size_t first_a = in_a.offset + a.offset, first_b = in_b.offset + b.offset;
  return first_a < first_b + b.bytes && first_b < first_a + a.bytes;
}

bool same_context(const Device& a, const Device& b) noexcept {
  return &core_of(a) == &core_of(b) || a.context()() == b.context()();
}

void refuse_context(const Device& device) {
  throw InputError("an array of another context than that of " + device.info().name +
                   "; expected one that was made with this Device or a copy of it");
}

void check_context(const Device& device, const cl::Buffer& buffer) {
  if (buffer() == nullptr) return;
  cl_context context = nullptr;
  check(clGetMemObjectInfo(buffer(), CL_MEM_CONTEXT, sizeof context, &context, nullptr), "clGetMemObjectInfo",
        device.info().name);
  if (context != device.context()()) refuse_context(device);
}

void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size) {
  if (first > size || count > size - first)
    throw InputError(std::string(what) + " of elements [" + std::to_string(first) + ", " + std::to_string(first) +
                     " + " + std::to_string(count) + ") of an array of " + std::to_string(size));
}

void* map_host(const Device& device, std::size_t bytes, Memory& memory) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  memory = core_of(device).allocate(size, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  cl_int code = CL_SUCCESS;
  void* data = clEnqueueMapBuffer(device.queue()(), handle_of(memory), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0,
                                  nullptr, nullptr, &code);
  check(code, "clEnqueueMapBuffer", device.info().name);
  core_of(device).add_pinned(data, size);
  return data;
}

void unmap_host(const Device& device, const Memory& memory, void* pointer) noexcept {
  if (!core_of(device).is_of_this_process()) return;
  core_of(device).remove_pinned(pointer);
  clEnqueueUnmapMemObject(device.queue()(), handle_of(memory), pointer, 0, nullptr, nullptr);
}

}  // namespace genocl::runtime
