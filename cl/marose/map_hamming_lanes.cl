// Method `canonical` with Hamming errors on a CPU: look-ups, contexts and verification in one kernel.
#include "marose/map_lanes.clh"

INLINED uint8 context_errors(uint8 contexts, uint context, uint pairs, uint exact, uint errors) {
  (void)exact;
  uint8 differs = contexts ^ (uint8)(context);
  differs = (differs | differs >> (uint8)(1)) & (uint8)(pairs);
  for (uint e = 0; e < errors; e++) differs &= differs - (uint8)(1);  // takes one of them off
  return differs;
}

// Substitutions between a strand of a read and the text at `begin`; stops above `most`. Outside one contig: above.
INLINED uint hamming_distance(REFERENCE_ARGUMENTS, READ_ARGUMENTS, uint read, uint strand, uint begin, uint length,
                              uint most) {
  const bool with_special = is_special(special, begin, begin + length);
  if (with_special && contig_begin[contig_of(contig_begin, contig_count, begin) + 1] < begin + length) return most + 1;
  __global const ulong* bases = read_strand(read_bases, read, strand);
#if HAS_UNKNOWN
  __global const ulong* unknown = read_strand(read_unknown, read, strand);
#else
  (void)read_unknown;
#endif
  uint errors = 0;
  for (uint at = 0; at < length && errors <= most; at += 32) {
    ulong differs = mismatches(text_window(text, (long)begin + at), bases[at / 32]);
#if HAS_UNKNOWN
    differs |= unknown[at / 32];
#endif
    if (with_special) differs |= unknown_window(unknown_begin, unknown_end, unknown_count, begin + at);
    errors += (uint)popcount(differs & first_bases(min(length - at, 32u)));
  }
  return errors;
}

INLINED void verify_found(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* positions,
                          uint strands, uint most_errors, uint first_read, const LookUps* look_ups, Found* found,
                          uint count, Sink* sink, ulong* list) {
  (void)most_errors;
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

WORKER_KERNEL void map_hamming_lanes(MAP_ARGUMENTS) { map_lanes(MAPPED); }
