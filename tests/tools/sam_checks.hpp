// The rules of check_sam for a header, a record, and the records of a template.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sam_input.hpp"

namespace check_sam {

/// An affine score. A gap costs the lower of two affine costs. All values but `match` are penalties, 0 or above.
struct Scoring {
  long match, mismatch, open, extend, open2, extend2, ambiguous;
};

struct Options {
  std::optional<Scoring> scoring;
  std::set<std::string, std::less<>> skipped;                 ///< checks whose violations are counted, not reported
  std::vector<std::string> required_tags = {"NM:i", "MD:Z"};  ///< of mapped records
  std::vector<std::string> required_mate_tags;                ///< of records whose mate is mapped
  bool five_prime_tlen = false;  ///< TLEN from 5' end to 5' end, as bwa and minimap2 write it
  bool any_order = false;        ///< records in any order, as in sorted files
  bool missing_reads = false;    ///< reads may lack records, as without unmapped reads
};

/// Counts faults and prints the first ones.
class Faults {
 public:
  explicit Faults(std::set<std::string, std::less<>> skipped) : skipped_(std::move(skipped)) {}
  void report(std::string_view check, std::string_view where, const std::string& expected);
  void report(std::string_view check, const Record& record, const std::string& expected);
  void warn(std::string_view what) { ++warnings_[std::string(what)]; }
  std::size_t count() const { return count_; }
  /// Prints the number of records, faults, skipped violations and warnings.
  void summarise(std::size_t records) const;

 private:
  static constexpr std::size_t max_printed = 20;
  std::set<std::string, std::less<>> skipped_;
  std::size_t count_ = 0;
  std::map<std::string, std::size_t> skipped_counts_;
  std::map<std::string, std::size_t> warnings_;
};

/// Header lines: @HD first, @SQ with the names, lengths and order of the reference.
void check_header(const std::vector<std::string>& lines, const Reference& reference, Faults& faults);

/// Compares the records of one template, in the order of the file, with its reads and the reference.
void check_template(const std::vector<Record>& records, const Template& read_template, const Reference& reference,
                    const Options& options, Faults& faults);

}  // namespace check_sam
