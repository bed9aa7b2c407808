// Marks the positions of a text whose first `length` symbols also occur elsewhere.
#include "common/items.clh"
#include "overlap/find/interval.clh"

// Bit p % 32 of marks[p / 32] is that of place p.
static inline void mark(__global uint* marks, uint place) { atomic_or(&marks[place >> 5], 1u << (place & 31)); }

// begins[i]: 1 if suffix i shares fewer than `length` symbols with the one before it, else 0.
ITEM_KERNEL void mark_begins_of_length(__global const ulong* text, __global const uint* separators, ulong size,
                                       __global const uint* positions, uint length, __global uint* begins, ulong count,
                                       ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    bool equal = i > 0;
    const ulong a = positions[i - (i > 0)], b = positions[i];
    for (uint depth = 0; equal && depth < length; depth += TEXT_WINDOW) {
      const uint run = min(text_run(separators, size, a + depth), text_run(separators, size, b + depth));
      const uint same = min(run, text_equal(text_window(text, a + depth), text_window(text, b + depth)));
      equal = same >= min(length - depth, (uint)TEXT_WINDOW);
    }
    begins[i] = !equal;
  }
}

// numbers: the inclusive sums of begins. firsts[number - 1], initially UINT_MAX: the first position of each interval.
ITEM_KERNEL void find_firsts(__global const uint* positions, __global const uint* numbers, __global uint* firsts,
                             ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint number = numbers[i];
    const bool alone = (i == 0 || numbers[i - (i > 0)] != number) && (i + 1 == count || numbers[i + 1] != number);
    if (!alone) atomic_min(&firsts[number - 1], positions[i]);
  }
}

// Marks the positions below `places` in intervals of two or more; with `later_only` except the first, in `firsts`.
ITEM_KERNEL void mark_intervals(__global const uint* positions, __global const uint* numbers,
                                __global const uint* firsts, uint later_only, ulong places, __global uint* marks,
                                ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint number = numbers[i], place = positions[i];
    const bool alone = (i == 0 || numbers[i - (i > 0)] != number) && (i + 1 == count || numbers[i + 1] != number);
    if (!alone && place < places && !(later_only && firsts[number - 1] == place)) mark(marks, place);
  }
}

// Marks the positions below `places` of another text with the same codes whose first symbols occur in this text. An
// item is a word of marks; set marks stay.
ITEM_KERNEL void mark_found(__global const ulong* text, __global const uint* separators, ulong size,
                            __global const uint* positions, __global const uint* starts, uint symbols,
                            __global const ulong* query, __global const uint* query_separators, ulong query_size,
                            uint length, ulong places, __global uint* marks, ulong count, ulong share) {
  FOR_EACH_ITEM(word, count, share) {
    uint found = marks[word];
    for (uint bit = 0; bit < 32 && 32 * word + bit < places; bit++) {
      const ulong place = 32 * word + bit;
      uint first;
      if (!(found >> bit & 1) && text_runs(query_separators, query_size, place, length) &&
          suffix_interval(text, separators, size, positions, starts, symbols, query, place, length, &first) != 0)
        found |= 1u << bit;
    }
    marks[word] = found;
  }
}
