#include "io/cram.hpp"

#include <htslib/cram.h>
#include <htslib/faidx.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/bam_record.hpp"
#include "io/byte_source.hpp"
#include "io/htslib_log.hpp"
#include "io/sorted_bam_file.hpp"

namespace genocl::io {
namespace {

struct DestroyFai {
  void operator()(faidx_t* fai) const noexcept { fai_destroy(fai); }
};

[[noreturn]] void refuse(const std::string& fasta) {
  throw InputError(fasta, {}, "cannot be looked into as the reference of CRAM",
                   "FASTA, plain or by bgzip and not gzip, with lines of one length in each contig");
}

std::string name_of(const files::AtomicFile& file) { return "/dev/fd/" + std::to_string(file.descriptor()); }

/// Creates each index file atomically, so that no truncated one appears.
void make_fai(const std::string& fasta, bool compressed) {
  files::AtomicFile fai(fasta + ".fai");
  std::optional<files::AtomicFile> gzi;
  if (compressed) gzi.emplace(fasta + ".gzi");
  if (fai_build3(fasta.c_str(), name_of(fai).c_str(), compressed ? name_of(*gzi).c_str() : nullptr) != 0) refuse(fasta);
  if (gzi) gzi->commit();
  fai.commit();
}

}  // namespace

void prepare_cram_reference(const std::string& fasta, std::span<const AlignmentHeader::Reference> references) {
  const SilentHtslib silent;
  std::ifstream file(fasta, std::ios::binary);
  std::error_code error;
  // htslib would fetch a remote name; this program does not.
  if (!file || !std::filesystem::is_regular_file(fasta, error) || hisremote(fasta.c_str()) != 0)
    throw InputError(fasta, {}, "cannot be opened as the reference of CRAM", "a regular file of FASTA");
  constexpr int gzip = 0x1f;
  const bool compressed = file.peek() == gzip;
  if (!std::filesystem::exists(fasta + ".fai") || (compressed && !std::filesystem::exists(fasta + ".gzi")))
    make_fai(fasta, compressed);
  const std::unique_ptr<faidx_t, DestroyFai> fai(fai_load3(fasta.c_str(), nullptr, nullptr, 0));
  if (!fai) refuse(fasta);
  for (const auto& [name, length] : references) {
    const int found = faidx_seq_len(fai.get(), name.c_str());
    if (found < 0) throw InputError(fasta, {}, "no contig " + name + " in it", "the reference that was mapped to");
    if (static_cast<std::uint64_t>(found) != length)
      throw InputError(fasta, {}, "contig " + name + " has " + std::to_string(found) + " bases",
                       std::to_string(length) + ", as in the reference that was mapped to");
  }
}

namespace {

constexpr unsigned max_cram_threads = 256;

struct DestroyHeader {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};

/// Writes CRAM with htslib into an AtomicFile.
class CramFile final : public RecordFile {
 public:
  CramFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : file_(path), record_(new_bam_record()) {
    static_cast<void>(BgzipEncoder(options.level, 0));  // checks the level
    if (!options.cram_reference.empty()) prepare_cram_reference(options.cram_reference, header.references);
    if (options.sort && !file_.special()) index_.emplace(path + ".crai");
    const std::string text = sam::header_text(header, options.sort);
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
    file_.commit(files::AtomicFile::Sync::nothing);
    if (index_) index_->commit(files::AtomicFile::Sync::nothing);
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
    // At least one thread: htslib's codecs keep memory per thread until it ends, and the caller's thread may live until
    // the end of the process.
    if (hts_set_threads(cram_, static_cast<int>(std::clamp(options.threads, 1u, max_cram_threads))) < 0) fail();
    // Without a reference, lookup is disabled: htslib would access the network.
    if (options.cram_reference.empty() ? hts_set_opt(cram_, CRAM_OPT_NO_REF, 1) < 0
                                       : hts_set_opt(cram_, CRAM_OPT_REFERENCE, options.cram_reference.c_str()) < 0)
      fail();
    if (sam_hdr_write(cram_, header_.get()) < 0) fail();
    if (!index_) return;
    index_name_ = "/dev/fd/" + std::to_string(index_->descriptor());
    if (sam_idx_init(cram_, header_.get(), 0, index_name_.c_str()) < 0) fail();
  }

  /// Closes an incomplete file. Discards the end marker that htslib writes, so that the file does not appear complete.
  void abandon() noexcept {
    if (cram_ == nullptr) return;
    pipe_->discard();
    hts_close(std::exchange(cram_, nullptr));
  }

  /// The file cannot be the cause: its write errors are hidden from htslib.
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
