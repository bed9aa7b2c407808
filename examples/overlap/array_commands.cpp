// genocl-overlap sa, isa, lcp and bwt write arrays of one text, raw.
#include <algorithm>
#include <iostream>
#include <limits>
#include <span>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "overlap/built_text.hpp"
#include "overlap/commands.hpp"

namespace program {
namespace {

using genocl::InputError;
using Numbers = genocl::Array<std::uint32_t>;

constexpr std::uint64_t most_narrow = std::numeric_limits<std::int32_t>::max();

/// Writes little-endian integers of `width` bytes, piece by piece.
void write_numbers(genocl::io::OutputFile& out, const Numbers& numbers, std::size_t width) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::uint32_t> some(std::min(piece, numbers.size()));
  std::string bytes;
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<std::uint32_t> now(some.data(), std::min(piece, numbers.size() - first));
    numbers.download(now, first);
    bytes.assign(width * now.size(), '\0');
    for (std::size_t i = 0; i < now.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) bytes[width * i + k] = static_cast<char>(now[i] >> (8 * k) & 0xff);
    out.write(bytes);
  }
}

void check_array(const overlap::SuffixArray& suffixes) {
  if (const std::optional<std::uint64_t> wrong = overlap::first_error(suffixes.text(), suffixes.positions()))
    throw genocl::Error("--check: the suffix array is wrong at index " + std::to_string(*wrong));
}

}  // namespace

void write_array(const ArraySettings& settings) {
  if (settings.wide && settings.what == "bwt") throw InputError("--wide with bwt, which writes bytes");
  check_files({settings.text}, {settings.output});
  const bool narrow = !settings.wide && settings.what != "bwt";
  BuiltText built(settings, narrow ? most_narrow : overlap::Text::longest);
  const overlap::SuffixArray& suffixes = *built.suffixes;
  std::vector<std::pair<std::string, std::string>> more;
  if (settings.check) {
    built.begin("check");
    check_array(suffixes);
    more.emplace_back("checked", "true");
  }
  genocl::io::OutputFile out(settings.output, {.compression = genocl::io::Compression::none});
  const std::size_t width = settings.wide ? 8 : 4;
  if (settings.what == "bwt") {
    built.begin("bwt");
    const overlap::BurrowsWheeler transform = overlap::bwt(suffixes);
    more.emplace_back("primary", std::to_string(transform.primary));
    built.begin("write");
    out.write({reinterpret_cast<const char*>(transform.symbols.data()), transform.symbols.size()});
  } else if (settings.what == "sa") {
    built.begin("write");
    write_numbers(out, suffixes.positions(), width);
  } else {
    built.begin(settings.what == "lcp" ? "lcp" : "inverse");
    if (settings.what == "lcp") {
      const overlap::Lcp lcp(suffixes);
      built.begin("write");
      write_numbers(out, lcp.values(), width);
    } else {
      const Numbers ranks = overlap::inverse(suffixes);
      built.begin("write");
      write_numbers(out, ranks, width);
    }
  }
  out.commit();
  tell(settings, settings.what, built, more);
}

}  // namespace program
