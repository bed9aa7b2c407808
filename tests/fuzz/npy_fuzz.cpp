// Any bytes as an array of NumPy's: a grid that is written and reads back, or an InputError.
#include <cstring>

#include "fuzz.hpp"
#include "jacobi/npy.hpp"

namespace {

template <class T>
void check_as(const std::string& path) {
  fuzz::reads(path, [&] {
    const program::NpyArray<T> array = program::read_npy<T>(path);
    array.shape.check();
    fuzz::require(array.cells.size() == array.shape.cells(), "as many cells as the shape has");
    const std::string copy = fuzz::scratch(".npy");
    program::write_npy<T>(copy, array.shape, array.cells);
    const program::NpyArray<T> again = program::read_npy<T>(copy);
    fuzz::require(again.shape == array.shape, "the shape reads back");
    // Bit by bit: a cell may be no number.
    fuzz::require(std::memcmp(again.cells.data(), array.cells.data(), array.cells.size() * sizeof(T)) == 0,
                  "the cells read back");
  });
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  const std::string path = written(bytes);
  check_as<float>(path);
  check_as<double>(path);
}
