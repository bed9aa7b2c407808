// genocl: one command for all programs. `genocl map ...` replaces itself by `genocl-marose map ...`.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/help_text.hpp"
#include "common/lists.hpp"
#include "common/run_program.hpp"
#include "common/suggestion.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/version.hpp"

namespace {

struct Command {
  const char* name;
  const char* program;     // follows "genocl-"
  const char* subcommand;  // null if the program has none, or for the whole program
  const char* does;        // equal to the program's own help; a test compares them
};

// The commands in the order of each program's help. A name that two programs use (index) is a command of the first one;
// the other one's is called by its program's name.
constexpr Command commands[] = {
    {"index", "marose", "index", "Build the index of a reference genome"},
    {"map", "marose", "map", "Map short reads to a reference genome"},
    {"plan", "marose", "plan", "Print the seeds of a read, and the proof that they miss no hit"},
    {"makedb", "align", "makedb", "Make a database of sequences from FASTA"},
    {"info", "align", "info", "Check a database and print its contents"},
    {"get", "align", "get", "Print sequences of a database as FASTA"},
    {"search", "align", "search", "Search a sequence database: exact Smith-Waterman scores"},
    {"pssm", "align", "pssm", "Make a profile of a multiple alignment, as psiblast -in_msa"},
    {"pairs", "align", "pairs", "Align the sequences of two files pair by pair"},
    {"merge", "align", "merge", "Merge the parts written by `genocl search --shard`"},
    {"scan", "pwm", "scan", "Find all motif hits in sequences, with exact P-values"},
    {"enrich", "pwm", "enrich", "Find motifs that are enriched in sequences, as SEA"},
    {"pvalue", "pwm", "pvalue", "Compute the P-value of a score"},
    {"threshold", "pwm", "threshold", "Compute the score threshold of a P-value"},
    {"distribution", "pwm", "distribution", "Compute the P-values of all scores"},
    {"compare", "pwm", "compare", "Compare motifs by their hits, or by their columns as Tomtom"},
    {"cluster", "pwm", "cluster", "Cluster motifs by average linkage, and align each group"},
    {"logo", "pwm", "logo", "Draw sequence logos"},
    {"convert", "pwm", "convert", "Convert motif files to another format"},
    {"mem", "overlap", "mem", "Find all maximal exact matches, as mummer does"},
    {"align-genomes", "overlap", "align-genomes", "Align genomes with a reference, as nucmer does"},
    {"plot", "overlap", "plot", "Draw a dot plot of matches or alignments, as mummerplot"},
    {"find", "overlap", "find", "Find all exact occurrences of patterns"},
    {"suffix-prefix", "overlap", "suffix-prefix", "Find the longest suffix-prefix overlaps of all read pairs"},
    {"lcs", "overlap", "lcs", "Find the longest common substrings of two files"},
    {"multi", "overlap", "multi", "Find the longest substrings common to several records"},
    {"repeat", "overlap", "repeat", "Find the longest repeats, or all regions that are repeated"},
    {"sa", "overlap", "sa", "Compute the suffix array of a text"},
    {"isa", "overlap", "isa", "Compute the inverse suffix array: the rank of each suffix"},
    {"lcp", "overlap", "lcp", "Compute the LCP array: common prefix lengths of neighbouring suffixes"},
    {"bwt", "overlap", "bwt", "Compute the Burrows-Wheeler transform"},
    {"da", "overlap", "da", "Compute the document array: the record of each suffix"},
    {"unbwt", "overlap", "unbwt", "Invert a Burrows-Wheeler transform"},
    {"merge-bwt", "overlap", "merge-bwt", "Merge the Burrows-Wheeler transforms of sets of records"},
    {"lce", "overlap", "lce", "Compute longest common extensions of pairs of positions"},
    {"rmq", "overlap", "rmq", "Compute range minima of the LCP array"},
    {"marose", "marose", "", "All commands of genocl-marose: index, map, plan"},
    {"align", "align", "", "All commands of genocl-align: makedb, search, pairs, ..."},
    {"pwm", "pwm", "", "All commands of genocl-pwm: scan, pvalue, compare, ..."},
    {"overlap", "overlap", "", "All commands of genocl-overlap: index, find, mem, sa, ..."},
    {"jacobi", "jacobi", "", "Jacobi relaxation of a grid in 2D or 3D on all devices of a machine"},
    {"devices", "devices", "", "List the OpenCL devices that genocl can use"},
};

/// Heading of the commands of a program on the help page.
struct Section {
  const char* program;
  const char* title;
};
constexpr Section sections[] = {{"marose", "Read mapping"},
                                {"align", "Database search and alignment"},
                                {"pwm", "Motifs"},
                                {"overlap", "Suffix arrays and exact matches"},
                                {"", "Other"}};

std::string help() {
  std::string text =
      "Exact sequence analysis and a stencil on any OpenCL device.\n\n"
      "Usage: genocl COMMAND [OPTIONS]\n"
      "       genocl help COMMAND\n";
  for (const Section& section : sections) {
    text += std::string("\n") + section.title + "\n";
    for (const Command& command : commands)
      if (*section.program == '\0'
              ? *command.subcommand == '\0'
              : command.program == std::string_view(section.program) && *command.subcommand != '\0')
        program::append_entry(text, command.name, command.does);
  }
  return text +
         "\n  -h, --help                 Print this page\n"
         "      --version              Print the version\n\n"
         "Examples\n"
         "  genocl index genome.fa.gz -o genome.mrs\n"
         "  genocl map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% -o reads.bam\n";
}

/// The rows of this page for manual pages and completions.
std::string help_table() {
  const auto row = [](const char* kind, const std::string& names, const std::string& description) {
    return std::string("genocl\t\t") + kind + "\t" + names + "\t\t" + description + "\n";
  };
  std::string table = row("text", "", "Exact sequence analysis and a stencil on any OpenCL device.") +
                      row("usage", "", "genocl COMMAND [OPTIONS]") + row("usage", "", "genocl help COMMAND") +
                      row("option", "-h,--help", "Print this page") + row("option", "--version", "Print the version");
  for (const Command& command : commands) table += row("subcommand", command.name, command.does);
  return table + row("example", "", "  genocl index genome.fa.gz -o genome.mrs") +
         row("example", "", "  genocl map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% -o reads.bam");
}

void answer(const std::string& text) {
  genocl::files::AtomicFile out("-");  // reports write errors
  out.write(text);
  out.commit();
}

/// The folder of this program's own file.
std::filesystem::path own_folder(const char* called) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);  // Linux
  if (!error) return self.parent_path();
  const std::filesystem::path name(called);
  return name.has_parent_path() ? std::filesystem::canonical(name, error).parent_path() : std::filesystem::path();
}

