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
