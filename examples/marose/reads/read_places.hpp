// Where the reads of files stand, so that nobody has to read all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "marose/reads/read_source.hpp"

namespace program {

/// Blocks of records in a file.
struct BlockPlaces {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> begins;  ///< [block]: its place, as genocl::io::RecordPlaces has it; then the file's end
  std::uint64_t longest = 0;          ///< bytes of a block's text
};

/// The team finds them together, each member in its parts of the file. No value on any member unless the file is
/// regular, plain or bgzip, and FASTQ of four lines a record throughout. Everybody has to call it.
std::optional<BlockPlaces> find_places(const std::string& path, std::uint64_t records_of_block);

/// Batches of the reads of some files, by number.
class PlacedReads {
 public:
  /// No value where not all files have places, or mates are not as many, or reads are interleaved: which records are
  /// mates shows in their names alone. Everybody has to call it.
  static std::optional<PlacedReads> find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options);

  std::uint64_t blocks() const { return files_.empty() ? 0 : files_.back().first_block + files_.back().blocks; }
  /// O(log files); the bytes are read where the reads are made.
  ReadsToMake block(std::uint64_t number) const;
  const std::string& file_of(std::uint64_t number) const { return at(number).file->name(); }

 private:
  struct File {
    std::shared_ptr<ReadFile> file;
    ReadFiles names;
    BlockPlaces reads;
    std::optional<BlockPlaces> mates;
    std::uint64_t first_block = 0, blocks = 0, records_of_block = 0;
  };
  const File& at(std::uint64_t number) const;

  std::vector<File> files_;
};

}  // namespace program
