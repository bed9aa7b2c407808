#include "sam_checks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace check_sam {

namespace {

// The four-bit code of a base in BAM, which calmd compares.
unsigned bam_code(char letter) {
  static constexpr std::string_view codes = "=ACMGRSVTWYHKDBN";
  if (letter == 'U') letter = 'T';
  const std::size_t code = codes.find(letter);
  return static_cast<unsigned>(code == std::string_view::npos ? 15 : code);
}

bool is_base(char letter) { return letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T'; }

// calmd: N matches nothing, other ambiguous bases match themselves.
bool calmd_match(char read, char reference) {
  const unsigned code = bam_code(read);
  return (code == bam_code(reference) && code != 15) || code == 0;
}

// The edit distance, MD and score of an alignment.
struct Walk {
  std::size_t edits = 0;
  std::string md;
  long score = 0;
  std::string letter_fault;  // of = and X; empty without one
};

// NM and MD compare bases by calmd's rule. For ambiguous bases, which mappers write as either, = and X are both
// accepted.
class Walker {
 public:
  Walker(std::string_view read, std::string_view reference, const std::optional<Scoring>& scoring)
      : read_(read), reference_(reference), scoring_(scoring) {}

  Walk walk(const Cigar& cigar, std::size_t reference_at) {
    std::size_t read_at = 0;
    for (const auto [length, letter] : cigar) {
      if (letter == 'S' || letter == 'I') {
        if (letter == 'I') gap(length);
        read_at += length;
      } else if (letter == 'D') {
        gap(length);
        end_run();
        result_.md += '^';
        result_.md += reference_.substr(reference_at, length);
        reference_at += length;
      } else if (letter != 'H') {
        for (std::size_t i = 0; i < length; ++i) compare(letter, read_at++, reference_at++);
      }
    }
    end_run();
    return std::move(result_);
  }

 private:
  void end_run() {
    result_.md += std::to_string(run_);
    run_ = 0;
  }

  void gap(std::size_t length) {
    result_.edits += length;
    if (!scoring_) return;
    const auto letters = static_cast<long>(length);
    result_.score -=
        std::min(scoring_->open + scoring_->extend * letters, scoring_->open2 + scoring_->extend2 * letters);
  }

  void compare(char operation, std::size_t read_at, std::size_t reference_at) {
    const char read = read_[read_at];
    const char reference = reference_[reference_at];
    if (calmd_match(read, reference)) {
      ++run_;
    } else {
      end_run();
      result_.md += reference;
      ++result_.edits;
    }
    const bool certain = is_base(read) && is_base(reference);
    if (certain ? (operation == '=') != (read == reference) && operation != 'M' : operation == '=' && read != reference)
      result_.letter_fault = std::string(1, operation) + " for " + read + " of the read at reference position " +
                             std::to_string(reference_at + 1) + ", " + reference;
    if (scoring_)
      result_.score += !certain ? -scoring_->ambiguous : read == reference ? scoring_->match : -scoring_->mismatch;
  }

  std::string_view read_;
  std::string_view reference_;
  const std::optional<Scoring>& scoring_;
  Walk result_;
  std::size_t run_ = 0;
};

std::string as_clip(std::string cigar) {
  std::replace(cigar.begin(), cigar.end(), 'H', 'S');
  return cigar;
}

std::string or_none(const std::string* value) { return value == nullptr ? "none" : *value; }

// Checks a record against its read and the reference.
class RecordChecker {
 public:
  RecordChecker(const Record& record, const Read& read, const Reference& reference, const Options& options,
                Faults& faults)
      : record_(record), reference_(reference), options_(options), faults_(faults) {
    const bool turned = record.has(reverse);
    sequence_ = upper_case(turned ? reverse_complement(read.sequence) : read.sequence);
    qualities_ = read.qualities;
    if (turned) std::reverse(qualities_.begin(), qualities_.end());
  }

  void check() {
    check_fields();
    check_tags();
    if (record_.has(unmapped)) {
      check_unmapped();
    } else if (check_cigar()) {
      check_alignment();
      check_other_hits();
    }
    check_sequence();
  }

 private:
  void fault(std::string_view check, const std::string& expected) { faults_.report(check, record_, expected); }

  void check_fields() {
    if (record_.mapq < 0 || record_.mapq > 60) fault("mapq", "MAPQ 0 to 60, not " + std::to_string(record_.mapq));
    if (record_.has(secondary) && record_.has(supplementary)) fault("flags", "secondary or supplementary, not both");
    if (record_.contig != "*" && reference_.find(record_.contig) == nullptr)
      fault("position", "a contig of the reference, not " + record_.contig);
  }

  void check_tags() {
    std::set<std::string> names;
    for (const auto& [key, value] : record_.tags)
      if (!names.insert(key.substr(0, 2)).second) fault("tags", "one tag " + key.substr(0, 2));
    if (record_.has(unmapped)) return;
    for (const std::string& tag : options_.required_tags)
      if (record_.tag(tag) == nullptr) fault("tags", "a tag " + tag);
  }

  void check_unmapped() {
    if (record_.mapq != 0) fault("mapq", "MAPQ 0 of an unmapped read, not " + std::to_string(record_.mapq));
    if (record_.cigar_text != "*") fault("cigar", "CIGAR * of an unmapped read, not " + record_.cigar_text);
    if (record_.has(proper) || !record_.primary()) fault("flags", "an unmapped read without the flags 2, 256 and 2048");
  }

  // Returns whether the CIGAR fits the read and the contig.
  bool check_cigar() {
    const Cigar& cigar = record_.cigar;
    if (cigar.empty()) {
      fault("cigar", "a CIGAR, not " + record_.cigar_text);
      return false;
    }
    for (std::size_t i = 1; i < cigar.size(); ++i) {
      if (cigar[i].letter == cigar[i - 1].letter)
        fault("cigar", "no adjacent equal operations in " + record_.cigar_text);
      const bool gaps = (cigar[i].letter == 'I' && cigar[i - 1].letter == 'D') ||
                        (cigar[i].letter == 'D' && cigar[i - 1].letter == 'I');
      if (gaps) faults_.warn("insertions next to deletions");
    }
    check_ends();
    if (record_.primary() && record_.cigar_text.find('H') != std::string::npos)
      fault("cigar", "no hard clip of a primary record: " + record_.cigar_text);
    if (read_length(cigar) != sequence_.size()) {
      fault("cigar", "a CIGAR of " + std::to_string(sequence_.size()) + " read bases, not " + record_.cigar_text);
      return false;
    }
    const Contig* contig = reference_.find(record_.contig);
    if (contig == nullptr || record_.position < 1 ||
        record_.last_position() > static_cast<long>(contig->sequence.size())) {
      fault("position", "an alignment inside its contig, not " + record_.contig + ":" +
                            std::to_string(record_.position) + " " + record_.cigar_text);
      return false;
    }
    return true;
  }

  // [hard clip] [soft clip] aligned part [soft clip] [hard clip]. The aligned part has no gap at its ends.
  void check_ends() {
    const Cigar& cigar = record_.cigar;
    std::size_t begin = 0;
    std::size_t end = cigar.size();
    for (const char clip : {'H', 'S'}) {
      if (begin < end && cigar[begin].letter == clip) ++begin;
      if (begin < end && cigar[end - 1].letter == clip) --end;
    }
    const auto is_pair = [](char letter) { return letter == 'M' || letter == '=' || letter == 'X'; };
    if (begin == end || !is_pair(cigar[begin].letter) || !is_pair(cigar[end - 1].letter))
      fault("cigar", "an aligned part without a gap at its ends, not " + record_.cigar_text);
    for (std::size_t i = begin; i < end; ++i)
      if (cigar[i].letter == 'S' || cigar[i].letter == 'H')
        fault("cigar", "clips only at the ends: " + record_.cigar_text);
  }

  std::pair<std::size_t, std::size_t> hard_clips() const {
    const Cigar& cigar = record_.cigar;
    if (cigar.empty()) return {0, 0};
    const auto clip = [](const CigarOperation& operation) { return operation.letter == 'H' ? operation.length : 0; };
    return {clip(cigar.front()), cigar.size() > 1 ? clip(cigar.back()) : 0};
  }

  void check_alignment() {
    const Contig& contig = *reference_.find(record_.contig);
    const std::string_view aligned = std::string_view(sequence_).substr(hard_clips().first);
    const Walk walk = Walker(aligned, contig.sequence, options_.scoring)
                          .walk(record_.cigar, static_cast<std::size_t>(record_.position - 1));
    if (!walk.letter_fault.empty()) fault("letters", "= and X by the bases: " + walk.letter_fault);
    if (const std::string* edits = record_.tag("NM:i"); edits != nullptr && *edits != std::to_string(walk.edits))
      fault("nm", "NM " + std::to_string(walk.edits) + ", not " + *edits);
    if (const std::string* md = record_.tag("MD:Z"); md != nullptr && *md != walk.md)
      fault("md", "MD " + walk.md + ", not " + *md);
    if (!options_.scoring) return;
    if (const std::string* score = record_.tag("AS:i"); score == nullptr || *score != std::to_string(walk.score))
      fault("as", "AS " + std::to_string(walk.score) + ", not " + or_none(score));
  }

  // XA:Z:contig,+position,CIGAR,NM;...
  void check_other_hits() {
    const std::string* hits = record_.tag("XA:Z");
    if (hits == nullptr) return;
    for (const std::string& hit : split(*hits, ';')) {
      if (hit.empty()) continue;
      const std::vector<std::string> fields = split(hit, ',');
      const std::optional<Cigar> cigar = fields.size() == 4 ? parse_cigar(fields[2]) : std::nullopt;
      const Contig* contig = reference_.find(fields[0]);
      if (!cigar || contig == nullptr || fields[1].size() < 2 || (fields[1][0] != '+' && fields[1][0] != '-') ||
          read_length(*cigar) != sequence_.size()) {
        fault("xa", "contig,+position,CIGAR,NM in XA, not " + hit);
        continue;
      }
      const long position = std::strtol(fields[1].c_str() + 1, nullptr, 10);
      if (position < 1 ||
          position - 1 + static_cast<long>(reference_length(*cigar)) > static_cast<long>(contig->sequence.size())) {
        fault("xa", "a hit of XA inside its contig, not " + hit);
        continue;
      }
      const bool turned = (fields[1][0] == '-') != record_.has(reverse);
      const std::string read = turned ? reverse_complement(sequence_) : sequence_;
      const std::optional<Scoring> none;
      const Walk walk = Walker(read, contig->sequence, none).walk(*cigar, static_cast<std::size_t>(position - 1));
      if (std::to_string(walk.edits) != fields[3])
        fault("xa", "NM " + std::to_string(walk.edits) + " in XA, not " + hit);
    }
  }

  void check_sequence() {
    if (record_.has(secondary) && record_.sequence == "*" && record_.qualities == "*") return;
    const auto [front, back] = hard_clips();
    if (front + back > sequence_.size()) return;  // a fault of the CIGAR
    const std::size_t kept = sequence_.size() - front - back;
    std::string sequence = sequence_.substr(front, kept);
    std::string qualities = qualities_.empty() ? "" : qualities_.substr(front, kept);
    if (sequence.empty()) sequence = "*";
    if (qualities.empty()) qualities = "*";
    if (upper_case(record_.sequence) != sequence) fault("sequence", "SEQ " + sequence + ", not " + record_.sequence);
    if (record_.qualities != qualities) fault("sequence", "QUAL " + qualities + ", not " + record_.qualities);
  }

  const Record& record_;
  const Reference& reference_;
  const Options& options_;
  Faults& faults_;
  std::string sequence_;   // of the whole read, on the strand of the record
  std::string qualities_;  // likewise; empty for FASTA
};

// Checks the records of one template against one another.
class TemplateChecker {
 public:
  TemplateChecker(const std::vector<Record>& records, const Template& read_template, const Options& options,
                  Faults& faults)
      : template_(read_template), options_(options), faults_(faults) {
    for (const Record& record : records) of_read_[record.mate_number()].push_back(&record);
  }

  void check() {
    const bool pair = template_.reads.size() == 2;
    for (std::size_t number = 0; number < 2; ++number) {
      for (const Record* record : of_read_[number]) check_flags(*record, pair);
      if (number < template_.reads.size()) check_records_of_read(number);
    }
    const Record* first = primary_[0];
    const Record* second = primary_[1];
    if (!pair || first == nullptr || second == nullptr) return;
    for (const Record* record : of_read_[0]) check_mate(*record, *second);
    for (const Record* record : of_read_[1]) check_mate(*record, *first);
    check_unmapped_place(*first, *second);
    check_unmapped_place(*second, *first);
    check_template_length(*first, *second);
    if (first->has(proper) != second->has(proper))
      faults_.report("flags", *first, "flag 2 in both records of the pair");
    if (first->has(proper) && (second->has(unmapped) || first->has(unmapped) || first->contig != second->contig))
      faults_.report("flags", *first, "flag 2 only for mates on one contig");
  }

 private:
  void check_flags(const Record& record, bool pair) {
    if (pair) {
      if (!record.has(paired) || record.has(first_in_pair) == record.has(last_in_pair))
        faults_.report("flags", record, "flag 1 and one of 64 and 128");
      return;
    }
    constexpr unsigned of_pairs = paired | proper | mate_unmapped | mate_reverse | first_in_pair | last_in_pair;
    if ((record.flag & of_pairs) != 0) faults_.report("flags", record, "no flags of pairs");
    if (record.mate_contig != "*" || record.mate_position != 0 || record.template_length != 0)
      faults_.report("mate", record, "RNEXT *, PNEXT 0 and TLEN 0 of a single read");
    if (record.has(unmapped) && (record.contig != "*" || record.position != 0))
      faults_.report("position", record, "RNAME * and POS 0 of an unmapped read");
  }

  // One primary record, SA, NH and HI.
  void check_records_of_read(std::size_t number) {
    const std::string where = template_.name + "/" + std::to_string(number + 1);
    if (of_read_[number].empty() && options_.missing_reads) {
      for (const Record* record : of_read_[1 - number])
        if (!record->has(mate_unmapped)) faults_.report("mate", *record, "flag 8, since the mate has no record");
      return;
    }
    std::size_t primaries = 0;
    for (const Record* record : of_read_[number]) {
      if (!record->primary()) continue;
      primary_[number] = record;
      ++primaries;
    }
    if (primaries != 1) {
      faults_.report("primary", where, "one primary record, not " + std::to_string(primaries));
      return;
    }
    if (primary_[number]->has(unmapped) && of_read_[number].size() > 1)
      faults_.report("primary", where, "a mapped primary record for a read with other records");
    check_chimeric_records(number);
    check_hit_numbers(number);
  }

  // SA lists the other records that are not secondary. A supplementary record lists the primary record first.
  void check_chimeric_records(std::size_t number) {
    std::vector<const Record*> parts;
    for (const Record* record : of_read_[number])
      if (!record->has(secondary)) parts.push_back(record);
    for (const Record* record : of_read_[number]) {
      const std::string* tag = record->tag("SA:Z");
      if (record->has(secondary)) continue;
      if (parts.size() == 1) {
        if (tag != nullptr) faults_.report("sa", *record, "no SA of a read with one record, not " + *tag);
        continue;
      }
      std::vector<std::string> expected;
      for (const Record* part : parts)
        if (part != record) expected.push_back(chimeric_entry(*part));
      std::vector<std::string> found = split(tag == nullptr ? "" : *tag, ';');
      if (!found.empty() && found.back().empty()) found.pop_back();
      for (std::string& entry : found) entry = with_clips(entry);
      if (record->has(supplementary) && (found.empty() || found[0] != chimeric_entry(*primary_[number])))
        faults_.report("sa", *record,
                       "the primary record first, " + chimeric_entry(*primary_[number]) + ", not " + or_none(tag));
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      if (expected == found) continue;
      std::string list;
      for (const std::string& entry : expected) list += entry + ";";
      faults_.report("sa", *record, "SA " + list + " in any order, not " + or_none(tag));
    }
  }

  static std::string with_clips(const std::string& entry) {
    std::vector<std::string> fields = split(entry, ',');
    if (fields.size() == 6) fields[3] = as_clip(fields[3]);
    std::string text = fields[0];
    for (std::size_t i = 1; i < fields.size(); ++i) text += "," + fields[i];
    return text;
  }

  static std::string chimeric_entry(const Record& record) {
    return record.contig + "," + std::to_string(record.position) + "," + (record.has(reverse) ? "-" : "+") + "," +
           as_clip(record.cigar_text) + "," + std::to_string(record.mapq) + "," + or_none(record.tag("NM:i"));
  }

  // NH is the number of records that are not supplementary. HI is 1 for the primary record, then 2, 3, ...
  void check_hit_numbers(std::size_t number) {
    std::vector<const Record*> hits;
    bool any = false;
    for (const Record* record : of_read_[number]) {
      if (record->tag("NH:i") != nullptr || record->tag("HI:i") != nullptr) any = true;
      if (!record->has(supplementary) && !record->has(unmapped)) hits.push_back(record);
    }
    if (!any) return;
    const auto hit_number = [](const Record* record) {
      const std::string* text = record->tag("HI:i");
      return text == nullptr ? 0L : std::strtol(text->c_str(), nullptr, 10);
    };
    if (options_.any_order)
      std::stable_sort(hits.begin(), hits.end(),
                       [&](const Record* a, const Record* b) { return hit_number(a) < hit_number(b); });
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const std::string* count = hits[i]->tag("NH:i");
      if (count == nullptr || *count != std::to_string(hits.size()))
        faults_.report("nh", *hits[i], "NH " + std::to_string(hits.size()) + ", not " + or_none(count));
      if (hit_number(hits[i]) != static_cast<long>(i + 1))
        faults_.report("nh", *hits[i], "HI " + std::to_string(i + 1) + ", not " + or_none(hits[i]->tag("HI:i")));
      if (hits[i]->primary() != (i == 0)) faults_.report("nh", *hits[i], "HI 1 for the primary record only");
    }
  }

  // Fields and tags that describe the mate's primary record.
  void check_mate(const Record& record, const Record& mate) {
    const std::string_view check = record.primary() ? "mate" : "other-mate";
    if (record.has(mate_unmapped) != mate.has(unmapped))
      faults_.report(check, record, "flag 8 equal to flag 4 of the mate");
    if (record.has(mate_reverse) != mate.has(reverse))
      faults_.report(check, record, "flag 32 equal to flag 16 of the mate");
    if (record.mate_contig != mate.contig || record.mate_position != mate.position)
      faults_.report(check, record,
                     "RNEXT and PNEXT " + mate.contig + ":" + std::to_string(mate.position) + ", not " +
                         record.mate_contig + ":" + std::to_string(record.mate_position));
    check_mate_tag("mq", "MQ:i", record, std::to_string(mate.mapq));
    if (mate.qualities != "*") check_mate_tag("ms", "ms:i", record, std::to_string(quality_sum(mate)));
    const std::string* cigar = record.tag("MC:Z");
    const bool clips_differ = cigar != nullptr && as_clip(*cigar) == as_clip(mate.cigar_text);
    check_mate_tag(clips_differ ? "mc-clips" : "mc", "MC:Z", record, mate.cigar_text);
    if (mate.has(unmapped)) return;
    for (const std::string& tag : options_.required_mate_tags)
      if (record.tag(tag) == nullptr) faults_.report("tags", record, "a tag " + tag + ", since the mate is mapped");
  }

  void check_mate_tag(std::string_view check, const std::string& name, const Record& record,
                      const std::string& expected) {
    const std::string* value = record.tag(name);
    if (value != nullptr && *value != expected)
      faults_.report(check, record, name + ":" + expected + ", not " + *value);
  }

  // The score of samtools fixmate -m: the sum of the qualities of 15 and above.
  static long quality_sum(const Record& record) {
    long sum = 0;
    for (const char letter : record.qualities)
      if (letter - 33 >= 15) sum += letter - 33;
    return sum;
  }

  void check_unmapped_place(const Record& record, const Record& mate) {
    if (!record.has(unmapped)) return;
    const bool placed = !mate.has(unmapped);
    if (record.contig != (placed ? mate.contig : "*") || record.position != (placed ? mate.position : 0))
      faults_.report("position", record,
                     std::string("an unmapped read ") + (placed ? "at its mate" : "without a position") + ", not at " +
                         record.contig + ":" + std::to_string(record.position));
  }

  void check_template_length(const Record& first, const Record& second) {
    if (first.has(unmapped) || second.has(unmapped) || first.contig != second.contig) {
      if (first.template_length != 0 || second.template_length != 0)
        faults_.report("tlen", first, "TLEN 0 for mates that are not on one contig");
      return;
    }
    const long expected = options_.five_prime_tlen ? five_prime_length(first, second) : whole_length(first, second);
    // If both mates begin at one position, either may be the left one.
    const bool either = !options_.five_prime_tlen && first.position == second.position;
    const bool right_length = first.template_length == expected || (either && first.template_length == -expected);
    if (!right_length || second.template_length != -first.template_length)
      faults_.report("tlen", first,
                     "TLEN " + std::to_string(expected) + " and " + std::to_string(-expected) + ", not " +
                         std::to_string(first.template_length) + " and " + std::to_string(second.template_length));
  }

  // From the leftmost to the rightmost mapped base.
  static long whole_length(const Record& first, const Record& second) {
    const long length =
        std::max(first.last_position(), second.last_position()) - std::min(first.position, second.position) + 1;
    return first.position <= second.position ? length : -length;
  }

  static long five_prime_length(const Record& first, const Record& second) {
    const auto five_prime = [](const Record& record) {
      return record.has(reverse) ? record.last_position() : record.position;
    };
    const long distance = five_prime(second) - five_prime(first);
    return distance + (distance > 0) - (distance < 0);
  }

  const Template& template_;
  const Options& options_;
  Faults& faults_;
  std::vector<const Record*> of_read_[2];
  const Record* primary_[2] = {nullptr, nullptr};
};

}  // namespace

