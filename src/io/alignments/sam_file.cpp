#include "genocl/io/output_file.hpp"
#include "io/alignments/alignment_header.hpp"
#include "io/alignments/record_file.hpp"

namespace genocl::io {
namespace {

class SamFile final : public RecordFile {
 public:
  SamFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : file_(path, {.level = options.level, .threads = options.threads}) {
    file_.write(header_text(header, options.sort));
  }
  void add(std::string_view record) override { file_.write(record); }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<RecordFile> make_sam_file(const std::string& path, const AlignmentHeader& header,
                                          const AlignmentWriterOptions& options) {
  return std::make_unique<SamFile>(path, header, options);
}

}  // namespace genocl::io
