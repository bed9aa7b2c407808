#include "runtime/program_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "files/checksum.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/check.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

// File: magic, key length, binary length, checksum of key and binary (64 bits each, this machine's byte order), key,
// binary.
constexpr std::uint64_t magic = 0x32504c434f4e4547;  // "GENOCLP2"
constexpr std::size_t header_words = 4;

std::uint64_t sum_of(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

std::uint64_t sum_of(const std::string& key, std::span<const unsigned char> binary) {
  return sum_of(key) * 3 + checksum(std::as_bytes(binary));
}

std::vector<fs::path> cache_folders() {
  std::vector<fs::path> folders;
  if (const char* const list = std::getenv("GENOCL_CACHE_DIR"); list != nullptr && *list != '\0') {
    std::string_view rest = list;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(platform::path_separator), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
  }
  const fs::path caches = platform::user_cache_folder();
  if (!caches.empty()) folders.push_back(caches / "genocl");
  return folders;
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

// File names may collide: the complete key is stored in the file.
std::string name_of(const std::string& key) { return hex(sum_of(key)) + ".program"; }

std::optional<std::vector<unsigned char>> load_file(const fs::path& file, const std::string& key) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::uint64_t header[header_words];
  if (bytes.size() < sizeof header) return {};
  std::memcpy(header, bytes.data(), sizeof header);
  const std::uint64_t body = bytes.size() - sizeof header;
  if (header[0] != magic || header[1] != key.size() || header[1] > body || header[2] != body - header[1]) return {};
  const char* stored_key = bytes.data() + sizeof header;
  if (std::memcmp(stored_key, key.data(), key.size()) != 0) return {};
  const char* binary = stored_key + key.size();
  std::vector<unsigned char> result(binary, binary + header[2]);
  if (header[3] != sum_of(key, result)) return {};
  return result;
}

// False if the folder cannot be written.
bool store_file(const fs::path& folder, const std::string& key, const std::vector<unsigned char>& binary) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return false;
  static std::atomic<unsigned> counter{0};
  const fs::path file = folder / name_of(key);
  fs::path temporary = file;
  temporary += "." + std::to_string(platform::process_id()) + "." + std::to_string(counter++);
  const std::uint64_t header[header_words] = {magic, key.size(), binary.size(), sum_of(key, binary)};
  std::ofstream stream(temporary, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(header), sizeof header);
  stream.write(key.data(), static_cast<std::streamsize>(key.size()));
  stream.write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
  stream.close();
  if (stream) fs::rename(temporary, file, error);
  if (stream && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace

BinaryCache::BinaryCache() : folders_(cache_folders()) {}

std::optional<std::vector<unsigned char>> BinaryCache::load(const std::string& key) const {
  for (const fs::path& folder : folders_)
    if (auto binary = load_file(folder / name_of(key), key)) return binary;
  return {};
}

void BinaryCache::store(const std::string& key, const std::vector<unsigned char>& binary) const {
  for (const fs::path& folder : folders_)
    if (store_file(folder, key, binary)) return;
}

namespace {

enum class DiskUse { none, read, read_and_write };

bool is_pocl(const DeviceInfo& info) {
  return info.platform_version.find("PoCL") != std::string::npos ||
         info.platform_version.find("pocl") != std::string::npos;
}

// Skips the declarations of OpenCL's functions in PoCL, which are those of clang: the include guard of opencl-c.h.
constexpr const char* no_declarations = " -D_OPENCL_H_";

DiskUse disk_use(const DeviceInfo& info) {
  const char* wanted = std::getenv("GENOCL_CACHE");
  const std::string choice = wanted != nullptr && *wanted != '\0' ? wanted : "auto";
  if (choice == "on") return DiskUse::read_and_write;
  if (choice == "off") return DiskUse::none;
  if (choice != "auto") throw InputError("GENOCL_CACHE", choice, "is not a choice", "on, off or auto");
  const bool driver_does_it = is_pocl(info) || info.platform.find("NVIDIA") != std::string::npos;
  return driver_does_it ? DiskUse::read : DiskUse::read_and_write;
}

/// cl/common/builtins.clh, or nothing where a folder of other kernels has none.
std::string declarations_in(const KernelSources& sources) {
  try {
    return sources.expand("common/builtins.clh");
  } catch (const BuildError&) {
    return {};
  }
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return {};
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS) return {};
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

std::vector<unsigned char> binary_of(cl_program program) {
  std::size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return {};
  std::vector<unsigned char> binary(size);
  unsigned char* pointer = binary.data();
  if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) != CL_SUCCESS) return {};
  return binary;
}

}  // namespace

