#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "files/checksum.hpp"
#include "runtime/kernel/program_cache.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

// File: magic, key length, binary length, checksum of key and binary (64 bits each, this machine's byte order), key,
// binary.
constexpr std::uint64_t magic = 0x32504c434f4e4547;  // "GENOCLP2"
constexpr std::size_t header_words = 4;

std::uint64_t sum_of(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

std::uint64_t sum_of(const std::string& key, std::span<const unsigned char> binary) {
  return sum_of(key) * 3 + checksum(std::as_bytes(binary));
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::string(value) : std::string();
  };
  if (const std::string folder = variable("GENOCL_CACHE_DIR"); !folder.empty()) return folder;
  if (const std::string folder = variable("XDG_CACHE_HOME"); !folder.empty()) return fs::path(folder) / "genocl";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "genocl";
  return {};
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace

BinaryCache::BinaryCache() : folder_(cache_folder()) {}

fs::path BinaryCache::file_of(const std::string& key) const {
  // The name need not tell keys apart for certain: the whole key is in the file.
  return folder_ / (hex(sum_of(key)) + ".program");
}

std::optional<std::vector<unsigned char>> BinaryCache::load(const std::string& key) const {
  if (folder_.empty()) return {};
  const fs::path file = file_of(key);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::uint64_t header[header_words];
  if (bytes.size() < sizeof header) return {};
  std::memcpy(header, bytes.data(), sizeof header);
  const std::uint64_t body = bytes.size() - sizeof header;
  if (header[0] != magic || header[1] != key.size() || header[1] > body || header[2] != body - header[1]) return {};
  const char* stored_key = bytes.data() + sizeof header;
  if (std::memcmp(stored_key, key.data(), key.size()) != 0) return {};
  const char* binary = stored_key + key.size();
  std::vector<unsigned char> result(binary, binary + header[2]);
  if (header[3] != sum_of(key, result)) return {};
  return result;
}

void BinaryCache::store(const std::string& key, const std::vector<unsigned char>& binary) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;
  static std::atomic<unsigned> counter{0};
  const fs::path file = file_of(key);
  const fs::path temporary = file.string() + "." + std::to_string(::getpid()) + "." + std::to_string(counter++);
  const std::uint64_t header[header_words] = {magic, key.size(), binary.size(), sum_of(key, binary)};
  std::ofstream stream(temporary, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(header), sizeof header);
  stream.write(key.data(), static_cast<std::streamsize>(key.size()));
  stream.write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
  stream.close();
  if (stream) fs::rename(temporary, file, error);
  if (!stream || error) fs::remove(temporary, error);
}

}  // namespace genocl::runtime
