#include "io/record_sorter.hpp"

#include <zlib.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "genocl/error.hpp"
#include "io/background.hpp"
#include "runtime/parallel.hpp"

namespace genocl::io {
namespace {

constexpr std::uint64_t min_memory = std::uint64_t{64} << 10;
/// Memory for each run in a merge; the blocks that a merge holds are small compared with it.
constexpr std::uint64_t memory_per_run = std::uint64_t{1} << 20;
constexpr std::size_t min_runs = 16, largest_block = std::size_t{64} << 10;
constexpr int fastest_level = 1;
/// The text that a merge reads ahead takes this part of the memory.
constexpr std::uint64_t read_share = 8;
constexpr std::size_t min_part = 1 << 16;  // entries that one thread sorts
/// A record in a run is preceded by its key and size, a record in memory by its size.
constexpr std::size_t size_bytes = sizeof(std::uint32_t), head_bytes = sizeof(std::uint64_t) + size_bytes;

template <class Integer>
Integer read_at(const char* from) {
  Integer value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

/// Decompresses bgzip blocks.
class RecordSorter::Inflater {
 public:
  Inflater() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Writes the text of the block at `begin` to `to`. Returns its size, at most `capacity`.
  std::size_t read(const files::SpillFile& file, std::uint64_t begin, std::uint32_t size, char* to,
                   std::size_t capacity) {
    block_.resize(size);
    file.read(begin, std::as_writable_bytes(std::span(block_)));
    stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_in = size;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(capacity);
    if (inflateReset(&stream_) != Z_OK || inflate(&stream_, Z_FINISH) != Z_STREAM_END)
      throw InputError(file.folder(), {}, "a temporary file in it was damaged");
    return capacity - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  std::vector<char> block_;
};

/// Reads blocks of runs, several at once.
class RecordSorter::BlockReader {
 public:
  /// @param memory Bytes of text that one read may add.
  BlockReader(const files::SpillFile& file, unsigned threads, std::uint64_t memory)
      : file_(file),
        threads_(threads + 1),
        at_once_(std::clamp<std::uint64_t>(memory / BgzipEncoder::block_size, 1, std::uint64_t{4} * threads_)) {
    while (inflaters_.size() < at_once_) inflaters_.push_back(std::make_unique<Inflater>());
  }

  /// Appends the text of the next blocks of a run to `text`; returns their number. All blocks of a run but the last
  /// have BgzipEncoder::block_size bytes of text. `begin`: the place of the first block in the file.
  std::size_t append(std::uint64_t begin, std::span<const std::uint32_t> sizes, std::string& text) {
    const std::size_t count = std::min<std::size_t>(at_once_, sizes.size()), before = text.size();
    constexpr std::size_t block = BgzipEncoder::block_size;
    text.resize(before + count * block);
    std::vector<std::uint64_t> begins(count);
    for (std::size_t i = 0; i < count; ++i) begins[i] = i == 0 ? begin : begins[i - 1] + sizes[i - 1];
    std::vector<std::size_t> bytes(count);
    runtime::parallel_for(count, std::min<std::size_t>(threads_, count / 2 + 1), [&](std::size_t i) {
      bytes[i] = inflaters_[i]->read(file_, begins[i], sizes[i], text.data() + before + i * block, block);
    });
    for (std::size_t i = 0; i + 1 < count; ++i)
      if (bytes[i] != block) throw InputError(file_.folder(), {}, "a temporary file in it was damaged");
    text.resize(before + (count - 1) * block + bytes.back());
    return count;
  }

 private:
  const files::SpillFile& file_;
  std::size_t threads_;
  std::uint64_t at_once_;
  std::vector<std::unique_ptr<Inflater>> inflaters_;
};

/// Reads the records of a run in order.
class RecordSorter::RunReader {
 public:
  RunReader(const Run& run, BlockReader& blocks) : run_(&run), blocks_(&blocks), at_(run.begin) {}

  /// Returns false at the end. The record is valid until the next call.
  bool next(std::uint64_t& key, std::string_view& record) {
    if (!has(head_bytes)) return false;
    key = read_at<std::uint64_t>(text_.data() + done_);
    const auto size = read_at<std::uint32_t>(text_.data() + done_ + sizeof key);
    if (!has(head_bytes + size)) throw Error("a run of records ends within one");
    record = std::string_view(text_).substr(done_ + head_bytes, size);
    done_ += head_bytes + size;
    return true;
  }

 private:
  bool has(std::size_t bytes) {
    while (text_.size() - done_ < bytes) {
      if (block_ == run_->block_sizes.size()) return false;
      text_.erase(0, std::exchange(done_, 0));
      const std::size_t read = blocks_->append(at_, std::span(run_->block_sizes).subspan(block_), text_);
      for (const std::size_t end = block_ + read; block_ < end; ++block_) at_ += run_->block_sizes[block_];
    }
    return true;
  }

  const Run* run_;
  BlockReader* blocks_;
  std::uint64_t at_;
  std::size_t block_ = 0, done_ = 0;
  std::string text_;
};

/// Writes sorted records as a run. With several threads the text before is compressed and written meanwhile.
class RecordSorter::RunWriter {
 public:
  RunWriter(files::SpillFile& file, BgzipEncoder& encoder, unsigned threads)
      : file_(file), encoder_(encoder), threads_(threads) {
    run_.begin = file.size();
    text_.reserve(encoder.portion() + largest_block);
  }

  void add(std::uint64_t key, std::string_view record) {
    const auto size = static_cast<std::uint32_t>(record.size());
    text_.append(reinterpret_cast<const char*>(&key), sizeof key);
    text_.append(reinterpret_cast<const char*>(&size), sizeof size).append(record);
    while (text_.size() >= encoder_.portion()) write(encoder_.portion());
  }
  Run finish() {
    write(text_.size());
    background_.wait();
    return std::move(run_);
  }

 private:
  void write(std::size_t bytes) {
    background_.wait();
    std::swap(text_, written_);
    text_.assign(written_, bytes);
    written_.resize(bytes);
    const auto task = [this] {
      for (const std::string& block : encoder_.encode(written_)) {
        file_.append(std::as_bytes(std::span(block)));
        run_.block_sizes.push_back(static_cast<std::uint32_t>(block.size()));
      }
    };
    if (threads_ == 0)
      task();
    else
      background_.start(task);
  }

  files::SpillFile& file_;
  BgzipEncoder& encoder_;
  unsigned threads_;
  Run run_;
  std::string text_, written_;
  Background background_;  // last: its task uses the other members
};

RecordSorter::RecordSorter(std::uint64_t memory, std::string folder, unsigned threads)
    : memory_(std::max(memory, min_memory)),
      folder_(std::move(folder)),
      threads_(threads),
      encoder_(fastest_level, threads) {
  allocate(memory_);
}
RecordSorter::RecordSorter(RecordSorter&&) noexcept = default;
RecordSorter& RecordSorter::operator=(RecordSorter&&) noexcept = default;
RecordSorter::~RecordSorter() = default;

void RecordSorter::allocate(std::uint64_t memory) {
  const std::size_t count = memory / sizeof(Waiting) + 1;
  buffer_.reset();
  buffer_ = std::make_unique_for_overwrite<Waiting[]>(count);
  first_ = end_ = buffer_.get() + count;
}

std::string_view RecordSorter::record_at(std::uint64_t begin) const {
  const char* const at = reinterpret_cast<const char*>(buffer_.get()) + begin;
  return {at + size_bytes, read_at<std::uint32_t>(at)};
}

void RecordSorter::add(std::uint64_t key, std::string_view record) {
  const std::uint64_t needed = size_bytes + record.size() + sizeof(Waiting);
  const auto left = [&] {
    return static_cast<std::uint64_t>(reinterpret_cast<char*>(first_) - reinterpret_cast<char*>(buffer_.get())) - used_;
  };
  if (left() < needed) {
    write_run();
    if (left() < needed) allocate(needed);
  }
  char* const to = reinterpret_cast<char*>(buffer_.get()) + used_;
  const auto size = static_cast<std::uint32_t>(record.size());
  std::memcpy(to, &size, size_bytes);
  std::memcpy(to + size_bytes, record.data(), record.size());
  *--first_ = {.key = key, .begin = used_};
  used_ += size_bytes + record.size();
}

void RecordSorter::sort() {
  const auto before = [](const Waiting& a, const Waiting& b) {
    return std::tie(a.key, a.begin) < std::tie(b.key, b.begin);  // earlier records are at lower addresses
  };
  const auto size = static_cast<std::size_t>(end_ - first_);
  const std::size_t threads = std::min<std::size_t>(threads_ + 1, size / min_part + 1);
  const std::size_t parts = std::bit_floor(threads);
  const auto part = [&](std::size_t i) { return first_ + size * i / parts; };
  runtime::parallel_for(parts, threads, [&](std::size_t i) { std::sort(part(i), part(i + 1), before); });
  for (std::size_t width = 1; width < parts; width *= 2)
    runtime::parallel_for(parts / (2 * width), threads, [&](std::size_t i) {
      const std::size_t first = 2 * width * i;
      std::inplace_merge(part(first), part(first + width), part(first + 2 * width), before);
    });
}

void RecordSorter::write_run() {
  if (first_ == end_) return;
  if (runs_.size() >= std::max<std::uint64_t>(min_runs, memory_ / memory_per_run)) join_runs();
  if (!file_) file_.emplace(folder_);
  sort();
  RunWriter writer(*file_, encoder_, threads_);
  for (const Waiting* one = first_; one != end_; ++one) writer.add(one->key, record_at(one->begin));
  runs_.push_back(writer.finish());
  first_ = end_;
  used_ = 0;
}

/// Merges all runs into one run in a separate file, so that the memory of a merge stays within the limit.
void RecordSorter::join_runs() {
  files::SpillFile joined(folder_);
  RunWriter writer(joined, encoder_, threads_);
  Waiting* const waiting = std::exchange(first_, end_);  // not yet a run
  merge([&](std::uint64_t key, std::string_view record) { writer.add(key, record); });
  first_ = waiting;
  runs_.assign(1, writer.finish());
  file_ = std::move(joined);
}

/// Merges the runs, in order of creation, and then the records in memory.
void RecordSorter::merge(const std::function<void(std::uint64_t, std::string_view)>& sink) {
  struct Next {
    std::uint64_t key;
    std::size_t source;
    bool operator>(const Next& other) const { return std::tie(key, source) > std::tie(other.key, other.source); }
  };
  std::optional<BlockReader> blocks;
  if (!runs_.empty()) blocks.emplace(*file_, threads_, memory_ / read_share / runs_.size());
  std::vector<RunReader> readers;
  for (const Run& run : runs_) readers.emplace_back(run, *blocks);
  std::vector<std::string_view> records(readers.size() + 1);
  const Waiting* waiting = first_;
  const auto advance = [&](std::size_t source, std::uint64_t& key) {
    if (source < readers.size()) return readers[source].next(key, records[source]);
    if (waiting == end_) return false;
    key = waiting->key;
    records[source] = record_at(waiting++->begin);
    return true;
  };
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  for (std::size_t source = 0; source < records.size(); ++source)
    if (Next next{.key = 0, .source = source}; advance(source, next.key)) queue.push(next);
  while (!queue.empty()) {
    Next next = queue.top();
    queue.pop();
    bool more = true;
    // While this source has the first record, it bypasses the queue.
    while (more && (queue.empty() || queue.top() > next)) {
      sink(next.key, records[next.source]);
      more = advance(next.source, next.key);
    }
    if (more) queue.push(next);
  }
}

void RecordSorter::finish(const Sink& sink) {
  sort();
  merge([&](std::uint64_t, std::string_view record) { sink(record); });
}

}  // namespace genocl::io
