#include "genocl/io/alignment_writer.hpp"

#include <optional>

#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "io/alignment_format.hpp"
#include "io/alignment_header.hpp"
#include "io/bgzip_encoder.hpp"

namespace genocl::io {

struct AlignmentFormatter::State {
  State(std::shared_ptr<const AlignmentHeader> shared, AlignmentFormat format, int level)
      : header(std::move(shared)), lines(*header) {
    if (format != AlignmentFormat::bam) return;
    records.emplace();
    encoder.emplace(level, 0);
  }

  std::shared_ptr<const AlignmentHeader> header;
  SamLines lines;
  std::optional<BamRecords> records;
  std::optional<BgzipEncoder> encoder;
};

AlignmentFormatter::AlignmentFormatter(std::unique_ptr<State> state) : state_(std::move(state)) {}
AlignmentFormatter::AlignmentFormatter(AlignmentFormatter&&) noexcept = default;
AlignmentFormatter& AlignmentFormatter::operator=(AlignmentFormatter&&) noexcept = default;
AlignmentFormatter::~AlignmentFormatter() = default;

void AlignmentFormatter::add(const AlignmentRecord& record) {
  if (!state_->records) {
    state_->lines.add(record);
  } else {
    check_record(record, state_->header->references.size());
    state_->records->add(record);
  }
}

std::string AlignmentFormatter::take(std::string reuse) {
  if (!state_->records) {
    state_->lines.take(reuse);
    return reuse;
  }
  reuse.clear();
  for (const std::string& block : state_->encoder->encode(state_->records->bytes())) reuse += block;
  state_->records->clear();
  return reuse;
}

struct AlignmentWriter::State {
  std::shared_ptr<const AlignmentHeader> header;
  AlignmentFormat format;
  int level;
  OutputFile file;
};

namespace {

AlignmentFormat format_of(const std::string& path, AlignmentFormat wanted) {
  // Whoever reads the file goes by its name, and would take one for the other.
  const auto misnamed = [&](const char* what, const char* name) -> InputError {
    return {path, {}, std::string(what) + " under a name of " + name, "a name that fits, or the other format"};
  };
  if (path.ends_with(".cram")) throw InputError(path, {}, "CRAM is not written", "a name that ends in .sam or .bam");
  const bool bam = path.ends_with(".bam");
  if (wanted == AlignmentFormat::sam && bam) throw misnamed("SAM", "BAM");
  if (wanted == AlignmentFormat::bam && (path.ends_with(".sam") || path.ends_with(".sam.gz")))
    throw misnamed("BAM", "SAM");
  if (wanted != AlignmentFormat::by_name) return wanted;
  return bam ? AlignmentFormat::bam : AlignmentFormat::sam;
}

}  // namespace

AlignmentWriter::AlignmentWriter(const std::string& path, AlignmentHeader header,
                                 const AlignmentWriterOptions& options) {
  check_header(header);
  const AlignmentFormat format = format_of(path, options.format);
  const bool bam = format == AlignmentFormat::bam;
  state_ = std::make_unique<State>(
      State{std::make_shared<const AlignmentHeader>(std::move(header)), format, options.level,
            OutputFile(path, {.compression = bam ? Compression::none : Compression::by_name, .level = options.level})});
  if (!bam) {
    state_->file.write(header_text(*state_->header));
    return;
  }
  BgzipEncoder encoder(options.level, 0);
  for (const std::string& block : encoder.encode(bam_header(*state_->header))) state_->file.write(block);
}

AlignmentWriter::AlignmentWriter(AlignmentWriter&&) noexcept = default;
AlignmentWriter& AlignmentWriter::operator=(AlignmentWriter&&) noexcept = default;
AlignmentWriter::~AlignmentWriter() = default;

AlignmentFormat AlignmentWriter::format() const noexcept { return state_->format; }

AlignmentFormatter AlignmentWriter::formatter() const {
  return AlignmentFormatter(std::make_unique<AlignmentFormatter::State>(state_->header, state_->format, state_->level));
}

void AlignmentWriter::append(std::string_view formatted) { state_->file.write(formatted); }

void AlignmentWriter::commit() {
  if (state_->format == AlignmentFormat::bam) state_->file.write(BgzipEncoder(state_->level, 0).end());
  state_->file.commit();
}

}  // namespace genocl::io
