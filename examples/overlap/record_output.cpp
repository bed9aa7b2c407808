#include "overlap/record_output.hpp"

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
    strings_.push_back(read_bytes(file));
  }
}

std::string Records::name(std::uint64_t record) const { return of_bytes_ ? names_[record] : record_name(set_, record); }

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
    summary = work(devices, [&bar](const genocl::ProgressState& state) {
      bar.show(state.fraction, state.items_done);
      return true;
    });
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
