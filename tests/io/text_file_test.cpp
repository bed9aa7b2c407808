#include "genocl/io/text_file.hpp"

#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "io/files.hpp"

using genocl::io::read_text_file;
using genocl_test::TemporaryFolder;

TEST_CASE("text files are read whole, compressed or not") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i) + (i % 7 == 0 ? "\r\n" : "\t");
  for (const std::string& one : {std::string(), std::string("x"), std::string("a\0b", 3), text}) {
    CHECK(read_text_file(genocl_test::write_file(folder / "plain", one)) == one);
    CHECK(read_text_file(genocl_test::write_gzip(folder / "gzip", one)) == one);
    CHECK(read_text_file(genocl_test::write_bgzip(folder / "bgzip", one)) == one);
  }
}

TEST_CASE("text files that cannot be read are named") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(read_text_file(folder / "none"), doctest::Contains("none: cannot be opened"),
                       genocl::InputError);
  CHECK_THROWS_WITH_AS(read_text_file(folder.path().string()), doctest::Contains("is a directory"), genocl::InputError);
  std::string zipped = genocl_test::read_file(genocl_test::write_gzip(folder / "whole", std::string(5000, 'x') + "y"));
  zipped.resize(zipped.size() - 9);
  CHECK_THROWS_WITH_AS(read_text_file(genocl_test::write_file(folder / "cut", zipped)),
                       doctest::Contains("cut: gzip that is cut off"), genocl::InputError);
}

TEST_CASE("lines of text files, across buffers, with both line ends") {
  const TemporaryFolder folder;
  std::string text;
  std::vector<std::string> expected;
  // Lines around the 64 KiB of a buffer, empty ones, and one of several buffers.
  for (const std::size_t length : {0, 1, 65'535, 65'536, 65'537, 0, 0, 200'000, 3, 131'070, 1}) {
    expected.emplace_back(length, static_cast<char>('a' + expected.size()));
    text += expected.back() + (expected.size() % 2 == 0 ? "\r\n" : "\n");
  }
  for (const std::string& last : {std::string(), std::string("last")}) {
    std::vector<std::string> all = expected;
    if (!last.empty()) all.push_back(last);
    for (auto* const write : {&genocl_test::write_file, &genocl_test::write_gzip, &genocl_test::write_bgzip}) {
      std::vector<std::string> lines;
      genocl::io::for_each_line((*write)(folder / "file", text + last),
                                [&](std::string_view line, std::uint64_t number) {
                                  lines.emplace_back(line);
                                  CHECK(number == lines.size());
                                });
      CHECK((lines == all));
    }
  }
  genocl::io::for_each_line(genocl_test::write_file(folder / "empty", ""),
                            [](std::string_view, std::uint64_t) { FAIL("a line of an empty file"); });
  CHECK_THROWS_AS(genocl::io::for_each_line(folder / "none", [](std::string_view, std::uint64_t) {}),
                  genocl::InputError);
}
