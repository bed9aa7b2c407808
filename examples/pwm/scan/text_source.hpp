// The text as it is read: by a thread of its own, beside what is done with it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"

namespace program {

/// The records of all files, one after the other, in batches. Letters of the alphabet that are no bases are in no hit.
class TextSource {
 public:
  TextSource(const std::vector<std::string>& files, bool replace_letters);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// For one thread at a time. Rethrows what reading threw.
  bool next(genocl::SequenceSet& batch);
  /// The share of all files that is read.
  double fraction() const { return fraction_; }

 private:
  void read_ahead();
  bool read(genocl::SequenceSet& batch);

  std::vector<std::string> files_;
  genocl::BadLetters bad_letters_;
  std::size_t at_ = 0;
  std::optional<genocl::io::SequenceReader> reader_;
  std::atomic<double> fraction_ = 0;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::optional<genocl::SequenceSet> ready_;
  std::vector<genocl::SequenceSet> used_;  ///< whose memory is used again
  bool ended_ = false, stop_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace program
