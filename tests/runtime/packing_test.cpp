// Packed bytes that were changed are an error, and nothing is written outside what was asked for.
#include "genocl/packing.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "genocl/error.hpp"

using genocl::Packer, genocl::Unpacker;

TEST_CASE("packing: what is packed is unpacked, and no byte more") {
  const std::vector<std::uint64_t> values = {1, 2, 3};
  Packer packer;
  packer.add_list(values);
  packer.add_text("text");
  const std::string bytes = packer.take();
  Unpacker whole(bytes);
  CHECK(whole.next_list<std::uint64_t>() == values);
  CHECK(whole.next_text() == "text");
  CHECK(whole.empty());
  Unpacker cut(std::string_view(bytes).substr(0, 20));
  CHECK_THROWS_AS(cut.next_list<std::uint64_t>(), genocl::Error);
}

TEST_CASE("packing: a list with a part of a value") {
  Packer packer;
  packer.add_text("12345");
  const std::string bytes = packer.take();
  CHECK_THROWS_AS(Unpacker(bytes).next_list<std::uint64_t>(), genocl::Error);
  CHECK_THROWS_AS(Unpacker(bytes).next_list<std::uint32_t>(), genocl::Error);
  CHECK(Unpacker(bytes).next_list<std::uint8_t>().size() == 5);
}
