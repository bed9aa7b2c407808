// Blocks of a job that may be stopped: what is finished is kept in a folder, and the next run goes on from there.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/team.hpp"
#include "genocl/files.hpp"

namespace program {

/// The folder beside an output. Throws InputError for an output that has no name.
std::string folder_of_blocks(const std::string& output);

/// What a job is: the same command line and the same inputs, by their sizes and times. What is empty was not given.
std::string job_text(const std::string& command_line, const std::vector<std::string>& inputs);

/// Blocks that this run takes are kept as they are put; those that an earlier run left are put without being taken.
/// Several KeptBlocks follow one another in one log: their blocks have numbers from `first` on in it.
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
    bool kept = false;  ///< else it is made in this run
  };
  void put_kept();

  std::unique_ptr<Blocks> blocks_;
  genocl::files::BlockLog& log_;
  std::uint64_t first_;
  std::mutex mutex_;  // guards what follows
  std::deque<Taken> taken_;
};

}  // namespace program
