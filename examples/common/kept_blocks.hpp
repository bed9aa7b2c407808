// Resumable jobs: finished blocks are stored in a folder, and the next run continues after them.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/team.hpp"
#include "genocl/files.hpp"

namespace program {

/// Returns the folder next to an output in which its blocks are stored. Throws InputError for an output without a name.
std::string folder_of_blocks(const std::string& output);

/// Returns a text that identifies a job: the command line, and sizes and times of the inputs. Empty names are ignored.
std::string job_text(const std::string& command_line, const std::vector<std::string>& inputs);

/// Stores blocks in a log when they are put, and puts the blocks that an earlier run stored. Several KeptBlocks share a
/// log one after another; `first` is the number of the first block of this one.
class KeptBlocks : public Blocks {
 public:
  KeptBlocks(std::unique_ptr<Blocks> blocks, genocl::files::BlockLog& log, std::uint64_t first = 0)
      : blocks_(std::move(blocks)), log_(log), first_(first) {}

  std::uint64_t take() override;
  void put(std::uint64_t block, std::string_view head, std::string_view bytes) override;
  void finish() override;

 private:
  struct Taken {
    std::uint64_t block = 0;
    bool kept = false;  ///< by an earlier run
  };
  void put_kept();

  std::unique_ptr<Blocks> blocks_;
  genocl::files::BlockLog& log_;
  std::uint64_t first_;
  std::mutex mutex_;  // guards the members below
  std::deque<Taken> taken_;
};

}  // namespace program
