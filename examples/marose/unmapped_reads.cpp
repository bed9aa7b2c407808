#include "marose/unmapped_reads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/reading_threads.hpp"
#include "genocl/error.hpp"

namespace program {

std::array<std::string, 2> discordant_files(const std::string& path) {
  std::array<std::string, 2> files;
  if (path.empty()) return files;
  if (path == "-") throw genocl::InputError("--un-conc", {}, "two files for standard output", "the name of a file");
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = path.find('.', name) == std::string::npos ? path.size() : path.rfind('.');
  const bool has_percent = path.find('%', name) != std::string::npos;
  for (std::size_t mate = 0; mate < 2; ++mate) {
    const char digit = mate == 0 ? '1' : '2';
    files[mate] = path;
    if (has_percent)
      std::replace(files[mate].begin() + static_cast<std::ptrdiff_t>(name), files[mate].end(), '%', digit);
    else
      files[mate].insert(dot, {'.', digit});
  }
  return files;
}

void UnmappedReads::append(const genocl::marose::SamRead& read, bool fastq, std::string& text) {
  text.append(fastq ? "@" : ">").append(read.name);
  if (!read.tags.empty()) text.append(" ").append(read.tags);
  text += '\n';
  const std::size_t begin = text.size();
  text.resize(begin + read.codes.size());
  std::ranges::transform(read.codes, text.begin() + static_cast<std::ptrdiff_t>(begin),
                         [](genocl::Code code) { return genocl::dna::decode(code); });
  if (fastq || !read.codes.empty()) text += '\n';
  if (!fastq) return;
  text.append("+\n");
  constexpr std::uint8_t zero = '!';
  for (const std::uint8_t quality : read.quality) text += static_cast<char>(quality + zero);
  text += '\n';
}

void UnmappedReads::pack(genocl::Packer& packed) const {
  packed.add_text(single);
  for (const std::string& text : discordant) packed.add_text(text);
}

UnmappedReads UnmappedReads::unpack(genocl::Unpacker& packed) {
  UnmappedReads reads;
  reads.single = packed.next_text();
  for (std::string& text : reads.discordant) text = packed.next_text();
  return reads;
}

UnmappedFiles::UnmappedFiles(const MapSettings& settings) {
  const genocl::io::OutputOptions options{.threads = reading_threads()};
  if (!settings.unmapped_reads.empty()) single_.emplace(settings.unmapped_reads, options);
  if (settings.discordant_pairs.empty()) return;
  const std::array<std::string, 2> files = discordant_files(settings.discordant_pairs);
  for (std::size_t mate = 0; mate < 2; ++mate) discordant_[mate].emplace(files[mate], options);
}

void UnmappedFiles::append(const UnmappedReads& reads) {
  if (single_) single_->write(reads.single);
  for (std::size_t mate = 0; mate < 2; ++mate)
    if (discordant_[mate]) discordant_[mate]->write(reads.discordant[mate]);
}

void UnmappedFiles::commit() {
  if (single_) single_->commit();
  for (std::optional<genocl::io::OutputFile>& file : discordant_)
    if (file) file->commit();
}

}  // namespace program
