// Tables of formatted records, with their order by coordinate.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

struct FormattedRecord {
  std::uint64_t key, size;
};

/// Returns a sort key: records by coordinate are in ascending order of it.
inline std::uint64_t coordinate_key(const AlignmentRecord& record) {
  // No reference, -1, becomes the maximum.
  const auto reference = std::uint64_t{static_cast<std::uint32_t>(record.reference)};
  const auto position = static_cast<std::uint64_t>(record.position + 1);
  return reference << 32 | position << 1 | ((record.flag & AlignmentRecord::reverse) != 0 ? 1 : 0);
}

inline void append_table(const std::vector<FormattedRecord>& table, std::string& bytes) {
  const std::uint64_t count = table.size();
  bytes.append(reinterpret_cast<const char*>(table.data()), count * sizeof(FormattedRecord));
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
}

/// Calls `look` with the key and the bytes of each record.
template <class Look>
void for_each_record(std::string_view bytes, Look&& look) {
  if (bytes.empty()) return;
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data() + bytes.size() - sizeof count, sizeof count);
  const char* entry = bytes.data() + bytes.size() - sizeof count - count * sizeof(FormattedRecord);
  for (std::uint64_t i = 0, begin = 0; i < count; ++i, entry += sizeof(FormattedRecord)) {
    FormattedRecord record{};
    std::memcpy(&record, entry, sizeof record);
    look(record.key, bytes.substr(begin, record.size));
    begin += record.size;
  }
}

}  // namespace genocl::io
