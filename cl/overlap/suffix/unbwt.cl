// Undoes the Burrows-Wheeler transform. The k-th row with a symbol before it is where the k-th row that begins with
// this symbol goes on: next[row], the rows sorted by their symbols, leads from a suffix to the one without its first
// symbol. The whole of this way is cut at rows that `STRIDE` divides and at the primary row, so that the parts are
// walked at the same time.
#include "common/items.clh"

// keys[r]: the symbol of row r and 1, 0 for the primary row. rows[r] = r.
ITEM_KERNEL void symbol_keys(__global const uchar* symbols, uint primary, __global uint* keys, __global uint* rows,
                             ulong count, ulong share) {
  FOR_EACH_ITEM(r, count, share) {
    keys[r] = r == primary ? 0 : (uint)symbols[r - (r > primary)] + 1;
    rows[r] = (uint)r;
  }
}

#ifdef STRIDE
// Walks that go on at the same time in a worker, for the memory to be waited for together.
#ifdef ONLY_CPU
#define TOGETHER 16
#else
#define TOGETHER 1
#endif

// The first row of walk w. The last walk begins at the primary row, which may also be the first row of another.
static inline uint walk_begin(ulong w, ulong walks, uint primary) {
  return w + 1 == walks ? primary : (uint)(w * STRIDE);
}
static inline bool walk_ends(uint row, uint primary) { return row % STRIDE == 0 || row == primary; }

// ends[w], lengths[w]: the row where walk w ends, and how many steps it takes. `count`: walks.
ITEM_KERNEL void measure_walks(__global const uint* next, uint primary, __global uint* ends, __global uint* lengths,
                               ulong count, ulong share) {
#ifdef ONLY_CPU
  for (ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share); first < last; first += TOGETHER) {
    const uint walks = (uint)min((ulong)TOGETHER, last - first);
    uint rows[TOGETHER], steps[TOGETHER], left = walks;
    for (uint k = 0; k < walks; k++) {
      rows[k] = walk_begin(first + k, count, primary);
      steps[k] = 0;
    }
    while (left > 0)
      for (uint k = 0; k < walks; k++) {
        if (steps[k] > 0 && walk_ends(rows[k], primary)) continue;
        rows[k] = next[rows[k]];
        steps[k]++;
        left -= walk_ends(rows[k], primary);
      }
    for (uint k = 0; k < walks; k++) {
      ends[first + k] = rows[k];
      lengths[first + k] = steps[k];
    }
  }
#else
  FOR_EACH_ITEM(w, count, share) {
    uint row = walk_begin(w, count, primary), steps = 0;
    do {
      row = next[row];
      steps++;
    } while (!walk_ends(row, primary));
    ends[w] = row;
    lengths[w] = steps;
  }
#endif
}

// The symbol that row r begins with: starts[s] are the rows that begin with a smaller one than s, of 257 with the end
// as the first.
static inline uchar first_symbol(__constant uint* starts, uint row) {
  uint symbol = 0;
  for (uint step = 128; step > 0; step /= 2)
    if (starts[symbol + step] <= row) symbol += step;
  return (uchar)symbol;
}

// Walk w writes the symbols of text[offsets[w]...]; none where that is UINT_MAX.
ITEM_KERNEL void write_walks(__global const uint* next, uint primary, __constant uint* starts,
                             __global const uint* offsets, __global uchar* text, ulong size, ulong count, ulong share) {
#ifdef ONLY_CPU
  for (ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share); first < last; first += TOGETHER) {
    const uint walks = (uint)min((ulong)TOGETHER, last - first);
    uint rows[TOGETHER], places[TOGETHER], left = 0;
    bool walking[TOGETHER];
    for (uint k = 0; k < walks; k++) {
      rows[k] = walk_begin(first + k, count, primary);
      places[k] = offsets[first + k];
      walking[k] = places[k] < size;
      left += walking[k];
    }
    while (left > 0)
      for (uint k = 0; k < walks; k++) {
        if (!walking[k]) continue;
        text[places[k]++] = first_symbol(starts, rows[k]);
        rows[k] = next[rows[k]];
        walking[k] = places[k] < size && !walk_ends(rows[k], primary);
        left -= !walking[k];
      }
  }
#else
  FOR_EACH_ITEM(w, count, share) {
    uint row = walk_begin(w, count, primary);
    for (ulong place = offsets[w]; place < size;) {
      text[place++] = first_symbol(starts, row);
      row = next[row];
      if (walk_ends(row, primary)) break;
    }
  }
#endif
}
#endif
