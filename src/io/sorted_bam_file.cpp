#include "io/sorted_bam_file.hpp"

#include <htslib/bgzf.h>
#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/background.hpp"
#include "io/bam_record.hpp"
#include "runtime/parallel.hpp"

namespace genocl::io {
namespace {

static_assert(BgzipEncoder::block_size == BGZF_BLOCK_SIZE);
constexpr std::size_t encoded_blocks_per_thread = 4;
constexpr unsigned max_encoder_threads = 256;

}  // namespace

BgzipEncoder::BgzipEncoder(int level, unsigned threads)
    : level_(level), threads_(std::min(threads, max_encoder_threads)) {
  if (level < 0 || level > 9) throw InputError({}, {}, "compression level " + std::to_string(level), "0 to 9");
}

std::size_t BgzipEncoder::portion() const noexcept {
  return threads_ == 0 ? block_size : block_size * encoded_blocks_per_thread * (threads_ + 1);
}

void BgzipEncoder::encode_block(std::string_view text, std::string& block) const {
  block.resize(BGZF_MAX_BLOCK_SIZE);
  std::size_t size = block.size();
  if (bgzf_compress(block.data(), &size, text.data(), text.size(), level_) != 0)
    throw Error("a block of " + std::to_string(text.size()) + " bytes could not be compressed");
  block.resize(size);
}

const std::vector<std::string>& BgzipEncoder::encode(std::string_view text) {
  blocks_.resize((text.size() + block_size - 1) / block_size);
  // A thread starts in microseconds; its blocks take milliseconds.
  const std::size_t threads = 1 + std::min<std::size_t>(threads_, blocks_.size() / 2);
  runtime::parallel_for(blocks_.size(), threads,
                        [&](std::size_t i) { encode_block(text.substr(i * block_size, block_size), blocks_[i]); });
  return blocks_;
}

std::string BgzipEncoder::end() const {
  std::string block;
  encode_block({}, block);
  return block;
}

namespace {

constexpr std::uint64_t longest_of_bai = std::uint64_t{1} << 29;
constexpr int smallest_interval_bits = 14, levels_of_bai = 5;
/// Bit mask of the operations that consume reference bases: M, D, N, =, X.
constexpr std::uint32_t takes_reference = 0b110001101;

template <class Integer>
Integer little_endian_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return static_cast<Integer>(value);
}

}  // namespace

BamIndex::BamIndex(const AlignmentHeader& header, std::uint64_t begin) {
  std::uint64_t longest = 0;
  for (const AlignmentHeader::Reference& reference : header.references) longest = std::max(longest, reference.length);
  int levels = levels_of_bai;
  if (longest > longest_of_bai) {
    format_ = HTS_FMT_CSI;
    while (longest > std::uint64_t{1} << (smallest_interval_bits + 3 * levels)) ++levels;
  }
  index_.reset(
      hts_idx_init(static_cast<int>(header.references.size()), format_, begin, smallest_interval_bits, levels));
  if (!index_) throw std::bad_alloc();
}

BamIndex::Entry BamIndex::entry_of(std::string_view record) {
  constexpr std::size_t reference_at = 4, position_at = 8, name_size_at = 12, cigar_size_at = 16, flag_at = 18,
                        name_at = 36;
  Entry entry;
  entry.reference = little_endian_at<std::int32_t>(record, reference_at);
  entry.begin = little_endian_at<std::int32_t>(record, position_at);
  entry.mapped = (little_endian_at<std::uint16_t>(record, flag_at) & AlignmentRecord::unmapped) == 0;
  std::int64_t bases = 0;
  if (entry.mapped) {
    const std::size_t cigar = name_at + static_cast<unsigned char>(record[name_size_at]);
    for (std::size_t i = 0; i < little_endian_at<std::uint16_t>(record, cigar_size_at); ++i) {
      const auto run = little_endian_at<std::uint32_t>(record, cigar + 4 * i);
      if ((takes_reference >> (run & 15) & 1) != 0) bases += run >> 4;
    }
  }
  entry.end = entry.begin + std::max<std::int64_t>(bases, 1);
  return entry;
}

void BamIndex::add(const Entry& entry, std::uint64_t end) {
  if (hts_idx_push(index_.get(), entry.reference, entry.begin, entry.end, end, entry.mapped ? 1 : 0) < 0)
    throw Error("a record has no place in the index");
}

