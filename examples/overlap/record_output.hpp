// Records and their regions as the tables show them.
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

/// Records of sequence files, or files as they are: their names and what stands in them.
class Records {
 public:
  /// `bytes`: each file is a record by its name.
  Records(const std::vector<std::string>& files, bool bytes);

  std::size_t size() const { return of_bytes_ ? strings_.size() : set_.size(); }
  const genocl::SequenceSet& set() const { return set_; }
  std::vector<std::span<const std::uint8_t>> views() const { return {strings_.begin(), strings_.end()}; }
  /// A record without a name is called by its number from 1.
  std::string name(std::uint64_t record) const;
  /// Letters; bytes that are no printable ASCII, and \, as \xHH.
  std::string part(std::uint64_t record, std::uint64_t position, std::uint64_t length) const;

 private:
  bool of_bytes_;
  genocl::SequenceSet set_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint8_t>> strings_;
};

/// A record's name, or its number from 1 where it has none.
std::string record_name(const genocl::SequenceSet& records, std::uint64_t record);

/// Writes rows, in pieces.
class RowWriter {
 public:
  RowWriter(const std::string& path, std::string_view header) : out_(path), text_(header) {}
  /// Ends in a line's end.
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

/// The devices, a bar, and --profile and a summary at the end: what the commands about records have in common.
void with_devices(const RecordSettings& settings,
                  const std::function<std::string(std::span<const genocl::Device>, const genocl::Progress&)>& work);

}  // namespace program
