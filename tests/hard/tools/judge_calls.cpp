// Compares called variants with the truth of simulate_variants.cpp. Both are VCF normalised by `bcftools norm -m-`.
//   judge_calls NAME TRUTH.vcf CALLS.vcf MIN_QUAL
// Prints lines `NAME <tab> kind <tab> true variants <tab> found <tab> missed <tab> false` for each kind and for all.
// The kind of a false call is that of its length. False substitutions near a cluster count as `cluster`.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr long cluster_span = 50;

struct Site {
  std::string contig;
  long position;
};

struct Variant {
  Site site;
  std::string before, after;
  double quality;
  std::string info, genotype;

  std::string key() const { return site.contig + "\t" + std::to_string(site.position) + "\t" + before + "\t" + after; }
};

std::vector<Variant> read_variants(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::vector<Variant> variants;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string id, quality, filter, format;
    Variant variant;
    fields >> variant.site.contig >> variant.site.position >> id >> variant.before >> variant.after >> quality >>
        filter >> variant.info >> format >> variant.genotype;
    if (!fields) throw std::runtime_error(path + ": a line without ten fields: " + line);
    variant.quality = std::atof(quality.c_str());
    variants.push_back(variant);
  }
  return variants;
}

std::string kind_by_length(const Variant& variant) {
  const long length = std::labs(static_cast<long>(variant.after.size()) - static_cast<long>(variant.before.size()));
  return length == 0 ? "SNV" : length <= 10 ? "1-10" : length <= 50 ? "11-50" : "long";
}

std::string true_kind(const Variant& variant) {
  const std::size_t at = variant.info.find("KIND=");
  if (at == std::string::npos) throw std::runtime_error("a true variant without KIND");
  return variant.info.substr(at + 5, variant.info.find(';', at) - at - 5);
}

struct Counts {
  long variants = 0, found = 0, wrong = 0;
};

class Judge {
 public:
  explicit Judge(const std::vector<Variant>& truth) {
    for (const Variant& variant : truth) {
      kind_of_[variant.key()] = true_kind(variant);
      if (true_kind(variant) == "cluster") clusters_[variant.site.contig].insert(variant.site.position);
      ++counts_[true_kind(variant)].variants;
    }
  }

  void add(const Variant& call) {
    if (!seen_.insert(call.key()).second) return;
    const auto found = kind_of_.find(call.key());
    if (found != kind_of_.end()) {
      ++counts_[found->second].found;
    } else {
      const std::string kind = kind_by_length(call);
      ++counts_[kind == "SNV" && near_cluster(call.site) ? "cluster" : kind].wrong;
    }
  }

  void print(const std::string& name) {
    Counts all;
    for (const char* kind : {"SNV", "cluster", "1-10", "11-50", "long"}) {
      const Counts& counts = counts_[kind];
      print_line(name, kind, counts);
      all.variants += counts.variants;
      all.found += counts.found;
      all.wrong += counts.wrong;
    }
    print_line(name, "all", all);
  }

 private:
  bool near_cluster(const Site& site) const {
    const auto positions = clusters_.find(site.contig);
    if (positions == clusters_.end()) return false;
    const auto next = positions->second.lower_bound(site.position - cluster_span);
    return next != positions->second.end() && *next <= site.position + cluster_span;
  }

  static void print_line(const std::string& name, const char* kind, const Counts& counts) {
    std::printf("%s\t%s\t%ld\t%ld\t%ld\t%ld\n", name.c_str(), kind, counts.variants, counts.found,
                counts.variants - counts.found, counts.wrong);
  }

  std::map<std::string, std::string> kind_of_;
  std::map<std::string, std::set<long>> clusters_;
  std::map<std::string, Counts> counts_;
  std::set<std::string> seen_;
};

// Whether the genotype has the alternative allele, which is number 1 after `norm -m-`.
bool is_called(const Variant& call, double min_quality) {
  const std::string genotype = call.genotype.substr(0, call.genotype.find(':'));
  return call.quality >= min_quality && genotype.find('1') != std::string::npos &&
         call.after.find('*') == std::string::npos;
}

}  // namespace

int main(int count, char** values) {
  if (count != 5) {
    std::fprintf(stderr, "Usage: judge_calls NAME TRUTH.vcf CALLS.vcf MIN_QUAL\n");
    return 1;
  }
  try {
    Judge judge(read_variants(values[2]));
    for (const Variant& call : read_variants(values[3]))
      if (is_called(call, std::atof(values[4]))) judge.add(call);
    judge.print(values[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "judge_calls: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
