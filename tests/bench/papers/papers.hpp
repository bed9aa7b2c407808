// genocl-papers: the tables and figures of the five papers, with the papers' numbers next to ours.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/sequence.hpp"

namespace genocl_papers {

/// Sizes of the inputs. `toy`: a test of all rows in seconds, with scalar oracles. `reduced`: minutes on two cores.
/// `full`: the sizes of the papers, for GPUs.
enum class Size : std::uint8_t { toy, reduced, full };

/// Numbers of a file of lines "paper, table, row, column, value" separated by tabs; further fields are notes.
class Figures {
 public:
  /// Throws InputError for a file that cannot be read, and for a line with fewer than five fields.
  explicit Figures(const std::string& path);
  /// The value as the file has it; "-" if the file has none.
  std::string value(const std::string& table, const std::string& row, const std::string& column) const;
  void select(const std::string& paper) { paper_ = paper; }

 private:
  std::string paper_;
  std::map<std::vector<std::string>, std::string> values_;
};

/// A run of the program.
struct Run {
  genocl::Device device;
  Size size = Size::reduced;
  Figures paper;              ///< numbers that the papers print
  Figures peers;              ///< numbers of other programs, each with its date and machine
  std::string genome = {};    ///< 003: a FASTA file instead of E. coli or a drawn genome
  std::string figures = {};   ///< 003: folder for the figures of curves; empty: none
  bool whole_genome = false;  ///< 003: only Tables I and II, of a drawn genome of 3.1 Gb
  std::size_t rows = 0;
  std::size_t wrong = 0;

  bool toy() const { return size == Size::toy; }
  bool full() const { return size == Size::full; }
  bool cpu() const { return device.info().type == genocl::DeviceType::cpu; }
  /// The value for the size of this run.
  template <class T>
  T by_size(T toy_value, T reduced_value, T full_value) const {
    return toy() ? toy_value : full() ? full_value : reduced_value;
  }
};

/// A table in Markdown. The last column says whether the answer of the row is right: "ok", "WRONG", or "-" for a row
/// of numbers that others measured. Prints each row as soon as it is complete.
class Table {
 public:
  /// `id` selects the numbers of the files: Figures::value(id, row, column).
  Table(Run& run, const std::string& id, const std::string& title, std::vector<std::string> columns);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// A row that was computed. Counts a wrong answer; the program then ends with status 1.
  void row(const std::string& name, const std::vector<std::string>& cells, bool right);
  /// A row without an answer: numbers of others, or a comparison that this device does not support.
  void note_row(const std::string& name, const std::vector<std::string>& cells);
  std::string paper(const std::string& row, const std::string& column) const;
  std::string peer(const std::string& row, const std::string& column) const;
  /// A sentence below the table, such as the data that replaces the paper's.
  void note(const std::string& text) { notes_.push_back(text); }

 private:
  void print(const std::string& name, std::vector<std::string> cells, const std::string& answer);

  Run& run_;
  std::string id_;
  std::size_t columns_;
  std::vector<std::string> notes_;
};

/// Three significant digits: "0.0123", "4.56", "12,300".
std::string digits(double value);
/// digits(seconds * 1000).
std::string milliseconds(double seconds);
/// With commas: "181,676,505".
std::string count_text(std::uint64_t value);

/// Seconds of the fastest of `repeats` calls, after a first one that compiles kernels. One call with the toy size.
double seconds_of(const Run& run, const std::function<void()>& call, int repeats = 2);
/// Seconds of one call.
double seconds_once(const std::function<void()>& call);
/// Seconds of all kernels of one call, by the device's events. Enables profiling.
double kernel_seconds_of(genocl::Device& device, const std::function<void()>& call);

void print_pwm(Run& run);      // 000, Giraud and Varre
void print_overlap(Run& run);  // 001, Zhong and others
void print_align(Run& run);    // 002, Pham and others
void print_marose(Run& run);   // 003, Tran, Giraud and Varre
void print_jacobi(Run& run);   // 004, Contassot-Vivier and Vialle

/// Write the inputs of 002 (queries.fasta, proteins.fasta) and 003 (genome.fa, reads.fq) to a folder, for other
/// programs. Throw InputError if a file cannot be written.
void write_align_data(const Run& run, const std::string& folder);
void write_marose_data(const Run& run, const std::string& folder);
/// Writes records as FASTA, or as FASTQ with the quality I.
void write_records(const genocl::SequenceSet& records, const std::string& path, bool fastq);

}  // namespace genocl_papers
