// PNG files of pictures. Sources that include this also include <png.h>, by which the build finds the library.
#pragma once

#include <png.h>

#include <string>

#include "common/canvas.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"

namespace program {

/// Writes a picture. Throws InputError if the file cannot be written.
inline void write_png(const std::string& path, const Canvas& canvas) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width());
  image.height = static_cast<png_uint_32>(canvas.height());
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string encoded(bytes, '\0');
  if (png_image_write_to_memory(&image, encoded.data(), &bytes, 0, canvas.pixels().data(), 0, nullptr) == 0)
    throw genocl::InputError(path, {}, std::string("cannot be made: ") + image.message);
  encoded.resize(bytes);
  genocl::io::OutputFile file(path, {.compression = genocl::io::Compression::none});
  file.write(encoded);
  file.commit();
}

}  // namespace program
