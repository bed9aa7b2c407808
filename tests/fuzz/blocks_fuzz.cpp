// Any bytes as what earlier runs have left of a long job: blocks that are whole, and none else; the log goes on.
#include <filesystem>
#include <fstream>

#include "fuzz.hpp"
#include "genocl/files.hpp"

void fuzz::check(std::string_view bytes) {
  const std::string folder = scratch(".log");
  genocl::files::BlockLog(folder, "a job").remove();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/job", std::ios::binary) << "a job";
  std::ofstream(folder + "/1.blocks", std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  reads(folder, [&] {
    {
      genocl::files::BlockLog log(folder, "a job");
      require(log.found() <= bytes.size() / 32, "every block takes room");
      for (std::uint64_t block = 0; block < 8; ++block) {
        const auto found = log.read(block);
        require(!found || (log.has(block) && found->size() <= bytes.size()), "a block was in the file");
      }
      log.add(3, "three");
    }
    genocl::files::BlockLog log(folder, "a job");
    require(log.has(3), "what was added is there");
  });
}
