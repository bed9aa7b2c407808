// Compares the positions, gaps and clips of mapped reads with the truth of simulate_variants.cpp.
//   judge_places NAME <OUT.sam
// Prints lines `NAME <tab> what <tab> number <tab> of`. A read is right if its contig and strand are right and either
// end, extended over its clips, is within 20 bases of the true end.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr long place_tolerance = 20;
constexpr long certain_mapq = 20;
constexpr long min_chimeric_part = 30;  // chimeras with a shorter part are not counted

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

long number(const std::string& text) { return std::strtol(text.c_str(), nullptr, 10); }

struct Junction {
  long first, last;
};

struct Truth {
  char kind = 'n';
  std::string contig;
  long start = 0, end = 0;
  bool reverse = false;
  std::string gap;
  std::optional<Junction> junction;
};

// The name: number:kind:MATE:MATE.
Truth parse_truth(const std::string& name, bool second_mate) {
  const std::vector<std::string> parts = split(name, ':');
  Truth truth;
  truth.kind = parts.at(1).at(0);
  if (truth.kind == 'f') return truth;
  const std::vector<std::string> fields = split(parts.at(second_mate ? 3 : 2), ',');
  truth.contig = fields.at(0);
  truth.start = number(fields.at(1));
  truth.end = number(fields.at(2));
  truth.reverse = fields.at(3) == "-";
  truth.gap = fields.at(4);
  if (fields.at(5) != ".") {
    const std::vector<std::string> ends = split(fields[5], '-');
    truth.junction = Junction{number(ends.at(0)), number(ends.at(1))};
  }
  return truth;
}

struct Alignment {
  unsigned flag = 0;
  std::string contig;
  long start = 0, end = 0;  // without clips
  long mapq = 0;
  long front_clip = 0, back_clip = 0;
  long read_bases = 0;
  std::vector<long> gaps;  // insertions above 0, deletions below

  bool unmapped() const { return (flag & 4) != 0; }
  bool reverse() const { return (flag & 16) != 0; }
  bool second_mate() const { return (flag & 128) != 0; }
};

Alignment parse_alignment(const std::vector<std::string>& fields) {
  Alignment alignment;
  alignment.flag = static_cast<unsigned>(number(fields.at(1)));
  alignment.contig = fields.at(2);
  alignment.start = alignment.end = number(fields.at(3)) - 1;
  alignment.mapq = number(fields.at(4));
  if (alignment.unmapped()) return alignment;
  for (const char* rest = fields.at(5).c_str(); *rest != '\0';) {
    char* letter = nullptr;
    const long length = std::strtol(rest, &letter, 10);
    rest = letter + 1;
    const bool clip = *letter == 'S' || *letter == 'H';
    if (clip) (alignment.end == alignment.start ? alignment.front_clip : alignment.back_clip) += length;
    if (*letter == 'I') alignment.gaps.push_back(length);
    if (*letter == 'D') alignment.gaps.push_back(-length);
    if (*letter != 'D') alignment.read_bases += length;
    if (*letter != 'I' && !clip) alignment.end += length;
  }
  return alignment;
}

bool is_right(const Alignment& alignment, const Truth& truth) {
  const long start = alignment.start - alignment.front_clip;
  const long end = alignment.end + alignment.back_clip;
  return alignment.contig == truth.contig && alignment.reverse() == truth.reverse &&
         (std::labs(start - truth.start) <= place_tolerance || std::labs(end - truth.end) <= place_tolerance);
}

// Whether a clip ends where the parts of the chimera may meet.
bool is_clipped_at(const Alignment& alignment, const Junction& junction) {
  const long front = alignment.reverse() ? alignment.back_clip : alignment.front_clip;
  const long back = alignment.reverse() ? alignment.front_clip : alignment.back_clip;
  const long back_start = alignment.read_bases - back;
  return (front > 0 && junction.first <= front && front <= junction.last) ||
         (back > 0 && junction.first <= back_start && back_start <= junction.last);
}

struct Share {
  long count = 0, of = 0;
  void add(bool counts) {
    ++of;
    if (counts) ++count;
  }
};

class Judge {
 public:
  void add(const std::vector<std::string>& fields) {
    const Alignment alignment = parse_alignment(fields);
    const Truth truth = parse_truth(fields.at(0), alignment.second_mate());
    const bool has_junction =
        truth.junction && truth.junction->first >= min_chimeric_part && truth.junction->last <= 150 - min_chimeric_part;
    if ((alignment.flag & 256) != 0) return;
    if ((alignment.flag & 2048) != 0) {
      if (has_junction && is_clipped_at(alignment, *truth.junction)) ++split_;
      return;
    }
    if (truth.kind == 'f') {
      foreign_.add(!alignment.unmapped() && alignment.mapq >= certain_mapq);
    } else if (truth.junction) {
      if (!has_junction) return;
      exact_clips_.add(!alignment.unmapped() && is_clipped_at(alignment, *truth.junction));
      unmapped_chimeras_ += alignment.unmapped();
    } else {
      add_whole(alignment, truth);
    }
  }

  void print(const char* name) const {
    const auto line = [&](const char* what, const Share& share) {
      std::printf("%s\t%s\t%ld\t%ld\n", name, what, share.count, share.of);
    };
    line("right", right_);
    line("right, MAPQ >= 20", certain_);
    line("wrong, MAPQ >= 20", wrong_);
    line("unmapped", unmapped_);
    line("adapter reads right", adapter_);
    line("foreign, MAPQ >= 20", foreign_);
    line("gaps in reads without one", false_gaps_);
    line("gaps of 1 intact", true_gaps_[0]);
    line("gaps of 2-10 intact", true_gaps_[1]);
    line("gaps of 11-50 intact", true_gaps_[2]);
    line("chimeras clipped exactly", exact_clips_);
    line("chimeras unmapped", {unmapped_chimeras_, exact_clips_.of});
    line("chimeras split exactly", {split_, exact_clips_.of});
  }

 private:
  void add_whole(const Alignment& alignment, const Truth& truth) {
    const bool right = !alignment.unmapped() && is_right(alignment, truth);
    const bool certain = alignment.mapq >= certain_mapq;
    right_.add(right);
    certain_.add(right && certain);
    wrong_.add(!alignment.unmapped() && !right && certain);
    unmapped_.add(alignment.unmapped());
    if (truth.kind == 'a') adapter_.add(right);
    if (truth.gap == "*") return;
    const long gap = number(truth.gap);
    if (gap == 0) false_gaps_.add(right && !alignment.gaps.empty());
    const long length = std::labs(gap);
    if (length == 0 || length > 50) return;
    const bool intact = right && alignment.gaps.size() == 1 && alignment.gaps[0] == gap;
    true_gaps_[length == 1 ? 0 : length <= 10 ? 1 : 2].add(intact);
  }

  Share right_, certain_, wrong_, unmapped_, adapter_, foreign_, false_gaps_, exact_clips_;
  Share true_gaps_[3];
  long unmapped_chimeras_ = 0, split_ = 0;
};

}  // namespace

int main(int count, char** values) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: judge_places NAME <OUT.sam\n");
    return 1;
  }
  std::ios::sync_with_stdio(false);
  Judge judge;
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty() && line[0] != '@') judge.add(split(line, '\t'));
  judge.print(values[1]);
  return 0;
}
