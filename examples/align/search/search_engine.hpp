// Who searches: this process, or a team of many.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "genocl/align.hpp"

namespace program {

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
