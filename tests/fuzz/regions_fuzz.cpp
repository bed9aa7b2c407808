// Any bytes as a BED file, with and without --strict: regions in order, or an InputError.
#include <algorithm>

#include "fuzz.hpp"
#include "pwm/regions.hpp"

void fuzz::check(std::string_view bytes) {
  const std::string path = written(bytes);
  reads(path, [&] {
    program::Regions regions(path, bytes.size() % 2 == 0);
    for (const char* name : {"chr1", "chr2", ""}) {
      const auto& found = regions.of(name, 1000);
      for (std::size_t i = 0; i < found.size(); ++i) {
        require(found[i].begin < found[i].end && found[i].end <= 1000, "regions lie in their sequence");
        require(i == 0 || found[i - 1].begin <= found[i].begin, "regions are in order");
      }
    }
    regions.finish();
  });
}
