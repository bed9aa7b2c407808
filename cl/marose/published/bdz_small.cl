// Builds the perfect hashes of blocks of SMALLEST_GRAPH to SMALL_BLOCK words, each by one work-item in its own memory.
// See bdz.clh.
//
// That many tries are common here: a small graph has a cycle more often than not. So a try costs no launch.
#include "common/items.clh"
#include "marose/published/bdz.clh"

#define MAX_VERTICES (3 * (SMALL_BLOCK * 41 / 100 + 1))
#define MAX_TRIES 2000

typedef struct {
  ushort edges[3 * SMALL_BLOCK];  // an edge's three vertices
  ushort degrees[MAX_VERTICES];
  ushort crossed[MAX_VERTICES];  // the numbers of a vertex's edges, all together by XOR
  ushort order[SMALL_BLOCK];     // edges as they are peeled
  ushort owned[SMALL_BLOCK];     // and the vertex that each had to itself
} Graph;

INLINED void make_graph(Graph* graph, __global const uint* words, uint count, uint seed, uint part) {
  for (uint v = 0; v < 3 * part; v++) graph->degrees[v] = graph->crossed[v] = 0;
  for (uint e = 0; e < count; e++) {
    const uint3 edge = edge_of(words[e], seed, part);
    graph->edges[3 * e] = (ushort)edge.x;
    graph->edges[3 * e + 1] = (ushort)edge.y;
    graph->edges[3 * e + 2] = (ushort)edge.z;
    for (uint i = 0; i < 3; i++) {
      graph->degrees[graph->edges[3 * e + i]]++;
      graph->crossed[graph->edges[3 * e + i]] ^= (ushort)e;
    }
  }
}

// Takes the one edge of a vertex away, if it has one.
INLINED uint peel_at(Graph* graph, uint vertex, uint peeled) {
  if (graph->degrees[vertex] != 1) return peeled;
  const uint e = graph->crossed[vertex];
  graph->order[peeled] = (ushort)e;
  graph->owned[peeled] = (ushort)vertex;
  for (uint i = 0; i < 3; i++) {
    graph->degrees[graph->edges[3 * e + i]]--;
    graph->crossed[graph->edges[3 * e + i]] ^= (ushort)e;
  }
  return peeled + 1;
}

// How many edges can be peeled.
INLINED uint peel(Graph* graph, uint vertices) {
  uint peeled = 0;
  uint done = 0;  // number of peeled edges whose other vertices were processed
  for (uint v = 0; v < vertices; v++) {
    peeled = peel_at(graph, v, peeled);
    for (; done < peeled; done++)
      for (uint i = 0; i < 3; i++) peeled = peel_at(graph, graph->edges[3 * graph->order[done] + i], peeled);
  }
  return peeled;
}

// `values`: all NOBODYS. `failures` counts blocks for which no seed was found: a word is there twice.
ITEM_KERNEL void bdz_small(__global const uint* first, __global const uint* words, uint blocks, __global uint2* heads,
                           __global uchar* values, __global uint* failures, ulong share) {
  FOR_EACH_ITEM(block, blocks, share) {
    const uint begin = first[block];
    const uint count = first[block + 1] - begin;
    if (count < SMALLEST_GRAPH || count > SMALL_BLOCK) continue;
    const uint part = part_size(count);
    Graph graph;
    uint seed = FIRST_SEED, tries = 0;
    for (; tries < MAX_TRIES; tries++, seed = next_seed(seed)) {
      make_graph(&graph, words + begin, count, seed, part);
      if (peel(&graph, 3 * part) == count) break;
    }
    if (tries == MAX_TRIES) {
      atomic_inc(failures);
      continue;
    }
    heads[block].y = seed;
    // The last edge that was peeled first: its vertices but its own are nobody's or have their values already.
    __global uchar* own = values + heads[block].x;
    for (uint i = count; i > 0; i--) {
      const uint vertex = graph.owned[i - 1];
      uint number = 0;
      uint sum = 0;
      for (uint j = 0; j < 3; j++) {
        const uint other = graph.edges[3 * graph.order[i - 1] + j];
        if (other == vertex)
          number = j;
        else
          sum += own[other];
      }
      own[vertex] = (uchar)((number + 6 - sum) % 3);
    }
  }
}
