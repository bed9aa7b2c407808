// Half words of many matrices, sorted by their sums, a column longer.
#include "common/items.clh"
#include "common/lower_bound.clh"

// List l is [from[l], from[l + 1]) of the half words, and [to[l], to[l + 1]) of those extended by a letter. Letters
// with equal scores are one: add[4 l + c] is the score, code[4 l + c] the letter, times their number; there are
// classes[l] of them. Item: element i of a list with letter c. It is preceded by the elements before i with c, and
// for each other letter by those with smaller sums, or equal ones if the letter is an earlier one: so the item knows
// its unique place.
ITEM_KERNEL void grow_words(__global const ulong* from, __global const ulong* to, uint lists, __global const long* add,
                            __global const uint* code, __global const uint* classes, ulong first,
                            __global const long* sum, __global const uint* weight, __global const uint* word,
                            __global long* longer_sum, __global uint* longer_weight, __global uint* longer_word,
                            ulong share) {
  FOR_EACH_ITEM(item, to[lists], share) {
    const uint list = (uint)last_not_above_ulong(to, lists, item);  // none is empty
    const ulong column = first + list;
    const uint own = (uint)(item - to[list]), letters = classes[column];
    const uint i = own / letters, c = own % letters;
    __global const long* sums = sum + from[list];
    const uint size = (uint)(from[list + 1] - from[list]);
    const long longer = sums[i] + add[4 * column + c];
    uint place = i;
    for (uint other = 0; other < letters; other++)
      if (other != c) place += lower_bound_long(sums, 0, size, longer - add[4 * column + other] + (other < c ? 1 : 0));
    const uint letter = code[4 * column + c];
    const ulong target = to[list] + place;
    longer_sum[target] = longer;
    longer_weight[target] = weight[from[list] + i] * (letter >> 2);
    longer_word[target] = word[from[list] + i] << 2 | (letter & 3);
  }
}
