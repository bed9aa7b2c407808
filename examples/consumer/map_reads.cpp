#include <genocl/genocl.hpp>
#include <iostream>

int main() {
  const genocl::Device device = genocl::Device::pick();  // the best GPU, else a CPU
  genocl::SequenceSet genome, reads;
  genome.append_letters("chr", "ACGTTGCAACGTTGCATTACGGATTACAGCATTCGGATCACCTAGGTTACAGT");
  reads.append_letters("read1", "TTGCATTACGGATTACAGCTTTCGGATCACC");
  const genocl::marose::Index index = genocl::marose::Index::build(device, genome);
  const genocl::marose::Mapper mapper(device, index, {.errors = {.count = 2}});
  const genocl::marose::Hits hits = mapper.map(reads);
  for (const genocl::marose::Hit& hit : hits.of(0)) std::cout << hit.position << ' ' << hit.errors << '\n';  // 11 1
}
