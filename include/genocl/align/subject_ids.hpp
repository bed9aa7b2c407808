// Subjects by id: lists of ids, and the taxonomy that a map gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/database.hpp"
#include "genocl/export.hpp"

namespace genocl::align {

/// Finds the subjects of a database by id. An id is the first word of a header, also of a header behind ^A as in nr. It
/// is also the accession in that word, with or without its version: "sp|P69905.2|HBA_HUMAN" has the ids P69905.2 and
/// P69905. Const members may be called concurrently.
class GENOCL_EXPORT SubjectIds {
 public:
  /// O(n) time and memory. Copies the database, which shares memory.
  explicit SubjectIds(const Database& database);
  SubjectIds(SubjectIds&&) noexcept;
  SubjectIds& operator=(SubjectIds&&) noexcept;
  ~SubjectIds();

  /// Returns the sequence numbers of an id, ascending; empty if it is unknown. A first word precedes accessions. O(1).
  std::span<const std::uint64_t> find(std::string_view id) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

struct Taxon {
  std::uint64_t id = 0;   ///< NCBI's taxonomy id
  std::string name = {};  ///< scientific name; empty if unknown
};

/// The taxonomy ids of subjects, from a map as makeblastdb -taxid_map reads it. Const members may be called
/// concurrently.
class GENOCL_EXPORT TaxonomyMap {
 public:
  /// Parses lines with an id as in SubjectIds, a taxonomy id, and optionally a scientific name, separated by tabs; the
  /// first two also by blanks. Empty lines and lines that begin with '#' are skipped. O(size of the text) time and
  /// memory.
  ///
  /// @param file  name in messages
  /// @throws InputError, with the line, for a line without a taxonomy id, and for a map without an entry
  static TaxonomyMap parse(std::string_view text, const std::string& file);
  TaxonomyMap(TaxonomyMap&&) noexcept;
  TaxonomyMap& operator=(TaxonomyMap&&) noexcept;
  ~TaxonomyMap();

  /// Returns the taxa of a subject, one for each header that the map has, ascending by id, without duplicates.
  std::vector<Taxon> taxa(std::string_view name, std::string_view description) const;
  /// Returns the taxon of the first header alone; id 0 if the map does not have it.
  Taxon first_taxon(std::string_view name) const;

 private:
  struct State;
  explicit TaxonomyMap(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace genocl::align
