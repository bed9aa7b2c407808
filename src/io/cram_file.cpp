#include <fcntl.h>
#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "files/no_pipe_signal.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/alignment_header.hpp"
#include "io/bam_record.hpp"
#include "io/bgzip_encoder.hpp"
#include "io/cram_reference.hpp"
#include "io/htslib_log.hpp"
#include "io/record_file.hpp"

namespace genocl::io {
namespace {

struct DestroyHeader {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};

/// By htslib's writer, into a file that is ours.
class CramFile final : public RecordFile {
 public:
  CramFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : file_(path), record_(new_bam_record()) {
    static_cast<void>(BgzipEncoder(options.level, 0));  // which knows the levels there are
    if (!options.cram_reference.empty()) prepare_cram_reference(options.cram_reference, header.references);
    if (options.sort && !file_.special()) index_.emplace(path + ".crai");
    const std::string text = header_text(header, options.sort);
    header_.reset(sam_hdr_parse(text.size(), text.c_str()));
    if (!header_) throw std::bad_alloc();
    open();
    try {
      begin(options);
    } catch (...) {
      abandon();
      throw;
    }
  }
  ~CramFile() override { abandon(); }

  void add(std::string_view record) override {
    const auto guard = pipe_guard();
    read_native(record, *record_);
    errno = 0;
    if (sam_write1(cram_, header_.get(), record_.get()) < 0) fail();
  }

  void commit() override {
    const auto guard = pipe_guard();
    errno = 0;
    htsFile* const cram = cram_;
    cram_ = nullptr;
    if (hts_close(cram) < 0) fail();
    file_.commit();
    if (index_) index_->commit();
  }

 private:
  void open() {
    // A descriptor that htslib closes.
    descriptor_ = fcntl(file_.descriptor(), F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail();
    hFILE* const stream = hdopen(descriptor_, "w");
    if (stream == nullptr) {
      const int error = errno;
      close(descriptor_);
      file_.fail("cannot be written", error);
    }
    cram_ = hts_hopen(stream, file_.name().c_str(), "wc");
    if (cram_ != nullptr) return;
    const int error = errno;
    hclose_abruptly(stream);
    file_.fail("cannot be written", error == 0 ? EIO : error);
  }

  void begin(const AlignmentWriterOptions& options) {
    const auto guard = pipe_guard();
    errno = 0;
    if (hts_set_opt(cram_, HTS_OPT_COMPRESSION_LEVEL, options.level) < 0) fail();
    if (options.threads > 0 && hts_set_threads(cram_, static_cast<int>(options.threads)) < 0) fail();
    // Without a reference none is looked for either: htslib would ask the network.
    if (options.cram_reference.empty() ? hts_set_opt(cram_, CRAM_OPT_NO_REF, 1) < 0
                                       : hts_set_opt(cram_, CRAM_OPT_REFERENCE, options.cram_reference.c_str()) < 0)
      fail();
    if (sam_hdr_write(cram_, header_.get()) < 0) fail();
    if (!index_) return;
    index_name_ = "/dev/fd/" + std::to_string(index_->descriptor());
    if (sam_idx_init(cram_, header_.get(), 0, index_name_.c_str()) < 0) fail();
  }

  /// Closes what was begun. The end that htslib would write goes nowhere, so that no file looks whole that is not.
  void abandon() noexcept {
    if (cram_ == nullptr) return;
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
      dup2(nowhere, descriptor_);
      close(nowhere);
    }
    hts_close(cram_);
    cram_ = nullptr;
  }

  std::unique_ptr<files::NoPipeSignal> pipe_guard() const {
    return file_.special() ? std::make_unique<files::NoPipeSignal>() : nullptr;
  }

  [[noreturn]] void fail() const { file_.fail("cannot be written", errno == 0 ? EIO : errno); }

  SilentHtslib silent_;
  files::AtomicFile file_;
  std::optional<files::AtomicFile> index_;
  std::string index_name_;
  BamRecordPointer record_;
  std::unique_ptr<sam_hdr_t, DestroyHeader> header_;
  int descriptor_ = -1;
  htsFile* cram_ = nullptr;
};

}  // namespace

std::unique_ptr<RecordFile> make_cram_file(const std::string& path, const AlignmentHeader& header,
                                           const AlignmentWriterOptions& options) {
  return std::make_unique<CramFile>(path, header, options);
}

}  // namespace genocl::io
