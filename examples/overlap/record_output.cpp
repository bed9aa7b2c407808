#include "overlap/record_output.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "common/progress_bar.hpp"
#include "overlap/inputs.hpp"

namespace program {

Records::Records(const std::vector<std::string>& files, bool bytes) : of_bytes_(bytes) {
  check_standard_input(files);
  if (!bytes) {
    set_ = read_records(files);
    return;
  }
  for (const std::string& file : files) {
    names_.push_back(file);
    files_.push_back(read_bytes(file));
  }
  for (const std::vector<std::uint8_t>& file : files_) strings_.emplace_back(file);
}

Records::Records(const std::vector<std::string>& files, std::string_view separator) : Records(files, true) {
  if (separator.empty()) return;
  strings_.clear();
  for (const std::vector<std::uint8_t>& file : files_) {
    first_of_file_.push_back(strings_.size());
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(separator, begin), text.size());
      strings_.push_back(std::span(file).subspan(begin, end - begin));
      begin = end + separator.size();
    }
  }
}

std::size_t Records::file_of(std::uint64_t record) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_of_file_, record) - first_of_file_.begin()) - 1;
}

bool Records::is_separated(std::uint64_t record) const {
  if (first_of_file_.empty()) return false;
  const std::vector<std::uint8_t>& file = files_[file_of(record)];
  const std::span<const std::uint8_t> own = strings_[record];
  return own.data() + own.size() < file.data() + file.size();
}

std::string Records::name(std::uint64_t record) const {
  if (!of_bytes_) return record_name(set_, record);
  if (first_of_file_.empty()) return names_[record];
  const std::size_t file = file_of(record);
  const std::string number = std::to_string(record - first_of_file_[file] + 1);
  return names_.size() == 1 ? number : names_[file] + ':' + number;
}

std::string Records::part(std::uint64_t record, std::uint64_t position, std::uint64_t length) const {
  if (!of_bytes_) return genocl::decode(set_.alphabet(), set_[record].subspan(position, length));
  std::string text;
  for (std::uint64_t i = position; i < position + length; ++i) {
    const unsigned byte = strings_[record][i];
    if (byte >= 0x20 && byte < 0x7f && byte != '\\') {
      text += static_cast<char>(byte);
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      text += code;
    }
  }
  return text;
}

std::string record_name(const genocl::SequenceSet& records, std::uint64_t record) {
  return records.name(record).empty() ? std::to_string(record + 1) : std::string(records.name(record));
}

void with_devices(const RecordSettings& settings,
                  const std::function<std::string(std::span<const genocl::Device>, const genocl::Progress&)>& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  std::string summary;
  {
    ProgressBar bar("symbols", settings.common.quiet, "M", 1e6);
    summary = work(devices, bar.progress());
  }
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
  if (settings.common.quiet || !team().is_root()) return;
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%.2f",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  std::cerr << summary << ", " << seconds << " s\n";
}

}  // namespace program
