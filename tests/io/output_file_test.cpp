#include "genocl/io/output_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <csignal>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::InputError;
using genocl::io::Compression;
using genocl::io::OutputFile;
using genocl_test::read_file;
using genocl_test::TemporaryFolder;
using genocl_test::write_file;
namespace fs = std::filesystem;

namespace {

/// More than any buffer on the way.
const std::string& much() {
  static const std::string text = [] {
    genocl_test::RandomSequences random;
    return random.text(1'000'000, "ACGT\n");
  }();
  return text;
}

/// What writing to it complains of, at whatever moment.
std::string complaint(const std::string& path, std::string_view text, const genocl::io::OutputOptions& options = {}) {
  try {
    OutputFile file(path, options);
    file.write(text);
    file.commit();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

constexpr std::array all_kinds = {Compression::none, Compression::bgzip};

}  // namespace

TEST_CASE("an output file is there after commit and not before") {
  const TemporaryFolder folder;
  OutputFile file(folder / "out");
  CHECK(file.file() == folder / "out");
  file.write("one\n");
  file.write(much());
  file.write("two\n");
  CHECK(file.bytes() == much().size() + 8);
  CHECK_FALSE(fs::exists(folder / "out"));
  file.commit();
  CHECK(read_file(folder / "out") == "one\n" + much() + "two\n");
  CHECK(folder.count() == 1);
  CHECK_THROWS_AS(file.write("more"), InputError);
  CHECK_THROWS_AS(file.commit(), InputError);
  CHECK(read_file(folder / "out") == "one\n" + much() + "two\n");
}

TEST_CASE("small writes") {
  const TemporaryFolder folder;
  OutputFile file(folder / "out");
  std::string expected;
  for (int i = 0; i < 200'000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    file.write(line);
    expected += line;
  }
  file.commit();
  CHECK(read_file(folder / "out") == expected);
}

TEST_CASE("without commit nothing is left and what was there stays") {
  const TemporaryFolder folder;
  write_file(folder / "old", "before");
  for (const Compression compression : all_kinds) {
    for (const char* name : {"old", "new"}) {
      OutputFile file(folder / name, {.compression = compression});
      file.write(much());
    }
    CHECK(read_file(folder / "old") == "before");
    CHECK(folder.count() == 1);
  }
  OutputFile first(folder / "new");
  first.write("first");
  first = OutputFile(folder / "other");
  first.write("second");
  first.commit();
  CHECK_FALSE(fs::exists(folder / "new"));
  CHECK(read_file(folder / "other") == "second");
}

TEST_CASE("a folder that goes away before commit") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  OutputFile file(folder / "sub/out");
  file.write("text");
  fs::remove_all(folder / "sub");
  CHECK_THROWS_WITH_AS(file.commit(), doctest::Contains("cannot be put in its place"), InputError);
}

TEST_CASE("permissions and links") {
  const TemporaryFolder folder;
  write_file(folder / "target", "before");
  REQUIRE(chmod((folder / "target").c_str(), 0640) == 0);
  fs::create_symlink("target", folder / "link");
  CHECK(complaint(folder / "link", "after").empty());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "target") == "after");
  CHECK(fs::status(folder / "target").permissions() == fs::perms(0640));

  fs::create_symlink("nowhere yet", folder / "dangling");
  CHECK(complaint(folder / "dangling", "made").empty());
  CHECK(fs::is_symlink(folder / "dangling"));
  CHECK(read_file(folder / "nowhere yet") == "made");

  // A new file has the permissions of any new file.
  write_file(folder / "model", "");
  CHECK(complaint(folder / "new", "").empty());
  CHECK(fs::status(folder / "new").permissions() == fs::status(folder / "model").permissions());
}

TEST_CASE("a name without a folder, a long name, a name with blanks") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  CHECK(complaint("plain", "text").empty());
  CHECK(complaint(std::string(255, 'n'), "text").empty());
  CHECK(complaint("two words", "text").empty());
  fs::current_path(before);
  CHECK(read_file(folder / "plain") == "text");
  CHECK(folder.count() == 3);
}

TEST_CASE("places that cannot be written to") {
  const TemporaryFolder folder;
  CHECK(complaint(folder.path().string(), "x") == folder.path().string() + ": cannot be written: Is a directory");
  CHECK(complaint(folder / "none/out", "x") == folder / "none/out" + ": cannot be written: No such file or directory");
  CHECK(complaint("", "x") == "an output file without a name");
  write_file(folder / "file", "x");
  CHECK(complaint(folder / "file/out", "x") == folder / "file/out" + ": cannot be written: Not a directory");
  if (geteuid() == 0) {
    MESSAGE("left out: files and folders without permission to write, which root may write to");
    return;
  }
  REQUIRE(chmod((folder / "file").c_str(), 0444) == 0);
  CHECK(complaint(folder / "file", "y") == folder / "file" + ": cannot be written: Permission denied");
  CHECK(read_file(folder / "file") == "x");
  fs::create_directory(folder / "closed");
  REQUIRE(chmod((folder / "closed").c_str(), 0555) == 0);
  CHECK(complaint(folder / "closed/out", "y").ends_with("cannot be written: Permission denied"));
}

