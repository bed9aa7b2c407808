#include "jacobi/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"

namespace program {
namespace {

using genocl::InputError;

constexpr std::string_view magic("\x93NUMPY", 6);
static_assert(std::endian::native == std::endian::little, "types are written as little-endian");

template <class T>
constexpr std::string_view type_name = sizeof(T) == 8 ? "<f8" : "<f4";

/// The value of a key in the header's dictionary.
std::string_view value_of(const std::string& path, std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t found = header.find(quoted);
  if (found == std::string_view::npos) throw InputError(path, {}, "no " + quoted + " in its header");
  header.remove_prefix(found + quoted.size());
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  const char end = header.starts_with('(') ? ')' : header.starts_with('\'') ? '\'' : ',';
  const std::size_t last = header.find(end, 1);
  return header.substr(0, last == std::string_view::npos ? last : end == ',' ? last : last + 1);
}

genocl::jacobi::Shape shape_of_header(const std::string& path, std::string_view text) {
  std::vector<std::uint64_t> sizes;
  const auto fail = [&] {
    throw InputError(path, {}, "an array of shape " + genocl::shown(text), "two or three sizes");
  };
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') fail();
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" ,"), rest.size()));
    if (rest.empty()) break;
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (error != std::errc()) fail();
    sizes.push_back(size);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  genocl::jacobi::Shape shape;
  if (sizes.size() == 2)
    shape = {sizes[1], sizes[0], 1};
  else if (sizes.size() == 3 && sizes[0] >= 3)
    shape = {sizes[2], sizes[1], sizes[0]};
  else
    fail();
  try {
    shape.check();
  } catch (const InputError& error) {
    throw InputError(path, {}, error.wrong(), error.expected());
  }
  return shape;
}

/// The element type of an array, from its header.
struct Header {
  genocl::jacobi::Shape shape;
  char kind = 'f';  ///< f, i, u, or b for booleans
  std::size_t bytes = 8;
  bool swapped = false;  ///< other byte order
  bool fortran = false;  ///< the first index is contiguous
  std::string type;      ///< as in the header
};

/// Parses '<f8', '>i4', '|b1', ...; returns false for other types, such as complex numbers and records.
bool take_type(std::string_view text, Header& header) {
  if (text.size() != 5 || text.front() != '\'' || text.back() != '\'') return false;
  const char order = text[1];
  if (std::string_view("<>|=").find(order) == std::string_view::npos || text[3] < '1' || text[3] > '8') return false;
  header.kind = text[2];
  header.bytes = static_cast<std::size_t>(text[3] - '0');
  header.swapped = order == '>';
  switch (header.kind) {
    case 'f':
      return header.bytes == 4 || header.bytes == 8;
    case 'i':
    case 'u':
      return std::has_single_bit(header.bytes);
    case 'b':
      return header.bytes == 1;
    default:
      return false;
  }
}

/// Leaves the file at the first element. Compares the file's size with the shape before any allocation, since the
/// header may be wrong.
Header read_header(const std::string& path, std::ifstream& file) {
  if (!file) throw InputError(path, {}, "cannot be read: " + std::generic_category().message(errno));
  char start[8] = {};
  file.read(start, sizeof start);
  if (file.gcount() != sizeof start || std::string_view(start, magic.size()) != magic)
    throw InputError(path, {}, "is no array of NumPy's (.npy)");
  if (start[6] < 1 || start[6] > 3)
    throw InputError(path, {}, "a .npy file of version " + std::to_string(start[6]), "1, 2 or 3");
  std::uint32_t length = 0;
  file.read(reinterpret_cast<char*>(&length), start[6] == 1 ? 2 : 4);
  if (!file || length > 1u << 20) throw InputError(path, {}, "its header is damaged or cut off");
  std::string text(length, '\0');
  file.read(text.data(), length);
  if (!file) throw InputError(path, {}, "its header is cut off");
  Header header;
  header.type = genocl::shown(value_of(path, text, "descr"));
  if (!take_type(value_of(path, text, "descr"), header))
    throw InputError(path, {}, "an array of type " + header.type, "floating-point numbers, integers or booleans");
  header.fortran = value_of(path, text, "fortran_order").starts_with("True");
  header.shape = shape_of_header(path, value_of(path, text, "shape"));
  const auto begin = file.tellg();
  file.seekg(0, std::ios::end);
  const auto there = static_cast<std::uint64_t>(file.tellg() - begin);
  const std::uint64_t needed = header.shape.cells() * header.bytes;
  if (there != needed)
    throw InputError(path, {}, std::to_string(there) + " bytes of data", std::to_string(needed) + " for its shape");
  file.seekg(begin);
  return header;
}

std::vector<char> read_bytes(const std::string& path, std::ifstream& file, std::uint64_t bytes) {
  std::vector<char> data(bytes);
  file.read(data.data(), static_cast<std::streamsize>(bytes));
  if (!file) throw InputError(path, {}, "cannot be read to its end");
  return data;
}

