#include "io/byte_source.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/io/text_file.hpp"

namespace genocl::io {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

constexpr unsigned max_threads = 256;
constexpr int blocks_per_thread = 64;

}  // namespace

ByteSource::ByteSource(const std::string& path, const Options& options)
    : name_(path == "-" ? "standard input" : path), options_(options) {
  if (path.empty()) throw InputError("an input file without a name");
  // Opened here, because htslib treats names with a colon as URLs.
  descriptor_ = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be opened: " + reason(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      close(descriptor_);
      fail("is a directory");
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  }

  hFILE* file = hdopen(descriptor_, "r");
  if (file == nullptr) {
    const int error = errno;
    close(descriptor_);
    fail("cannot be opened: " + reason(error));
  }
  errno = 0;
  htsFormat format{};
  // This call also fails on unknown compressed data; the checks below report that case better.
  if (const int error = hts_detect_format(file, &format) != 0 ? errno : 0; error != 0) {
    hclose_abruptly(file);
    fail("cannot be read: " + reason(error));
  }
  const std::unique_ptr<char, decltype(&std::free)> text(hts_format_description(&format), &std::free);
  description_ = text == nullptr ? std::string() : text.get();
  if (constexpr std::string_view unknown = "unknown "; description_.starts_with(unknown))
    description_.erase(0, unknown.size());
  other_format_ = format.category == sequence_data ? format.format != fasta_format && format.format != fastq_format
                                                   : format.category == variant_data || format.category == index_file ||
                                                         format.category == region_list;
  if (options_.alignments && (format.format == ::sam || format.format == bam || format.format == cram)) {
    alignments_ = std::make_unique<AlignmentText>(file, name_, options_.threads, options_.cram_reference);
    other_format_ = false;
    return;
  }
  unsigned char magic[2] = {};
  const bool cut_off_gzip = hpeek(file, magic, 2) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  bgzf_ = bgzf_hopen(file, "r");
  if (bgzf_ == nullptr) {
    const int error = errno;
    hclose_abruptly(file);
    fail(error == 0 ? "is not gzip though it begins like it" : "cannot be read: " + reason(error));
  }
  compression_ = bgzf_compression(bgzf_);
  const bool other_compression =
      format.compression != no_compression && format.compression != gzip && format.compression != bgzf;
  if ((compression_ == 0 && cut_off_gzip) || other_compression) {
    bgzf_close(bgzf_);
    if (!other_compression) fail("gzip that is cut off in its first bytes");
    throw InputError(name_, {}, "compressed in a way that is not read here (" + description_ + ")",
                     "plain text, gzip or bgzip");
  }
  // htslib decompresses gzip on the thread that reads.
  if (compression_ == 1 && options_.threads > 0)
    ahead_.emplace([this](char* to, std::size_t count) { return read_file(to, count); });
  if (compression_ == 2 && options_.threads > 0 &&
      bgzf_mt(bgzf_, static_cast<int>(std::min(options_.threads, max_threads)), blocks_per_thread) != 0) {
    bgzf_close(bgzf_);
    fail("no threads to decompress it: " + reason(errno));
  }
}

ByteSource::ByteSource(std::string_view bytes, std::string name) : name_(std::move(name)), memory_(bytes) {}

ByteSource::~ByteSource() {
  ahead_.reset();
  // read() has already reported relevant errors.
  if (bgzf_ != nullptr) bgzf_close(bgzf_);
}

std::size_t ByteSource::read(void* to, std::size_t size) {
  if (alignments_) return alignments_->read(static_cast<char*>(to), size);
  if (bgzf_ == nullptr) {
    const std::size_t count = memory_.copy(static_cast<char*>(to), size);
    memory_.remove_prefix(count);
    return count;
  }
  return ahead_ ? ahead_->read(static_cast<char*>(to), size) : read_file(to, size);
}

