#include "marose/map/reads_to_make.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace genocl::marose {
namespace {

class IdleSets {
 public:
  SequenceSet take() {
    const std::lock_guard lock(mutex_);
    if (sets_.empty()) return SequenceSet();
    SequenceSet set = std::move(sets_.back());
    sets_.pop_back();
    return set;
  }
  void give(SequenceSet&& set) {
    set.clear();
    const std::lock_guard lock(mutex_);
    sets_.push_back(std::move(set));
  }

 private:
  std::mutex mutex_;
  std::vector<SequenceSet> sets_;
};

}  // namespace

ReadsSource reads_to_make(std::function<bool(SequenceSet&)> source) {
  const auto idle = std::make_shared<IdleSets>();
  return [idle, source = std::move(source)]() -> std::optional<Mapper::ReadsToMake> {
    auto reads = std::make_shared<SequenceSet>(idle->take());
    if (!source(*reads)) return std::nullopt;
    return Mapper::ReadsToMake{reads->size(), [idle, reads](SequenceSet& batch) {
                                 std::swap(batch, *reads);
                                 idle->give(std::move(*reads));
                               }};
  };
}

}  // namespace genocl::marose
