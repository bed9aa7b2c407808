// The first symbols of every suffix as a key.
#include "common/items.clh"
#include "overlap/text/padded.clh"

// keys[i]: the first 32 / TEXT_BITS symbols from i on.
ITEM_KERNEL void first_keys(__global const ulong* text, __global const uint* separators, __global uint* keys,
                            __global uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    keys[i] = (uint)(padded_window(text, separators, count, i) >> 32);
    positions[i] = (uint)i;
  }
}

// keys[i]: the symbols after those; the first sort uses them.
ITEM_KERNEL void second_keys(__global const ulong* text, __global const uint* separators, __global uint* keys,
                             __global uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    keys[i] = (uint)padded_window(text, separators, count, i);
    positions[i] = (uint)i;
  }
}

// keys[i]: the first symbols of suffix positions[i].
ITEM_KERNEL void upper_keys(__global const ulong* text, __global const uint* separators, __global const uint* positions,
                            __global uint* keys, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) keys[i] = (uint)(padded_window(text, separators, count, positions[i]) >> 32);
}

// firsts[i]: i if the window of suffix positions[i] differs from the one before, else 0.
ITEM_KERNEL void mark_windows(__global const ulong* text, __global const uint* separators,
                              __global const uint* positions, __global uint* firsts, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share)
  firsts[i] = i != 0 && padded_window(text, separators, count, positions[i]) ==
                            padded_window(text, separators, count, positions[i - 1])
                  ? 0
                  : (uint)i;
}
