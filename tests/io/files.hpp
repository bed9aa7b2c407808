// Files for tests, written with zlib, htslib and the C++ library: none of it through what is tested.
#pragma once

#include <doctest/doctest.h>
#include <htslib/bgzf.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace genocl_test {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "genocl-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }
  /// Files and folders in it, hidden ones included.
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

inline const std::string& write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  REQUIRE(out.good());
  return path;
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

inline const std::string& write_gzip(const std::string& path, std::string_view bytes) {
  gzFile out = gzopen(path.c_str(), "wb1");
  REQUIRE(out != nullptr);
  if (!bytes.empty()) REQUIRE(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())) > 0);
  REQUIRE(gzclose(out) == Z_OK);
  return path;
}

inline const std::string& write_bgzip(const std::string& path, std::string_view bytes) {
  BGZF* out = bgzf_open(path.c_str(), "w1");
  REQUIRE(out != nullptr);
  REQUIRE(bgzf_write(out, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  REQUIRE(bgzf_close(out) == 0);
  return path;
}

/// Of a plain or gzipped file, by zlib.
inline std::string contents(const std::string& path) {
  gzFile in = gzopen(path.c_str(), "rb");
  REQUIRE(in != nullptr);
  std::string all, part(1 << 16, ' ');
  int count = 0;
  while ((count = gzread(in, part.data(), static_cast<unsigned>(part.size()))) > 0)
    all.append(part, 0, static_cast<std::size_t>(count));
  CHECK(count == 0);
  CHECK(gzclose(in) == Z_OK);
  return all;
}

/// What reading the file complains of; empty when it does not.
/// Reads the file by SequenceReader::take(), so many records at a time, and readers of what that gives.
inline genocl::SequenceSet read_through_texts(const std::string& path, const genocl::io::ReadOptions& options,
                                              const genocl::BatchLimits& limits) {
  genocl::io::SequenceReader reader(path, options);
  genocl::SequenceSet all;
  genocl::io::RecordText text;
  while (reader.take(text, limits)) {
    CHECK(text.records() <= std::max<std::uint64_t>(limits.records, 1));
    genocl::io::SequenceReader parser(text, options);
    const std::size_t before = all.size();
    parser.append(all);
    CHECK(all.size() == before + text.records());
    CHECK(parser.records() == reader.records());
  }
  CHECK(text.records() == 0);
  CHECK_FALSE(reader.take(text, limits));
  return all;
}

inline std::string complaint_about(const std::string& path, const genocl::io::ReadOptions& options = {}) {
  std::string through_texts;
  if (std::error_code error; fs::is_regular_file(path, error)) {
    try {
      read_through_texts(path, options, {.records = 2});
    } catch (const genocl::InputError& complaint) {
      through_texts = complaint.what();
    }
  }
  try {
    genocl::io::read_sequences(path, options);
    CHECK(through_texts.empty());
  } catch (const genocl::InputError& error) {
    const std::string message = error.what();
    // How much htslib's threads give before an error differs from time to time.
    if (!through_texts.empty() && options.threads == 0) CHECK(through_texts == message);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(error.file() == (path == "-" ? "standard input" : path));
    CHECK(message.starts_with(error.file()));
    return message.substr(error.file().size());
  }
  return {};
}

/// In place of one of the process's own descriptors, for the scope.
class Redirected {
 public:
  Redirected(int descriptor, int replacement) : descriptor_(descriptor), saved_(dup(descriptor)) {
    REQUIRE(dup2(replacement, descriptor) == descriptor);
  }
  ~Redirected() {
    dup2(saved_, descriptor_);
    close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_, saved_;
};

}  // namespace genocl_test
