// Any bytes as hits that another process has found: hits that pack to the same bytes, or an Error.
#include "fuzz.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/error.hpp"

void fuzz::check(std::string_view bytes) {
  namespace align = genocl::align;
  try {
    const std::vector<std::vector<align::Hit>> hits = align::unpack_hits(bytes);
    const std::string again = align::pack_hits(hits);
    require(again.size() <= bytes.size(), "every hit was in the bytes");
    require(align::unpack_hits(again).size() == hits.size(), "hits pack and unpack");
  } catch (const genocl::Error&) {
  }
}
