// The type-independent part of Array and HostArray.
#include <new>
#include <string>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl {

DeviceMemory::DeviceMemory() noexcept = default;
DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_(std::move(other.device_)), memory_(std::exchange(other.memory_, {})) {}
DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  device_ = std::move(other.device_);
  memory_ = std::exchange(other.memory_, {});
  return *this;
}
DeviceMemory::~DeviceMemory() = default;

DeviceMemory::DeviceMemory(const Device& device, std::size_t bytes)
    : device_(device), memory_(runtime::allocate(device, bytes)) {}

DeviceMemory::DeviceMemory(const Device& device, runtime::Memory memory)
    : device_(device), memory_(std::move(memory)) {}

const cl::Buffer& DeviceMemory::buffer() const noexcept {
  // Never destroyed, so no driver is called at exit; a null handle needs none.
  alignas(cl::Buffer) static char storage[sizeof(cl::Buffer)];
  static const cl::Buffer* const none = new (storage) cl::Buffer;
  return memory_.buffer ? *memory_.buffer : *none;
}

runtime::MemoryView DeviceMemory::view(std::size_t bytes) const noexcept {
  if (!memory_.buffer || !device_) return {};
  return {(*memory_.buffer)(), device_->context()(), 0, bytes};
}

void DeviceMemory::upload(std::size_t offset, const void* from, std::size_t bytes) {
  runtime::upload(*device_, buffer(), offset, from, bytes);
}
void DeviceMemory::download(std::size_t offset, void* to, std::size_t bytes) const {
  runtime::download(*device_, buffer(), offset, to, bytes);
}
void DeviceMemory::copy_from(const DeviceMemory& other, std::size_t other_offset, std::size_t offset,
                             std::size_t bytes) {
  if (!runtime::same_context(*other.device_, *device_))
    throw InputError("copy of an array of another context than that of the array it goes to");
  if (runtime::share_memory({other.buffer()(), nullptr, other_offset, bytes}, {buffer()(), nullptr, offset, bytes}))
    throw InputError("copy of elements to memory that some of them are in");
  runtime::copy(*device_, other.buffer(), other_offset, buffer(), offset, bytes);
}
void DeviceMemory::fill(const void* pattern, std::size_t pattern_bytes, std::size_t bytes) {
  runtime::fill(*device_, buffer(), pattern, pattern_bytes, bytes);
}
void DeviceMemory::check_range(const char* what, std::size_t first, std::size_t count, std::size_t size) {
  runtime::check_range(what, first, count, size);
}

std::size_t DeviceMemory::bytes_of(const Device& device, std::size_t size, std::size_t element_bytes) {
  return runtime::bytes_of(device, size, element_bytes);
}

HostMemory::HostMemory() noexcept = default;
HostMemory::HostMemory(const Device& device, std::size_t size, std::size_t element_bytes)
    : device_(device), data_(runtime::map_host(device, runtime::bytes_of(device, size, element_bytes), memory_)) {}
HostMemory::HostMemory(HostMemory&& other) noexcept { *this = std::move(other); }
HostMemory& HostMemory::operator=(HostMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(memory_, other.memory_);
  std::swap(data_, other.data_);
  return *this;
}
HostMemory::~HostMemory() {
  if (data_ != nullptr) runtime::unmap_host(*device_, memory_, data_);
}

}  // namespace genocl

