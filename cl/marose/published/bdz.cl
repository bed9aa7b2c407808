// Builds the perfect hashes of all large blocks at once (bdz_small.cl builds the small ones). See bdz.clh.
//
// Peeling proceeds in rounds over all blocks: a round takes every edge that has a vertex of degree 1 at its begin.
// The result does not depend on the order of the work-items, nor on the device: edges of one round share only
// vertices without an owner or with an owner in a later round.
#include "common/items.clh"
#include "marose/published/bdz.clh"

// Value for the own vertex of an edge that is still in the graph.
#define NOT_PEELED 3

// words[i] of blocks[i] for i < count; the words of block b begin at first[b], each once.
#define SET_ARGUMENTS __global const uint *words, __global const uint *blocks, HEAD_ARGUMENTS
#define SET words, blocks, heads

// The vertices of an edge, with their indices in the whole table.
INLINED uint3 edge_at(SET_ARGUMENTS, uint i) {
  const uint2 head = heads[blocks[i]];
  return edge_of(words[i], head.y, (heads[blocks[i] + 1].x - head.x) / 3) + head.x;
}

ITEM_KERNEL void bdz_sizes(__global const uint* first, uint count, __global uint* vertices, ulong share) {
  FOR_EACH_ITEM(block, count, share) vertices[block] = vertices_for(first[block + 1] - first[block]);
}

// begins[block] for block <= count.
ITEM_KERNEL void bdz_heads(__global const uint* first, __global const uint* words, __global const ulong* begins,
                           uint count, __global uint2* heads, ulong share) {
  FOR_EACH_ITEM(block, (ulong)count + 1, share) {
    uint seed = FIRST_SEED;
    if (SMALLEST_GRAPH > 2 && block < count && first[block + 1] - first[block] == 2) {
      const uint difference = words[first[block]] ^ words[first[block] + 1];
      seed = 31 - clz(difference);
    }
    heads[block] = (uint2)((uint)begins[block], seed);
  }
}

// Which words are in large blocks.
ITEM_KERNEL void bdz_in_large(__global const uint* first, __global const uint* blocks, uint count,
                              __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, count, share) flags[i] = first[blocks[i] + 1] - first[blocks[i]] > SMALL_BLOCK;
}

// active[0 .. count) are the words whose blocks have no hash yet.
ITEM_KERNEL void bdz_link(SET_ARGUMENTS, __global const uint* active, uint count, __global uint* degrees,
                          __global uint* edges, __global uchar* owner, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint edge = active[i];
    const uint3 vertices = edge_at(SET, edge);
    atomic_inc(degrees + vertices.x);
    atomic_inc(degrees + vertices.y);
    atomic_inc(degrees + vertices.z);
    atomic_xor(edges + vertices.x, edge);
    atomic_xor(edges + vertices.y, edge);
    atomic_xor(edges + vertices.z, edge);
    owner[edge] = NOT_PEELED;
  }
}

// The first of an edge's vertices of degree 1: 0, 1, 2, or NOT_PEELED.
INLINED uint own_vertex(__global const uint* degrees, uint3 vertices) {
  return degrees[vertices.x] == 1 ? 0 : degrees[vertices.y] == 1 ? 1 : degrees[vertices.z] == 1 ? 2 : NOT_PEELED;
}

// The edges of the first round are appended to `order`.
ITEM_KERNEL void bdz_first_round(SET_ARGUMENTS, __global const uint* active, uint count, __global const uint* degrees,
                                 __global uchar* owner, __global uint* order, __global uint* order_count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint edge = active[i];
    const uint own = own_vertex(degrees, edge_at(SET, edge));
    if (own == NOT_PEELED) continue;
    owner[edge] = (uchar)own;
    order[atomic_inc(order_count)] = edge;
  }
}

INLINED void unlink(uint edge, uint vertex, __global uint* degrees, __global uint* edges, __global uint* bared,
                    __global uint* bared_count) {
  atomic_xor(edges + vertex, edge);
  if (atomic_dec(degrees + vertex) == 2) bared[atomic_inc(bared_count)] = vertex;
}

