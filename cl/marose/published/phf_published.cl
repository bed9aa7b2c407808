// `phf` as published (Algorithm 1 and Figure 9 of the paper): a work-group has a read, a work-item one of its patterns.
// An item hashes every word of the degenerated set of its pattern. The group then sorts the candidates of the read by
// radix. See index_phf_published.cl for the tables.
//
// A look-up has three steps at random places: the values of the three vertices of the word, the word in the first
// level, and for a word that is found its list in the second level.
#include "marose/published/bdz.clh"
#include "marose/published/degenerate.clh"

#define PHF_ARGUMENTS                                                                                   \
  HEAD_ARGUMENTS, __global const uint *values, __global const WORD *words, __global const uint *begins, \
      __global const uint *positions
#define PHF heads, values, words, begins, positions

// Bits of a digit of the sort, and of the keys of a read: a diagonal and a strand.
#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define KEY_BITS 33

INLINED uint phf_find(LOOK_UP_ITEM_ARGUMENTS, PHF_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  const uint2 head = heads[pattern.seed];
  const uint vertices = heads[pattern.seed + 1].x - head.x;
  uint given = 0;
  FOR_EACH_WORD(word, &pattern) {
    const uint vertex = vertex_in_block(values, head, vertices, word);
    if (vertex == NO_VERTEX || words[vertex] != word) continue;
    given += give_positions(&pattern, positions, begins[vertex], begins[vertex + 1], writes, keys, at + given);
  }
  return given;
}

// counts[pattern]: number of candidates of each pattern of each read.
GROUP_KERNEL void phf_published_count(LOOK_UP_ARGUMENTS, PHF_ARGUMENTS, __global ulong* counts, uint reads) {
  (void)items;
  const uint patterns = 2 * max_places;
  for (uint read = get_group_id(0); read < reads; read += get_num_groups(0))
    for (uint pattern = get_local_id(0); pattern < patterns; pattern += GROUP_SIZE)
      counts[(ulong)read * patterns + pattern] = phf_find(LOOK_UP(read * patterns + pattern), PHF, COUNT_ONLY);
}

// The bits in which keys[0 .. count) differ, below KEY_BITS.
INLINED ulong varying_bits(__global const ulong* keys, ulong count, __local uint* varying) {
  const uint item = get_local_id(0);
  if (item < 2) varying[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong own = 0;
  for (ulong i = item; i < count; i += GROUP_SIZE) own |= keys[i] ^ keys[0];
  if ((uint)own != 0) atomic_or(varying, (uint)own);
  if (own >> 32 != 0) atomic_or(varying + 1, (uint)(own >> 32));
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong all = (ulong)varying[1] << 32 | varying[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}

// counters[digit][item], to the number of keys that precede them in the order of digits and items.
INLINED void scan_counters(__local uint* counters, __local uint* sums) {
  const uint item = get_local_id(0);
  uint sum = 0;
  for (uint i = 0; i < DIGITS; i++) sum += counters[item * DIGITS + i];
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
    const uint more = item >= distance ? sums[item - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[item] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint before = sums[item] - sum;
  for (uint i = 0; i < DIGITS; i++) {
    const uint counter = counters[item * DIGITS + i];
    counters[item * DIGITS + i] = before;
    before += counter;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// A stable pass by one digit. An item has consecutive keys.
INLINED void radix_pass(__global const ulong* from, __global ulong* to, ulong count, uint shift, __local uint* counters,
                        __local uint* sums) {
  const uint item = get_local_id(0);
  const ulong share = (count + GROUP_SIZE - 1) / GROUP_SIZE;
  const ulong begin = min(item * share, count), end = min(begin + share, count);
  for (uint digit = 0; digit < DIGITS; digit++) counters[digit * GROUP_SIZE + item] = 0;
  for (ulong i = begin; i < end; i++) counters[((uint)(from[i] >> shift) & (DIGITS - 1)) * GROUP_SIZE + item]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  scan_counters(counters, sums);
  for (ulong i = begin; i < end; i++) {
    const ulong key = from[i];
    to[counters[((uint)(key >> shift) & (DIGITS - 1)) * GROUP_SIZE + item]++] = key;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// The lowest digit from `shift` on in which keys vary, or KEY_BITS and more.
INLINED uint next_digit(ulong varied, uint shift) {
  while (shift < KEY_BITS && (varied >> shift & (DIGITS - 1)) == 0) shift += DIGIT_BITS;
  return shift;
}

// No barrier is in a condition, although all items would take it: PoCL 3.1 then corrupts the memory of the process.
INLINED void sort_keys(__global ulong* keys, __global ulong* other, ulong count, __local uint* counters,
                       __local uint* sums, __local uint* varying) {
  const ulong varied = varying_bits(keys, count, varying);
  __global ulong *from = keys, *to = other;
  for (uint shift = next_digit(varied, 0); shift < KEY_BITS; shift = next_digit(varied, shift + DIGIT_BITS)) {
    radix_pass(from, to, count, shift, counters, sums);
    __global ulong* sorted = to;
    to = from;
    from = sorted;
  }
  if (from != keys)
    for (ulong i = get_local_id(0); i < count; i += GROUP_SIZE) keys[i] = other[i];
}

// Writes the candidates of each pattern from offsets[pattern] on, then sorts those of each read. `other` has the size
// of `keys`.
GROUP_KERNEL void phf_published_find(LOOK_UP_ARGUMENTS, PHF_ARGUMENTS, __global const ulong* offsets,
                                     __global ulong* keys, __global ulong* other, uint reads) {
  __local uint counters[DIGITS * GROUP_SIZE], sums[GROUP_SIZE], varying[2];
  (void)items;
  const uint patterns = 2 * max_places;
  for (uint read = get_group_id(0); read < reads; read += get_num_groups(0)) {
    const ulong first = (ulong)read * patterns;
    for (uint pattern = get_local_id(0); pattern < patterns; pattern += GROUP_SIZE)
      phf_find(LOOK_UP(read * patterns + pattern), PHF, true, keys, offsets[first + pattern]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    const ulong begin = offsets[first], count = offsets[first + patterns] - begin;
    sort_keys(keys + begin, other + begin, count, counters, sums, varying);
  }
}