TEST_CASE("a full disk") {
  for (const Compression compression : all_kinds)
    for (const std::string_view text : {std::string_view("x"), std::string_view(much())})
      CHECK(complaint("/dev/full", text, {.compression = compression}) ==
            "/dev/full: cannot be written: No space left on device");
  CHECK(complaint("/dev/full", much(), {.compression = Compression::bgzip, .threads = 2}) ==
        "/dev/full: cannot be written: No space left on device");
  CHECK(complaint("/dev/null", much()).empty());
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file that may not grow is removed") {
  const TemporaryFolder folder;
  write_file(folder / "out", "before");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::vector<std::string> said;
  said.reserve(all_kinds.size());
  for (const Compression compression : all_kinds)
    said.push_back(complaint(folder / "out", much(), {.compression = compression}));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_action);
  for (const std::string& message : said) CHECK(message == folder / "out" + ": cannot be written: File too large");
  CHECK(read_file(folder / "out") == "before");
  CHECK(folder.count() == 1);
}

TEST_CASE("a pipe that its reader has closed") {
  const auto old_action = signal(SIGPIPE, SIG_DFL);
  for (const Compression compression : all_kinds) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    std::string said;
    {
      const genocl_test::Redirected standard_output(STDOUT_FILENO, ends[1]);
      said = complaint("-", much(), {.compression = compression});
    }
    close(ends[1]);
    CHECK(said == "standard output: cannot be written: Broken pipe");
  }
  // No signal waits to be delivered later.
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
  const bool untouched = signal(SIGPIPE, old_action) == SIG_DFL;
  CHECK(untouched);
}

TEST_CASE("standard output") {
  const TemporaryFolder folder;
  const int descriptor = open(write_file(folder / "out", "").c_str(), O_WRONLY);
  REQUIRE(descriptor >= 0);
  std::string said;
  {
    const genocl_test::Redirected standard_output(STDOUT_FILENO, descriptor);
    said = complaint("-", "one\n");
    said += complaint("-", "two\n");
  }
  close(descriptor);
  CHECK(said.empty());
  CHECK(read_file(folder / "out") == "one\ntwo\n");
}

TEST_CASE("compressed by name") {
  const TemporaryFolder folder;
  for (const char* name : {"a.gz", "a.bgz", "a.txt.bgzf", "a", "a.gz.txt"}) {
    CAPTURE(name);
    const std::string path = folder / name;
    REQUIRE(complaint(path, much()).empty());
    CHECK(genocl_test::contents(path) == much());
    const std::string_view ending = std::string_view(name).substr(std::string_view(name).rfind('.') + 1);
    const bool expected = ending == "gz" || ending == "bgz" || ending == "bgzf";
    CHECK(read_file(path).starts_with("\x1f\x8b") == expected);
  }
}

TEST_CASE("levels and threads of compression") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  const std::string text = much() + much() + much() + much();  // several portions for two threads
  std::vector<std::size_t> sizes;
  for (const int level : {0, 1, 9}) {
    std::string first;
    for (const unsigned threads : {0u, 2u, 1000u}) {
      CAPTURE(level);
      CAPTURE(threads);
      const std::string_view part =
          threads == 1000 ? std::string_view(text).substr(0, 100'000) : std::string_view(text);
      REQUIRE(complaint(path, part, {.compression = Compression::bgzip, .level = level, .threads = threads}).empty());
      CHECK(genocl_test::contents(path) == part);
      BGZF* in = bgzf_open(path.c_str(), "r");
      REQUIRE(in != nullptr);
      CHECK(bgzf_compression(in) == 2);
      CHECK(bgzf_check_EOF(in) == 1);
      bgzf_close(in);
      // The same bytes whoever made them.
      if (threads == 0) first = read_file(path);
      if (threads == 2) CHECK(read_file(path) == first);
    }
    sizes.push_back(first.size());
  }
  CHECK(sizes[0] > text.size());
  CHECK(sizes[1] < text.size());
  CHECK(sizes[2] < sizes[1]);
  for (const int level : {-1, 10})
    CHECK_THROWS_AS(OutputFile(path, {.compression = Compression::bgzip, .level = level}), InputError);
}

TEST_CASE("compressed output that is given up does not look complete") {
  const TemporaryFolder folder;
  for (const unsigned threads : {0u, 2u}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    {
      const genocl_test::Redirected standard_output(STDOUT_FILENO, ends[1]);
      close(ends[1]);
      OutputFile file("-", {.compression = Compression::bgzip, .threads = threads});
      file.write("a few bytes");
    }
    char byte = 0;
    CHECK(read(ends[0], &byte, 1) == 0);
    close(ends[0]);
  }
}
