// Prefix-free parsing, third part: the order of the phrases, as they follow one another, gives that of all suffixes.
#include "overlap/suffix/phrases.clh"

// The phrase that ends at the end comes before all that end at separators.
static inline uint phrase_rotated(ulong k, ulong count, uint last_first) {
  return (uint)(last_first == 0 ? k : k == 0 ? count - 1 : k - 1);
}

// Keys to sort phrases by.
ITEM_KERNEL void phrase_keys(__global const uint* entries, __global const uint* begins, __global const uint* classes,
                             uint last_first, __global uint* keys, __global uint* phrases, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = phrase_rotated(k, count, last_first);
    keys[k] = classes[begins[entries[i]]];
    phrases[k] = i;
  }
}

// Two phrases that end at a separator are never equal.
ITEM_KERNEL void phrase_mark_names(__global const uint* separators, ulong size, __global const uint* starts,
                                   __global const uint* keys, __global const uint* phrases, __global uint* news,
                                   ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share)
  news[k] = k == 0 || keys[k] != keys[k - 1] || phrase_kind(separators, size, starts, phrases[k]) != PHRASE_AT_TRIGGER;
}

ITEM_KERNEL void phrase_write_names(__global const uint* phrases, __global const uint* numbers, __global uint* names,
                                    ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) names[phrases[k]] = numbers[k];
}

// The order of the suffixes of one class: those that end at a separator by its position, all others by the phrases
// after theirs. `order`: of the suffixes of the string of phrases. `count`: twice the number of phrases.
ITEM_KERNEL void phrase_candidates(__global const uint* separators, ulong size, __global const uint* starts,
                                   __global const uint* order, uint last_first, __global uint* candidates,
                                   __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const ulong phrases = count / 2;
    if (k < phrases) {
      const uint i = phrase_rotated(k, phrases, last_first);
      candidates[k] = i;
      flags[k] = phrase_kind(separators, size, starts, i) != PHRASE_AT_TRIGGER;
    } else {
      const uint next = order[k - phrases], i = next == 0 ? 0 : next - 1;
      candidates[k] = i;
      flags[k] = next != 0 && phrase_kind(separators, size, starts, i) == PHRASE_AT_TRIGGER;
    }
  }
}

ITEM_KERNEL void phrase_lengths(__global const uint* starts, __global const uint* phrases, __global uint* lengths,
                                ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) lengths[k] = starts[phrases[k] + 1] - starts[phrases[k]];
}
