#include "io/bam/bgzip_encoder.hpp"

#include <htslib/bgzf.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::io {
namespace {

static_assert(BgzipEncoder::block_size == BGZF_BLOCK_SIZE);
constexpr std::size_t blocks_per_thread = 4;
constexpr unsigned max_threads = 256;

}  // namespace

BgzipEncoder::BgzipEncoder(int level, unsigned threads) : level_(level), threads_(std::min(threads, max_threads)) {
  if (level < 0 || level > 9) throw InputError({}, {}, "compression level " + std::to_string(level), "0 to 9");
}

std::size_t BgzipEncoder::portion() const noexcept {
  return threads_ == 0 ? block_size : block_size * blocks_per_thread * (threads_ + 1);
}

void BgzipEncoder::encode_block(std::string_view text, std::string& block) const {
  block.resize(BGZF_MAX_BLOCK_SIZE);
  std::size_t size = block.size();
  if (bgzf_compress(block.data(), &size, text.data(), text.size(), level_) != 0)
    throw Error("a block of " + std::to_string(text.size()) + " bytes could not be compressed");
  block.resize(size);
}

const std::vector<std::string>& BgzipEncoder::encode(std::string_view text) {
  blocks_.resize((text.size() + block_size - 1) / block_size);
  // To start a thread takes microseconds, to compress its blocks milliseconds.
  const std::size_t threads = 1 + std::min<std::size_t>(threads_, blocks_.size() / 2);
  runtime::parallel_for(blocks_.size(), threads,
                        [&](std::size_t i) { encode_block(text.substr(i * block_size, block_size), blocks_[i]); });
  return blocks_;
}

std::string BgzipEncoder::end() const {
  std::string block;
  encode_block({}, block);
  return block;
}

}  // namespace genocl::io
