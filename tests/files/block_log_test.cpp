#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/helpers.hpp"

using genocl::InputError;
using genocl::files::BlockLog;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("genocl-block-log-" + std::to_string(std::random_device()()));
  ~Folder() { fs::remove_all(path); }
  std::string name() const { return path.string(); }
  /// The only file of blocks in it.
  fs::path log() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".blocks") return entry.path();
    return {};
  }
};

}  // namespace

TEST_CASE("blocks are there in the next run, whoever wrote them") {
  const Folder folder;
  const std::string large(100'000, 'x');
  {
    BlockLog one(folder.name(), "a job"), other(folder.name(), "a job");
    CHECK(one.found() == 0);
    one.add(5, large);
    one.add(2, "two");
    other.add(3, "");
    CHECK_FALSE(one.has(5));
  }
  BlockLog again(folder.name(), "a job");
  CHECK(again.found() == 3);
  CHECK(again.has(5));
  CHECK_FALSE(again.has(4));
  CHECK(again.read(5) == large);
  CHECK(again.read(2) == "two");
  CHECK(again.read(3) == "");
  CHECK_FALSE(again.read(4).has_value());
  again.remove();
  CHECK_FALSE(fs::exists(folder.path));
}

TEST_CASE("a block that is cut off or damaged is not there, the others are") {
  const Folder folder;
  {
    BlockLog log(folder.name(), "");
    log.add(0, "the first block");
    log.add(1, "the second block");
    log.add(2, "the third block");
  }
  const auto size = fs::file_size(folder.log());
  for (std::uintmax_t cut = 1; cut < 60; ++cut) {
    fs::resize_file(folder.log(), size - cut);
    const BlockLog log(folder.name(), "");
    CHECK(log.read(0) == "the first block");
    CHECK_FALSE(log.read(2).has_value());
  }
  {
    std::fstream file(folder.log(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(34);
    file.put('?');
  }
  const BlockLog log(folder.name(), "");
  CHECK(log.has(0));
  CHECK_FALSE(log.read(0).has_value());
}

TEST_CASE("a folder of another job, or of something else, is an error") {
  const Folder folder;
  { const BlockLog log(folder.name(), "a job"); }
  CHECK_THROWS_WITH_AS(BlockLog(folder.name(), "another"), doctest::Contains("another job"), InputError);
  std::ofstream(folder.path / "notes.txt") << "mine";
  CHECK_THROWS_WITH_AS(BlockLog(folder.name(), "a job"), doctest::Contains("notes.txt"), InputError);
  CHECK(fs::exists(folder.path / "notes.txt"));
  CHECK_THROWS_AS(BlockLog("/dev/null/folder", "a job"), InputError);
}
