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

/// A search that may be stopped: pieces of the database against batches of queries, by all members of the team; what is
/// finished is kept beside the output. `inputs`: files that make the job what it is.
void search_resumable(const Context& context, std::span<const genocl::Device> devices,
                      const std::vector<std::string>& inputs, Counts& counts);

/// A search with the profiles of settings.pssm.
void search_profiles(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// One part of a search: all queries against a shard of the database. What is found goes to the output, for merge.
void search_shard(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// Writes what search_shard() has left in settings.parts as one search of the whole database would.
void merge_shards(const Context& context, std::span<const genocl::Device> devices, Counts& counts);

/// "2/8" is the third of eight shards.
struct ShardOf {
  std::size_t place = 0, count = 1;
};
/// Throws InputError unless 0 <= place < count.
ShardOf shard_of(const std::string& text);

/// The command line that a part was made by, without what is the part's own.
std::vector<std::string> command_of_part(const std::string& part);

namespace align = genocl::align;

/// As align::Searcher: the answers are the root's.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;
  virtual align::SearchCounts search(const genocl::SequenceSet& queries,
                                     const align::Searcher::HitSink& sink) const = 0;
  virtual align::SearchCounts all_scores(const genocl::SequenceSet& queries,
                                         const align::Searcher::ScoreSink& sink) const = 0;
};

/// `schedule` is empty where it was not given. Throws InputError for one that the program does not know.
std::unique_ptr<SearchEngine> make_engine(std::span<const genocl::Device> devices, const align::Database& database,
                                          const align::SearchOptions& options, const std::string& schedule);

/// Of a searcher that has these two calls.
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
