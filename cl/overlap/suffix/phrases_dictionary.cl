// Prefix-free parsing, second part: the different phrases, each followed by a separator, are a separate text of their
// own; equal ends of phrases are a class.
#include "common/lower_bound.clh"
#include "overlap/suffix/phrases.clh"

// begins[e] for e < entries; places behind the last entry's separator stay empty. An item is 32 places: TEXT_BITS / 2
// words and a word of separators.
ITEM_KERNEL void phrase_dictionary(__global const ulong* text, __global const uint* text_separators, ulong text_size,
                                   __global const uint* starts, __global const uint* firsts,
                                   __global const uint* begins, uint entries, __global ulong* words,
                                   __global uint* separators, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    uint entry = last_not_above_uint(begins, entries, (uint)(32 * block));
    uint at = (uint)(32 * block) - begins[entry], separated = 0;
    uint length = phrase_length(starts, firsts[entry], phrase_kind(text_separators, text_size, starts, firsts[entry]));
    for (uint w = 0; w < TEXT_BITS / 2; w++) {
      ulong word = 0;
      for (uint k = 0; k < TEXT_WINDOW; k++) {
        word <<= TEXT_BITS;
        if (entry >= entries) continue;
        if (at < length) {
          const ulong bit = ((ulong)starts[firsts[entry]] + at) * TEXT_BITS;
          word |= text[bit >> 6] >> (64 - TEXT_BITS - (bit & 63)) & ((1u << TEXT_BITS) - 1);
          at++;
        } else {
          separated |= 1u << (31 - (w * TEXT_WINDOW + k));
          entry++;
          at = 0;
          if (entry < entries)
            length =
                phrase_length(starts, firsts[entry], phrase_kind(text_separators, text_size, starts, firsts[entry]));
        }
      }
      words[block * (TEXT_BITS / 2) + w] = word;
    }
    separators[block] = separated;
  }
}

#define PHRASE_NO_CLASS 0xffffffffu

// The window at the end of an entry and its separator belong to the next phrase. The classes are initially 0.
ITEM_KERNEL void phrase_leave_out(__global const uint* text_separators, ulong text_size, __global const uint* starts,
                                  __global const uint* firsts, __global const uint* begins, __global uint* classes,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(entry, count, share) {
    const uint i = firsts[entry], kind = phrase_kind(text_separators, text_size, starts, i);
    const uint length = phrase_length(starts, i, kind);
    for (uint at = length - PHRASE_WINDOW; kind == PHRASE_AT_TRIGGER && at <= length; at++)
      classes[begins[entry] + at] = PHRASE_NO_CLASS;
  }
}

ITEM_KERNEL void phrase_flag_used(__global const uint* order, __global const uint* classes, __global uchar* flags,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) flags[k] = classes[order[k]] != PHRASE_NO_CLASS;
}

// news[k]: whether the k-th smallest end of a phrase is not the same text as the one before.
ITEM_KERNEL void phrase_mark_classes(__global const ulong* words, __global const uint* separators, ulong size,
                                     __global const uint* used, __global uint* news, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    bool differs = k == 0;
    if (!differs) {
      const ulong a = used[k - 1], b = used[k], common = text_common(words, separators, size, a, b);
      differs = !phrase_break(separators, a + common) || !phrase_break(separators, b + common);
    }
    news[k] = differs;
  }
}

ITEM_KERNEL void phrase_write_classes(__global const uint* used, __global const uint* numbers, __global uint* classes,
                                      ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) classes[used[k]] = numbers[k] - 1;
}
