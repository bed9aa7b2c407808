// Lists of hits by their words' first letters. A run: words of a list, neighbours in it, that begin with the same
// letters.
#include "common/items.clh"

// words: of all lists, list after list, each ascending; owners[word]: its list; lengths[list]: letters of its words.
// flags[word] = 1 where a run of `letters` letters begins, for words from `first` on; lists are by length, and those
// before `first` have fewer letters.
ITEM_KERNEL void mark_runs(__global const ulong* words, __global const uint* owners, __global const uint* lengths,
                           __global uchar* flags, uint letters, ulong first, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    uchar flag = 0;
    if (i >= first) {
      const uint owner = owners[i];
      const uint drop = 2 * (lengths[owner] - letters);
      flag = i == first || owners[i - 1] != owner || words[i - 1] >> drop != words[i] >> drop;
    }
    flags[i] = flag;
  }
}

// keys[run]: the letters that its words begin with; runs[run] = run. beginnings[run]: its first word.
ITEM_KERNEL void list_runs(__global const ulong* words, __global const uint* owners, __global const uint* lengths,
                           __global const uint* beginnings, __global ulong* keys, __global uint* runs, uint letters,
                           ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint begin = beginnings[i];
    keys[i] = words[begin] >> (2 * (lengths[owners[begin]] - letters));
    runs[i] = (uint)i;
  }
}
