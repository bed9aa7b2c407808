#!/usr/bin/env python3
"""How far each topic's job goes over many machines: a model from measured rates, as a table and as plots.

    python3 tests/bench/scaling.py [PLOTS.svg]

Times are of whole jobs, from mpirun to the last byte of the output. What was measured, and by what, is in scaling.md.
"""
import math
import sys

NODES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]


class Machine:
    """A node with one rank, and its link. Seconds, bytes, and per second."""

    def __init__(self, name, latency, bandwidth, start, **rates):
        self.name, self.latency, self.bandwidth, self.start = name, latency, bandwidth, start
        self.__dict__.update(rates)

    def begin(self, nodes):
        # mpirun starts by a tree; each rank opens its driver at the same time.
        return self.start + 0.05 * math.log2(nodes) if nodes > 1 else self.start - 0.25


# Of an H200 and 16 host cores; of 16 CPU cores with PoCL. `files`: the shared file system, parallel or one server.
GPU = Machine("H200, 100 Gbit/s, 2 us", 2e-6, 12.5e9, 0.8, cells=5.83e12, reads=2.12e6, updates=1.58e12, slices=12,
              staging=54e9, motifs=2.32, upload=37e9, files=20e9)
CPU = Machine("16 cores, 1 Gbit/s, 1 ms", 1e-3, 0.117e9, 0.65, cells=3.0e11, reads=0.75e6, updates=4.06e10, slices=16,
              staging=4e10, motifs=33.0, upload=4e10, files=0.117e9)
TELL_APART = 5.5e6  # reads a second that one thread tells apart, where they are not found by their places
FIND_PLACES = 1.5e9  # bytes of plain FASTQ a second of each rank
READ_TEXT = 0.83e9  # letters of FASTA a second: likewise
WRITE = 2.0e9  # bytes a second of one node's own disk


def align(m, n):
    """1,000 queries of 2.1 M letters against 10^9 residues, ten hits each with alignments; the database is at each node."""
    cells, residues, hits = 2.1e15, 1e9, 1000 * 10
    pieces = residues / max(2 ** 20, min(2 ** 28, residues / (16 * n)))
    share = math.ceil(pieces / n) / pieces  # the rank that has most
    gather = n * (m.latency + hits * 32 / m.bandwidth)
    return m.begin(n) + residues / m.upload * min(1, 2 / n) + cells / m.cells * share + gather


def marose(m, n):
    """10^8 pairs of 150 bases, plain FASTQ of 350 bytes a read, to SAM of 400 on a file system that all nodes share."""
    reads, read, record = 2e8, 350, 400
    mapped = reads / (m.reads * n)
    if n == 1:
        return m.begin(n) + 2 + max(mapped, reads / TELL_APART, reads * record / WRITE)
    find_places = reads * read / min(FIND_PLACES * n, m.files)
    return m.begin(n) + 2 + find_places + max(mapped, reads * (read + record) / m.files)


def pwm(m, n):
    """JASPAR 2024 on both strands of 3.1 Gb, counted."""
    return m.begin(n) + max(3.1e9 / READ_TEXT, m.motifs / n) + 0.2


def overlap(m, n):
    """Matches of 20 Mb of queries with 1.5 Mb, on one core for each rank (what was measured): everybody sorts the reference."""
    return m.begin(n) + 4.5 + 22.0 / n + (0.155e9 / m.bandwidth if n > 1 else 0)


def jacobi(m, n):
    """100,000 iterations of 32768 x 32768 cells, double."""
    iterations, width, height = 100000, 32768, 32768
    rows = height / n
    k = min(m.slices, max(1, rows // 4))
    # Of the shares with their ghosts; the frontier first, its way beside the rest.
    compute = k * width * (rows + (k if n > 1 else 0)) / m.updates
    if n == 1:
        return m.begin(1) + iterations / k * compute
    way = m.latency + k * width * 8 * (1 / m.bandwidth + 2 / m.staging)
    frontier = 2 * k * k * width / m.updates
    return m.begin(n) + iterations / k * (frontier + max(compute - frontier, way))


JOBS = [("align", align), ("marose", marose), ("pwm", pwm), ("overlap", overlap), ("jacobi", jacobi)]
COLOURS = {"align": "#1b6ca8", "marose": "#b5442d", "pwm": "#3a7d44", "overlap": "#8a5a9e", "jacobi": "#b07d12"}


def last_useful(job, machine):
    """The most nodes that still saved a quarter of the time of half as many."""
    useful = [whole for half, whole in zip(NODES, NODES[1:]) if job(machine, whole) <= 0.75 * job(machine, half)]
    return max(useful, default=1)


def table():
    for machine in (GPU, CPU):
        print(f"\n| {machine.name}: seconds (speed-up) | 1 | 4 | 16 | 256 | 4,096 | useful to |\n|---|---|---|---|---|---|---|")
        for name, job in JOBS:
            one = job(machine, 1)
            cells = [f"{one:.1f}"] + [f"{job(machine, n):.1f} ({one / job(machine, n):.1f})" for n in (4, 16, 256, 4096)]
            print(f"| {name} | " + " | ".join(cells) + f" | {last_useful(job, machine):,} |")


def plots(path):
    wide, high, left, top, gap = 380, 330, 62, 44, 70
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * (wide + gap) + left}" height="{high + top + 60}" '
           'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="white"/>']
    for p, machine in enumerate((GPU, CPU)):
        x0, y0 = left + p * (wide + gap), top
        x = lambda n: x0 + wide * math.log2(n) / 12
        y = lambda speed: y0 + high - high * math.log2(max(speed, 0.25) * 4) / 14
        out.append(f'<text x="{x0 + wide / 2}" y="{y0 - 18}" text-anchor="middle" font-size="15">{machine.name}</text>')
        for n in NODES[::2]:
            out.append(f'<line x1="{x(n)}" y1="{y0}" x2="{x(n)}" y2="{y0 + high}" stroke="#e4e4e4"/>'
                       f'<text x="{x(n)}" y="{y0 + high + 18}" text-anchor="middle">{n}</text>')
        for e in range(-2, 13, 2):
            out.append(f'<line x1="{x0}" y1="{y(2.0 ** e)}" x2="{x0 + wide}" y2="{y(2.0 ** e)}" stroke="#e4e4e4"/>'
                       f'<text x="{x0 - 6}" y="{y(2.0 ** e) + 4}" text-anchor="end">{2.0 ** e:g}</text>')
        out.append(f'<line x1="{x(1)}" y1="{y(1)}" x2="{x(4096)}" y2="{y(4096)}" stroke="#999" stroke-dasharray="5 4"/>')
        out.append(f'<text x="{x0 + wide / 2}" y="{y0 + high + 40}" text-anchor="middle">nodes</text>')
        ends = []
        for name, job in JOBS:
            speeds = [(n, job(machine, 1) / job(machine, n)) for n in NODES]
            points = " ".join(f"{x(n):.1f},{y(s):.1f}" for n, s in speeds)
            out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2.5"/>')
            ends.append([y(speeds[-1][1]), name])
        # Names beside the lines' ends, apart from one another.
        ends.sort()
        for i in range(1, len(ends)):
            ends[i][0] = max(ends[i][0], ends[i - 1][0] + 15)
        for at, name in ends:
            out.append(f'<text x="{x0 + wide + 6}" y="{at + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    out.append(f'<text transform="translate(16,{top + high / 2}) rotate(-90)" text-anchor="middle">speed-up</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    table()
    if len(sys.argv) > 1:
        plots(sys.argv[1])
