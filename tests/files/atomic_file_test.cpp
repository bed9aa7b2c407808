#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/helpers.hpp"

using genocl::InputError;
using genocl::files::AtomicFile;
using genocl::files::check_output;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

void put_atomically(const fs::path& path, std::string_view bytes, bool unnamed = true) {
  AtomicFile file(path.string(), unnamed);
  file.write(bytes);
  file.commit();
}

}  // namespace

TEST_CASE("files with and without a name until they are finished") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "out";
  for (const bool unnamed : {true, false}) {
    CAPTURE(unnamed);
    put_bytes(path, "before");
    {
      AtomicFile file(path.string(), unnamed);
      file.write("never");
      if (!unnamed) CHECK(files_in(folder.path()) == 2);
    }
    CHECK(bytes_of(path) == "before");
    CHECK(files_in(folder.path()) == 1);
    AtomicFile file(path.string(), unnamed);
    file.write("after");
    CHECK(bytes_of(path) == "before");
    CHECK_FALSE(file.special());
    file.commit();
    CHECK(bytes_of(path) == "after");
    CHECK(files_in(folder.path()) == 1);
  }
}

TEST_CASE("every link of a chain stays, and the file at its end is made or replaced") {
  const genocl_test::TemporaryFolder folder;
  fs::create_directory(folder.path() / "sub");
  // first -> sub/second -> ../third -> sub/target, each seen from its own folder; the last one absolute.
  fs::create_symlink("sub/second", folder.path() / "first");
  fs::create_symlink("../third", folder.path() / "sub/second");
  fs::create_symlink(folder.path() / "sub/target", folder.path() / "third");
  for (const bool unnamed : {true, false})
    for (const char* text : {"made", "replaced"}) {
      put_atomically(folder.path() / "first", text, unnamed);
      for (const char* link : {"first", "sub/second", "third"}) CHECK(fs::is_symlink(folder.path() / link));
      CHECK(fs::is_regular_file(fs::symlink_status(folder.path() / "sub/target")));
      CHECK(bytes_of(folder.path() / "sub/target") == text);
      CHECK(files_in(folder.path()) == 3);
      CHECK(files_in(folder.path() / "sub") == 2);
    }
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  const std::string a = (folder.path() / "a").string();
  CHECK(complaint([&] { put_atomically(a, "x"); }) == a + ": cannot be written: Too many levels of symbolic links");
  CHECK(complaint([&] { check_output(a); }) == a + ": cannot be written: Too many levels of symbolic links");
  CHECK(fs::is_symlink(folder.path() / "a"));
}

TEST_CASE("pipes and devices are written to and stay what they are") {
  const genocl_test::TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::string read;
  check_output(pipe.string());  // nobody reads yet: it does not wait for that
  {
    std::thread reader([&] { read = bytes_of(pipe); });
    AtomicFile file(pipe.string());
    CHECK(file.special());
    file.write("through the pipe");
    file.commit();
    reader.join();
  }
  CHECK(read == "through the pipe");
  CHECK(fs::is_fifo(pipe));

  const fs::path device = folder.path() / "null";
  if (mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) {
    MESSAGE("left out: a device, which only root can make");
  } else if (const int opened = open(device.c_str(), O_WRONLY | O_CLOEXEC); opened < 0) {
    MESSAGE("left out: a device, which cannot be opened on this file system");
  } else {
    close(opened);
    check_output(device.string());
    put_atomically(device, "gone");
    CHECK(fs::is_character_file(device));
    fs::create_symlink("null", folder.path() / "link");
    put_atomically(folder.path() / "link", "gone");
    CHECK(fs::is_symlink(folder.path() / "link"));
    CHECK(fs::is_character_file(device));
  }
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(complaint([] { put_atomically("/dev/full", "x"); }) == "/dev/full: cannot be written: No space left on device");
}

TEST_CASE("what cannot be written is known before, and asking leaves nothing") {
  const genocl_test::TemporaryFolder folder;
  const std::string place = folder.path().string();
  check_output(place + "/new");
  put_bytes(folder.path() / "old", "before");
  check_output(place + "/old");
  CHECK(files_in(folder.path()) == 1);
  CHECK(bytes_of(folder.path() / "old") == "before");
  CHECK(complaint([&] { check_output(place); }) == place + ": cannot be written: Is a directory");
  CHECK(complaint([&] { check_output(place + "/none/x"); }) ==
        place + "/none/x: cannot be written: No such file or directory");
  CHECK(complaint([&] { check_output(place + "/old/x"); }) == place + "/old/x: cannot be written: Not a directory");
  CHECK(complaint([&] { check_output(""); }) == "an output file without a name");
}

TEST_CASE("a signal's handler removes what has a name already") {
  const genocl_test::TemporaryFolder folder;
  put_bytes(folder.path() / "out", "before");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      genocl::files::remove_temporaries();
      _exit(7);
    });
    AtomicFile done((folder.path() / "done").string(), false);
    done.write("done");
    done.commit();
    AtomicFile first((folder.path() / "out").string(), false), second((folder.path() / "new").string(), false);
    first.write("never");
    if (files_in(folder.path()) != 4) _exit(1);
    std::raise(SIGTERM);
    _exit(2);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(files_in(folder.path()) == 2);
  CHECK(bytes_of(folder.path() / "out") == "before");
  CHECK(bytes_of(folder.path() / "done") == "done");
}
