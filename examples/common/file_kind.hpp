// The kind of a file by its first bytes, for messages about files in the wrong place.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"

namespace program {

/// Describes a file that is not text, e.g. "a database made by genocl makedb"; empty for text and for unknown kinds.
inline std::string file_kind(const std::string& path) {
  using namespace std::string_view_literals;
  // Opening a pipe would wait for a writer.
  if (std::error_code error; !std::filesystem::is_regular_file(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::array<char, 8> bytes{};
  in.read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), static_cast<std::size_t>(in.gcount()));
  for (const auto& [magic, kind] : {
           std::pair("\x8dMRS"sv, "an index of a reference genome, for genocl map"sv),
           {"\x8dGDB"sv, "a database of genocl makedb, for genocl search"sv},
           {"\x8dsfx"sv, "an index of genocl-overlap, for genocl find and genocl mem"sv},
           {"\x8dGJR"sv, "a checkpoint of genocl jacobi"sv},
           {"CRAM"sv, "a CRAM file"sv},
           {"BAM\1"sv, "a BAM file"sv},
           {"\x89PNG"sv, "a PNG picture"sv},
           {"\x93NUMPY"sv, "a NumPy array"sv},
           {"%PDF"sv, "a PDF document"sv},
           {"PK\3\4"sv, "a ZIP archive"sv},
           {"\xd0\xcf\x11\xe0"sv, "an old Office document"sv},
       })
    if (begin.starts_with(magic)) return std::string(kind);
  return {};
}

/// The message of `error`; for a file that is not text, its kind.
inline std::string message_of(const genocl::InputError& error) {
  const std::string kind = error.file().empty() ? "" : file_kind(error.file());
  if (kind.empty()) return error.what();
  if (error.wrong().starts_with("binary"))
    return error.file() + ": is " + kind + (error.expected().empty() ? "" : "; expected " + error.expected());
  return std::string(error.what()) + " (the file is " + kind + ")";
}

}  // namespace program