namespace genocl::detail {

MemoryView view_of(const cl::Buffer& buffer, std::size_t size, std::size_t first, std::size_t element_bytes) {
  MemoryView view{.memory = buffer()};
  if (view.memory == nullptr) throw InputError("a Span of a null buffer");
  std::size_t bytes = 0;
  runtime::check(clGetMemObjectInfo(view.memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo");
  runtime::check(clGetMemObjectInfo(view.memory, CL_MEM_CONTEXT, sizeof view.context, &view.context, nullptr),
                 "clGetMemObjectInfo");
  const std::size_t all = bytes / element_bytes;
  if (first > all || (size != whole_buffer && size > all - first))
    throw InputError("a Span of " + (size == whole_buffer ? "the" : std::to_string(size)) + " elements of " +
                     std::to_string(element_bytes) + " bytes from element " + std::to_string(first) +
                     " on in a buffer of " + std::to_string(bytes) + " bytes");
  view.offset = first * element_bytes;
  view.bytes = (size == whole_buffer ? all - first : size) * element_bytes;
  return view;
}

MemoryView part_of(const MemoryView& view, std::size_t offset, std::size_t bytes) {
  if (offset > view.bytes || bytes > view.bytes - offset)
    throw InputError("a part of a Span of " + std::to_string(view.bytes) + " bytes, " + std::to_string(bytes) +
                     " bytes from byte " + std::to_string(offset) + " on, ends beyond it");
  MemoryView part = view;
  part.offset += offset;
  part.bytes = bytes;
  return part;
}

}  // namespace genocl::detail

namespace genocl::runtime {

cl::Buffer sub_buffer(const Device& device, const MemoryView& view) {
  if (view.memory == nullptr || view.bytes == 0) return {};
  if (view.offset == 0) return cl::Buffer(view.memory, true);
  const Root root = root_of(view.memory);
  const cl_buffer_region region{root.offset + view.offset, view.bytes};
  cl_int code = CL_SUCCESS;
  const cl_mem part = clCreateSubBuffer(root.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  check(code, "clCreateSubBuffer", device.info().name);
  return cl::Buffer(part);
}

cl::Buffer operand_buffer(const Device& device, const MemoryView& view) {
  if (view.memory != nullptr && view.context != device.context()()) refuse_context(device);
  if (!is_aligned(device, view))
    throw InputError("a Span that starts at byte " + std::to_string(view.offset) + " of its buffer", {}, {},
                     "a multiple of " + std::to_string(device.info().buffer_alignment) + " on " + device.info().name);
  return sub_buffer(device, view);
}

bool is_aligned(const Device& device, const MemoryView& view) {
  if (view.offset == 0 || view.bytes == 0) return true;
  return (root_of(view.memory).offset + view.offset) % device.info().buffer_alignment == 0;
}

ScratchArena::ScratchArena(const Device& device, Span<std::byte> memory)
    : device_(device), memory_(memory.view()), alignment_(device.info().buffer_alignment) {
  // The first block must be aligned in the parent buffer.
  const std::size_t before = (root_of(memory_.memory).offset + memory_.offset) % alignment_;
  if (before != 0) {
    const std::size_t skipped = std::min<std::size_t>(memory_.bytes, alignment_ - before);
    memory_ = part_of(memory_, skipped, memory_.bytes - skipped);
  }
}

std::uint64_t ScratchArena::free_bytes() const noexcept {
  std::uint64_t used = 0;
  for (const Block& block : used_) used += block.bytes;
  return memory_.bytes / alignment_ * alignment_ - used;
}

Memory ScratchArena::take(std::size_t bytes) {
  const std::size_t needed = (std::max<std::size_t>(bytes, 1) + alignment_ - 1) / alignment_ * alignment_;
  std::size_t offset = 0;
  auto place = used_.begin();  // in order of their offsets
  for (; place != used_.end() && place->offset - offset < needed; ++place) offset = place->offset + place->bytes;
  if (offset + needed > memory_.bytes)
    throw CapacityError("scratch memory of a call on " + device_.info().name, needed, free_bytes());
  Memory memory;
  memory.buffer = std::make_shared<const cl::Buffer>(sub_buffer(device_, part_of(memory_, offset, needed)));
  memory.bytes = needed;
  used_.insert(place, {offset, needed, (*memory.buffer)()});
  return memory;
}

void ScratchArena::give(const Memory& memory) noexcept {
  std::erase_if(used_, [&](const Block& block) { return block.handle == handle_of(memory); });
}

Scratch::Scratch(const Device& device, std::size_t bytes)
    : arena_(DeviceAccess::arena(device)), context_(device.context()()) {
  if (arena_ != nullptr) {
    memory_ = arena_->take(bytes);
  } else {
    queue_ = DeviceAccess::shared_queue(device);
    memory_ = queue_->take_scratch(bytes);
  }
}

Scratch::Scratch(const Device& device, std::size_t bytes, ScratchContents contents) {
  if (contents == ScratchContents::zero && DeviceAccess::arena(device) == nullptr) {
    queue_ = DeviceAccess::shared_queue(device);
    context_ = device.context()();
    memory_ = queue_->take_zeroed(bytes);
    contents_ = contents;
    return;
  }
  *this = Scratch(device, bytes);
  if (contents == ScratchContents::undefined) return;
  const std::uint64_t zero = 0;
  fill(device, buffer(), &zero, sizeof zero, memory_.bytes / sizeof zero * sizeof zero);
}

Scratch::~Scratch() {
  if (arena_ != nullptr)
    arena_->give(memory_);
  else if (queue_ && contents_ == ScratchContents::zero)
    queue_->give_zeroed(std::move(memory_));
  else if (queue_)
    queue_->give_scratch(std::move(memory_));
}

void Scratch::swap(Scratch& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(arena_, other.arena_);
  std::swap(context_, other.context_);
  std::swap(memory_, other.memory_);
  std::swap(contents_, other.contents_);
}

void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total) {
  const DeviceInfo& info = device.info();
  if (largest_buffer > info.max_allocation)
    throw CapacityError(std::string(what_for) + " on " + info.name, largest_buffer, info.max_allocation);
  if (const ScratchArena* const arena = DeviceAccess::arena(device)) {
    if (total > arena->free_bytes())
      throw CapacityError(std::string(what_for) + " on " + info.name, total, arena->free_bytes());
    return;
  }
  if (total <= core_of(device).free_memory()) return;
  release_unused_scratch(device);
  const std::uint64_t free = core_of(device).free_memory();
  if (total > free) throw CapacityError(std::string(what_for) + " on " + info.name, total, free);
}

std::uint64_t usable_memory(const Device& device) {
  DeviceCore& core = core_of(device);
  return core.free_memory() + core.idle_scratch() + queue_of(device).kept_scratch();
}

void release_unused_scratch(const Device& device) {
  queue_of(device).finish();
  queue_of(device).release_scratch();
  core_of(device).release_idle_scratch();
}

}  // namespace genocl::runtime
