// How the programs tell errors. Their common part needs no more than the public headers.
#include <doctest/doctest.h>

#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include "../../examples/common/run_program.hpp"
#include "genocl/error.hpp"

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
