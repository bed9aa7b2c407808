#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "files/checksum.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::files {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t magic = 0x31'4b4c'424c'434f47;  // "GOCLBLK1"
constexpr const char *ending = ".blocks", *job_file = "job";

/// The header of a block.
struct Head {
  std::uint64_t magic = 0, block = 0, size = 0, checksum = 0;
};

[[noreturn]] void fail(const std::string& name, const std::string& what, int error) {
  throw InputError(name, {}, what + ": " + std::generic_category().message(error));
}

/// A file descriptor that the destructor closes.
class OpenFile {
 public:
  OpenFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) platform::close_file(descriptor_);
  }
  int get() const noexcept { return descriptor_; }
  const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
  int descriptor_;
};

}  // namespace

struct BlockLog::State {
  struct Place {
    std::size_t file = 0;
    std::uint64_t at = 0, size = 0, checksum = 0;
  };
  fs::path folder;
  std::vector<OpenFile> files;
  std::map<std::uint64_t, Place> places;
  std::optional<OpenFile> own;
  std::uint64_t own_size = 0;

  void scan(const fs::path& path);
  void begin_own();
};

void BlockLog::State::scan(const fs::path& path) {
  const int descriptor = platform::open_to_read(path.string());
  if (descriptor < 0) fail(path.string(), "cannot be opened", errno);
  OpenFile& file = files.emplace_back(path.string(), descriptor);
  const platform::FileStatus status = platform::file_status(descriptor);
  if (!status.exists) fail(path.string(), "cannot be looked at", status.error);
  const std::uint64_t size = status.size;
  // The last block of a killed run may be truncated; no block follows it.
  Head head;
  for (std::uint64_t at = 0;
       at + sizeof head <= size && platform::read_at(file.get(), at, std::as_writable_bytes(std::span(&head, 1)));) {
    at += sizeof head;
    if (head.magic != magic || head.size > size - at) return;
    places[head.block] = {files.size() - 1, at, head.size, head.checksum};
    at += head.size;
  }
}

void BlockLog::State::begin_own() {
  std::random_device random;
  while (!own) {
    const fs::path path = folder / (std::to_string(random()) + ending);
    const int descriptor = platform::create_file(path.string());
    if (descriptor >= 0)
      own.emplace(path.string(), descriptor);
    else if (errno != EEXIST)
      fail(path.string(), "cannot be made", errno);
  }
}

BlockLog::BlockLog(const std::string& folder, std::string_view job) : state_(std::make_unique<State>()) {
  state_->folder = folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(folder, {}, "the folder cannot be made: " + error.message());
  std::vector<fs::path> logs;
  bool has_job = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name == job_file)
      has_job = true;
    else if (name.ends_with(ending))
      logs.push_back(entry.path());
    else if (!name.starts_with('.'))  // incomplete block of another process
      throw InputError(folder, {}, "has " + in_quotes(name) + " in it", "a folder of blocks, or a new one");
  }
  if (error) throw InputError(folder, {}, "the folder cannot be read: " + error.message());
  const std::string path = (state_->folder / job_file).string();
  if (has_job) {
    std::ifstream file(path, std::ios::binary);
    if (std::string(std::istreambuf_iterator<char>(file), {}) != job)
      throw InputError(folder, {}, "has results of another job, or of other inputs",
                       "the same command line and files, or no such folder");
  } else {
    AtomicFile file(path);
    file.write(job);
    file.commit();
  }
  std::ranges::sort(logs);
  for (const fs::path& log : logs) state_->scan(log);
}

BlockLog::~BlockLog() = default;

std::size_t BlockLog::found() const noexcept { return state_->places.size(); }
bool BlockLog::has(std::uint64_t block) const noexcept { return state_->places.contains(block); }

std::optional<std::string> BlockLog::read(std::uint64_t block) const {
  const auto found = state_->places.find(block);
  if (found == state_->places.end()) return std::nullopt;
  const State::Place& place = found->second;
  std::string bytes(place.size, '\0');
  if (!platform::read_at(state_->files[place.file].get(), place.at, std::as_writable_bytes(std::span(bytes))))
    return std::nullopt;
  if (runtime::checksum(std::as_bytes(std::span(bytes))) != place.checksum) return std::nullopt;
  return bytes;
}

void BlockLog::add(std::uint64_t block, std::string_view bytes) {
  State& s = *state_;
  if (!s.own) s.begin_own();
  const Head head{magic, block, bytes.size(), runtime::checksum(std::as_bytes(std::span(bytes)))};
  const auto bytes_at = s.own_size + sizeof head;
  if (!platform::write_at(s.own->get(), s.own_size, std::as_bytes(std::span(&head, 1))) ||
      !platform::write_at(s.own->get(), bytes_at, std::as_bytes(std::span(bytes))))
    fail(s.own->name(), "cannot be written", errno);
  s.own_size = bytes_at + bytes.size();
  if (!platform::sync_file(s.own->get())) fail(s.own->name(), "cannot be written", errno);
}

void BlockLog::remove() {
  std::error_code error;
  state_->files.clear();
  state_->places.clear();
  state_->own.reset();
  for (const fs::directory_entry& entry : fs::directory_iterator(state_->folder, error))
    if (entry.path().filename() == job_file || entry.path().string().ends_with(ending)) fs::remove(entry.path(), error);
  fs::remove(state_->folder, error);
}

}  // namespace genocl::files
