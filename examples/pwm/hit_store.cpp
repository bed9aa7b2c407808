#include "pwm/hit_store.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace program {
namespace {

/// motif, record, position, score, reverse; the letters follow.
constexpr std::size_t head_bytes = 29;

template <class Number>
void append(std::string& to, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  to.append(bytes, sizeof number);
}

template <class Number>
Number taken(const char*& from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  from += sizeof number;
  return number;
}

}  // namespace

void HitStore::begin_batch() {
  batch_.clear();
  slices_.clear();
  slice_begin_ = 0;
}

void HitStore::add(const StoredHit& hit) {
  const std::uint32_t list = order_ == HitOrder::by_motif ? hit.motif : 0;
  if (list != list_) end_slice();
  list_ = list;
  append(batch_, hit.motif);
  append(batch_, hit.record);
  append(batch_, hit.position);
  append(batch_, hit.score);
  batch_ += hit.reverse ? '\1' : '\0';
  batch_ += hit.letters;
}

void HitStore::end_slice() {
  if (batch_.size() > slice_begin_) slices_.push_back({list_, {slice_begin_, batch_.size() - slice_begin_, false}});
  slice_begin_ = batch_.size();
}

void HitStore::end_batch() {
  end_slice();
  const bool in_file = file_.has_value() || held_.size() + batch_.size() > memory_;
  if (in_file && !file_) file_.emplace();
  const std::uint64_t begin = in_file ? file_->size() : held_.size();
  for (auto& [list, slice] : slices_) {
    slice.begin += begin;
    slice.in_file = in_file;
    lists_[list].push_back(slice);
  }
  if (in_file)
    file_->append(std::as_bytes(std::span(batch_)));
  else
    held_ += batch_;
  batch_.clear();
}

void HitStore::read(std::uint32_t list, std::size_t length, const std::function<void(const StoredHit&)>& use) const {
  const std::size_t one = head_bytes + length;
  std::string block;
  const auto go_through = [&](std::string_view bytes) {
    for (std::size_t at = 0; at + one <= bytes.size(); at += one) {
      const char* from = bytes.data() + at;
      StoredHit hit;
      hit.motif = taken<std::uint32_t>(from);
      hit.record = taken<std::uint64_t>(from);
      hit.position = taken<std::uint64_t>(from);
      hit.score = taken<double>(from);
      hit.reverse = *from++ != 0;
      hit.letters = {from, length};
      use(hit);
    }
  };
  for (const Slice& slice : lists_[list]) {
    if (!slice.in_file) {
      go_through(std::string_view(held_).substr(slice.begin, slice.bytes));
      continue;
    }
    const std::uint64_t at_a_time = std::max<std::uint64_t>(1, (std::uint64_t{1} << 20) / one) * one;
    for (std::uint64_t done = 0; done < slice.bytes; done += block.size()) {
      block.resize(static_cast<std::size_t>(std::min(at_a_time, slice.bytes - done)));
      file_->read(slice.begin + done, std::as_writable_bytes(std::span(block)));
      go_through(block);
    }
  }
}

}  // namespace program
