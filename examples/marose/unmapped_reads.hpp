// Reads that do not map, and pairs that do not map concordantly, as FASTQ.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "genocl/io/output_file.hpp"
#include "genocl/marose.hpp"
#include "genocl/packing.hpp"
#include "marose/options.hpp"

namespace program {

/// The files of --un-conc, as bowtie2 names them: % becomes 1 and 2, or else .1 and .2 come before the last dot of the
/// name. Throws InputError for standard output. Empty without the option.
std::array<std::string, 2> discordant_files(const std::string& path);

/// Text that a batch adds to the files.
struct UnmappedReads {
  std::string single;                     ///< single reads that do not map
  std::array<std::string, 2> discordant;  ///< first and second mates of pairs that do not map concordantly

  /// Appends a record with the whole read, its name with /1 or /2, and its tags as comment. `fastq`: reads have
  /// qualities, written as Phred+33; false: FASTA.
  static void append(const genocl::marose::SamRead& read, bool fastq, std::string& text);

  void pack(genocl::Packer& packed) const;
  static UnmappedReads unpack(genocl::Unpacker& packed);
};

/// The files, with bgzip compression for names that end in .gz. Errors are those of OutputFile.
class UnmappedFiles {
 public:
  explicit UnmappedFiles(const MapSettings& settings);

  void append(const UnmappedReads& reads);
  void commit();

 private:
  std::optional<genocl::io::OutputFile> single_;
  std::array<std::optional<genocl::io::OutputFile>, 2> discordant_;
};

}  // namespace program
