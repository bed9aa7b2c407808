// The searches of genocl-align: at once, resumable, of one shard, with profiles.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "align/result_writer.hpp"
#include "genocl/align.hpp"

namespace program {

/// A search that --resume can continue: pieces of the database against batches of queries, by all processes. Finished
/// blocks are stored in a folder next to the output. `inputs`: files whose contents identify the job.
void search_resumable(const Context& context, std::span<const genocl::Device> devices,
                      const std::vector<std::string>& inputs, Counts& counts);

/// Iterated search: each search has the profiles of the hits of the previous one. Writes the hits of the last one.
void search_iterated(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// A search with the profiles of settings.pssm and settings.msa.
void search_profiles(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// Searches one shard of the database with all queries, and writes the hits for merge.
void search_shard(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// Writes the hits of settings.parts, files of search_shard(), as one search of the whole database would.
void merge_shards(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// "2/8" is the third of eight shards.
struct ShardOf {
  std::size_t place = 0, count = 1;
};
/// Throws InputError unless 0 <= place < count.
ShardOf shard_of(const std::string& text);

/// Returns the command line that made a part, without its options of shard and output.
std::vector<std::string> command_of_part(const std::string& part);

namespace align = genocl::align;

/// A searcher as align::Searcher. The root gets the results.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;
  virtual align::SearchCounts search(const genocl::SequenceSet& queries,
                                     const align::Searcher::HitSink& sink) const = 0;
  virtual align::SearchCounts all_scores(const genocl::SequenceSet& queries,
                                         const align::Searcher::ScoreSink& sink) const = 0;
};

/// `schedule` is empty if it was not given. Throws InputError for an unknown one.
std::unique_ptr<SearchEngine> make_engine(std::span<const genocl::Device> devices, const align::Database& database,
                                          const align::SearchOptions& options, const std::string& schedule);

/// For a searcher with these two functions.
template <class Searcher>
class EngineOf : public SearchEngine {
 public:
  explicit EngineOf(Searcher searcher) : searcher_(std::move(searcher)) {}
  align::SearchCounts search(const genocl::SequenceSet& queries, const align::Searcher::HitSink& sink) const override {
    return searcher_.search(queries, sink);
  }
  align::SearchCounts all_scores(const genocl::SequenceSet& queries,
                                 const align::Searcher::ScoreSink& sink) const override {
    return searcher_.all_scores(queries, sink);
  }

 private:
  Searcher searcher_;
};

}  // namespace program
