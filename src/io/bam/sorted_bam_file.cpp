#include <optional>
#include <system_error>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/alignments/alignment_header.hpp"
#include "io/alignments/record_file.hpp"
#include "io/bam/bam_index.hpp"
#include "io/bam/bgzip_encoder.hpp"

namespace genocl::io {
namespace {

class SortedBamFile final : public RecordFile {
 public:
  SortedBamFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : path_(path), file_(path), encoder_(options.level, options.threads) {
    write(encoder_.encode(bam_header(header, true)));
    if (!file_.special()) index_.emplace(header, written_ << 16);
    text_.reserve(encoder_.portion() + BgzipEncoder::block_size);
  }

  void add(std::string_view record) override {
    text_ += record;
    if (index_) entries_.push_back({BamIndex::entry_of(record), text_.size()});
    while (text_.size() >= encoder_.portion()) encode(encoder_.portion());
  }

  void commit() override {
    encode(text_.size());
    const std::uint64_t end = written_ << 16;
    file_.write(encoder_.end());
    if (!index_) return file_.commit();
    files::AtomicFile index(path_ + index_->ending());
    try {
      index_->write(end, index.descriptor());
    } catch (const std::system_error& error) {
      index.fail("cannot be written", error.code().value());
    }
    file_.commit();
    index.commit();  // the younger of both, as programs want it
  }

 private:
  struct Indexed {
    BamIndex::Entry entry;
    std::size_t end;  ///< in the text
  };

  void write(const std::vector<std::string>& blocks) {
    for (const std::string& block : blocks) {
      file_.write(block);
      written_ += block.size();
    }
  }

  /// Writes that much of the text, whole blocks unless it is the last.
  void encode(std::size_t bytes) {
    const std::vector<std::string>& blocks = encoder_.encode(std::string_view(text_).substr(0, bytes));
    if (index_) index_up_to(bytes, blocks);
    write(blocks);
    text_.erase(0, bytes);
  }

  /// Records that end there have virtual offsets now: that of a block in the file, and that in its text.
  void index_up_to(std::size_t bytes, const std::vector<std::string>& blocks) {
    std::size_t block = 0, count = 0;
    std::uint64_t begin = written_;
    for (; count < entries_.size() && entries_[count].end <= bytes; ++count) {
      const std::size_t end = entries_[count].end;
      while ((block + 1) * BgzipEncoder::block_size <= end) begin += blocks[block++].size();
      // The end of a block is the begin of the next, that of the last and smaller one, too.
      const std::uint64_t in_block = end - block * BgzipEncoder::block_size;
      const bool block_ends = in_block > 0 && end == bytes;
      index_->add(entries_[count].entry, block_ends ? (begin + blocks[block].size()) << 16 : begin << 16 | in_block);
    }
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(count));
    for (Indexed& one : entries_) one.end -= bytes;
  }

  std::string path_;
  files::AtomicFile file_;
  BgzipEncoder encoder_;
  std::optional<BamIndex> index_;
  std::uint64_t written_ = 0;
  std::string text_;
  std::vector<Indexed> entries_;
};

}  // namespace

std::unique_ptr<RecordFile> make_sorted_bam_file(const std::string& path, const AlignmentHeader& header,
                                                 const AlignmentWriterOptions& options) {
  return std::make_unique<SortedBamFile>(path, header, options);
}

}  // namespace genocl::io
