#include "fuzz.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "genocl/error.hpp"

// What the programs' readers say of repaired input begins with it.
namespace program {
extern const char* const program_name;
const char* const program_name = "fuzz";
}  // namespace program

namespace fuzz {

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << '\n';
  std::abort();
}

const std::string& scratch(const char* ending) {
  static const std::string folder = [] {
    std::string name = std::filesystem::exists("/dev/shm") ? "/dev/shm/genocl-fuzz-XXXXXX" : "/tmp/genocl-fuzz-XXXXXX";
    require(mkdtemp(name.data()) != nullptr, "a temporary folder");
    static std::string to_remove;
    to_remove = name;
    std::atexit([] { std::filesystem::remove_all(to_remove); });
    return name;
  }();
  static std::string name;
  return name = folder + "/file" + ending;
}

const std::string& written(std::string_view bytes, const char* ending) {
  const std::string& path = scratch(ending);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

bool reads(std::string_view file, const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const genocl::InputError& error) {
    const std::string message = error.what();
    require(message.starts_with(file), ("the error names the file: " + message).c_str());
    require(message.find('\n') == std::string::npos, ("the error is one line: " + message).c_str());
    return false;
  }
}

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);   // NOLINT: the name is libFuzzer\'s
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT: the name is libFuzzer\'s
  fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