// Removes the edges order[begin .. end). `bared`: vertices left with one edge, possibly only for a while.
ITEM_KERNEL void bdz_remove(SET_ARGUMENTS, __global const uint* order, uint begin, uint end, __global uint* degrees,
                            __global uint* edges, __global uint* bared, __global uint* bared_count, ulong share) {
  FOR_EACH_ITEM(i, end - begin, share) {
    const uint edge = order[begin + i];
    const uint3 vertices = edge_at(SET, edge);
    unlink(edge, vertices.x, degrees, edges, bared, bared_count);
    unlink(edge, vertices.y, degrees, edges, bared, bared_count);
    unlink(edge, vertices.z, degrees, edges, bared, bared_count);
  }
}

// The edges of the next round, each once: by its first vertex of degree 1.
ITEM_KERNEL void bdz_next_round(SET_ARGUMENTS, __global const uint* bared, __global const uint* bared_count,
                                __global const uint* degrees, __global const uint* edges, __global uchar* owner,
                                __global uint* order, __global uint* order_count, ulong share) {
  FOR_EACH_ITEM(i, *bared_count, share) {
    const uint vertex = bared[i];
    if (degrees[vertex] != 1) continue;
    const uint edge = edges[vertex];
    const uint3 vertices = edge_at(SET, edge);
    const uint own = own_vertex(degrees, vertices);
    if (vertex != (own == 0 ? vertices.x : own == 1 ? vertices.y : vertices.z)) continue;
    owner[edge] = (uchar)own;
    order[atomic_inc(order_count)] = edge;
  }
}

// Blocks that have an edge left.
ITEM_KERNEL void bdz_failures(__global const uint* blocks, __global const uint* active, uint count,
                              __global const uchar* owner, __global uchar* failed, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    if (owner[active[i]] == NOT_PEELED) failed[blocks[active[i]]] = 1;
  }
}

// The edges order[begin .. end) of a round, from the last round to the first: the own vertex of an edge gets the
// value that makes the sum of the three its number. The others already have values, or no owner.
ITEM_KERNEL void bdz_assign(SET_ARGUMENTS, __global const uint* order, uint begin, uint end,
                            __global const uchar* owner, __global const uchar* failed, __global uchar* values,
                            ulong share) {
  FOR_EACH_ITEM(i, end - begin, share) {
    const uint edge = order[begin + i];
    if (failed[blocks[edge]]) continue;
    const uint3 vertices = edge_at(SET, edge);
    const uint own = owner[edge];
    const uint others =
        (own == 0 ? 0 : values[vertices.x]) + (own == 1 ? 0 : values[vertices.y]) + (own == 2 ? 0 : values[vertices.z]);
    values[own == 0 ? vertices.x : own == 1 ? vertices.y : vertices.z] = (uchar)((own + 6 - others) % 3);
  }
}

// Active words that need another try; their vertices are cleared.
ITEM_KERNEL void bdz_clear(SET_ARGUMENTS, __global const uint* active, uint count, __global const uchar* failed,
                           __global uint* degrees, __global uint* edges, __global uchar* again, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint edge = active[i];
    again[i] = failed[blocks[edge]];
    if (!again[i]) continue;
    const uint3 vertices = edge_at(SET, edge);
    degrees[vertices.x] = degrees[vertices.y] = degrees[vertices.z] = 0;
    edges[vertices.x] = edges[vertices.y] = edges[vertices.z] = 0;
  }
}

ITEM_KERNEL void bdz_new_seeds(uint count, __global uchar* failed, __global uint2* heads, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    if (failed[block]) heads[block].y = next_seed(heads[block].y);
    failed[block] = 0;
  }
}

// Sets to[i] = from[at[i]].
ITEM_KERNEL void bdz_keep(__global const uint* from, __global const uint* at, uint count, __global uint* to,
                          ulong share) {
  FOR_EACH_ITEM(i, count, share) to[i] = from[at[i]];
}

// Two bits for each vertex. An item is 16 of them; `values` is padded to that.
ITEM_KERNEL void bdz_pack(__global const uchar* values, uint count, __global uint* packed, ulong share) {
  FOR_EACH_ITEM(i, (count + 15UL) / 16, share) {
    uint word = 0;
    for (uint j = 0; j < 16; j++) word |= (uint)values[16 * i + j] << 2 * j;
    packed[i] = word;
  }
}
