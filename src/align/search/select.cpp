// The best scores of each query, chosen on the device (cl/align/search/select.cl).
#include <algorithm>
#include <string_view>

#include "align/steps.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/scan.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

// Values of eight bits, scores that are counted at a time, and those that an item goes through for the compaction.
constexpr std::uint64_t digits = 256, job_scores = 16'384, item_scores = 64;

class Selection {
 public:
  Selection(const Device& device, const DeviceScores& scores, std::uint32_t count, std::uint32_t queries)
      : device_(device), scores_(scores), count_(count), queries_(queries), prefix_(device, queries) {
    prefix_.fill(0);
    defines_.set("DIGITS", digits).set("JOB_SCORES", job_scores).set("ITEM_SCORES", item_scores);
    if (runtime::uses_cpu_kernels(device)) {
      defines_.set("ONLY_CPU", 1);
    } else {
      size_ = runtime::group_size(device);
      defines_.set("ONLY_GPU", 1).set("GROUP_SIZE", size_);
    }
  }

  /// Prefix becomes the score of which, with all higher ones, there are `top` or more (ties).
  void find_top(std::uint32_t top) {
    Array<std::uint32_t> histogram(device_, queries_ * digits), wanted(device_, queries_);
    histogram.fill(0);
    wanted.fill(top);
    const auto jobs_of_query = static_cast<std::uint32_t>(ceil_div(count_, job_scores));
    const std::uint64_t jobs = std::uint64_t{jobs_of_query} * queries_;
    for (std::uint32_t shift = 32; shift > 0;) {
      shift -= 8;
      if (size_ == 1) {
        const runtime::Shares shares = runtime::share_out(device_, {}, jobs, 1, 1);
        kernel("count_digits_cpu")
            .args(scores_, prefix_, count_, jobs_of_query, jobs, shift, histogram, shares.share)
            .run(shares.workers, 1, scores_.bytes());
      } else {
        kernel("count_digits_gpu")
            .args(scores_, prefix_, count_, jobs_of_query, shift, histogram)
            .run(static_cast<std::size_t>(jobs), size_, scores_.bytes());
      }
      run_items("pick_digit", queries_, 1, histogram, prefix_, wanted, queries_);
    }
  }

  std::vector<std::vector<Candidate>> collect(std::span<const std::int32_t> cutoffs) {
    const Array<std::int32_t> cutoff(device_, cutoffs);
    const auto items_of_query = static_cast<std::uint32_t>(ceil_div(count_, item_scores));
    const std::uint64_t items = std::uint64_t{items_of_query} * queries_;
    Array<std::uint32_t> chosen(device_, items);
    Array<std::uint64_t> offset(device_, items + 1), begin(device_, queries_);
    run_items("count_chosen", items, 256, scores_, prefix_, cutoff, count_, items_of_query, items, chosen);
    primitives::exclusive_scan(device_, chosen, offset);
    std::uint64_t total = 0;
    offset.download({&total, 1}, static_cast<std::size_t>(items));

    std::vector<std::vector<Candidate>> found(queries_);
    if (total == 0) return found;
    Array<Candidate> candidates(device_, static_cast<std::size_t>(total));
    run_items("write_chosen", items, 256, scores_, prefix_, cutoff, count_, items_of_query, items, offset, candidates,
              begin);
    const std::vector<std::uint64_t> first = begin.download();
    const std::vector<Candidate> all = candidates.download();
    for (std::uint32_t query = 0; query < queries_; ++query) {
      const auto last = static_cast<std::ptrdiff_t>(query + 1 < queries_ ? first[query + 1] : total);
      found[query].assign(all.begin() + static_cast<std::ptrdiff_t>(first[query]), all.begin() + last);
    }
    return found;
  }

 private:
  runtime::Kernel kernel(std::string_view name) const { return {device_, "align/search/select.cl", name, defines_}; }

  /// An ITEM_KERNEL, whose last argument is the share. `least`: items that are worth a worker.
  template <class... Arguments>
  void run_items(std::string_view name, std::uint64_t items, std::uint64_t least, const Arguments&... arguments) {
    if (size_ == 1) {
      const runtime::Shares shares = runtime::share_out(device_, {}, items, 1, least);
      kernel(name).args(arguments..., shares.share).run(shares.workers, 1, scores_.bytes());
    } else {
      const auto groups = static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(items, size_), 1 << 20));
      kernel(name).args(arguments..., std::uint64_t{groups} * size_).run(groups, size_, scores_.bytes());
    }
  }

  const Device& device_;
  const DeviceScores& scores_;
  std::uint32_t count_, queries_;
  Array<std::uint32_t> prefix_;  ///< [query] the score that is looked for, as far as it is known
  runtime::Defines defines_;
  unsigned size_ = 1;  ///< of a group
};

}  // namespace

std::vector<std::vector<Candidate>> select_top(const Device& device, const DeviceScores& scores, std::uint32_t count,
                                               std::span<const std::int32_t> cutoffs, std::size_t top) {
  static_assert(sizeof(Candidate) == 8);
  if (cutoffs.empty() || count == 0 || top == 0) return std::vector<std::vector<Candidate>>(cutoffs.size());
  if (scores.size() / count < cutoffs.size()) throw InputError("select_top: fewer scores than pairs");
  Selection selection(device, scores, count, static_cast<std::uint32_t>(cutoffs.size()));
  if (top < count) selection.find_top(static_cast<std::uint32_t>(top));
  return selection.collect(cutoffs);
}

}  // namespace genocl::align