std::size_t ByteSource::read_file(void* to, std::size_t size) {
  errno = 0;
  // bgzf_read() would copy plain bytes twice.
  const ssize_t count = compression_ == 0 ? hread(bgzf_->fp, to, size) : bgzf_read(bgzf_, to, size);
  if (count > 0) return static_cast<std::size_t>(count);
  if (count == 0) {
    check_end();
    return 0;
  }
  const unsigned code = bgzf_->errcode;
  const std::string kind = compression_ == 1 ? "gzip" : "bgzip";
  if (compression_ == 0) fail("cannot be read: " + reason(errno == 0 ? EIO : errno));
  // htslib reports only the kind of a failed inflate: the input ended (IO), or is invalid (ZLIB, HEADER, CRC).
  if ((code & BGZF_ERR_IO) != 0) fail(kind + " that is cut off" + (errno != 0 ? " (" + reason(errno) + ")" : ""));
  if ((code & BGZF_ERR_CRC) != 0) fail(kind + " that is corrupt: its checksum does not fit");
  fail(kind + " that is corrupt, or followed by something else");
}

void ByteSource::check_end() const {
  if (compression_ != 2) return;
  // With threads htslib reports a truncated block as a normal end of file, but stores the error code. It also stores an
  // error code if plain gzip follows bgzip and reading continues as gzip; that case is valid.
  if (bgzf_->errcode != 0 && !bgzf_->is_gzip) fail("bgzip that is cut off");
  if (bgzf_->no_eof_block && !options_.allow_missing_bgzip_end)
    throw InputError(name_, {}, "bgzip that is cut off: its last block is missing");
}

double ByteSource::fraction() const noexcept {
  if (size_ == 0) return 0;
  // Uses the descriptor's position, since another thread may modify htslib's.
  const off_t position = lseek(descriptor_, 0, SEEK_CUR);
  return position <= 0 ? 0 : std::min(1.0, static_cast<double>(position) / static_cast<double>(size_));
}

void ByteSource::fail(const std::string& wrong) const { throw InputError(name_, {}, wrong); }

PipeToFile::PipeToFile(files::AtomicFile& file) : file_(file) {
  int ends[2];
  if (pipe(ends) != 0) file.fail("cannot be written", errno);
  reading_end_ = ends[0];
  writing_end_ = ends[1];
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  try {
    thread_ = std::thread([this] { drain(); });
  } catch (...) {
    close(reading_end_);
    close(writing_end_);
    throw;
  }
}

PipeToFile::~PipeToFile() {
  discarding_ = true;
  if (writing_end_ >= 0) close(writing_end_);
  if (thread_.joinable()) thread_.join();
  close(reading_end_);
}

int PipeToFile::take_writing_end() noexcept { return std::exchange(writing_end_, -1); }

void PipeToFile::check() const {
  if (failed_) std::rethrow_exception(failure_);
}

void PipeToFile::finish() {
  thread_.join();
  check();
}

void PipeToFile::drain() noexcept {
  try {
    std::vector<char> bytes(std::size_t{64} << 10);
    while (true) {
      const ssize_t count = read(reading_end_, bytes.data(), bytes.size());
      if (count == 0) return;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) file_.fail("cannot be written", errno);
      if (discarding_ || failed_) continue;
      try {
        file_.write({bytes.data(), static_cast<std::size_t>(count)});
      } catch (...) {
        failure_ = std::current_exception();
        failed_ = true;
      }
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_ = true;
  }
}

std::string read_text_file(const std::string& path) {
  ByteSource source(path, {});
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    const std::size_t count = source.read(text.data() + size, piece);
    text.resize(size + count);
    if (count == 0) return text;
  }
}

void for_each_line(const std::string& path, const std::function<void(std::string_view, std::uint64_t)>& use) {
  ByteSource source(path, {});
  std::vector<char> buffer(std::size_t{1} << 16);
  std::string part;  // of a line that begins in an earlier buffer
  std::uint64_t number = 0;
  const auto use_line = [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    use(line, ++number);
  };
  while (const std::size_t count = source.read(buffer.data(), buffer.size())) {
    std::string_view rest(buffer.data(), count);
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
      if (part.empty()) {
        use_line(rest.substr(0, end));
        continue;
      }
      part += rest.substr(0, end);
      use_line(part);
      part.clear();
    }
    part += rest;
  }
  if (!part.empty()) use_line(part);
}

}  // namespace genocl::io
