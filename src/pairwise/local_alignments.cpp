#include "align/pairs/host_pair.hpp"
#include "genocl/align/pairs.hpp"
#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {

std::vector<std::vector<Alignment>> local_alignments(std::span<const Device> devices, const SequenceSet& a,
                                                     const SequenceSet& b, const LocalOptions& options) {
  if (options.most == 0) throw InputError("no alignment of each pair is wanted; expected 1 or more");
  std::vector<Alignment> best = align_pairs(devices, a, b, options.pairs);
  const HostScoring scoring(options.pairs.matrix, options.pairs.gap);
  std::vector<std::vector<Alignment>> all(best.size());
  const std::size_t threads = options.most == 1 ? 1 : runtime::threads_for(best.size(), 1);
  runtime::parallel_for(best.size(), threads, [&](std::size_t i) {
    if (best[i].score < std::max(options.min_score, 1)) return;
    std::vector<Alignment> next =
        next_alignments(a[i], b[i], scoring, options.pairs.matrix, best[i], options.most - 1, options.min_score);
    all[i].push_back(std::move(best[i]));
    all[i].insert(all[i].end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  });
  return all;
}

std::vector<std::vector<Alignment>> local_alignments(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                                     const LocalOptions& options) {
  return local_alignments(std::span(&device, 1), a, b, options);
}

}  // namespace genocl::align
