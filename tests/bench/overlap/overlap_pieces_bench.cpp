// Suffix arrays in pieces, MB of text per second as items, from a text packed on the host to positions there:
//
//   overlap/pieces/<text>/whole/<variant>           in as few pieces as there is memory for
//   overlap/pieces/<text>/8 pieces/<variant>        in 8 or a few more
//   overlap/pieces/<text>/64 bits, <n> devices      by GPUs that are alike, where there are several
//   overlap/pieces/check/<text>/<variant>           first_error() of the array
//
// overlap/suffix/hybrid/<text>/with copies is what makes the array as a whole.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "bench/bench.hpp"
#include "bench/overlap/drawn_genome.hpp"
#include "bench/overlap/suffix_texts.hpp"
#include "genocl/overlap/pieces.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
namespace overlap = genocl::overlap;

/// A drawn genome with its reverse complement behind it.
Bytes drawn_strands(std::uint64_t size) {
  Bytes text = drawn_genome(size / 2);
  text.resize(2 * (size / 2));
  for (std::uint64_t i = 0; i < size / 2; ++i) {
    const std::uint8_t base = text[i];
    text[text.size() - 1 - i] = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A';
  }
  return text;
}

/// Of the benchmark that runs.
struct Data {
  std::optional<overlap::Text> text;
  std::vector<std::uint64_t> positions;
};

template <class Position>
void sort(std::span<const Device> devices, const overlap::Text& text, std::uint64_t pieces,
          std::vector<std::uint64_t>* into) {
  const overlap::PositionSink<Position> sink = [&](std::span<const Position> positions) {
    if (into != nullptr) into->insert(into->end(), positions.begin(), positions.end());
    benchmark::DoNotOptimize(positions.data());
  };
  overlap::PieceOptions options;
  if (pieces > 1) options.piece_suffixes = (text.size() + pieces - 1) / pieces;
  overlap::sort_in_pieces(devices, text, sink, options);
}

void add_text(const Setting& setting, const Source& source) {
  const Work work{.items = static_cast<double>(source.size)};
  auto data = std::make_shared<Data>();
  const auto read = [=] {
    if (!data->text) data->text.emplace(overlap::on_host, source.make());
  };
  const auto add = [&](const std::string& name, const std::vector<Device>& devices, std::uint64_t pieces, bool wide) {
    const auto release = [=] {
      *data = {};
      for (const Device& device : devices) device.release_scratch();
    };
    add_benchmark(
        "overlap/pieces/" + source.name + "/" + name, setting, devices.front(), work,
        [=] {
          if (wide)
            sort<std::uint64_t>(devices, *data->text, pieces, nullptr);
          else
            sort<std::uint32_t>(devices, *data->text, pieces, nullptr);
        },
        read, release);
  };
  for (const Variant& variant : setting.variants) {
    const Device& device = variant.device;
    const bool cpu = device.info().type == genocl::DeviceType::cpu;
    if (!fits(device, source.size, source.size) || (cpu && source.size > std::uint64_t{1} << 24)) continue;
    const bool narrow = source.size <= overlap::Text::longest;  // 32 bits will do
    if (narrow) add("whole/" + variant.name, {device}, 1, false);
    add("whole, 64 bits/" + variant.name, {device}, 1, true);
    add("8 pieces/" + variant.name, {device}, 8, !narrow);
    add_benchmark(
        "overlap/pieces/check/" + source.name + "/" + variant.name, setting, device, work,
        [=] {
          const std::span<const std::uint64_t> positions(data->positions);
          benchmark::DoNotOptimize(overlap::first_error(device, *data->text, positions).has_value());
        },
        [=] {
          read();
          if (!data->positions.empty()) return;
          data->positions.reserve(source.size);
          sort<std::uint64_t>({&device, 1}, *data->text, 1, &data->positions);
        },
        [=] {
          *data = {};
          device.release_scratch();
        });
  }
  if (setting.device().info().type == genocl::DeviceType::cpu) return;
  std::vector<Device> alike;
  for (const genocl::DeviceInfo& info : Device::available())
    if (info.name == setting.device().info().name) alike.push_back(Device::pick(std::to_string(info.index)));
  for (std::size_t count = 1; alike.size() > 1 && count <= alike.size(); count *= 2)
    add("64 bits, " + std::to_string(count) + " devices", {alike.begin(), alike.begin() + static_cast<long>(count)}, 1,
        true);
}

}  // namespace

void add_overlap_pieces(const Setting& setting) {
  for (const Source& source : suffix_texts())
    if (source.size >= std::uint64_t{1} << 20 && !source.name.starts_with("paper")) add_text(setting, source);
  // Past 2^32 symbols, and of so many that a genome's strands have.
  const std::uint64_t strands = 6'200'000'000;
  if (setting.device().info().type != genocl::DeviceType::cpu)
    add_text(setting, {"drawn genome 6.2G", strands, [] { return drawn_strands(strands); }});
}

}  // namespace genocl_bench
