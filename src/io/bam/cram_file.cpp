#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/alignments/alignment_header.hpp"
#include "io/alignments/bam_record.hpp"
#include "io/alignments/record_file.hpp"
#include "io/bam/bgzip_encoder.hpp"
#include "io/bam/cram_reference.hpp"
#include "io/htslib_log.hpp"
#include "io/pipe_to_file.hpp"

namespace genocl::io {
namespace {

constexpr unsigned most_threads = 256;

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
    pipe_.emplace(file_);
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
    pipe_->check();
    read_native(record, *record_);
    if (sam_write1(cram_, header_.get(), record_.get()) < 0) fail();
  }

  void commit() override {
    if (hts_close(std::exchange(cram_, nullptr)) < 0) fail();
    pipe_->finish();
    file_.commit();
    if (index_) index_->commit();
  }

 private:
  void open() {
    const int end = pipe_->take_writing_end();
    hFILE* const stream = hdopen(end, "w");
    if (stream == nullptr) {
      close(end);
      fail();
    }
    cram_ = hts_hopen(stream, file_.name().c_str(), "wc");
    if (cram_ != nullptr) return;
    hclose_abruptly(stream);
    fail();
  }

  void begin(const AlignmentWriterOptions& options) {
    if (hts_set_opt(cram_, HTS_OPT_COMPRESSION_LEVEL, options.level) < 0) fail();
    // One at least: what htslib's codecs keep for a thread goes with it, and the caller's may be there to the end.
    if (hts_set_threads(cram_, static_cast<int>(std::clamp(options.threads, 1u, most_threads))) < 0) fail();
    // Without a reference none is looked for either: htslib would ask the network.
    if (options.cram_reference.empty() ? hts_set_opt(cram_, CRAM_OPT_NO_REF, 1) < 0
                                       : hts_set_opt(cram_, CRAM_OPT_REFERENCE, options.cram_reference.c_str()) < 0)
      fail();
    if (sam_hdr_write(cram_, header_.get()) < 0) fail();
    if (!index_) return;
    index_name_ = "/dev/fd/" + std::to_string(index_->descriptor());
    if (sam_idx_init(cram_, header_.get(), 0, index_name_.c_str()) < 0) fail();
  }

  /// Closes what was begun. The end that htslib writes goes nowhere, so that nothing looks whole that is not.
  void abandon() noexcept {
    if (cram_ == nullptr) return;
    pipe_->discard();
    hts_close(std::exchange(cram_, nullptr));
  }

  /// What htslib fails at is not the file, which cannot be seen to fail.
  [[noreturn]] void fail() const { throw Error(file_.name() + ": htslib could not write CRAM"); }

  SilentHtslib silent_;
  files::AtomicFile file_;
  std::optional<files::AtomicFile> index_;
  std::string index_name_;
  BamRecordPointer record_;
  std::unique_ptr<sam_hdr_t, DestroyHeader> header_;
  std::optional<PipeToFile> pipe_;
  htsFile* cram_ = nullptr;
};

}  // namespace

std::unique_ptr<RecordFile> make_cram_file(const std::string& path, const AlignmentHeader& header,
                                           const AlignmentWriterOptions& options) {
  return std::make_unique<CramFile>(path, header, options);
}

}  // namespace genocl::io
