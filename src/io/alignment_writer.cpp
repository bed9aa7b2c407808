#include <filesystem>
#include <optional>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "io/alignment_format.hpp"
#include "io/bam_record.hpp"
#include "io/record_sorter.hpp"
#include "io/sorted_bam_file.hpp"

namespace genocl::io {

namespace {

class SamFile final : public RecordFile {
 public:
  SamFile(const std::string& path, const AlignmentHeader& header, const AlignmentWriterOptions& options)
      : file_(path, {.level = options.level, .threads = options.threads}) {
    file_.write(sam::header_text(header, options.sort));
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

struct AlignmentFormatter::State {
  State(std::shared_ptr<const AlignmentHeader> shared, AlignmentFormat format, int level, bool tabled)
      : header(std::move(shared)), line_maker(*header), with_table(tabled), native(format == AlignmentFormat::cram) {
    if (format == AlignmentFormat::sam) return;
    maker.emplace();
    if (!with_table) encoder.emplace(level, 0);
  }

  std::shared_ptr<const AlignmentHeader> header;
  sam::LineFormatter line_maker;
  std::optional<BamRecordMaker> maker;  // if present, records are BAM records instead of lines
  std::string bytes;
  std::optional<BgzipEncoder> encoder;
  bool with_table;  // the writer processes single records
  bool native;      // in htslib's memory format
  std::vector<FormattedRecord> table;
};

AlignmentFormatter::AlignmentFormatter(std::unique_ptr<State> state) : state_(std::move(state)) {}
AlignmentFormatter::AlignmentFormatter(AlignmentFormatter&&) noexcept = default;
AlignmentFormatter& AlignmentFormatter::operator=(AlignmentFormatter&&) noexcept = default;
AlignmentFormatter::~AlignmentFormatter() = default;

void AlignmentFormatter::add(const AlignmentRecord& record) {
  State& state = *state_;
  const std::size_t before = state.bytes.size();
  if (state.maker) {
    sam::check_record(record, state.header->references.size());
    const bam1_t& made = state.maker->make(record);
    state.native ? append_native(made, state.bytes) : append_bam(made, state.bytes);
  } else {
    state.line_maker.append(record, state.bytes);
  }
  if (state.with_table) state.table.push_back({coordinate_key(record), state.bytes.size() - before});
}

std::string AlignmentFormatter::take(std::string reuse) {
  State& state = *state_;
  if (state.encoder) {
    reuse.clear();
    for (const std::string& block : state.encoder->encode(state.bytes)) reuse += block;
    state.bytes.clear();
  } else {
    reuse.swap(state.bytes);
    state.bytes.clear();
  }
  if (state.with_table) append_table(state.table, reuse);
  state.table.clear();
  return reuse;
}

struct AlignmentWriter::State {
  std::shared_ptr<const AlignmentHeader> header;
  AlignmentFormat format;
  int level;
  std::string path;
  // Either `file` receives the formatted text, or `records` receives single records.
  std::optional<OutputFile> file;
  std::unique_ptr<RecordFile> records;
  std::optional<RecordSorter> sorter;
  bool open = true;  // `records` accepts more records
};

namespace {

AlignmentFormat format_of(const std::string& path, AlignmentFormat wanted) {
  // Readers use the extension and would assume the wrong format.
  const auto misnamed = [&](const char* what, const char* name) -> InputError {
    return {path, {}, std::string(what) + " under a name of " + name, "a name that fits, or the other format"};
  };
  const bool bam = path.ends_with(".bam"), cram = path.ends_with(".cram");
  const bool sam = path.ends_with(".sam") || path.ends_with(".sam.gz");
  const char* const name = sam ? "SAM" : bam ? "BAM" : "CRAM";
  if (wanted == AlignmentFormat::sam && (bam || cram)) throw misnamed("SAM", name);
  if (wanted == AlignmentFormat::bam && (sam || cram)) throw misnamed("BAM", name);
  if (wanted == AlignmentFormat::cram && (sam || bam)) throw misnamed("CRAM", name);
  if (wanted != AlignmentFormat::by_name) return wanted;
  return bam ? AlignmentFormat::bam : cram ? AlignmentFormat::cram : AlignmentFormat::sam;
}

/// Returns the folder of a regular file; empty for other files.
std::string folder_beside(const std::string& path) {
  std::error_code error;
  if (path == "-" || (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)))
    return {};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

AlignmentWriter::AlignmentWriter(const std::string& path, AlignmentHeader header,
                                 const AlignmentWriterOptions& options) {
  sam::check_header(header);
  const AlignmentFormat format = format_of(path, options.format);
  const bool bam = format == AlignmentFormat::bam;
  state_ = std::make_unique<State>();
  State& state = *state_;
  state.header = std::make_shared<const AlignmentHeader>(std::move(header));
  state.format = format;
  state.level = options.level;
  state.path = path;
  if (format == AlignmentFormat::cram)
    state.records = make_cram_file(path, *state.header, options);
  else if (options.sort)
    state.records = (bam ? make_sorted_bam_file : make_sam_file)(path, *state.header, options);
  if (options.sort) state.sorter.emplace(options.sort_memory, folder_beside(path), options.threads);
  if (state.records) return;
  state.file.emplace(path, OutputOptions{.compression = bam ? Compression::none : Compression::by_name,
                                         .level = options.level,
                                         .named = options.named});
  if (!bam) {
    state.file->write(sam::header_text(*state.header, false));
    return;
  }
  BgzipEncoder encoder(options.level, 0);
  for (const std::string& block : encoder.encode(bam_header(*state.header, false))) state.file->write(block);
}

AlignmentWriter::AlignmentWriter(AlignmentWriter&&) noexcept = default;
AlignmentWriter& AlignmentWriter::operator=(AlignmentWriter&&) noexcept = default;
AlignmentWriter::~AlignmentWriter() = default;

AlignmentFormat AlignmentWriter::format() const noexcept { return state_->format; }

AlignmentFormatter AlignmentWriter::formatter() const {
  return AlignmentFormatter(std::make_unique<AlignmentFormatter::State>(state_->header, state_->format, state_->level,
                                                                        state_->records != nullptr));
}

void AlignmentWriter::append(std::string_view formatted) {
  State& state = *state_;
  if (state.file) return state.file->write(formatted);
  if (!state.open) throw InputError(state.path, {}, "written to after it was finished or has failed");
  state.open = false;  // unless this succeeds
  for_each_record(formatted, [&](std::uint64_t key, std::string_view record) {
    state.sorter ? state.sorter->add(key, record) : state.records->add(record);
  });
  state.open = true;
}

std::optional<SharedOutput> AlignmentWriter::share() {
  if (!state_->file) return std::nullopt;
  return state_->file->share();
}

void AlignmentWriter::take_back(std::uint64_t end) { state_->file->take_back(end); }

void AlignmentWriter::commit() {
  State& state = *state_;
  if (state.file) {
    if (state.format == AlignmentFormat::bam) state.file->write(BgzipEncoder(state.level, 0).end());
    return state.file->commit();
  }
  if (!state.open) throw InputError(state.path, {}, "finished twice, or after it has failed");
  state.open = false;
  if (state.sorter) state.sorter->finish([&](std::string_view record) { state.records->add(record); });
  state.sorter.reset();
  state.records->commit();
}

}  // namespace genocl::io
