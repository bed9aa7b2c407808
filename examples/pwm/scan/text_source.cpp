#include "pwm/scan/text_source.hpp"

#include <utility>

#include "common/reading_threads.hpp"

namespace program {

using genocl::SequenceSet;

constexpr std::uint64_t batch_residues = std::uint64_t{64} << 20;

TextSource::TextSource(const std::vector<std::string>& files, bool replace_letters)
    : files_(files), bad_letters_(genocl::bad_letters(replace_letters)), thread_([this] { read_ahead(); }) {}

TextSource::~TextSource() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool TextSource::read(SequenceSet& batch) {
  while (at_ < files_.size()) {
    if (!reader_)
      reader_.emplace(files_[at_], genocl::io::ReadOptions{.bad_letters = bad_letters_,
                                                           .keep_qualities = false,
                                                           .keep_descriptions = false,
                                                           .threads = reading_threads()});
    if (reader_->read(batch, {.residues = batch_residues})) {
      fraction_ = (static_cast<double>(at_) + reader_->fraction()) / static_cast<double>(files_.size());
      return true;
    }
    reader_.reset();
    ++at_;
  }
  return false;
}

void TextSource::read_ahead() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    SequenceSet batch;
    if (!used_.empty()) {
      batch = std::move(used_.back());
      used_.pop_back();
    }
    lock.unlock();
    bool more = false;
    std::exception_ptr failure;
    try {
      more = read(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!more) {
      failure_ = failure;
      ended_ = true;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [this] { return stop_ || !ready_; });
    ready_.emplace(std::move(batch));
    changed_.notify_all();
  }
}

bool TextSource::next(SequenceSet& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_ || ended_; });
  if (!ready_) {
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }
  if (used_.size() < 2) used_.push_back(std::move(batch));
  batch = std::move(*ready_);
  ready_.reset();
  changed_.notify_all();
  return true;
}

}  // namespace program
