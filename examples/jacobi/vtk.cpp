#include "jacobi/vtk.hpp"

#include <bit>
#include <charconv>
#include <cstdint>

#include "genocl/io/output_file.hpp"

namespace program {

static_assert(std::endian::native == std::endian::little, "values are written as little-endian");

namespace {

/// The shortest decimal that reads back as the same number.
std::string text_of(const std::array<double, 3>& numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text += (text.empty() ? "" : " ") + std::string(digits, end);
  }
  return text;
}

}  // namespace

template <class T>
void write_vti(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells,
               const VtkFrame& frame) {
  const auto last = [](std::uint64_t size) { return "0 " + std::to_string(size - 1); };
  const std::string extent = last(shape.width) + ' ' + last(shape.height) + ' ' + last(shape.depth);
  const std::string head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      " <ImageData WholeExtent=\"" +
      extent + "\" Origin=\"" + text_of(frame.origin) + "\" Spacing=\"" + text_of(frame.spacing) +
      "\">\n  <Piece Extent=\"" + extent +
      "\">\n"
      "   <PointData Scalars=\"u\">\n"
      "    <DataArray type=\"" +
      (sizeof(T) == 8 ? "Float64" : "Float32") +
      "\" Name=\"u\" format=\"appended\" offset=\"0\"/>\n"
      "   </PointData>\n"
      "  </Piece>\n"
      " </ImageData>\n"
      " <AppendedData encoding=\"raw\">_";
  const std::uint64_t bytes = cells.size_bytes();
  genocl::io::OutputFile file(path, {.compression = genocl::io::Compression::none});
  file.write(head);
  file.write({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  file.write({reinterpret_cast<const char*>(cells.data()), cells.size_bytes()});
  file.write("</AppendedData>\n</VTKFile>\n");
  file.commit();
}

template void write_vti<float>(const std::string&, const genocl::jacobi::Shape&, std::span<const float>,
                               const VtkFrame&);
template void write_vti<double>(const std::string&, const genocl::jacobi::Shape&, std::span<const double>,
                                const VtkFrame&);

}  // namespace program
