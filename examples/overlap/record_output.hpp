// Records and regions in output tables.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/output_file.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "overlap/options.hpp"

namespace program {

/// Records of sequence files or of byte files, with their names.
class Records {
 public:
  /// `bytes`: each file is a record, named after the file.
  Records(const std::vector<std::string>& files, bool bytes);
  /// Byte files, of which each part between separators is a record. Its name is FILE:NUMBER, or NUMBER if there is one
  /// file. Numbers begin at 1.
  Records(const std::vector<std::string>& files, std::string_view separator);

  std::size_t size() const { return of_bytes_ ? strings_.size() : set_.size(); }
  const genocl::SequenceSet& set() const { return set_; }
  const std::vector<std::span<const std::uint8_t>>& views() const { return strings_; }
  /// The name of a record, or its number from 1 if it has none.
  std::string name(std::uint64_t record) const;
  /// Whether a separator follows this record of a file of bytes.
  bool is_separated(std::uint64_t record) const;
  /// Returns the text of a region. Bytes that are not printable ASCII, and \, are written as \xHH.
  std::string part(std::uint64_t record, std::uint64_t position, std::uint64_t length) const;

 private:
  std::size_t file_of(std::uint64_t record) const;

  bool of_bytes_;
  genocl::SequenceSet set_;
  std::vector<std::string> names_;  ///< of byte files
  std::vector<std::vector<std::uint8_t>> files_;
  std::vector<std::span<const std::uint8_t>> strings_;
  std::vector<std::uint64_t> first_of_file_;  ///< [file]: its first record; empty without a separator
};

/// The name of a record, or its number from 1 if it has none.
std::string record_name(const genocl::SequenceSet& records, std::uint64_t record);

/// Writes rows in blocks.
class RowWriter {
 public:
  RowWriter(const std::string& path, std::string_view header) : out_(path), text_(header) {}
  /// Appends a row, which ends with a line break.
  void row(std::string_view line) {
    text_ += line;
    if (text_.size() > std::size_t{1} << 20) flush();
  }
  void commit() {
    flush();
    out_.commit();
  }

 private:
  void flush() {
    out_.write(text_);
    text_.clear();
  }

  genocl::io::OutputFile out_;
  std::string text_;
};

/// The common parts of the commands about records: devices, progress bar, --kernel-times and the summary.
void with_devices(const RecordSettings& settings,
                  const std::function<std::string(std::span<const genocl::Device>, const genocl::Progress&)>& work);

}  // namespace program
