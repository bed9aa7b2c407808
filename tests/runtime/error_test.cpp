#include "genocl/error.hpp"

#include <doctest/doctest.h>

#include <string>

#include "genocl/opencl.hpp"

using namespace genocl;

TEST_CASE("messages are one line that says what a user needs") {
  CHECK(std::string(InputError("db.fa", "132", "letter '1' in a sequence", "a protein letter").what()) ==
        "db.fa:132: letter '1' in a sequence; expected a protein letter");
  CHECK(std::string(InputError("db.fa", "", "is empty").what()) == "db.fa: is empty");
  CHECK(std::string(InputError("top must be positive").what()) == "top must be positive");
  CHECK(std::string(DeviceError("launch", "H200", "scan", CL_OUT_OF_RESOURCES).what()) ==
        "launch of kernel scan on H200 failed: CL_OUT_OF_RESOURCES (-5)");
  CHECK(std::string(CapacityError("the table", 3000, 1024).what()) ==
        "the table needs 2.9 KiB (3000 bytes), there are 1.0 KiB (1024 bytes)");
  CHECK(std::string(CapacityError("the table", UINT64_MAX, 100).what()).find("18446744073709551615 bytes") !=
        std::string::npos);
  CHECK(std::string(Cancelled().what()) == "cancelled");
}

TEST_CASE("everything is an Error and keeps its parts") {
  const InputError input("f", "w", "x", "y");
  CHECK(dynamic_cast<const Error*>(&input) != nullptr);
  CHECK(input.file() == "f");
  CHECK(input.where() == "w");
  CHECK(input.wrong() == "x");
  CHECK(input.expected() == "y");
  const BuildError build("a.cl", "cpu", -11, "warning: w\na.cl:3: error: no\n");
  CHECK(dynamic_cast<const DeviceError*>(&build) != nullptr);
  CHECK(std::string(build.what()).find("a.cl:3: error: no") != std::string::npos);
  CHECK(std::string(build.what()).find('\n') == std::string::npos);
}

TEST_CASE("OpenCL's error numbers have names") {
  CHECK(opencl_error_name(CL_SUCCESS) == "CL_SUCCESS");
  CHECK(opencl_error_name(CL_INVALID_KERNEL_ARGS) == "CL_INVALID_KERNEL_ARGS");
  CHECK(opencl_error_name(-1001) == "CL_PLATFORM_NOT_FOUND_KHR");
  CHECK(opencl_error_name(-9999) == "CL_ERROR_-9999");
}

TEST_CASE("what messages quote is short, on one line and whole letters") {
  CHECK(genocl::shown("chr1") == "chr1");
  CHECK(genocl::in_quotes("chr1") == "\"chr1\"");
  CHECK(genocl::shown(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(genocl::shown(std::string(61, 'x')) == std::string(60, 'x') + "...");
  CHECK(genocl::shown("a\nb\tc\x7f") == "a?b c?");
  CHECK(genocl::shown(std::string(59, 'x') + "\xc3\xa9y") == std::string(59, 'x') + "...");
  CHECK(genocl::shown("abcdef", 3) == "abc...");
  // One that nobody has shortened.
  const genocl::InputError error("file", "1", std::string(1 << 20, 'x'), "less");
  CHECK(std::string(error.what()).size() < 5000);
}
