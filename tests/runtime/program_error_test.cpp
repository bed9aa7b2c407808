// How the programs tell errors. Their common part needs no more than the public headers.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "../../examples/common/run_program.hpp"
#include "genocl/error.hpp"
#include "runtime/helpers.hpp"

namespace {

struct Told {
  int status;
  std::string text;
};

/// What a program says and returns whose work is `work`.
Told told(const std::function<void()>& work) {
  std::ostringstream text;
  std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
  const int status = program::run_program("genocl-test", work);
  std::cerr.rdbuf(before);
  return {status, text.str()};
}

}  // namespace

TEST_CASE("programs end with one line and a status, whatever fails") {
  const auto check = [](const std::function<void()>& work, int status, const std::string& text) {
    const Told found = told(work);
    CHECK(found.status == status);
    CHECK(found.text == "genocl-test: error: " + text + "\n");
  };
  check([] { throw genocl::InputError("file", "3", "wrong", "right"); }, 1, "file:3: wrong; expected right");
  check([] { throw genocl::DeviceError("a step", "a device", "", 0); }, 2, "a step on a device failed");
  check([] { throw genocl::CapacityError("a grid", 3, 2); }, 2, "a grid needs 3 bytes, there are 2 bytes");
  check([] { throw std::bad_alloc(); }, 2, "the host has too little memory for this");
  check([] { std::vector<char>().reserve(std::size_t{0} - 1); }, 2, "the host has too little memory for this");
  check([] { throw 3; }, 1, "an unknown error");
}

TEST_CASE("programs name the kind of a file that is not text, and do not open a pipe to find it") {
  const genocl_test::TemporaryFolder folder;
  const std::string index = folder.path() / "genome.mrs", text = folder.path() / "reads.fq",
                    pipe = folder.path() / "pipe";
  std::ofstream(index, std::ios::binary) << "\x8dMRS\r\n";
  std::ofstream(text) << "@r\nACGT\n";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto message = [](const std::string& file, const char* wrong) {
    return told([&] { throw genocl::InputError(file, "1", wrong, "FASTA"); }).text;
  };
  const std::string kind = "an index of a reference genome, for genocl map";
  CHECK(message(index, "binary: the file begins with byte 0x8d") ==
        "genocl-test: error: " + index + ": is " + kind + "; expected FASTA\n");
  CHECK(message(index, "no motif") ==
        "genocl-test: error: " + index + ":1: no motif; expected FASTA (the file is " + kind + ")\n");
  CHECK(message(text, "no quality") == "genocl-test: error: " + text + ":1: no quality; expected FASTA\n");
  CHECK(message(pipe, "no quality") == "genocl-test: error: " + pipe + ":1: no quality; expected FASTA\n");
}