/// Replaces this process by the program `name`, from the same folder or else from PATH. Throws InputError if it cannot
/// be started.
[[noreturn]] void become(const std::string& name, std::vector<std::string> arguments, const char* called) {
  std::vector<std::string> folders{own_folder(called).string()};
  if (const char* const path = std::getenv("PATH"))
    for (const std::string_view folder : program::parts_of(path, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  arguments.insert(arguments.begin(), name);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  for (const std::string& folder : folders) {
    if (folder.empty()) continue;
    const std::string file = folder + "/" + name;
    ::execv(file.c_str(), pointers.data());
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
      throw genocl::InputError(file + " does not start: " + std::generic_category().message(errno));
  }
  unsetenv(program::called_variable);
  throw genocl::InputError(name + " is neither beside genocl nor in PATH");
}

const Command& command_named(std::string_view name) {
  const auto* const found = std::ranges::find(commands, name, &Command::name);
  if (found != std::end(commands)) return *found;
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  const std::string nearest = program::suggestion(name, names);
  throw genocl::InputError("no command " + genocl::in_quotes(name) +
                           (nearest.empty() ? "; genocl --help lists them" : nearest));
}

void run(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) return answer(help());
  std::string first = arguments.front();
  arguments.erase(arguments.begin());
  if (first == "help" && !arguments.empty()) {
    first = arguments.front();
    arguments.front() = "--help";
  }
  if (first == "help" || first == "-h" || first == "--help") return answer(help());
  if (first == "--help-table") return answer(help_table());
  if (first == "--version") return answer("genocl " GENOCL_VERSION "\n");
  if (first.starts_with('-'))
    throw genocl::InputError("no option " + genocl::shown(first) + "; expected a command; see genocl --help");
  const Command& command = command_named(first);
  setenv(program::called_variable, ("genocl " + first).c_str(), 1);
  if (*command.subcommand != '\0') arguments.insert(arguments.begin(), command.subcommand);
  become(std::string("genocl-") + command.program, arguments, argv[0]);
}

}  // namespace

int main(int argc, char** argv) {
  return program::run_program("genocl", [&] { run(argc, argv); });
}
