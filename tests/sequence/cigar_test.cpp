#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "genocl/sequence/cigar.hpp"

using genocl::Cigar;

namespace {

Cigar cigar_of(int runs) {
  Cigar cigar;
  for (int i = 0; i < runs; ++i) cigar.append(static_cast<std::uint32_t>(i + 1), i % 2 == 0 ? '=' : 'X');
  return cigar;
}

}  // namespace

TEST_CASE("cigar: one that was moved from has no runs, with memory of its own and without") {
  for (int runs = 0; runs < 12; ++runs) {
    CAPTURE(runs);
    const std::string text = cigar_of(runs).str();
    Cigar from = cigar_of(runs), taken = std::move(from), assigned = cigar_of(7);
    CHECK(taken.str() == text);
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    CHECK(from.empty());
    CHECK(from.runs().empty());
    CHECK(from.str() == "*");
    CHECK(from == Cigar());
    from.append(3, 'D');
    CHECK(from.str() == "3D");
    assigned = std::move(taken);
    CHECK(taken.query_length() == 0);
    taken = assigned;
    CHECK(taken.str() == text);
    // NOLINTEND(bugprone-use-after-move)
  }
}

TEST_CASE("cigar: what is appended may be its own") {
  for (int runs = 1; runs < 12; ++runs) {
    CAPTURE(runs);
    Cigar cigar = cigar_of(runs), twice = cigar_of(runs);
    const Cigar copy = cigar;
    twice.append(copy);
    cigar.append(cigar);
    CHECK(cigar == twice);
    Cigar one = cigar_of(runs), other = cigar_of(runs);
    one.append(one.runs()[0]);
    other.append(1, '=');
    CHECK(one == other);
  }
}
