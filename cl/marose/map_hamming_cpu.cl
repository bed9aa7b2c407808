// Method `canonical` with Hamming errors on a CPU: look-ups, contexts and verification in one kernel.
#include "marose/hamming.clh"
#include "marose/map_cpu.clh"

INLINED uint8 context_errors(uint8 contexts, uint context, uint pairs, uint exact, uint errors) {
  (void)exact;
  uint8 differs = contexts ^ (uint8)(context);
  differs = (differs | differs >> (uint8)(1)) & (uint8)(pairs);
  for (uint e = 0; e < errors; e++) differs &= differs - (uint8)(1);  // takes one of them off
  return differs;
}

INLINED void verify_found(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* positions,
                          uint strands, uint max_errors, uint first_read, const LookUps* look_ups, Found* found,
                          uint count, Sink* sink, ulong* list) {
  (void)max_errors;
  for (uint i = 0; i < count; i++) {
    const uint position = positions[found->entry[i]];
    found->entry[i] = position;
    PREFETCH(text + (position >> 5));
  }
  for (uint i = 0; i < count; i++) {
    const uint look_up = found->look_up[i], position = found->entry[i];
    const uint in_batch = look_ups->read[look_up], read = first_read + in_batch;
    const uint4 head = PLAN_HEAD(read_plan[read]), place = PLACE(look_ups->place[look_up]);
    const uint strand = strand_of(text, look_ups, look_up, position);
    const uint before = strand ? place.y : place.x;
    if ((strands >> strand & 1) == 0 || position < before || position - before + (ulong)head.z > text_length) continue;
    const uint begin = position - before;
    const uint errors = hamming_distance(REFERENCE, READS, read, strand, begin, head.z, head.w);
    if (errors <= head.w) put_hit(sink, list, HIT(in_batch, strand, begin + DIAGONAL_BIAS, errors));
  }
}

WORKER_KERNEL void map_hamming_cpu(MAP_ARGUMENTS) { map_cpu(MAPPED); }
