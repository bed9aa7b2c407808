// Checks SAM against its reference and its reads, by the SAM specification and samtools' definitions of tags.
//   check_sam [OPTIONS] REF.fa OUT.sam READS.fq [MATES.fq]
// Files may be compressed with gzip; `-` is standard input.
// Exit status: 0 without faults, 1 with faults, 2 for errors of usage and input.
#include <cstdio>
#include <cstring>
#include <exception>
#include <unordered_map>
#include <unordered_set>

#include "sam_checks.hpp"
#include "sam_input.hpp"

namespace {

using namespace check_sam;

constexpr const char* usage =
    R"(Usage: check_sam [OPTIONS] REF.fa OUT.sam READS.fq [MATES.fq]
       check_sam [OPTIONS] REF.fa OUT.sam [-1 FILE -2 FILE]... [-U FILE]...
  -1 FILE, -2 FILE           Files of first reads and of their mates, repeatable
  -U FILE                    Files of single reads, which follow all pairs; repeatable
  -p                         READS.fq is interleaved
  --scoring A,B,O,E,O2,E2,N  Compare AS with the score of the alignment: a match A, a mismatch -B, a gap of k bases
                             -min(O + k E, O2 + k E2), a pair with an ambiguous base -N
  --require TAGS             Tags of every mapped record; MC, MQ, ms: of every record with a mapped mate [NM,MD]
  --tlen ends|5prime         TLEN from the leftmost to the rightmost mapped base, or between the 5' ends [ends]
  --unsorted-ok              Accept records in any order, as in files sorted by coordinate
  --missing-ok               Accept reads without a record
  --skip CHECKS              Count violations of these checks without reporting them: header flags primary position
                             cigar letters sequence mapq nm md as tags mate tlen mc mq ms sa nh xa order;
                             other-mate: mate, of secondary and supplementary records; mc-clips: H for S in MC
)";

struct Arguments {
  std::string reference;
  std::string sam;
  std::vector<ReadFiles> reads;
  Options options;
};

// "MC" is "MC:i" or "MC:Z" in a record.
void require_tags(const std::string& list, Options& options) {
  options.required_tags.clear();
  options.required_mate_tags.clear();
  for (const std::string& name : split(list, ',')) {
    const bool text = name == "MD" || name == "MC" || name == "SA" || name == "XA" || name == "RG";
    const bool of_mate = name == "MC" || name == "MQ" || name == "ms";
    (of_mate ? options.required_mate_tags : options.required_tags).push_back(name + (text ? ":Z" : ":i"));
  }
}

Scoring parse_scoring(const std::string& text) {
  Scoring scoring{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%ld,%ld,%ld,%ld,%ld,%ld,%ld%c", &scoring.match, &scoring.mismatch, &scoring.open,
                  &scoring.extend, &scoring.open2, &scoring.extend2, &scoring.ambiguous, &rest) != 7)
    throw Error("--scoring: \"" + text + "\"; expected seven numbers");
  return scoring;
}

Arguments parse_arguments(int count, char** values) {
  Arguments arguments;
  std::vector<std::string> files;
  std::vector<std::string> first;
  std::vector<std::string> second;
  std::vector<std::string> single;
  bool interleaved = false;
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw Error(option + ": a value is missing");
      return values[++i];
    };
    if (option == "-1")
      first.push_back(value());
    else if (option == "-2")
      second.push_back(value());
    else if (option == "-U")
      single.push_back(value());
    else if (option == "-p")
      interleaved = true;
    else if (option == "--scoring")
      arguments.options.scoring = parse_scoring(value());
    else if (option == "--require")
      require_tags(value(), arguments.options);
    else if (option == "--tlen")
      arguments.options.five_prime_tlen = value() == "5prime";
    else if (option == "--unsorted-ok")
      arguments.options.any_order = true;
    else if (option == "--missing-ok")
      arguments.options.missing_reads = true;
    else if (option == "--skip")
      for (const std::string& check : split(value(), ',')) arguments.options.skipped.insert(check);
    else if (option.size() > 1 && option[0] == '-')
      throw Error(option + ": no such option\n" + usage);
    else
      files.push_back(option);
  }
  if (files.size() < 2 || files.size() > 4 || first.size() != second.size()) throw Error(usage);
  arguments.reference = files[0];
  arguments.sam = files[1];
  if (files.size() > 2) arguments.reads.push_back({files[2], files.size() > 3 ? files[3] : "", interleaved});
  for (std::size_t i = 0; i < first.size(); ++i) arguments.reads.push_back({first[i], second[i]});
  for (const std::string& file : single) arguments.reads.push_back({file, ""});
  if (arguments.reads.empty()) throw Error(usage);
  return arguments;
}

