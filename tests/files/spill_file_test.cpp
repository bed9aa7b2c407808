#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/helpers.hpp"

using genocl::InputError;
using genocl::files::SpillFile;
using genocl_test::message_of;
namespace fs = std::filesystem;

namespace {

void append(SpillFile& file, std::string_view text) { file.append(std::as_bytes(std::span(text))); }

std::string read(const SpillFile& file, std::uint64_t begin, std::size_t count) {
  std::string text(count, '?');
  file.read(begin, std::as_writable_bytes(std::span(text)));
  return text;
}

/// While it lives no file can be larger, and who tries is told instead of ended.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : action_(signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before_) == 0);
    rlimit small = before_;
    small.rlim_cur = bytes;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, action_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*action_)(int);
};

/// Whether the file of the descriptor lies in the folder's file system and has no name.
bool is_unnamed_in(const fs::path& folder, int descriptor) {
  struct stat of_file {};
  struct stat of_folder {};
  return fstat(descriptor, &of_file) == 0 && stat(folder.c_str(), &of_folder) == 0 && of_file.st_nlink == 0 &&
         of_file.st_dev == of_folder.st_dev;
}

}  // namespace

TEST_CASE("a spill file gives back what was appended") {
  const genocl_test::TemporaryFolder folder;
  SpillFile file(folder.path().string());
  CHECK(file.folder() == folder.path().string());
  CHECK(file.size() == 0);
  CHECK(read(file, 0, 0).empty());
  append(file, "first");
  CHECK(read(file, 1, 3) == "irs");
  append(file, "");
  append(file, " second");
  CHECK(file.size() == 12);
  CHECK(read(file, 0, 12) == "first second");
  CHECK_THROWS_AS(read(file, 6, 7), std::out_of_range);
  CHECK_THROWS_AS(read(file, 13, 0), std::out_of_range);

  SpillFile other = std::move(file);
  append(other, "!");
  CHECK(read(other, 11, 2) == "d!");
  SpillFile third(folder.path().string());
  append(third, "else");
  third = std::move(other);
  CHECK(read(third, 0, 5) == "first");
}

TEST_CASE("a spill file larger than what is written at a time") {
  const genocl_test::TemporaryFolder folder;
  SpillFile file(folder.path().string());
  std::string text((std::size_t{64} << 20) + 12345, '\0');
  for (std::size_t i = 0; i < text.size(); i += 4096) text[i] = static_cast<char>('a' + i / 4096 % 26);
  append(file, text);
  CHECK(file.size() == text.size());
  CHECK((read(file, 0, text.size()) == text));
}

TEST_CASE("a spill file has no name, not even in a process that is killed") {
  const genocl_test::TemporaryFolder folder;
  {
    SpillFile file(folder.path().string());
    append(file, "bytes");
    CHECK(is_unnamed_in(folder.path(), file.descriptor()));
    CHECK(fs::is_empty(folder.path()));
  }
  CHECK(fs::is_empty(folder.path()));

  const std::string path = folder.path().string();
  const pid_t child = fork();
  if (child == 0) {
    SpillFile file(path);
    append(file, "bytes");
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a spill file goes where TMPDIR says") {
  const genocl_test::TemporaryFolder folder;
  {
    const genocl_test::Environment chosen("TMPDIR", folder.path().string());
    const SpillFile file;
    CHECK(file.folder() == folder.path().string());
    CHECK(is_unnamed_in(folder.path(), file.descriptor()));
    const SpillFile given((folder.path() / ".").string());
    CHECK(given.folder() == (folder.path() / ".").string());
  }
  const genocl_test::Environment none("TMPDIR", nullptr);
  CHECK(SpillFile().folder() == (access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"));
  const genocl_test::Environment empty("TMPDIR", "");
  CHECK(SpillFile().folder() == (access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"));
}

TEST_CASE("a spill file says which folder is missing or full") {
  const genocl_test::TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing").string();
  CHECK(message_of<InputError>([&] { SpillFile file(missing); }) ==
        missing + ": no temporary file can be made: No such file or directory");
  const genocl_test::Environment chosen("TMPDIR", missing);
  CHECK(message_of<InputError>([] { SpillFile file; }) ==
        missing + ": no temporary file can be made: No such file or directory");

  SpillFile file(folder.path().string());
  append(file, "kept");
  const std::string full = folder.path().string() + ": no room for a temporary file: File too large";
  {
    const SizeLimit limit(1000);
    CHECK(message_of<InputError>([&] { append(file, std::string(5000, 'x')); }) == full);
    CHECK(file.size() == 4);
    CHECK(message_of<InputError>([&] { file.append_zeros(5000); }) == full);
    CHECK(file.size() == 4);
    append(file, " and more");
  }
  CHECK(read(file, 0, 13) == "kept and more");
  file.append_zeros(2000);
  CHECK(file.size() == 2013);
  CHECK(read(file, 8, 2005) == " more" + std::string(2000, '\0'));
}

TEST_CASE("a spill file of zeros can be mapped and written to") {
  const genocl_test::TemporaryFolder folder;
  SpillFile file(folder.path().string());
  file.append_zeros(0);
  CHECK(file.size() == 0);
  constexpr std::size_t size = 100'000;
  file.append_zeros(size);
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  REQUIRE(memory != MAP_FAILED);
  const std::span<char> bytes(static_cast<char*>(memory), size);
  CHECK(std::ranges::all_of(bytes, [](char byte) { return byte == 0; }));
  bytes[size - 2] = 'z';
  CHECK(read(file, size - 3, 3) == std::string("\0z\0", 3));
  munmap(memory, size);
}
