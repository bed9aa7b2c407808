#include "pwm/scan/packed_hits.hpp"

#include <span>

namespace program {

void PackedHit::add_to(genocl::Packer& packer) const {
  packer.add(motif);
  packer.add(reverse);
  packer.add(record);
  packer.add(begin);
  packer.add(score);
  packer.add(p);
  packer.add_text(name);
  packer.add_text(letters);
}

PackedHit PackedHit::next(genocl::Unpacker& left) {
  PackedHit hit;
  hit.motif = left.next<std::uint32_t>();
  hit.reverse = left.next<bool>();
  hit.record = left.next<std::uint64_t>();
  hit.begin = left.next<std::uint64_t>();
  hit.score = left.next<double>();
  hit.p = left.next<double>();
  hit.name = left.next_text();
  hit.letters = left.next_text();
  return hit;
}

void HitSpill::add(std::string bytes) {
  if (bytes.empty()) return;
  if (!file_ && held_bytes_ + bytes.size() <= memory_) {
    held_bytes_ += bytes.size();
    held_.push_back(std::move(bytes));
    return;
  }
  if (!file_) file_.emplace();
  file_->append(std::as_bytes(std::span(bytes)));
  in_file_.push_back(bytes.size());
}

void HitSpill::read(const std::function<void(std::string_view)>& use) const {
  for (const std::string& block : held_) use(block);
  std::string block;
  std::uint64_t at = 0;
  for (const std::uint64_t size : in_file_) {
    block.resize(size);
    file_->read(at, std::as_writable_bytes(std::span(block)));
    at += size;
    use(block);
  }
}

}  // namespace program
