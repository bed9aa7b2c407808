#include "overlap/inputs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <span>
#include <system_error>

#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {
namespace {

using genocl::InputError;

constexpr std::string_view blanks = " \t\r";

std::string named(const std::string& path) { return path == "-" ? "standard input" : path; }

/// Removes the number at the begin of a line and returns it.
bool take_number(std::string_view& line, std::uint64_t& value) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return line.empty() || blanks.find(line.front()) != std::string_view::npos;
}

/// Throws InputError for an index of genocl map and for an FM-index.
void check_other_index(const std::string& path) {
  constexpr std::string_view begin = "\x8dMRS\r\n";
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return;
  if (overlap::FmIndex::is_index(path))
    throw InputError(path, {}, "an FM-index, which only genocl find searches", "FASTA, or an index made without --fm");
  std::string bytes(begin.size(), '\0');
  if (std::ifstream in(path, std::ios::binary); !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    return;
  if (bytes == begin)
    throw InputError(path, {}, "an index for genocl map",
                     "FASTA, or a suffix index, which genocl overlap index GENOME.fa -o GENOME.sfx makes");
}

}  // namespace

void warn_of_compression(const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return;
  std::array<char, 6> bytes{};
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), static_cast<std::size_t>(in.gcount()));
  for (const std::string_view magic : {"\x1f\x8b", "BZh", "\3757zXZ", "\x28\xb5\x2f\xfd"})
    if (begin.starts_with(magic))
      std::cerr << called_name() << ": warning: " << path << ": compressed; --bytes takes its compressed bytes\n";
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  const auto rest = [](std::istream& in) {
    return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  };
  if (path == "-") return rest(std::cin);
  if (std::filesystem::is_directory(path)) throw InputError(path, {}, "cannot be read: it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, {}, "cannot be read");
  warn_of_compression(path);
  // Pipes and files of /proc have no size.
  std::error_code error;
  const std::uintmax_t size =
      std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
  if (error || size == 0) return rest(in);
  std::vector<std::uint8_t> bytes(size);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size) throw InputError(path, {}, "cannot be read whole");
  return bytes;
}

genocl::SequenceSet read_records(const std::vector<std::string>& paths) {
  genocl::SequenceSet records;
  for (const std::string& path : paths) {
    check_other_index(path);
    genocl::io::SequenceReader reader(
        path, {.keep_qualities = false, .keep_descriptions = false, .threads = reading_threads()});
    // All records in one call, so that letters are not copied again.
    while (reader.append(records, {.residues = std::numeric_limits<std::uint64_t>::max()})) {
    }
  }
  return records;
}

TextInput::TextInput(const BuildSettings& settings)
    : of_bytes_(settings.bytes),
      apart_(settings.records),
      letters_(settings.n_break ? overlap::Letters::bases : overlap::Letters::written) {
  if (of_bytes_)
    bytes_ = read_bytes(settings.text);
  else
    records_ = read_records({settings.text});
}

std::uint64_t TextInput::size() const {
  return of_bytes_ ? bytes_.size() : records_.residues() + (apart_ ? records_.size() : 0);
}

overlap::Text TextInput::text(const overlap::Placement& where, bool both_strands) const {
  if (of_bytes_) return overlap::Text(where, bytes_);
  if (!apart_ && !both_strands) return overlap::Text::concatenated(where, records_);
  return overlap::Text::separated(where, records_, {.letters = letters_, .both_strands = both_strands});
}

void check_standard_input(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") > 1) throw InputError("standard input can be read once only");
}

void read_pairs(const std::string& path, const std::function<std::string(std::uint64_t, std::uint64_t)>& take) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(blanks) == std::string_view::npos || line.starts_with('#')) continue;
    std::string_view left = line;
    std::uint64_t first = 0, second = 0;
    std::string expected = "two whole numbers";
    if (take_number(left, first) && take_number(left, second) &&
        left.find_first_not_of(blanks) == std::string_view::npos)
      expected = take(first, second);
    if (expected.empty()) continue;
    throw InputError(named(path), std::to_string(number), genocl::in_quotes(line.substr(0, line.find('\r'))), expected);
  }
}

}  // namespace program