ProgramCache::ProgramCache(const cl::Context& context, const cl::Device& device, const DeviceInfo& info)
    : context_(context),
      device_(device),
      device_name_(info.name),
      device_key_(info.name + '\n' + info.driver_version + '\n' + info.platform + '\n' + info.platform_version + '\n'),
      is_pocl_(is_pocl(info)) {
  const DiskUse use = disk_use(info);
  if (use != DiskUse::none) disk_.emplace();
  stores_ = use == DiskUse::read_and_write;
}

cl::Program ProgramCache::get(std::string_view file, const std::string& options, const std::string& front) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    auto& slot = entries_[std::string(file) + '\n' + options + '\n' + front];
    if (!slot) slot = std::make_shared<Entry>();
    entry = slot;
    // Located at the first request, so that a Device can be created and listed without kernels.
    if (!sources_) {
      sources_ = KernelSources::locate();
      if (is_pocl_) declarations_ = declarations_in(*sources_);
    }
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->program() == nullptr) count(true, [&] { entry->program = build(file, options, front); });
  return entry->program;
}

void ProgramCache::on_compiling(std::function<void()> call, double seconds) {
  const std::lock_guard lock(mutex_);
  on_compiling_ = std::move(call);
  seconds_left_ = seconds;
  counts_ = on_compiling_ != nullptr;
}

ProgramCache::Timer::Timer(ProgramCache& cache, Clock::time_point begin) : cache_(cache) {
  const std::lock_guard lock(cache.timing_mutex_);
  if (cache.compiling_++ == 0) cache.compiling_since_ = begin;
}

ProgramCache::Timer::~Timer() {
  const std::lock_guard lock(cache_.timing_mutex_);
  if (--cache_.compiling_ == 0)
    cache_.compile_seconds_ += std::chrono::duration<double>(Clock::now() - cache_.compiling_since_).count();
}

double ProgramCache::compile_seconds() const {
  const std::lock_guard lock(timing_mutex_);
  if (compiling_ == 0) return compile_seconds_;
  return compile_seconds_ + std::chrono::duration<double>(Clock::now() - compiling_since_).count();
}

void ProgramCache::count_seconds(double seconds) {
  // Faster compilations come from a cache and do not count.
  constexpr double at_hand = 0.1;
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex_);
    if (seconds_left_ > 0 && seconds < at_hand) return;
    seconds_left_ -= seconds;
    if (!on_compiling_ || seconds_left_ > 0) return;
    call.swap(on_compiling_);
    counts_ = false;
  }
  call();
}

cl::Program ProgramCache::build(std::string_view file, const std::string& options, const std::string& front) const {
  const std::string source = front + sources_->expand(file);
  if (!disk_) return build_source(file, source, options, !front.empty());
  const std::string key = device_key_ + options + '\n' + source;
  if (const auto binary = disk_->load(key)) {
    if (cl::Program program = build_binary(*binary, options); program() != nullptr) return program;
  }
  cl::Program program = build_source(file, source, options, !front.empty());
  if (stores_)
    if (const auto binary = binary_of(program()); !binary.empty()) disk_->store(key, binary);
  return program;
}

cl::Program ProgramCache::build_source(std::string_view file, const std::string& source, const std::string& options,
                                       bool has_front) const {
  // A caller's text in front may call any function.
  const bool tries_own = own_declarations_ && !declarations_.empty() && !has_front;
  if (tries_own)
    if (const auto [program, code] = compile(declarations_ + source, options + no_declarations); code == CL_SUCCESS)
      return program;
  const auto [program, code] = compile(source, options);
  if (code != CL_SUCCESS)
    throw BuildError(std::string(file), device_name_, code, resolve_lines(build_log(program(), device_()), source));
  if (tries_own) own_declarations_ = false;  // this driver needs its header
  return program;
}

std::pair<cl::Program, cl_int> ProgramCache::compile(const std::string& source, const std::string& options) const {
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(context_(), 1, &text, &length, &code));
  check(code, "clCreateProgramWithSource", device_name_);
  const cl_device_id device = device_();
  code = clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr);
  return {program, code};
}

// Null if the driver rejects the binary.
cl::Program ProgramCache::build_binary(const std::vector<unsigned char>& binary, const std::string& options) const {
  const cl_device_id device = device_();
  const std::size_t size = binary.size();
  const unsigned char* data = binary.data();
  cl_int code = CL_SUCCESS, status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(context_(), 1, &device, &size, &data, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS) return {};
  if (clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return {};
  return program;
}

}  // namespace genocl::runtime
