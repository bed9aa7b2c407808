#include "runtime/kernel/kernel_table.hpp"

#include <utility>

#include "runtime/check.hpp"

namespace genocl::runtime {

KernelEntry::KernelEntry(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                         bool ptx, cl::Program program)
    : hash_(hash), file_(file), name_(name), defines_(defines), ptx_(ptx), program_(std::move(program)) {}

KernelEntry::~KernelEntry() {
  for (auto& slot : idle_)
    if (const cl_kernel kernel = slot.exchange(nullptr)) clReleaseKernel(kernel);
}

cl_kernel KernelEntry::take(const std::string& device) {
  for (auto& slot : idle_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (const cl_kernel kernel = slot.exchange(nullptr, std::memory_order_acquire)) return kernel;
  }
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(program_(), name_.c_str(), &code);
  check(code, "clCreateKernel", device, name_);
  return kernel;
}

void KernelEntry::give(cl_kernel kernel) noexcept {
  for (auto& slot : idle_) {
    cl_kernel none = nullptr;
    if (slot.compare_exchange_strong(none, kernel, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  clReleaseKernel(kernel);
}

bool KernelEntry::is(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                     bool ptx) const {
  return hash_ == hash && ptx_ == ptx && name_ == name && file_ == file && defines_ == defines;
}

KernelTable::~KernelTable() {
  for (auto& head : heads_)
    for (const KernelEntry* entry = head.load(); entry != nullptr;) delete std::exchange(entry, entry->next_);
}

KernelEntry* KernelTable::find(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                               bool ptx) const noexcept {
  KernelEntry* entry = heads_[hash % lists].load(std::memory_order_acquire);
  while (entry != nullptr && !entry->is(hash, file, name, defines, ptx)) entry = entry->next_;
  return entry;
}

KernelEntry& KernelTable::add(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                              bool ptx, const cl::Program& program) {
  const std::lock_guard lock(adding_);
  if (KernelEntry* const known = find(hash, file, name, defines, ptx)) return *known;
  auto& head = heads_[hash % lists];
  auto* const entry = new KernelEntry(hash, file, name, defines, ptx, program);
  entry->next_ = head.load(std::memory_order_relaxed);
  head.store(entry, std::memory_order_release);
  return *entry;
}

std::uint64_t KernelTable::hash_of(std::string_view file, std::string_view name, const Defines& defines,
                                   bool ptx) noexcept {
  const std::uint64_t seed = hash_text(name, hash_text(file, ptx ? 1 : 0));
  return defines.hash(seed);
}

}  // namespace genocl::runtime
