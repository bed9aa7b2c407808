// DC3's names: the sample (suffixes i with i % 3 != 0) is sorted by keys, then equal keys get equal names.
//
// A key is a window of three or more symbols of the text at level 0, a triple of names below. Both are sorted by 32
// bits at a time, the lowest first, which takes less memory than whole keys. A window with a separator or the end has a
// unique name. Ties are in the order of the input, which the stable sort keeps: ascending positions with separators,
// since the earlier separator is smaller; descending without, since of two windows with the end the later is shorter.
#include "overlap/suffix/dc3_string.clh"

// The low bits of each sample's window, to be sorted by first where a window has more than 32.
ITEM_KERNEL void dc3_window_keys(__global const ulong* text, __global const uint* separators, ulong size, uint low_bits,
                                 __global uint* keys, __global uint* positions, ulong count, ulong share) {
  const uint mask = low_bits == 32 ? 0xffffffffu : (1u << low_bits) - 1;
  FOR_EACH_ITEM(k, count, share) {
#if TEXT_SEPARATORS
    const uint i = dc3_sample(k);
#else
    const uint i = dc3_sample(count - 1 - k);
#endif
    keys[k] = (uint)dc3_key(text, separators, size, i) & mask;
    positions[k] = i;
  }
}

// The bits above them, in the order of those.
ITEM_KERNEL void dc3_high_keys(__global const ulong* text, __global const uint* separators, ulong size, uint low_bits,
                               __global uint* keys, __global const uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) keys[k] = (uint)(dc3_key(text, separators, size, positions[k]) >> low_bits);
}

// new_names[k]: k + 1 where the k-th smallest sample has another name than the one before, else 0: the largest so far
// is its name. `keys`: the highest bits.
ITEM_KERNEL void dc3_mark_windows(__global const ulong* text, __global const uint* separators, ulong size,
                                  __global const uint* keys, __global const uint* positions, __global uint* new_names,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    bool differs = k == 0 || keys[k] != keys[k - 1];
    if (!differs) {
      const ulong key = dc3_key(text, separators, size, positions[k]);
      differs = key != dc3_key(text, separators, size, positions[k - 1]);
#if TEXT_SEPARATORS
      // All fields after a separator are 0.
      const uint field = key == 0 ? 0 : (uint)popcount((key & -key) - 1) / DC3_FIELD;
      differs = differs || (key >> field * DC3_FIELD & ((1u << DC3_FIELD) - 1)) == 1;
#else
      differs = differs || max(positions[k], positions[k - 1]) + (ulong)DC3_WINDOW > size;
#endif
    }
    new_names[k] = differs ? (uint)k + 1 : 0;
  }
}

// Triples are sorted by their last name first. The samples, with that name.
ITEM_KERNEL void dc3_last_names(__global const uint* names, ulong size, __global uint* keys, __global uint* positions,
                                ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = dc3_sample(k);
    keys[k] = (ulong)i + 2 < size ? names[i + 2] : 0;
    positions[k] = i;
  }
}

// The name before it, and the one before that, in the order so far.
ITEM_KERNEL void dc3_names_at(__global const uint* names, ulong size, uint offset, __global uint* keys,
                              __global const uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const ulong i = (ulong)positions[k] + offset;
    keys[k] = i < size ? names[i] : 0;
  }
}

// The same of triples; `keys`: their first names.
ITEM_KERNEL void dc3_mark_triples(__global const uint* names, ulong size, __global const uint* keys,
                                  __global const uint* positions, __global uint* new_names, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    bool differs = k == 0 || keys[k] != keys[k - 1];
    if (!differs) {
      // Where the first names are equal, both are names of the string: one name may lie behind its end.
      const ulong a = (ulong)positions[k - 1] + 1, b = (ulong)positions[k] + 1;
      differs = a >= size || b >= size || names[a] != names[b] ||
                (a + 1 < size ? names[a + 1] : 0) != (b + 1 < size ? names[b + 1] : 0);
    }
    new_names[k] = differs ? (uint)k + 1 : 0;
  }
}

// Names to their places, a 0 behind them, and the sample's order out of memory that is needed again. repeated[k]:
// whether the k-th smallest has its name not for itself.
ITEM_KERNEL void dc3_place_names(__global const uint* positions, __global const uint* names, uint firsts,
                                 __global uint* ranks, __global uint* samples, __global uchar* repeated, ulong count,
                                 ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = positions[k], name = names[k];
    ranks[dc3_place(i, firsts)] = name;
    if (k == 0) ranks[count] = 0;
    samples[k] = i;
    repeated[k] = name != k + 1 || (k + 1 < count && names[k + 1] == name);
  }
}

// The order of the string of names is the sample's.
ITEM_KERNEL void dc3_place_ranks(__global const uint* order, uint firsts, __global uint* ranks, __global uint* samples,
                                 ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    ranks[order[k]] = (uint)k + 1;
    samples[k] = dc3_position(order[k], firsts);
  }
}
