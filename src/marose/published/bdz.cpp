#include "marose/published/published.hpp"

#include <tuple>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

constexpr const char* bdz_file = "marose/published/bdz.cl";
constexpr unsigned max_tries = 1000;  // of large blocks; half of them succeed at once

runtime::Defines hash_defines(unsigned word_chunks) {
  runtime::Defines defines;
  defines.set("NOBODYS", nobodys_vertex);
  if (word_chunks != 0) defines.set("WORD_CHUNKS", word_chunks);
  return defines;
}

// The words and their heads, and the state of peeling.
class Peeling {
 public:
  Peeling(const Device& device, const Array<std::uint32_t>& words, const Array<std::uint32_t>& blocks,
          PerfectHashes& hashes, std::uint32_t block_count, const runtime::Defines& defines)
      : device_(device),
        words_(words),
        blocks_(blocks),
        hashes_(hashes),
        block_count_(block_count),
        defines_(defines),
        values_(device, runtime::round_up(hashes.vertices, 16)),
        count_(device, 1) {
    values_.fill(nobodys_vertex);
  }

  void run(const Array<std::uint32_t>& first) {
    build_small_blocks(first);
    Array<std::uint32_t> active = words_of_large_blocks(first);
    if (!active.empty()) reserve_graph(active.size());
    for (unsigned tries = 0; !active.empty(); ++tries) {
      if (tries == max_tries) fail();
      peel(active);
      active = left_over(active);
    }
    hashes_.values = Array<std::uint32_t>(device_, runtime::ceil_div(hashes_.vertices, 16));
    launch("bdz_pack", runtime::ceil_div(hashes_.vertices, 16), values_, hashes_.vertices, hashes_.values);
  }

 private:
  template <class... Arguments>
  void launch(const char* kernel, std::uint64_t items, const Arguments&... arguments) const {
    runtime::launch_items(device_, bdz_file, kernel, defines_, {.items = items, .least = worth_a_worker}, arguments...);
  }
  auto set() const { return std::forward_as_tuple(words_, blocks_, hashes_.heads); }

  [[noreturn]] static void fail() { throw Error("no perfect hash was found: a word is in its block twice"); }

  void reserve_graph(std::size_t words) {
    degrees_ = Array<std::uint32_t>(device_, hashes_.vertices);
    edges_ = Array<std::uint32_t>(device_, hashes_.vertices);
    bared_ = Array<std::uint32_t>(device_, hashes_.vertices);
    order_ = Array<std::uint32_t>(device_, words);
    owner_ = Array<std::uint8_t>(device_, words_.size());
    failed_ = Array<std::uint8_t>(device_, block_count_);
    bared_count_ = Array<std::uint32_t>(device_, 1);
    degrees_.fill(0);
    edges_.fill(0);
    failed_.fill(0);
  }

  void build_small_blocks(const Array<std::uint32_t>& first) {
    count_.fill(0);
    runtime::launch_items(device_, "marose/published/bdz_small.cl", "bdz_small", defines_,
                          {.items = block_count_, .least = 64}, first, words_, block_count_, hashes_.heads, values_,
                          count_);
    if (count_.download().front() != 0) fail();
  }

  Array<std::uint32_t> words_of_large_blocks(const Array<std::uint32_t>& first) const {
    Array<std::uint8_t> flags(device_, words_.size());
    const auto count = static_cast<std::uint32_t>(words_.size());
    launch("bdz_in_large", count, first, blocks_, count, flags);
    Array<std::uint32_t> all(device_, count);
    return sized(all, primitives::select_indices(device_, flags, all));
  }

