// Any bytes as a picture of a mask: cells, or an InputError.
#include <algorithm>

#include "fuzz.hpp"
#include "jacobi/picture.hpp"

void fuzz::check(std::string_view bytes) {
  const std::string path = written(bytes, ".png");
  reads(path, [&] {
    const program::Mask mask = program::read_mask(path);
    require(mask.cells.size() == mask.width * mask.height, "as many cells as the picture has");
    require(std::ranges::all_of(mask.cells, [](std::uint8_t cell) { return cell <= 1; }), "cells are 0 or 1");
  });
}
