#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/helpers.hpp"

using genocl::InputError;
using genocl::files::InputFile;
using genocl_test::message_of;
using genocl_test::write_file;
namespace fs = std::filesystem;

namespace {

std::string read(const InputFile& file, std::uint64_t begin, std::size_t count) {
  std::string text(count, '?');
  file.read(begin, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

TEST_CASE("an input file is read at any offset, any number of times") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "in").string();
  write_file(path, "some bytes");
  InputFile file(path);
  CHECK(file.size() == 10);
  CHECK(file.name() == path);
  CHECK(read(file, 5, 5) == "bytes");
  CHECK(read(file, 0, 4) == "some");
  CHECK(read(file, 10, 0).empty());
  CHECK_THROWS_AS(read(file, 6, 5), InputError);
  CHECK_THROWS_AS(read(file, 11, 0), InputError);
  InputFile moved(std::move(file));
  CHECK(read(moved, 0, 4) == "some");
  write_file(path, "other");
  InputFile other(path);
  other = std::move(moved);
  CHECK(other.size() == 10);
  // The file has become shorter.
  CHECK(message_of<InputError>([&] { read(other, 0, 10); }).find("became shorter") != std::string::npos);
}

TEST_CASE("an input file that is empty or a pipe is copied") {
  const genocl_test::TemporaryFolder folder;
  const std::string empty = (folder.path() / "empty").string(), pipe = (folder.path() / "pipe").string();
  write_file(empty, "");
  CHECK(InputFile(empty).size() == 0);
  CHECK(read(InputFile(empty), 0, 0).empty());
  CHECK_THROWS_AS(read(InputFile(empty), 0, 1), InputError);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string text(3'000'000, 'x');
  std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << text << "end"; });
  const InputFile file(pipe, folder.path().string());
  CHECK(file.size() == text.size() + 3);
  CHECK(read(file, text.size() - 1, 4) == "xend");
  CHECK_THROWS_AS(read(file, text.size(), 4), InputError);
  CHECK(fs::file_size(empty) == 0);
}

TEST_CASE("more input files than a process may open") {
  const genocl_test::TemporaryFolder folder;
  std::vector<InputFile> files;
  for (unsigned i = 0; i < 1500; ++i) {
    const std::string path = (folder.path() / std::to_string(i)).string();
    write_file(path, "file " + std::to_string(i));
    files.emplace_back(path);
  }
  CHECK(read(files[7], 5, 1) == "7");
  CHECK(read(files[1499], 5, 4) == "1499");
  fs::remove(folder.path() / "1400");
  CHECK(message_of<InputError>([&] { read(files[1400], 0, 1); }).find("1400") != std::string::npos);
}

TEST_CASE("an input file that cannot be read is named") {
  const genocl_test::TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing").string();
  CHECK(message_of<InputError>([&] { InputFile{missing}; }).find(missing) != std::string::npos);
  CHECK(message_of<InputError>([&] { InputFile{folder.path().string()}; }).find("folder") != std::string::npos);
}
