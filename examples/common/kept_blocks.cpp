#include "common/kept_blocks.hpp"

#include <sys/stat.h>

#include "genocl/error.hpp"
#include "genocl/packing.hpp"
#include "genocl/version.hpp"

namespace program {

std::string folder_of_blocks(const std::string& output) {
  if (output.empty() || output == "-")
    throw genocl::InputError("--resume", {}, "an output without a name", "-o FILE, beside which blocks are kept");
  return output + ".blocks";
}

std::string job_text(const std::string& command_line, const std::vector<std::string>& inputs) {
  std::string text = "genocl " GENOCL_VERSION "\n" + command_line + "\n";
  for (const std::string& input : inputs) {
    struct stat status {};
    if (input.empty()) continue;
    if (input == "-") throw genocl::InputError("--resume", {}, "standard input, which cannot be read again", "a file");
    if (stat(input.c_str(), &status) != 0) continue;  // the reader of the file reports it
#if defined(__APPLE__)
    const timespec changed = status.st_mtimespec;
#else
    const timespec changed = status.st_mtim;
#endif
    text += input + " " + std::to_string(status.st_size) + " " + std::to_string(changed.tv_sec) + "." +
            std::to_string(changed.tv_nsec) + "\n";
  }
  return text;
}

std::uint64_t KeptBlocks::take() {
  while (true) {
    const std::uint64_t block = blocks_->take();
    const bool kept = log_.has(first_ + block);
    const std::lock_guard lock(mutex_);
    taken_.push_back({block, kept});
    if (!kept) return block;
  }
}

void KeptBlocks::put_kept() {
  while (true) {
    std::uint64_t block = 0;
    {
      const std::lock_guard lock(mutex_);
      if (taken_.empty() || !taken_.front().kept) return;
      block = taken_.front().block;
      taken_.pop_front();
    }
    const std::optional<std::string> kept = log_.read(first_ + block);
    if (!kept)
      throw genocl::InputError("--resume", {}, "a finished block is damaged",
                               "that its folder is removed: begin again");
    genocl::Unpacker both(*kept);
    const std::string_view head = both.next_text();
    blocks_->put(block, head, both.next_text());
  }
}

void KeptBlocks::put(std::uint64_t block, std::string_view head, std::string_view bytes) {
  put_kept();
  {
    const std::lock_guard lock(mutex_);
    if (taken_.empty() || taken_.front().block != block) throw genocl::Error("a block that was not taken");
    taken_.pop_front();
  }
  genocl::Packer both;
  both.add_text(head);
  both.add_text(bytes);
  log_.add(first_ + block, both.take());
  blocks_->put(block, head, bytes);
  put_kept();
}

void KeptBlocks::finish() {
  put_kept();
  blocks_->finish();
}

}  // namespace program
