#include "runtime/platform.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "runtime/helpers.hpp"

namespace platform = genocl::platform;
namespace fs = std::filesystem;

namespace {

std::vector<std::byte> pattern(std::size_t size, unsigned first) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((first + i * 7) & 255);
  return bytes;
}

}  // namespace

TEST_CASE("platform: a mapping begins at any offset, outlives its descriptor and writes to the file") {
  const genocl_test::TemporaryFolder folder;
  const std::string name = (folder.path() / "mapped").string();
  const int descriptor = platform::create_file(name);
  REQUIRE(descriptor >= 0);
  const std::uint64_t begin = platform::page_size() + 123;
  const std::size_t size = 3 * platform::page_size() + 1;
  const auto before = pattern(static_cast<std::size_t>(begin), 1);
  REQUIRE(platform::write_at(descriptor, 0, before));
  REQUIRE(platform::append_zeros(descriptor, begin, size));
  CHECK(platform::file_status(descriptor).size == begin + size);
  const auto written = pattern(size, 5);
  {
    const platform::Mapping map(descriptor, begin, size, platform::Access::read_write);
    REQUIRE(map.is_mapped());
    REQUIRE(map.bytes().size() == size);
    CHECK(map.bytes().front() == std::byte{0});
    CHECK(map.bytes().back() == std::byte{0});
    CHECK(platform::close_file(descriptor));
    platform::Mapping::read_ahead(map.bytes().subspan(5, 1000));
    std::memcpy(map.bytes().data(), written.data(), size);
  }
  const int again = platform::open_to_read(name);
  REQUIRE(again >= 0);
  std::vector<std::byte> first(before.size()), rest(size);
  CHECK(platform::read_at(again, 0, first));
  CHECK(platform::read_at(again, begin, rest));
  CHECK(first == before);
  CHECK(rest == written);
  // Behind the end there is nothing, which is no error of the system's.
  errno = ENOSPC;
  CHECK_FALSE(platform::read_at(again, begin + 1, rest));
  CHECK(errno == 0);
  CHECK(platform::close_file(again));
}

TEST_CASE("platform: append_zeros() cuts off what is behind its beginning") {
  const genocl_test::TemporaryFolder folder;
  const int descriptor = platform::create_temporary(folder.path().string());
  REQUIRE(descriptor >= 0);
  REQUIRE(platform::write_at(descriptor, 0, pattern(100, 3)));
  REQUIRE(platform::append_zeros(descriptor, 40, 30));
  CHECK(platform::file_status(descriptor).size == 70);
  std::vector<std::byte> bytes(30, std::byte{9});
  REQUIRE(platform::read_at(descriptor, 40, bytes));
  CHECK(bytes == std::vector<std::byte>(30));
  CHECK(platform::close_file(descriptor));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("platform: what fails sets errno") {
  const genocl_test::TemporaryFolder folder;
  const std::string absent = (folder.path() / "absent").string();
  const platform::FileStatus status = platform::file_status(absent);
  CHECK_FALSE(status.exists);
  CHECK(status.error == ENOENT);
  CHECK(platform::file_status(folder.path().string()).folder);
  CHECK(platform::open_to_read(absent) == -1);
  CHECK(errno == ENOENT);
  CHECK_FALSE(platform::rename_file(absent, (folder.path() / "other").string()));
  CHECK(errno == ENOENT);
  CHECK(platform::create_temporary(absent) == -1);
  CHECK(errno == ENOENT);

  const int descriptor = platform::create_file(absent);
  REQUIRE(descriptor >= 0);
  CHECK(platform::create_file(absent) == -1);
  CHECK(errno == EEXIST);
  CHECK_FALSE(platform::Mapping(descriptor, 0, 0, platform::Access::read).is_mapped());
  CHECK(platform::close_file(descriptor));
  CHECK_FALSE(platform::close_file(descriptor));
  CHECK(errno == EBADF);
}

TEST_CASE("platform: a file replaces another one by its new name") {
  const genocl_test::TemporaryFolder folder;
  for (const char* const name : {"new", "old"}) std::ofstream(folder.path() / name) << name;
  REQUIRE(platform::rename_file((folder.path() / "new").string(), (folder.path() / "old").string()));
  std::string text;
  std::ifstream(folder.path() / "old") >> text;
  CHECK(text == "new");
  CHECK_FALSE(platform::file_status((folder.path() / "new").string()).exists);
  platform::remove_file((folder.path() / "old").string().c_str());
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("platform: this process, its machine and its program") {
  CHECK(platform::process_id() > 0);
  CHECK(platform::page_size() >= 4096);
  CHECK(platform::physical_memory() > std::uint64_t{64} << 20);
  CHECK(platform::physical_memory() < std::uint64_t{1} << 50);
  const fs::path file = platform::file_of_code(reinterpret_cast<const void*>(&platform::process_id));
  CHECK(file.filename().string().find("test-runtime") == 0);
  std::string message;
  CHECK(platform::load_library("libgenocl-none.so", message) == nullptr);
  CHECK(message.find("libgenocl-none.so") != std::string::npos);
}
