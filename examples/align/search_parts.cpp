// Searches in parts: resumable ones, shards and their merging.

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "align/search_command.hpp"
#include "align/subjects.hpp"
#include "common/kept_blocks.hpp"
#include "common/numbers.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/text_file.hpp"
#include "genocl/packing.hpp"

namespace program {
namespace {

using genocl::SequenceSet;

/// Size of a piece of the database: enough to keep a device busy, little enough that an interrupted run loses little.
constexpr std::uint64_t pieces = 64, min_piece = std::uint64_t{1} << 20, largest_piece = std::uint64_t{1} << 28;

std::uint64_t piece_residues(const Context& context, std::uint64_t asked_for) {
  if (asked_for != 0) return asked_for;
  return std::clamp(context.searched.residues() / pieces, min_piece, largest_piece);
}

/// Repeats the batches of queries, for readers that need them later than another reader.
class Batches {
 public:
  Batches(const Context& context, bool warns)
      : source_(context.settings, context.query_alphabet(), warns), batch_(context.query_alphabet()) {}

  /// Null after the last batch. Numbers must ascend.
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

/// Hits of the pieces of a batch so far. Used by the root.
class Results {
 public:
  Results(const Context& context, const align::Searcher& searcher, Counts& counts)
      : context_(context),
        searcher_(searcher),
        counts_(counts),
        batches_(context, true),
        writer_(context),
        bar_("search", context.settings.common.quiet, "G cells", 1e9) {}

  void add(std::uint64_t block, std::string_view counted, std::string_view hits) {
    counts_.add(genocl::Unpacker(counted).next<align::SearchCounts>());
    merge_into(hits_, align::unpack_hits(hits), searcher_.options().top_before_alignment(context_.query_alphabet()));
    bar_.show(batches_.fraction(), counts_.cells);
    if ((block + 1) % searcher_.chunks() != 0) return;
    const SequenceSet& batch = *batches_.get(block / searcher_.chunks());
    std::vector<std::size_t> numbers;
    SequenceSet copy;
    const SequenceSet& some = searchable(batch, numbers, copy);
    if (context_.settings.needs_alignments()) searcher_.align(some, hits_);
    BatchWriter out(writer_, batch, numbers);
    out.write_all(hits_);
    counts_.hits += out.finish();
    hits_.clear();
    counts_.queries += batch.size();
    counts_.residues += batch.residues();
  }
  void finish() {
    bar_.clear();
    writer_.finish();
  }

