// The first symbols of every suffix as a key, and which suffixes these do not tell apart.
#include "common/items.clh"
#include "overlap/text/padded.clh"

// keys[i]: the first 32 / TEXT_BITS symbols from i on.
ITEM_KERNEL void first_keys(__global const ulong* text, __global const uint* breaks, __global uint* keys,
                            __global uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    keys[i] = (uint)(padded_window(text, breaks, count, i) >> 32);
    positions[i] = (uint)i;
  }
}

// keys[i]: the symbols behind those; sorted by first.
ITEM_KERNEL void second_keys(__global const ulong* text, __global const uint* breaks, __global uint* keys,
                             __global uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    keys[i] = (uint)padded_window(text, breaks, count, i);
    positions[i] = (uint)i;
  }
}

// keys[i]: the first symbols of suffix positions[i].
ITEM_KERNEL void upper_keys(__global const ulong* text, __global const uint* breaks, __global const uint* positions,
                            __global uint* keys, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) keys[i] = (uint)(padded_window(text, breaks, count, positions[i]) >> 32);
}

// firsts[i]: i where the window of suffix positions[i] is another one than the one before, else 0.
ITEM_KERNEL void mark_windows(__global const ulong* text, __global const uint* breaks, __global const uint* positions,
                              __global uint* firsts, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share)
  firsts[i] =
      i != 0 && padded_window(text, breaks, count, positions[i]) == padded_window(text, breaks, count, positions[i - 1])
          ? 0
          : (uint)i;
}