void Faults::report(std::string_view check, std::string_view where, const std::string& expected) {
  if (skipped_.find(check) != skipped_.end()) {
    ++skipped_counts_[std::string(check)];
    return;
  }
  if (++count_ <= max_printed)
    std::printf("%s: %s: expected %s\n", std::string(where).c_str(), std::string(check).c_str(), expected.c_str());
}

void Faults::report(std::string_view check, const Record& record, const std::string& expected) {
  report(check, "line " + std::to_string(record.line) + ", " + record.name + " " + std::to_string(record.flag),
         expected);
}

void Faults::summarise(std::size_t records) const {
  std::printf("%zu records, %zu faults", records, count_);
  for (const auto& [check, count] : skipped_counts_) std::printf("; skipped: %zu of %s", count, check.c_str());
  for (const auto& [what, count] : warnings_) std::printf("; warnings: %zu %s", count, what.c_str());
  std::printf("\n");
}

void check_header(const std::vector<std::string>& lines, const Reference& reference, Faults& faults) {
  std::size_t contigs = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("@HD") && i != 0) faults.report("header", "header", "@HD in the first line");
    if (!lines[i].starts_with("@SQ")) continue;
    if (contigs == reference.contigs.size()) {
      faults.report("header", "header", "no contig that the reference lacks: " + lines[i]);
      return;
    }
    const Contig& contig = reference.contigs[contigs++];
    const std::string expected = "@SQ\tSN:" + contig.name + "\tLN:" + std::to_string(contig.sequence.size());
    if (lines[i] != expected && !lines[i].starts_with(expected + "\t"))
      faults.report("header", "header", expected + ", not " + lines[i]);
  }
  if (contigs != reference.contigs.size())
    faults.report("header", "header",
                  std::to_string(reference.contigs.size()) + " contigs, not " + std::to_string(contigs));
}

void check_template(const std::vector<Record>& records, const Template& read_template, const Reference& reference,
                    const Options& options, Faults& faults) {
  for (const Record& record : records)
    if (record.mate_number() < read_template.reads.size())
      RecordChecker(record, read_template.reads[record.mate_number()], reference, options, faults).check();
  TemplateChecker(records, read_template, options, faults).check();
}

}  // namespace check_sam
