// The cheapest disjoint windows of each read, for every number of them, by the recurrence
//    D[p][i] = min(D[p][i - 1], D[p - 1][i - k] + cost of the window that ends at i).
// TEAM items process a read: they look up its windows in parallel, then each computes D of its numbers of windows.
#include "marose/kmer_windows.clh"

#ifndef TEAM
#error "TEAM comes from the host"
#endif

#define TEAMS (GROUP_SIZE / TEAM)
#define EACH ((PARTS + TEAM - 1) / TEAM)

GROUP_KERNEL void window_costs(READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* first, uint reads, uint longest,
                               __global uint* costs, __global uint* taken, ulong share) {
  (void)places;
  (void)share;
  __local uint cost[TEAMS][32 * READ_WORDS];
  // Row i % k: D[0], D[1], ..., D[PARTS] of the first i bases.
  __local uint rows[TEAMS][SEED_SPAN][PARTS + 1];
  const uint team = get_local_id(0) / TEAM, item = get_local_id(0) % TEAM;
  for (ulong block = get_group_id(0); block * TEAMS < reads; block += get_num_groups(0)) {
    const uint read = (uint)(block * TEAMS + team);
    const uint length = read < reads ? PLAN_HEAD(read_plan[read]).z : 0;
    for (uint i = item; i + SEED_SPAN <= length; i += TEAM)
      cost[team][i] = cost_of_key(first, key_of_window(SHAPE READS, read, i));
    for (uint r = item; r < SEED_SPAN; r += TEAM)
      for (uint p = 0; p <= PARTS; p++) rows[team][r][p] = p == 0 ? 0 : NO_COST;
    uint least[EACH], ends[EACH];
    for (uint e = 0; e < EACH; e++) {
      least[e] = NO_COST;
      ends[e] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint row = 0;
    for (uint i = SEED_SPAN; i <= longest; i++) {
      const uint window = i <= length ? cost[team][i - SEED_SPAN] : NO_COST;
      for (uint e = 0; e < EACH; e++) {
        const uint p = e * TEAM + item;
        const uint with = p < PARTS ? min(rows[team][row][p] + window, NO_COST) : NO_COST;
        ends[e] |= (uint)(with < least[e]) << (i - 1) % 32;
        least[e] = min(least[e], with);
      }
      // Rows are read again k steps later: one barrier separates reads and writes of each.
      barrier(CLK_LOCAL_MEM_FENCE);
      const bool full = i % 32 == 0 || i == length;
      for (uint e = 0; e < EACH; e++) {
        const uint p = e * TEAM + item;
        if (p >= PARTS) continue;
        rows[team][row][p + 1] = least[e];
        if (full && i <= length) taken[TAKEN_OF(read, (i - 1) / 32) + p] = ends[e];
        if (full) ends[e] = 0;
      }
      row = row + 1 == SEED_SPAN ? 0 : row + 1;
    }
    if (read < reads)
      for (uint e = 0; e < EACH; e++)
        if (e * TEAM + item < PARTS) costs[COSTS_OF(read) + e * TEAM + item] = least[e];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
