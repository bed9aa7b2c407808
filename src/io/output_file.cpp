#include "genocl/io/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <optional>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/sorted_bam_file.hpp"

namespace genocl::io {
namespace {

constexpr std::size_t plain_buffer_size = std::size_t{256} << 10;

Compression compression_of(const std::string& path, Compression wanted) {
  if (wanted != Compression::by_name) return wanted;
  for (const char* ending : {".gz", ".bgz", ".bgzf"})
    if (path.ends_with(ending)) return Compression::bgzip;
  return Compression::none;
}

}  // namespace

struct OutputFile::State {
  enum class Status { open, failed, committed, shared };

  State(const std::string& path, const OutputOptions& options);

  void write(std::string_view text);
  void flush();

  files::AtomicFile file;
  std::optional<BgzipEncoder> encoder;
  std::size_t capacity = plain_buffer_size;
  std::string buffer;
  std::uint64_t bytes = 0;
  Status status = Status::open;
};

OutputFile::State::State(const std::string& path, const OutputOptions& options) : file(path, !options.named) {
  if (compression_of(path, options.compression) == Compression::bgzip) {
    encoder.emplace(options.level, options.threads);
    capacity = encoder->portion();
  }
  buffer.reserve(capacity);
}

/// Passes on only full buffers, so that every bgzip block except the last is full.
void OutputFile::State::write(std::string_view text) {
  bytes += text.size();
  if (!encoder && text.size() >= capacity) {  // large text needs no buffer
    flush();
    file.write(text);
    return;
  }
  while (text.size() > capacity - buffer.size()) {
    const std::size_t count = capacity - buffer.size();
    buffer += text.substr(0, count);
    text.remove_prefix(count);
    flush();
  }
  buffer += text;
}

void OutputFile::State::flush() {
  if (encoder)
    for (const std::string& block : encoder->encode(buffer)) file.write(block);
  else
    file.write(buffer);
  buffer.clear();
}

OutputFile::OutputFile(const std::string& path, const OutputOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view bytes) {
  State& state = *state_;
  if (state.status != State::Status::open)
    throw InputError(file(), {}, "written to after it was finished or has failed");
  state.status = State::Status::failed;  // until this succeeds
  state.write(bytes);
  state.status = State::Status::open;
}

std::optional<SharedOutput> OutputFile::share() {
  State& state = *state_;
  if (state.status != State::Status::open || state.encoder || state.file.special() || state.file.temporary().empty())
    return std::nullopt;
  state.flush();
  state.status = State::Status::shared;
  return SharedOutput{state.file.temporary(), state.bytes};
}

void OutputFile::take_back(std::uint64_t end) {
  State& state = *state_;
  if (state.status != State::Status::shared) throw InputError(file(), {}, "taken back though it was not shared");
  if (lseek(state.file.descriptor(), static_cast<off_t>(end), SEEK_SET) < 0)
    state.file.fail("cannot be written", errno);
  state.bytes = end;
  state.status = State::Status::open;
}

void OutputFile::commit() {
  State& state = *state_;
  if (state.status != State::Status::open) throw InputError(file(), {}, "finished twice, or after it has failed");
  state.status = State::Status::failed;
  state.flush();
  if (state.encoder) state.file.write(state.encoder->end());
  state.file.commit(files::AtomicFile::Sync::nothing);
  state.status = State::Status::committed;
}

const std::string& OutputFile::file() const noexcept { return state_->file.name(); }
std::uint64_t OutputFile::bytes() const noexcept { return state_->bytes; }

}  // namespace genocl::io
