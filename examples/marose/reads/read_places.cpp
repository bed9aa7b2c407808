#include "marose/reads/read_places.hpp"

#include <algorithm>
#include <cstring>
#include <future>
#include <thread>

#include "common/team.hpp"
#include "genocl/io/record_places.hpp"
#include "genocl/packing.hpp"

namespace program {

using genocl::io::RecordPlaces;

namespace {

/// What each member gives, on every member.
std::vector<std::vector<std::uint64_t>> from_all(const std::vector<std::uint64_t>& own) {
  genocl::Packer packed;
  packed.add_list(own);
  genocl::Packer joined;
  for (const std::string& one : team().gather(packed.take())) joined.add_text(one);
  std::string bytes = joined.take();
  team().broadcast(bytes);
  std::vector<std::vector<std::uint64_t>> all;
  for (genocl::Unpacker left(bytes); !left.empty();)
    all.push_back(genocl::Unpacker(left.next_text()).next_list<std::uint64_t>());
  return all;
}

bool anybody(bool is) {
  std::uint64_t count = is ? 1 : 0;
  team().sum(std::span(&count, 1));
  return count != 0;
}

/// This member's parts of a file, each looked through by a thread of its own.
std::vector<RecordPlaces> own_parts(const std::string& path, std::uint64_t parts) {
  std::vector<std::future<RecordPlaces>> found;
  for (std::uint64_t i = 0; i < parts; ++i)
    found.push_back(
        std::async(std::launch::async, [&path, part = team().rank() * parts + i, all = team().size() * parts] {
          return RecordPlaces(path, part, all);
        }));
  std::vector<RecordPlaces> own;
  for (std::future<RecordPlaces>& part : found) own.push_back(part.get());
  return own;
}

}  // namespace

std::optional<BlockPlaces> find_places(const std::string& path, std::uint64_t records_of_block) {
  std::uint64_t parts = std::max(1U, std::thread::hardware_concurrency());
  // Members may have other numbers of cores; all take the root's.
  std::string said(reinterpret_cast<const char*>(&parts), sizeof parts);
  team().broadcast(said);
  std::memcpy(&parts, said.data(), sizeof parts);

  const std::vector<RecordPlaces> own = own_parts(path, parts);
  // Members may see other files, and not all of them any.
  const std::uint64_t size = own[0].file_size();
  const auto sizes = from_all({size});
  if (anybody(sizes[0][0] != size || !std::ranges::all_of(own, &RecordPlaces::usable))) return std::nullopt;

  std::vector<std::uint64_t> counts;
  for (const RecordPlaces& part : own) counts.insert(counts.end(), {part.lines(), part.text_size()});
  std::uint64_t line = 0, text = 0, lines = 0, text_end = 0;  // before the own parts, and in all
  const auto all_counts = from_all(counts);
  for (std::size_t member = 0; member < all_counts.size(); ++member) {
    if (member == team().rank()) line = lines, text = text_end;
    for (std::size_t i = 0; i < all_counts[member].size(); i += 2) {
      lines += all_counts[member][i];
      text_end += all_counts[member][i + 1];
    }
  }
  std::vector<std::uint64_t> begins;
  bool is = lines % 4 == 0;
  for (const RecordPlaces& part : own) {
    is = is && part.is_four_lines(line);
    if (is)
      for (const RecordPlaces::Begin& begin : part.begins(line, records_of_block))
        begins.insert(begins.end(), {begin.place, text + begin.text});
    line += part.lines();
    text += part.text_size();
  }
  if (anybody(!is)) return std::nullopt;
  BlockPlaces places{.records = lines / 4, .begins = {}};
  std::uint64_t before = 0;
  for (const std::vector<std::uint64_t>& member : from_all(begins))
    for (std::size_t i = 0; i < member.size(); i += 2) {
      places.begins.push_back(member[i]);
      places.longest = std::max(places.longest, member[i + 1] - before);
      before = member[i + 1];
    }
  places.longest = std::max(places.longest, text_end - before);
  places.begins.push_back(own[0].end());
  return places;
}

std::optional<PlacedReads> PlacedReads::find(const std::vector<ReadFiles>& files, const ReadSourceOptions& options) {
  if (options.interleaved) return std::nullopt;
  PlacedReads placed;
  std::uint64_t blocks = 0;
  for (const ReadFiles& names : files) {
    File one{.file = nullptr, .names = names, .reads = {}, .mates = {}, .first_block = blocks};
    const genocl::BatchLimits limits = ReadFile::limits_of(names, options);
    const std::uint64_t records = limits.records;
    std::optional<BlockPlaces> reads = find_places(names.reads, records);
    if (!reads) return std::nullopt;
    // The batches are to be those of who reads one after the other: BAM is compressed batch by batch.
    if (reads->longest > limits.residues) return std::nullopt;
    one.reads = std::move(*reads);
    if (!names.mates.empty()) {
      one.mates = find_places(names.mates, records);
      if (!one.mates || one.mates->records != one.reads.records) return std::nullopt;
    }
    one.file = std::make_shared<ReadFile>(names, options);
    one.blocks = one.reads.begins.size() - 1;
    blocks += one.blocks;
    one.records_of_block = records;
    placed.files_.push_back(std::move(one));
  }
  return placed;
}

const PlacedReads::File& PlacedReads::at(std::uint64_t number) const {
  const auto behind = std::ranges::upper_bound(files_, number, {}, &File::first_block);
  return *std::prev(behind);
}

ReadsToMake PlacedReads::block(std::uint64_t number) const {
  const File& file = at(number);
  const std::uint64_t block = number - file.first_block, first = block * file.records_of_block;
  const std::uint64_t count = std::min(file.records_of_block, file.reads.records - first);
  const std::uint64_t reads = file.mates ? 2 * count : count;
  return {reads, [&file, block, first, count](genocl::SequenceSet& batch, BatchNotes& notes) {
            const auto text = [&](const std::string& name, const BlockPlaces& places) {
              return genocl::io::RecordText(name, places.begins[block], places.begins[block + 1], count, first);
            };
            RawReads raw;
            raw.reads = text(file.names.reads, file.reads);
            if (file.mates) raw.mates = text(file.names.mates, *file.mates);
            raw.before = file.mates ? 2 * first : first;
            file.file->make(raw, batch, notes);
          }};
}

}  // namespace program
