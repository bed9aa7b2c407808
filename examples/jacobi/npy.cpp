#include "jacobi/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"

namespace program {
namespace {

using genocl::InputError;

constexpr std::string_view magic("\x93NUMPY", 6);
static_assert(std::endian::native == std::endian::little, "types are written as little-endian");

template <class T>
constexpr std::string_view type_name = sizeof(T) == 8 ? "<f8" : "<f4";

/// The value of a key in the header's dictionary: between "'key':" and what ends it.
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

}  // namespace

template <class T>
NpyArray<T> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
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
  std::string header(length, '\0');
  file.read(header.data(), length);
  if (!file) throw InputError(path, {}, "its header is cut off");
  const std::string_view type = value_of(path, header, "descr");
  if (type != "'" + std::string(type_name<T>) + "'")
    throw InputError(path, {}, "an array of type " + genocl::shown(type),
                     std::string("'") + std::string(type_name<T>) + "': --precision must be the array's");
  if (!value_of(path, header, "fortran_order").starts_with("False"))
    throw InputError(path, {}, "an array in Fortran order", "C order");
  NpyArray<T> array;
  array.shape = shape_of_header(path, value_of(path, header, "shape"));
  // The size is looked at before memory is asked for: the header may say anything.
  const auto begin = file.tellg();
  file.seekg(0, std::ios::end);
  const auto there = static_cast<std::uint64_t>(file.tellg() - begin);
  const std::uint64_t needed = array.shape.cells() * sizeof(T);
  if (there != needed)
    throw InputError(path, {}, std::to_string(there) + " bytes of data", std::to_string(needed) + " for its shape");
  file.seekg(begin);
  array.cells.resize(array.shape.cells());
  file.read(reinterpret_cast<char*>(array.cells.data()), static_cast<std::streamsize>(needed));
  if (!file) throw InputError(path, {}, "cannot be read to its end");
  return array;
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
