#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/platform.hpp"
#include "runtime/sha256.hpp"

namespace genocl::runtime {
namespace {

// FIPS 180-4, sections 4.2.2 and 5.3.3.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constexpr std::array<std::uint32_t, 8> initial_state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::size_t block_bytes = 64;

void add_block(std::array<std::uint32_t, 8>& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> schedule;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned char* word = block + 4 * i;
    schedule[i] = std::uint32_t{word[0]} << 24 | std::uint32_t{word[1]} << 16 | std::uint32_t{word[2]} << 8 | word[3];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t x = schedule[i - 15], y = schedule[i - 2];
    schedule[i] = schedule[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + schedule[i - 7] +
                  (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                round_constants[i] + schedule[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<std::uint32_t, 8> state = initial_state;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t done = 0;
  for (; bytes.size() - done >= block_bytes; done += block_bytes) add_block(state, data + done);

  // Padding: a one bit, zeros, and the number of bits in the last eight bytes.
  std::array<unsigned char, 2 * block_bytes> last = {};
  const std::size_t rest = bytes.size() - done;
  std::copy_n(data + done, rest, last.begin());
  last[rest] = 0x80;
  const std::size_t end = rest + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) last[end - 1 - i] = static_cast<unsigned char>(bits >> 8 * i);
  for (std::size_t at = 0; at < end; at += block_bytes) add_block(state, last.data() + at);

  std::string text;
  for (const std::uint32_t word : state)
    for (unsigned shift = 32; shift > 0; shift -= 4) text.push_back("0123456789abcdef"[word >> (shift - 4) & 15]);
  return text;
}

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

fs::path loaded_file() { return platform::file_of_code(reinterpret_cast<const void*>(&loaded_file)); }

[[noreturn]] void fail(const std::string& wrong) { throw BuildError("kernel sources", {}, 0, {}, wrong); }

// The first line of a file; empty if absent.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

class Manifest {
 public:
  void add(std::string path, std::string_view text) { lines_.emplace_back(std::move(path), sha256(text)); }
  std::string stamp() {
    std::sort(lines_.begin(), lines_.end());
    std::string text;
    for (const auto& [path, hash] : lines_) text.append(hash).append("  ").append(path).push_back('\n');
    return sha256(text);
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

void check_stamp(const fs::path& folder, const KernelPlaces& places) {
  const std::string found = kernel_stamp(folder);
  if (found == places.stamp) return;
  const std::string library = places.loaded.string();
  const std::string way_out = "; install both anew from one build, or set GENOCL_KERNEL_DIR to run these all the same";
  if (first_line(folder / "stamp") == places.stamp)
    fail(folder.string() + " was changed after it was installed with " + library + way_out);
  fail(folder.string() + " belongs to another genocl than " + library + " (stamp " + found.substr(0, 12) +
       " instead of " + std::string(places.stamp.substr(0, 12)) + ")" + way_out);
}

}  // namespace

KernelPlaces KernelPlaces::here() {
  const char* given = std::getenv("GENOCL_KERNEL_DIR");
  return {given != nullptr ? given : "", loaded_file(), build_tree_name(), built_stamp(), !embedded_kernels().empty()};
}

std::string kernel_stamp(const fs::path& folder) {
  Manifest manifest;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cl" && path.extension() != ".clh") continue;
      std::ifstream stream(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      if (!stream.is_open() || stream.bad()) fail(path.string() + " cannot be read");
      manifest.add(path.lexically_relative(folder).generic_string(), text);
    }
  } catch (const fs::filesystem_error& error) {
    fail(folder.string() + " cannot be read: " + error.code().message());
  }
  return manifest.stamp();
}

std::string kernel_stamp(std::span<const EmbeddedKernel> kernels) {
  Manifest manifest;
  for (const EmbeddedKernel& kernel : kernels) manifest.add(std::string(kernel.path), kernel.text);
  return manifest.stamp();
}

KernelSources KernelSources::locate(const KernelPlaces& places) {
  if (!places.given.empty()) {
    if (!is_folder(places.given))
      throw InputError("GENOCL_KERNEL_DIR", places.given, "is not a folder", "a folder laid out like genocl's cl/");
    return KernelSources(places.given, {"GENOCL_KERNEL_DIR=" + places.given});
  }

  std::vector<std::string> tried;
  const fs::path beside = places.loaded.parent_path();
  if (!beside.empty()) {
    // The build tree has the structure of an installation, with a link to the sources in place of the kernels and a
    // file with its name. A program copied here from another build has another name and does not use the link.
    const fs::path share = (beside / "../share/genocl").lexically_normal();
    if (!places.build_tree.empty() && first_line(share / "build-tree") == places.build_tree) {
      tried.push_back((share / "cl").string());
      if (is_folder(share / "cl")) return KernelSources(share / "cl", tried);
    }
  }
  tried.emplace_back("the copy built into genocl");
  if (places.embedded) return KernelSources({}, tried);
  if (!beside.empty()) {
    // GENOCL_KERNELS_FROM_LIBRARY: the configured path from the library's folder to the kernels'.
    for (const char* way : {GENOCL_KERNELS_FROM_LIBRARY, "../share/genocl/cl", "../../share/genocl/cl"}) {
      const fs::path folder = (beside / way).lexically_normal();
      if (std::find(tried.begin(), tried.end(), folder.string()) != tried.end()) continue;
      tried.push_back(folder.string());
      if (!is_folder(folder)) continue;
      check_stamp(folder, places);
      return KernelSources(folder, tried);
    }
  }
  std::string all;
  for (const std::string& place : tried) all += (all.empty() ? "" : ", ") + place;
  fail("none found; tried " + all + "; set GENOCL_KERNEL_DIR to genocl's cl/ folder");
}

KernelSources KernelSources::locate() { return locate(KernelPlaces::here()); }

}  // namespace genocl::runtime