  // Rounds until every vertex of an edge is shared with another edge; then the values of blocks without remaining
  // edges.
  void peel(const Array<std::uint32_t>& active) {
    const auto count = static_cast<std::uint32_t>(active.size());
    count_.fill(0);
    launch("bdz_link", count, set(), active, count, degrees_, edges_, owner_);
    launch("bdz_first_round", count, set(), active, count, degrees_, owner_, order_, count_);
    std::vector<std::uint32_t> rounds = {0};
    for (;;) {
      const std::uint32_t begin = rounds.back();
      std::uint32_t end = 0;
      count_.download(std::span(&end, 1));
      if (end == begin) break;
      rounds.push_back(end);
      if (end == count) break;
      bared_count_.fill(0);
      launch("bdz_remove", end - begin, set(), order_, begin, end, degrees_, edges_, bared_, bared_count_);
      // At most two vertices of an edge have another edge.
      launch("bdz_next_round", 2 * std::uint64_t{end - begin}, set(), bared_, bared_count_, degrees_, edges_, owner_,
             order_, count_);
    }
    if (rounds.back() != count) launch("bdz_failures", count, blocks_, active, count, owner_, failed_);
    all_peeled_ = rounds.back() == count;
    for (std::size_t round = rounds.size() - 1; round > 0; --round)
      launch("bdz_assign", rounds[round] - rounds[round - 1], set(), order_, rounds[round - 1], rounds[round], owner_,
             failed_, values_);
  }

  // Assigns new seeds to blocks that failed, and returns their words.
  Array<std::uint32_t> left_over(const Array<std::uint32_t>& active) {
    if (all_peeled_) return Array<std::uint32_t>(device_, 0);
    const auto count = static_cast<std::uint32_t>(active.size());
    Array<std::uint8_t> again(device_, count);
    launch("bdz_clear", count, set(), active, count, failed_, degrees_, edges_, again);
    launch("bdz_new_seeds", block_count_, block_count_, failed_, hashes_.heads);
    Array<std::uint32_t> which(device_, count);
    const auto kept = static_cast<std::uint32_t>(primitives::select_indices(device_, again, which));
    Array<std::uint32_t> left(device_, kept);
    launch("bdz_keep", kept, active, which, kept, left);
    return left;
  }

  Array<std::uint32_t> sized(Array<std::uint32_t>& all, std::uint64_t count) const {
    if (count == all.size()) return std::move(all);
    Array<std::uint32_t> kept(device_, count);
    kept.copy_from(all, count);
    return kept;
  }

  const Device& device_;
  const Array<std::uint32_t>& words_;
  const Array<std::uint32_t>& blocks_;
  PerfectHashes& hashes_;
  const std::uint32_t block_count_;
  const runtime::Defines& defines_;
  // Value of each vertex.
  Array<std::uint8_t> values_;
  Array<std::uint32_t> count_;  // number of edges in `order_`, of failures
  // Number of edges of each vertex, and the XOR of their indices.
  Array<std::uint32_t> degrees_, edges_;
  Array<std::uint32_t> bared_, bared_count_;
  // The edges in the order of peeling.
  Array<std::uint32_t> order_;
  Array<std::uint8_t> owner_, failed_;
  bool all_peeled_ = false;
};

}  // namespace

PerfectHashes build_perfect_hashes(const Device& device, const Array<std::uint32_t>& words,
                                   const Array<std::uint32_t>& blocks, const Array<std::uint32_t>& first,
                                   unsigned word_chunks) {
  const runtime::Defines defines = hash_defines(word_chunks);
  const auto block_count = static_cast<std::uint32_t>(first.size() - 1);
  PerfectHashes hashes;
  Array<std::uint64_t> begins(device, first.size());
  {
    Array<std::uint32_t> sizes(device, block_count);
    runtime::launch_items(device, bdz_file, "bdz_sizes", defines, {.items = block_count, .least = worth_a_worker},
                          first, block_count, sizes);
    primitives::exclusive_scan(device, sizes, begins);
  }
  std::uint64_t vertices = 0;
  begins.download(std::span(&vertices, 1), block_count);
  if (vertices >= 0xffffffffu)
    throw CapacityError("the vertices of perfect hashes, 32 bits each", vertices, 0xfffffffeu);
  hashes.vertices = static_cast<std::uint32_t>(vertices);
  hashes.heads = Array<std::uint32_t>(device, 2 * first.size());
  runtime::launch_items(device, bdz_file, "bdz_heads", defines, {.items = first.size(), .least = worth_a_worker}, first,
                        words, begins, block_count, hashes.heads);
  if (words.empty()) {
    hashes.values = Array<std::uint32_t>(device, 1);
    hashes.values.fill(0);
    return hashes;
  }
  Peeling(device, words, blocks, hashes, block_count, defines).run(first);
  return hashes;
}

}  // namespace genocl::marose
