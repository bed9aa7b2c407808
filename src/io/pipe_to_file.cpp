#include "io/pipe_to_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/error.hpp"

namespace genocl::io {

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

}  // namespace genocl::io