 private:
  const Context& context_;
  const align::Searcher& searcher_;
  Counts& counts_;
  Batches batches_;
  ResultWriter writer_;
  ProgressBar bar_;
  HitLists hits_;
};

}  // namespace

void search_resumable(const Context& context, std::span<const genocl::Device> devices,
                      const std::vector<std::string>& inputs, Counts& counts) {
  const SearchSettings& settings = context.settings;
  genocl::files::BlockLog log(folder_of_blocks(settings.output), job_text(settings.command_line, inputs));
  std::optional<std::size_t> piece;  // next piece to search
  align::SearchOptions options = search_options(settings, context.scoring);
  options.align = false;
  options.chunk_residues = piece_residues(context, options.chunk_residues);
  options.chunk_queue = [&](std::size_t) { return [&] { return std::exchange(piece, std::nullopt); }; };
  const align::Searcher searcher(devices, context.searched, options);
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
    SequenceSet copy;
    const SequenceSet& some = searchable(*batch, numbers, copy);
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

// The header contains the whole implementation.
#define XXH_INLINE_ALL
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#endif
#include <xxhash.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace program {
namespace {

using genocl::InputError;
using genocl::SequenceSet;

constexpr std::string_view first_line = "genocl-align part of a search, 5\n";

/// A part of a search in a file.
class Part {
 public:
  explicit Part(const std::string& path) : path_(path), bytes_(genocl::io::read_text_file(path)), left_(bytes_) {
    if (!bytes_.starts_with(first_line))
      throw InputError(path, {}, "is no part of a search", "what genocl-align search --shard has written");
    left_ = genocl::Unpacker(std::string_view(bytes_).substr(first_line.size()));
    reading([&] {
      job_ = left_.next_text();
      letters_ = left_.next_text();
      for (auto count = left_.next<std::size_t>(); count > 0; --count) command_.emplace_back(left_.next_text());
      shard_.place = left_.next<std::size_t>();
      shard_.count = left_.next<std::size_t>();
    });
    if (shard_.place >= shard_.count) damaged();
  }

  const std::string& path() const { return path_; }
  /// Values that must agree in all parts: command, database and queries.
  std::string_view job() const { return job_; }
  /// The digest of the database's letters; empty if they were not read.
  std::string_view letters() const { return letters_; }
  const std::vector<std::string>& command() const { return command_; }
  const ShardOf& shard() const { return shard_; }

  /// `subjects`: number of subjects.
  HitLists next(align::SearchCounts& counts, std::uint64_t subjects) {
    HitLists hits;
    reading([&] {
      counts = left_.next<align::SearchCounts>();
      hits = align::unpack_hits(left_.next_text());
    });
    for (const auto& of_query : hits)
      if (std::ranges::any_of(of_query, [&](const align::Hit& hit) { return hit.subject >= subjects; })) damaged();
    return hits;
  }

 private:
  template <class Read>
  void reading(Read&& read) {
    try {
      read();
    } catch (const genocl::Error&) {
      throw InputError(path_, {}, "is cut off", "a whole part of a search");
    }
  }
  [[noreturn]] void damaged() const { throw InputError(path_, {}, "is damaged", "a whole part of a search"); }

  std::string path_, bytes_;
  genocl::Unpacker left_;
  std::string_view job_, letters_;
  std::vector<std::string> command_;
  ShardOf shard_;
};

/// Options that change neither the hits nor their output: parts of one search may differ in them. First those with a
/// value, then flags.
const std::vector<std::string> of_one_part = {"--shard",  "-o",          "--output",           "--device",
                                              "-t",       "--threads",   "--kernel",           "--chunk",
                                              "--memory", "--threshold", "--temporary-folder", "--schedule"};
const std::vector<std::string> flags_of_one_part = {"--quiet", "--kernel-times", "--stats", "--no-check",
                                                    "--as-published"};

/// Returns the arguments without these options and their values, and without these flags.
std::vector<std::string> without(std::vector<std::string> arguments, const std::vector<std::string>& names,
                                 const std::vector<std::string>& flags) {
  std::erase_if(arguments,
                [&](const std::string& argument) { return std::ranges::find(flags, argument) != flags.end(); });
  std::vector<std::string> left;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto is = [&](const std::string& name) { return argument == name; };
    const auto has = [&](const std::string& name) {
      return argument.starts_with(name.starts_with("--") ? name + "=" : name);
    };
    if (std::ranges::any_of(names, is))
      ++i;
    else if (std::ranges::none_of(names, has))
      left.push_back(std::move(arguments[i]));
  }
  return left;
}

/// XXH3 with 64 bits.
class Digest {
 public:
  Digest() { XXH3_64bits_reset(&state_); }
  void add(const void* bytes, std::size_t size) { XXH3_64bits_update(&state_, bytes, size); }
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string text() const { return std::to_string(XXH3_64bits_digest(&state_)); }

 private:
  XXH3_state_t state_;
};

/// Digest of the database's letters; empty with --no-check, which does not read the letters of other shards.
std::string letters_of_job(const Context& context) {
  if (context.settings.no_check) return {};
  Digest digest;
  for (std::size_t number = 0; number < context.database.size(); ++number) {
    const std::span<const genocl::Code> letters = context.database.sequence(number);
    digest.add(letters.data(), letters.size_bytes());
    digest.add("\n");
  }
  return digest.text();
}

/// Returns the database's size and the number of each letter, as text.
std::string database_of_job(const Context& context) {
  const align::DatabaseSize size = context.database.whole();
  std::string job = std::to_string(size.sequences) + " sequences of " + std::to_string(size.residues) + " residues:";
  for (const std::uint64_t count : context.database.letter_counts()) job += " " + std::to_string(count);
  return job + "\n";
}

/// Digest of the bytes of the other input files, and of the scores.
std::string inputs_of_job(const Context& context) {
  Digest digest;
  for (const std::string& list : {context.settings.include, context.settings.exclude, context.settings.taxid_map})
    if (!list.empty()) digest.add(genocl::io::read_text_file(list));
  std::ifstream file(context.settings.queries, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
    digest.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  const align::Matrix& matrix = context.scoring.matrix;
  const auto size = static_cast<genocl::Code>(genocl::alphabet_size(matrix.alphabet()));
  for (genocl::Code a = 0; a < size; ++a)
    for (genocl::Code b = 0; b < size; ++b) digest.add(std::to_string(matrix(a, b)) + " ");
  return digest.text() + "\n";
}

std::string job_of(const Context& context, const std::vector<std::string>& command) {
  std::string job = database_of_job(context) + inputs_of_job(context);
  for (const std::string& argument : command) job += argument + "\n";
  return job;
}

}  // namespace

ShardOf shard_of(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto place = number_of<std::uint32_t>(text.substr(0, slash));
  const auto count = number_of<std::uint32_t>(text.substr(std::min(slash + 1, text.size())));
  if (!place || !count || *place >= *count)
    throw InputError("--shard", {}, genocl::in_quotes(text), "like 0/4: which, from 0, of how many");
  return {*place, *count};
}

std::vector<std::string> command_of_part(const std::string& part) { return Part(part).command(); }

void search_shard(const Context& context, std::span<const genocl::Device> devices, Counts& counts) {
  const SearchSettings& settings = context.settings;
  const ShardOf shard = shard_of(settings.shard);
  const std::vector<std::string> command = without(settings.arguments, of_one_part, flags_of_one_part);
  genocl::io::OutputFile out(settings.output);
  align::SearchOptions options = search_options(settings, context.scoring);
  options.align = false;
  const align::Searcher searcher(devices, context.searched.shard(shard.place, shard.count), options);
  genocl::Packer head;
  head.add_text(job_of(context, command));
  head.add_text(letters_of_job(context));
  head.add(command.size());
  for (const std::string& argument : command) head.add_text(argument);
  head.add(shard.place);
  head.add(shard.count);
  out.write(first_line);
  out.write(head.take());
  QuerySource queries(settings, context.query_alphabet());
  SequenceSet batch(context.query_alphabet());
  while (queries.next(batch)) {
    std::vector<std::size_t> numbers;
    SequenceSet copy;
    const SequenceSet& some = searchable(batch, numbers, copy);
    align::SearchResult found;
    if (!some.empty()) found = searcher.search(some);
    genocl::Packer bytes;
    bytes.add(found.counts);
    bytes.add_text(align::pack_hits(found.hits));
    out.write(bytes.take());
    counts.add(found.counts);
    counts.queries += batch.size();
    counts.residues += batch.residues();
    for (const auto& of_query : found.hits) counts.hits += of_query.size();
  }
  out.commit();
}

void merge_shards(const Context& context, std::span<const genocl::Device> devices, Counts& counts) {
  const SearchSettings& settings = context.settings;
  std::vector<Part> parts;
  for (const std::string& path : settings.parts) parts.emplace_back(path);
  const Part& first = parts.front();
  const std::size_t count = first.shard().count;
  std::map<std::size_t, std::string> seen;  // a map, since the number of shards in a damaged part may be arbitrary
  for (const Part& part : parts) {
    if (part.job() != first.job() || part.shard().count != count)
      throw InputError(part.path(), {}, "is a part of another search than " + first.path(),
                       "parts of one search: the same options, queries, database and number of shards");
    std::string& same = seen[part.shard().place];
    if (!same.empty()) throw InputError(part.path(), {}, "is the same shard as " + same, "each shard once");
    same = part.path();
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!seen.contains(i))
      throw InputError("merge", {}, "shard " + std::to_string(i) + "/" + std::to_string(count) + " is missing",
                       "all of them");
  const std::string letters = letters_of_job(context);
  const auto has_others = [&](const Part& part) {
    return !letters.empty() && !part.letters().empty() && part.letters() != letters;
  };
  if (!first.job().starts_with(database_of_job(context)) || std::ranges::any_of(parts, has_others))
    throw InputError(name_of(settings.subjects), {}, "has changed since the parts were made", "the same database");
  if (job_of(context, first.command()) != first.job())
    throw InputError(settings.queries, {}, "has changed since the parts were made, or the matrix has",
                     "the same queries and scores");
  const align::SearchOptions options = search_options(settings, context.scoring);
  const align::Searcher searcher(devices, context.searched, options);
  ResultWriter writer(context);
  QuerySource queries(settings, context.query_alphabet());
  SequenceSet batch(context.query_alphabet());
  while (queries.next(batch)) {
    std::vector<std::size_t> numbers;
    SequenceSet copy;
    const SequenceSet& some = searchable(batch, numbers, copy);
    HitLists hits;
    for (Part& part : parts) {
      align::SearchCounts one;
      merge_into(hits, part.next(one, context.database.whole().sequences),
                 options.top_before_alignment(context.query_alphabet()));
      counts.add(one);
    }
    if (hits.size() != some.size())
      throw InputError(settings.queries, {}, "has changed since the parts were made", "the same queries");
    if (settings.needs_alignments()) searcher.align(some, hits);
    BatchWriter out(writer, batch, numbers);
    out.write_all(hits);
    counts.hits += out.finish();
    counts.queries += batch.size();
    counts.residues += batch.residues();
  }
  writer.finish();
}

}  // namespace program
