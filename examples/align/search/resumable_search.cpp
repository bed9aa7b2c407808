#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "align/search/query_batches.hpp"
#include "align/search/search_modes.hpp"
#include "common/kept_blocks.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/packing.hpp"

namespace program {
namespace {

using genocl::SequenceSet;

/// Enough of the database to keep a device busy, little enough that not much is lost.
constexpr std::uint64_t pieces = 64, least_piece = std::uint64_t{1} << 20, largest_piece = std::uint64_t{1} << 28;

std::uint64_t piece_residues(const Context& context, std::uint64_t asked_for) {
  if (asked_for != 0) return asked_for;
  return std::clamp(context.database.residues() / pieces, least_piece, largest_piece);
}

/// The batches of the queries again, in their order, for those who need them later than another reader.
class Batches {
 public:
  Batches(const Context& context, bool warns)
      : source_(context.settings, context.alphabet(), warns), batch_(context.alphabet()) {}

  /// Null behind the last one. Numbers rise.
  const SequenceSet* get(std::uint64_t number) {
    for (; read_ <= number; ++read_)
      if (!source_.next(batch_)) return nullptr;
    return &batch_;
  }
  double fraction() const noexcept { return source_.fraction(); }

 private:
  QuerySource source_;
  SequenceSet batch_;
  std::uint64_t read_ = 0;
};

/// What the pieces of one batch have found so far; the root's.
class Results {
 public:
  Results(const Context& context, const align::Searcher& searcher, Counts& counts)
      : context_(context),
        searcher_(searcher),
        counts_(counts),
        batches_(context, true),
        writer_(make_writer(context)),
        bar_("search", context.settings.common.quiet, "G cells", 1e9) {}

  void add(std::uint64_t block, std::string_view counted, std::string_view hits) {
    counts_.add(genocl::Unpacker(counted).next<align::SearchCounts>());
    merge_into(hits_, align::unpack_hits(hits), searcher_.options().top_before_alignment(context_.alphabet()));
    bar_.show(batches_.fraction(), counts_.cells);
    if ((block + 1) % searcher_.chunks() != 0) return;
    const SequenceSet& batch = *batches_.get(block / searcher_.chunks());
    std::vector<std::size_t> numbers;
    const SequenceSet some = searchable(batch, numbers);
    if (context_.settings.needs_alignments()) searcher_.align(some, hits_);
    BatchWriter out(*writer_, batch, numbers);
    out.write_all(hits_);
    counts_.hits += out.finish();
    hits_.clear();
    counts_.queries += batch.size();
    counts_.residues += batch.residues();
  }
  void finish() {
    bar_.clear();
    writer_->finish();
  }

 private:
  const Context& context_;
  const align::Searcher& searcher_;
  Counts& counts_;
  Batches batches_;
  std::unique_ptr<ResultWriter> writer_;
  ProgressBar bar_;
  HitLists hits_;
};

}  // namespace

void search_resumable(const Context& context, std::span<const genocl::Device> devices,
                      const std::vector<std::string>& inputs, Counts& counts) {
  const SearchSettings& settings = context.settings;
  genocl::files::BlockLog log(folder_of_blocks(settings.output), job_text(settings.command_line, inputs));
  std::optional<std::size_t> piece;  // that is to be searched next
  align::SearchOptions options = search_options(settings, context.scoring);
  options.align = false;
  options.chunk_residues = piece_residues(context, options.chunk_residues);
  options.share = [&](std::size_t) { return [&] { return std::exchange(piece, std::nullopt); }; };
  const align::Searcher searcher(devices, context.database, options);
  std::optional<Results> results;
  if (team().is_root()) results.emplace(context, searcher, counts);
  std::uint64_t had = 0;  // blocks
  KeptBlocks blocks(
      team().blocks([&](std::string_view counted, std::string_view hits) { results->add(had++, counted, hits); }), log);
  Batches batches(context, false);
  while (true) {
    const std::uint64_t block = blocks.take();
    const SequenceSet* const batch = batches.get(block / searcher.chunks());
    if (batch == nullptr) break;
    std::vector<std::size_t> numbers;
    const SequenceSet some = searchable(*batch, numbers);
    piece = static_cast<std::size_t>(block % searcher.chunks());
    align::SearchResult found;
    if (!some.empty()) found = searcher.search(some);
    genocl::Packer counted;
    counted.add(found.counts);
    blocks.put(block, counted.take(), align::pack_hits(found.hits));
  }
  blocks.finish();
  if (!results) return;
  results->finish();
  log.remove();
}

}  // namespace program