void BamIndex::write(std::uint64_t end, int descriptor) {
  errno = 0;
  // htslib accepts only a file name.
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  if (hts_idx_finish(index_.get(), end) < 0 || hts_idx_save_as(index_.get(), nullptr, name.c_str(), format_) < 0)
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category());
}

namespace {

class SortedBamFile final : public RecordFile {
 public:
  SortedBamFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : path_(path), file_(path), encoder_(options.level, options.threads), threads_(options.threads) {
    write(encoder_.encode(bam_header(header, true)));
    if (!file_.special()) index_.emplace(header, written_ << 16);
    next_.text.reserve(encoder_.portion() + BgzipEncoder::block_size);
  }

  void add(std::string_view record) override {
    next_.text += record;
    if (index_) next_.records.push_back({BamIndex::entry_of(record), next_.text.size()});
    while (next_.text.size() >= encoder_.portion()) start_encoding(encoder_.portion());
  }

  void commit() override {
    start_encoding(next_.text.size());
    background_.wait();
    const std::uint64_t end = written_ << 16;
    file_.write(encoder_.end());
    if (!index_) return file_.commit(files::AtomicFile::Sync::nothing);
    files::AtomicFile index(path_ + index_->ending());
    try {
      index_->write(end, index.descriptor());
    } catch (const std::system_error& error) {
      index.fail("cannot be written", error.code().value());
    }
    file_.commit(files::AtomicFile::Sync::nothing);
    index.commit(files::AtomicFile::Sync::nothing);  // must be newer than the BAM file
  }

 private:
  struct Indexed {
    BamIndex::Entry entry;
    std::size_t end;  ///< in the text
  };
  /// Text of records, and the records that end in it.
  struct Portion {
    std::string text;
    std::vector<Indexed> records;
  };

  void write(const std::vector<std::string>& blocks) {
    for (const std::string& block : blocks) {
      file_.write(block);
      written_ += block.size();
    }
  }

  /// Compresses and writes the first `bytes` bytes of the text: whole blocks except at the end. With several threads
  /// the caller goes on meanwhile.
  void start_encoding(std::size_t bytes) {
    background_.wait();
    std::swap(next_, encoded_);
    next_.text.assign(encoded_.text, bytes);
    encoded_.text.resize(bytes);
    const auto rest = std::find_if(encoded_.records.begin(), encoded_.records.end(),
                                   [&](const Indexed& one) { return one.end > bytes; });
    next_.records.assign(rest, encoded_.records.end());
    for (Indexed& one : next_.records) one.end -= bytes;
    encoded_.records.erase(rest, encoded_.records.end());
    if (threads_ == 0)
      encode();
    else
      background_.start([this] { encode(); });
  }

  void encode() {
    const std::vector<std::string>& blocks = encoder_.encode(encoded_.text);
    if (index_) index_records(blocks);
    write(blocks);
  }

  /// Indexes the records of encoded_. Their virtual offsets are now known: the offset of a block in the file, and the
  /// offset in its text.
  void index_records(const std::vector<std::string>& blocks) {
    std::size_t block = 0;
    std::uint64_t begin = written_;
    for (const Indexed& one : encoded_.records) {
      while ((block + 1) * BgzipEncoder::block_size <= one.end) begin += blocks[block++].size();
      // The end of a block is the beginning of the next. This holds also for the last, smaller block.
      const std::uint64_t in_block = one.end - block * BgzipEncoder::block_size;
      const bool block_ends = in_block > 0 && one.end == encoded_.text.size();
      index_->add(one.entry, block_ends ? (begin + blocks[block].size()) << 16 : begin << 16 | in_block);
    }
  }

  std::string path_;
  files::AtomicFile file_;
  BgzipEncoder encoder_;
  std::optional<BamIndex> index_;
  unsigned threads_;
  std::uint64_t written_ = 0;
  Portion next_, encoded_;
  Background background_;  // last: its task uses the other members
};

}  // namespace

std::unique_ptr<RecordFile> make_sorted_bam_file(const std::string& path, const AlignmentHeader& header,
                                                 const AlignmentWriterOptions& options) {
  return std::make_unique<SortedBamFile>(path, header, options);
}

}  // namespace genocl::io
