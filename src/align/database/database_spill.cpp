#include "align/database/database_spill.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// Room comes first: a map of a file on a full disk would end the process.
files::SpillFile file_of_zeros(const std::string& folder, std::uint64_t size) {
  files::SpillFile file(folder);
  file.append_zeros(size);
  return file;
}

}  // namespace

TemporaryMap::TemporaryMap(const std::string& folder, std::uint64_t size) : TemporaryMap(file_of_zeros(folder, size)) {}

TemporaryMap::TemporaryMap(files::SpillFile file) {
  map_ = platform::Mapping(file.descriptor(), 0, static_cast<std::size_t>(file.size()), platform::Access::read_write);
  if (!map_.is_mapped())
    throw InputError(file.folder(), {}, "a temporary file cannot be mapped: " + std::generic_category().message(errno));
}

Spill::Spill(std::uint64_t most, std::string folder)
    : most_(std::max<std::uint64_t>(most, 1)), folder_(std::move(folder)) {}

void Spill::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (memory_.size() >= most_) write_out();
    const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), most_ - memory_.size());
    const std::uint64_t needed = memory_.size() + count;
    if (needed > memory_.capacity()) memory_.reserve(std::min(most_, std::max<std::uint64_t>(needed, 2 * memory_.capacity())));
    memory_.insert(memory_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
  }
}

void Spill::write_out() {
  if (memory_.empty()) return;
  if (!file_) file_.emplace(folder_);
  file_->append(memory_);
  memory_.clear();
}

Spill::Content Spill::finish() {
  Content content;
  if (in_memory()) {
    content.memory = std::move(memory_);
    return content;
  }
  write_out();
  memory_ = {};
  content.map = std::make_unique<TemporaryMap>(*std::move(file_));
  file_.reset();
  return content;
}

}  // namespace genocl::align