/// The records of a SAM file, template by template.
class RecordSource {
 public:
  RecordSource(const std::string& path, const Reference& reference, Faults& faults)
      : file_(path), reference_(reference), faults_(faults) {
    std::vector<std::string> header;
    while ((pending_ = file_.next(line_)) && !line_.empty() && line_[0] == '@') header.push_back(line_);
    line_number_ = header.size() + 1;
    check_header(header, reference, faults);
    sorted_ = !header.empty() && header[0].starts_with("@HD") && header[0].find("\tSO:coordinate") != std::string::npos;
  }

  std::size_t records() const { return records_; }

  /// Reads adjacent records of one name. Returns false at the end.
  bool next_group(std::vector<Record>& group) {
    group.clear();
    if (ahead_) group.push_back(std::move(*ahead_));
    ahead_.reset();
    for (Record record; next(record);) {
      if (!group.empty() && record.name != group[0].name) {
        ahead_ = std::move(record);
        break;
      }
      group.push_back(std::move(record));
    }
    return !group.empty();
  }

  bool next(Record& record) {
    for (; pending_ && !line_.empty() && line_[0] == '@'; ++line_number_, pending_ = file_.next(line_))
      faults_.report("header", "line " + std::to_string(line_number_), "no header line after records");
    if (!pending_) return false;
    record = parse_record(line_, line_number_++);
    ++records_;
    pending_ = file_.next(line_);
    if (sorted_) check_order(record);
    return true;
  }

 private:
  void check_order(const Record& record) {
    const auto contig = reference_.index_of.find(record.contig);
    const std::pair<std::size_t, long> at{
        contig == reference_.index_of.end() ? reference_.contigs.size() : contig->second, record.position};
    if (at < last_) faults_.report("order", record, "records by coordinate");
    last_ = at;
  }

  TextFile file_;
  const Reference& reference_;
  Faults& faults_;
  std::string line_;
  std::size_t line_number_ = 0;
  std::size_t records_ = 0;
  bool pending_ = false;
  bool sorted_ = false;
  std::pair<std::size_t, long> last_{0, 0};
  std::optional<Record> ahead_;
};

// Checks records in the order of the reads, one template at a time.
void check_in_order(RecordSource& source, const Arguments& arguments, const Reference& reference, Faults& faults) {
  TemplateSource templates(arguments.reads);
  std::unordered_set<std::string> missed;
  std::vector<Record> group;
  bool more = source.next_group(group);
  for (Template read_template; templates.next(read_template);) {
    // A template that was missed and comes later is out of order. The reads after it are not.
    while (more && missed.contains(group[0].name)) {
      faults.report("order", group[0], "the order of the reads");
      more = source.next_group(group);
    }
    if (more && read_template.is_named(group[0].name)) {
      check_template(group, read_template, reference, arguments.options, faults);
      more = source.next_group(group);
      continue;
    }
    if (arguments.options.missing_reads) continue;
    missed.insert(read_template.name);
    missed.insert(read_template.full_name);
    faults.report("order", read_template.name, "records of this read, not of " + (more ? group[0].name : "none"));
  }
  for (; more; more = source.next_group(group))
    faults.report("order", group[0], "no records after those of the last read");
}

// Checks records in any order. Holds all of them in memory.
void check_in_any_order(RecordSource& source, const Arguments& arguments, const Reference& reference, Faults& faults) {
  std::unordered_map<std::string, std::vector<Record>> groups;
  for (Record record; source.next(record);) groups[record.name].push_back(record);
  TemplateSource templates(arguments.reads);
  for (Template read_template; templates.next(read_template);) {
    auto group = groups.find(read_template.name);
    if (group == groups.end() && read_template.reads.size() == 1) group = groups.find(read_template.full_name);
    if (group != groups.end()) {
      check_template(group->second, read_template, reference, arguments.options, faults);
      groups.erase(group);
    } else if (!arguments.options.missing_reads) {
      faults.report("order", read_template.name, "records of this read");
    }
  }
  for (const auto& [name, records] : groups) faults.report("order", records[0], "records of reads of the input");
}

}  // namespace

int main(int count, char** values) {
  try {
    const Arguments arguments = parse_arguments(count, values);
    const Reference reference = read_reference(arguments.reference);
    Faults faults(arguments.options.skipped);
    RecordSource source(arguments.sam, reference, faults);
    if (arguments.options.any_order) {
      check_in_any_order(source, arguments, reference, faults);
    } else {
      check_in_order(source, arguments, reference, faults);
    }
    faults.summarise(source.records());
    return faults.count() == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_sam: error: %s\n", error.what());
    return 2;
  }
}