/// Calls use(cell, value) for each cell in C order.
template <class Element, class Use>
void for_elements(const Header& header, const char* data, Use&& use) {
  const genocl::jacobi::Shape& s = header.shape;
  std::uint64_t cell = 0;
  for (std::uint64_t z = 0; z < s.depth; ++z)
    for (std::uint64_t y = 0; y < s.height; ++y)
      for (std::uint64_t x = 0; x < s.width; ++x, ++cell) {
        const std::uint64_t at = header.fortran ? z + s.depth * (y + s.height * x) : cell;
        char bytes[sizeof(Element)];
        std::memcpy(bytes, data + at * sizeof(Element), sizeof(Element));
        if (header.swapped) std::reverse(bytes, bytes + sizeof(Element));
        Element value;
        std::memcpy(&value, bytes, sizeof value);
        use(cell, value);
      }
}

template <class Use>
void for_elements(const Header& header, const std::vector<char>& data, Use&& use) {
  const auto as = [&]<class Element>(Element) { for_elements<Element>(header, data.data(), use); };
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f') return header.bytes == 8 ? as(double{}) : as(float{});
  switch (header.bytes) {
    case 1:
      return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
    case 2:
      return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
    case 4:
      return is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
    default:
      return is_signed ? as(std::int64_t{}) : as(std::uint64_t{});
  }
}

}  // namespace

bool is_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char start[magic.size()] = {};
  return file.read(start, sizeof start) && std::string_view(start, sizeof start) == magic;
}

template <class T>
NpyArray<T> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const Header header = read_header(path, file);
  if (header.kind == 'f' && header.bytes > sizeof(T))
    throw InputError(path, {}, "an array of type " + header.type,
                     std::string("'") + std::string(type_name<T>) + "': --precision must be the array's");
  NpyArray<T> array;
  array.shape = header.shape;
  array.cells.resize(header.shape.cells());
  if (header.kind == 'f' && header.bytes == sizeof(T) && !header.swapped && !header.fortran) {
    file.read(reinterpret_cast<char*>(array.cells.data()),
              static_cast<std::streamsize>(array.cells.size() * sizeof(T)));
    if (!file) throw InputError(path, {}, "cannot be read to its end");
    return array;
  }
  for_elements(header, read_bytes(path, file, header.shape.cells() * header.bytes),
               [&]<class Element>(std::uint64_t cell, Element value) {
                 array.cells[cell] = static_cast<T>(value);
                 if constexpr (std::is_integral_v<Element>) {
                   // T does not represent all larger integers.
                   constexpr auto most = static_cast<std::uint64_t>(1) << std::numeric_limits<T>::digits;
                   const auto magnitude = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                                    : static_cast<std::uint64_t>(value);
                   if (magnitude > most)
                     throw InputError(path, "cell " + std::to_string(cell), "the integer " + std::to_string(value),
                                      "at most " + std::to_string(most) + " in magnitude, which --precision " +
                                          (sizeof(T) == 8 ? "double" : "float") + " holds exactly");
                 }
               });
  return array;
}

NpyArray<std::uint8_t> read_npy_mask(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const Header header = read_header(path, file);
  NpyArray<std::uint8_t> mask;
  mask.shape = header.shape;
  mask.cells.resize(header.shape.cells());
  for_elements(header, read_bytes(path, file, header.shape.cells() * header.bytes),
               [&](std::uint64_t cell, auto value) { mask.cells[cell] = value != 0 ? 1 : 0; });
  return mask;
}

template <class T>
void write_npy(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells) {
  std::string header = "{'descr': '" + std::string(type_name<T>) + "', 'fortran_order': False, 'shape': (";
  if (shape.three_dimensional()) header += std::to_string(shape.depth) + ", ";
  header += std::to_string(shape.height) + ", " + std::to_string(shape.width) + "), }";
  // Magic, version, length and header together are a multiple of 64; the header ends in a line break.
  constexpr std::size_t before = magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string start(magic);
  start += '\x01';
  start += '\x00';
  start += static_cast<char>(header.size() % 256);
  start += static_cast<char>(header.size() / 256);
  genocl::io::OutputFile file(path, {.compression = genocl::io::Compression::none});
  file.write(start);
  file.write(header);
  file.write({reinterpret_cast<const char*>(cells.data()), cells.size_bytes()});
  file.commit();
}

template NpyArray<float> read_npy<float>(const std::string&);
template NpyArray<double> read_npy<double>(const std::string&);
template void write_npy<float>(const std::string&, const genocl::jacobi::Shape&, std::span<const float>);
template void write_npy<double>(const std::string&, const genocl::jacobi::Shape&, std::span<const double>);

}  // namespace program
