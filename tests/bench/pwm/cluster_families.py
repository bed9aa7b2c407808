#!/usr/bin/env python3
"""Groups of `genocl cluster` next to JASPAR's families of transcription factors, by the adjusted Rand index.

    pip install pyjaspar memelite scipy
    python3 tests/bench/pwm/cluster_families.py [--genocl PROGRAM] [--group vertebrates|plants|insects|all] [--hits]

Motifs: the last version of each profile of JASPAR 2024 CORE with one family, without dimers of two factors. Pyjaspar
has the database. The peer is average linkage (scipy) of Tomtom's P-values (memelite), with the mean of both orders as
distance. Each tree is cut in three ways: by the default of `genocl cluster`, into as many groups as there are
families, and where the index is largest. --hits adds `--by hits`, which takes minutes and leaves out short motifs,
and rows of the peer for the motifs that it keeps.
"""
import argparse
import importlib.util
import os
import re
import sqlite3
import subprocess
import tempfile
import time
from math import comb

import numpy as np
from memelite import tomtom
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform


def read_jaspar(group):
    """[(id, family, rows of counts)]"""
    package = os.path.dirname(importlib.util.find_spec("pyjaspar").origin)
    database = sqlite3.connect(f"file:{package}/data/JASPAR2024.sqlite?mode=ro", uri=True)
    notes = {}
    for number, tag, value in database.execute("select ID, lower(tag), val from MATRIX_ANNOTATION"):
        notes.setdefault((number, tag), set()).add(value)
    last = {}
    for number, base, version, name in database.execute(
            "select ID, BASE_ID, VERSION, NAME from MATRIX where collection = 'CORE' order by VERSION"):
        last[base] = number, f"{base}.{version}", name
    motifs = []
    for number, name, factor in sorted(last.values(), key=lambda entry: entry[1]):
        families = notes.get((number, "family"), set()) - {""}
        if len(families) != 1 or "::" in factor or group not in ("all", *notes.get((number, "tax_group"), ())):
            continue
        rows = [[value for (value,) in database.execute(
            "select val from MATRIX_DATA where ID = ? and row = ? order by col", (number, letter))]
                for letter in "ACGT"]
        motifs.append((name, families.pop(), np.array(rows)))
    return motifs


def merges_of(text):
    """Names, and [(distance, members of the first, members of the second)], of a tree in Newick's format."""
    names, merges, stack = [], [], []
    for token in re.findall(r"[(),;]|:[^(),;]+|'(?:[^']|'')*'", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            (a, first), (b, second) = stack.pop()
            merges.append((a + b, first, second))
            node = [(a + b) / 2, first + second]
            if stack:
                stack[-1].append(node)
        elif token[0] == ":":
            stack[-1][-1][0] += float(token[1:])
        elif token[0] == "'":
            stack[-1].append([0.0, [len(names)]])
            names.append(token.strip("'"))
    return names, merges


def average_linkage(distances):
    tree = linkage(squareform(distances, checks=False), "average")
    members = [[i] for i in range(len(distances))]
    merges = []
    for a, b, distance, _ in tree:
        merges.append((distance, members[int(a)], members[int(b)]))
        members.append(members[int(a)] + members[int(b)])
    return merges


def rand_index(a, b):
    """Hubert and Arabie 1985."""
    def pairs(labels):
        return sum(comb(int(n), 2) for n in np.unique(labels, return_counts=True)[1])
    both, first, second, every = pairs(a * len(b) + b), pairs(a), pairs(b), comb(len(a), 2)
    expected = first * second / every
    return (both - expected) / ((first + second) / 2 - expected)


def print_row(name, families, merges, cut):
    """`cut`: the default distance of the program, or None."""
    truth = np.unique(families, return_inverse=True)[1]
    labels = np.arange(len(truth))
    wanted, curve, default = truth.max() + 1, [], "-"
    for k, (distance, first, second) in enumerate(sorted(merges, key=lambda m: (m[0], len(m[1]) + len(m[2])))):
        labels[second + first] = labels[first[0]]
        curve.append((rand_index(truth, labels), len(truth) - k - 1))
        if cut is not None and distance <= cut:
            default = "%.3f (%d)" % curve[-1]
    same = next(entry for entry in curve if entry[1] == wanted)
    print(f"| {name} | {len(truth):,} | {default} | {same[0]:.3f} ({same[1]}) | %.3f (%d) |" % max(curve), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--genocl", default="genocl")
    parser.add_argument("--group", default="vertebrates")
    parser.add_argument("--hits", action="store_true")
    arguments = parser.parse_args()
    motifs = read_jaspar(arguments.group)
    family_of = {name: family for name, family, _ in motifs}
    print("| distance | motifs | default cut | as many groups as families | largest |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path, tree = f"{folder}/motifs.jaspar", f"{folder}/tree.nwk"
        with open(path, "w") as out:
            for name, _, rows in motifs:
                out.write(f">{name}\n" + "".join(" ".join(f"{x:g}" for x in row) + "\n" for row in rows))

        def cluster(by, cut):
            start = time.time()
            subprocess.run([arguments.genocl, "cluster", path, "--by", by, "--newick", tree, "-o", os.devnull,
                            "--quiet"], check=True)
            names, merges = merges_of(open(tree).read())
            print_row(f"`--by {by}`, {time.time() - start:.1f} s", [family_of[name] for name in names], merges, cut)
            return names

        cluster("columns", 0.7)
        kept = set(cluster("hits", 0.99)) if arguments.hits else None
    p = tomtom(*2 * [[rows / rows.sum(0) for _, _, rows in motifs]])[0]
    logs = 1 + np.log10(np.clip(p, 1e-6, 1)) / 6

    def peer(name, distances, chosen, cut=None):
        part = ((distances + distances.T) / 2)[np.ix_(chosen, chosen)]
        print_row(name, [motifs[i][1] for i in chosen], average_linkage(part), cut)

    peer("Tomtom's P", p, list(range(len(motifs))))
    if kept:
        same = [i for i, motif in enumerate(motifs) if motif[0] in kept]
        peer("Tomtom's P, motifs of `--by hits`", p, same)
        peer("1 + log10(Tomtom's P) / 6, motifs of `--by hits`", logs, same, 0.7)


if __name__ == "__main__":
    main()
