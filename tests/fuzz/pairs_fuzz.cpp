// Any bytes as a list of queries of genocl-overlap: lines of two numbers, or an InputError.
#include "fuzz.hpp"
#include "overlap/inputs.hpp"

void fuzz::check(std::string_view bytes) {
  const std::string path = written(bytes);
  std::size_t lines = 0;
  reads(path, [&] {
    program::read_pairs(path, [&](std::uint64_t first, std::uint64_t second) {
      ++lines;
      return first <= second ? "" : "a first number that is not above the second";
    });
  });
  require(lines <= bytes.size() / 3 + 1, "two numbers take three letters");
}
