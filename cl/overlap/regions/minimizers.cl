// Minimizers of the windows of a text: the k-mer of smallest hash in each window, the last one of equals. It depends on
// the window alone, so equal windows have it at equal offsets (Schleimer et al. 2003, winnowing). The last one, since
// in a run of one letter a new k-mer then always replaces the old one, and no window is searched again.
#include "common/items.clh"

// Mixes the bits of a rolling hash: k-mers compare by it.
static inline ulong minimizer_order(ulong hash) { return (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9UL; }

// Sets bit a % 32 of words[a / 32]. Positions ascend; a word is written when the next one begins.
static inline void set_ascending(__global uint* words, uint place, uint* word, uint* bits) {
  if (place >> 5 != *word) {
    if (*bits != 0) atomic_or(&words[*word], *bits);
    *word = place >> 5;
    *bits = 0;
  }
  *bits |= 1u << (place & 31);
}

// The window of `kmers` k-mers at every position below `windows`. starts: a bit for each window whose minimizer is not
// that of the window before it; window 0 always. anchors, initially 0: a bit for each minimizer. Minimizers ascend with
// their windows, so set bit i of anchors is the minimizer of the windows from set bit i of starts on. `power`:
// base^k. An item takes `span` windows, a multiple of 32. text: windows + kmers + k - 2 bytes.
ITEM_KERNEL void mark_minimizers(__global const uchar* text, uint windows, uint k, uint kmers, ulong base, ulong power,
                                 uint span, __global uint* starts, __global uint* anchors, ulong count, ulong share) {
  FOR_EACH_ITEM(item, count, share) {
    const uint begin = (uint)item * span, end = min(windows, begin + span);
    uint word = begin >> 5, bits = 0, start_bits = 0;
    uint minimizer = 0;
    ulong hash = 0, smallest = 0;
    bool search = true;
    // The window before the first one says whether that begins a run.
    for (uint p = begin - (begin > 0); p < end; p++) {
      const uint last = p + kmers - 1, before = minimizer;
      if (!search) {
        hash = hash * base + text[last + k - 1] - text[last - 1] * power;
        const ulong order = minimizer_order(hash);
        if (order <= smallest) {
          smallest = order;
          minimizer = last;
        }
        search = minimizer < p;
      }
      if (search) {
        hash = 0;
        for (uint i = 0; i < k; i++) hash = hash * base + text[p + i];
        smallest = minimizer_order(hash);
        minimizer = p;
        for (uint q = p + 1; q <= last; q++) {
          hash = hash * base + text[q + k - 1] - text[q - 1] * power;
          const ulong order = minimizer_order(hash);
          if (order <= smallest) {
            smallest = order;
            minimizer = q;
          }
        }
        search = false;
      }
      if (p >= begin) {
        if (p == 0 || minimizer != before) {
          start_bits |= 1u << (p & 31);
          set_ascending(anchors, minimizer, &word, &bits);
        }
        if ((p & 31) == 31 || p + 1 == end) {
          starts[p >> 5] = start_bits;
          start_bits = 0;
        }
      }
    }
    if (bits != 0) atomic_or(&anchors[word], bits);
  }
}
