#include "io/bam/cram_reference.hpp"

#include <htslib/faidx.h>
#include <htslib/hfile.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {
namespace {

struct DestroyFai {
  void operator()(faidx_t* fai) const noexcept { fai_destroy(fai); }
};

[[noreturn]] void refuse(const std::string& fasta) {
  throw InputError(fasta, {}, "cannot be looked into as the reference of CRAM",
                   "FASTA, plain or by bgzip and not gzip, with lines of one length in each contig");
}

std::string name_of(const files::AtomicFile& file) { return "/dev/fd/" + std::to_string(file.descriptor()); }

/// Made in one go each, so that none is there that was cut off.
void make_fai(const std::string& fasta, bool compressed) {
  files::AtomicFile fai(fasta + ".fai");
  std::optional<files::AtomicFile> gzi;
  if (compressed) gzi.emplace(fasta + ".gzi");
  if (fai_build3(fasta.c_str(), name_of(fai).c_str(), compressed ? name_of(*gzi).c_str() : nullptr) != 0) refuse(fasta);
  if (gzi) gzi->commit();
  fai.commit();
}

}  // namespace

void prepare_cram_reference(const std::string& fasta, std::span<const AlignmentHeader::Reference> references) {
  const SilentHtslib silent;
  std::ifstream file(fasta, std::ios::binary);
  std::error_code error;
  // A name of another machine is for htslib to fetch, and for nobody here.
  if (!file || !std::filesystem::is_regular_file(fasta, error) || hisremote(fasta.c_str()) != 0)
    throw InputError(fasta, {}, "cannot be opened as the reference of CRAM", "a regular file of FASTA");
  constexpr int gzip = 0x1f;
  const bool compressed = file.peek() == gzip;
  if (!std::filesystem::exists(fasta + ".fai") || (compressed && !std::filesystem::exists(fasta + ".gzi")))
    make_fai(fasta, compressed);
  const std::unique_ptr<faidx_t, DestroyFai> fai(fai_load3(fasta.c_str(), nullptr, nullptr, 0));
  if (!fai) refuse(fasta);
  for (const auto& [name, length] : references) {
    const int found = faidx_seq_len(fai.get(), name.c_str());
    if (found < 0) throw InputError(fasta, {}, "no contig " + name + " in it", "the reference that was mapped to");
    if (static_cast<std::uint64_t>(found) != length)
      throw InputError(fasta, {}, "contig " + name + " has " + std::to_string(found) + " bases",
                       std::to_string(length) + ", as in the reference that was mapped to");
  }
}

}  // namespace genocl::io
