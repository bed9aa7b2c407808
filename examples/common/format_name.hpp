// The format of an output and the name of its file.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "genocl/error.hpp"

namespace program {

/// Throws InputError if the extension of an output's name belongs to another format, since readers choose the format by
/// the extension. `format`: the value of --format. `formats`: all values that --format accepts.
inline void check_format_name(const std::string& output, std::string_view format,
                              std::span<const std::string_view> formats) {
  // Formats with a well-known extension, whether the program writes them or not.
  static constexpr std::string_view endings[] = {"sam", "bam",   "cram", "csv",  "xml", "json",  "vcf",  "bcf",
                                                 "fa",  "fasta", "fna",  "faa",  "fq",  "fastq", "bed",  "gff3",
                                                 "gtf", "png",   "jpg",  "jpeg", "svg", "pdf",   "html", "npy"};
  std::string_view name = output;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const std::size_t point = name.rfind('.');
  if (point == std::string_view::npos) return;
  const std::string_view ending = name.substr(point + 1);
  if (ending == format || std::ranges::find(endings, ending) == std::end(endings)) return;
  const bool written = std::ranges::find(formats, ending) != formats.end();
  throw genocl::InputError(output, {}, std::string(format) + " under a name for " + std::string(ending),
                           (written ? "--format " + std::string(ending) + ", or " : std::string()) + "another name");
}

}  // namespace program
