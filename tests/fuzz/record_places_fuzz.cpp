// Any bytes as a file that several readers share: what each finds in its part adds up, and where records are said to
// begin they can be read from.
#include <algorithm>
#include <numeric>

#include "fuzz.hpp"
#include "genocl/io/record_places.hpp"
#include "genocl/io/sequence_reader.hpp"

using fuzz::require;
using namespace genocl::io;

namespace {

void check_parts(const std::string& path, std::uint64_t parts) {
  std::vector<RecordPlaces> places;
  for (std::uint64_t part = 0; part < parts; ++part) places.emplace_back(path, part, parts);
  if (!std::ranges::all_of(places, &RecordPlaces::usable)) return;
  std::uint64_t line = 0;
  bool plain = true;
  for (const RecordPlaces& part : places) {
    plain = plain && part.is_four_lines(line);
    line += part.lines();
  }
  if (!plain || line % 4 != 0) return;
  std::uint64_t records = 0;
  line = 0;
  for (const RecordPlaces& part : places) {
    const auto begins = part.begins(line, 1);
    // A line belongs to the part that has the line end before it.
    for (const RecordPlaces::Begin& begin : begins)
      require(begin.text <= part.text_size(), "records begin in their part, or where it ends");
    records += begins.size();
    line += part.lines();
  }
  require(records == line / 4, "every record is found once");
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  const std::string path = written(bytes);
  fuzz::reads(path, [&] {
    for (const std::uint64_t parts : {1, 2, 5}) check_parts(path, parts);
  });
}
