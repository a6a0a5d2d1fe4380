#!/usr/bin/env python3
"""The least NCP of any release of a small table at k and l, beside what `compact --effort 9` reaches: an optimum, or a bound that is proven.

A release takes groups so that every row is in one; it costs, for each group, size x span. Three steps, each with a higher bound than the one before:
  prices     the linear program over all groups, a price per row: groups that cost less than the prices of their rows are added until there are none
             (column generation; studies/least_loss_groups.cc searches all boxes for them).
  cuts       rows 1, 2, 3: at most one group of a release has two of them (and so on with weights, the sum rounded down: Chvatal-Gomory cuts of
             rank 1). Each has a price too, and the groups that are missing are found again, so that the bound holds for all groups.
  optimum    a release below --target (or the one of `compact`) has only groups whose cost is above their prices by less than what is between the bound
             and it. If there are at most 3 million of these the integer program over them is solved: its release is the best, or there is none.
Numbers and sets of names only, no hierarchies; one sensitive column. Needs a C++20 compiler, numpy, scipy and highspy (HiGHS).
Heart (2,2) and Student (2,2) take a minute and a half together; Heart (10,2) with --target .1090 some ten, and was stopped after eleven without.

    studies/least_loss.py [--tada build/tada] [--data FOLDER] [--only heart,student] [--k 2,5] [--target .1090]
"""

import argparse
import csv
import ctypes
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import highspy
import numpy as np
import scipy.sparse as sp

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "dop"))
from run import TABLES, release  # noqa: E402

MOST, EQUAL = 3_000_000, 1e-7
WEIGHTS = [((2, 1, 1, 1), 3), ((1,) * 5, 2), ((1,) * 5, 3), ((1,) * 7, 2), ((1,) * 7, 3), ((1,) * 7, 4), ((2, 2, 1, 1, 1), 4), ((3, 1, 1, 1, 1), 4)]


class Rows:
    """The table: codes, numbers on the scale of spans, and kinds, rows that are alike."""

    def __init__(self, data, table, k, l, library):
        file, delimiter, quasi, sensitive, _ = TABLES[table]
        with (data / file).open(encoding="utf-8") as source:
            rows = list(csv.DictReader(source, delimiter=delimiter))
        self.k, self.l, self.library, columns = max(k, l), l, library, []
        for name in sorted(quasi, key=lambda name: name.endswith(":numeric")):  # names first: few sets of them are cheap
            number = name.endswith(":numeric")
            texts = [row[name.split(":")[0]] for row in rows]
            values, codes = np.unique([float(text) for text in texts] if number else texts, return_inverse=True)
            at = (values - values[0]) / (values[-1] - values[0]) if number else np.zeros(len(values))
            columns.append((codes, at, 0 if number else 1 / (len(values) - 1)))
        self.sensitive = np.unique([row[sensitive] for row in rows], return_inverse=True)[1].astype(np.int32)
        self.codes = np.array([codes for codes, _, _ in columns], np.int32)
        self.numbers, self.steps = [numbers for _, numbers, _ in columns], np.array([step for _, _, step in columns], float)
        _, self.first, self.kind, self.count = np.unique(
            np.vstack([self.codes, self.sensitive]), axis=1, return_index=True, return_inverse=True, return_counts=True
        )
        self.kind, self.cells = self.kind.ravel().astype(np.int32), len(rows) * len(columns)

    def cost(self, kinds):
        span = 0
        for codes, numbers, step in zip(self.codes, self.numbers, self.steps, strict=True):
            held = codes[self.first[kinds]]
            span += step * (len(np.unique(held)) - 1) if step else numbers[held].max() - numbers[held].min()
        return len(kinds) * span

    def groups(self, prices, cuts, cut_prices, below, cheapest=False, most=MOST):
        """Groups as rows of a matrix over kinds, their costs, and whether these are all whose remainder is less than `below`."""
        parts = [(c, kind, weight) for c, (kinds, weights, _) in enumerate(cuts) for kind, weight in zip(kinds, weights, strict=True) if cut_prices[c] < 0]
        arrays = [np.array([part[i] for part in parts], np.int32) for i in range(3)]
        kinds, sizes, costs = np.empty(14 * most, np.int32), np.empty(most, np.int32), np.empty(most)
        of_rows = np.ascontiguousarray(prices[self.kind])
        divisors, cut_prices = np.array([cut[2] for cut in cuts], np.int32), np.minimum(np.array(cut_prices, float), 0)
        values, numbers = np.array([len(numbers) for numbers in self.numbers], np.int32), np.concatenate(self.numbers)
        at = lambda array: array.ctypes.data_as(ctypes.c_void_p)  # noqa: E731
        found = self.library.find_groups(
            len(self.kind), len(self.count), len(self.codes), at(values), at(self.codes), at(numbers), at(self.steps), at(self.sensitive), at(self.kind),
            self.k, self.l, at(of_rows), ctypes.c_double(below), int(cheapest), len(cuts), at(divisors), at(cut_prices), len(parts), *map(at, arrays),
            ctypes.c_int64(most), ctypes.c_int64(len(kinds)), at(kinds), at(sizes), at(costs),
        )  # fmt: skip
        number = found if found >= 0 else -1 - found
        ends = np.concatenate([[0], np.cumsum(sizes[:number], dtype=np.int64)])
        if cheapest:
            costs = np.array([self.cost(kinds[a:b]) for a, b in itertools.pairwise(ends)])
        matrix = sp.csr_matrix((np.ones(ends[-1]), kinds[: ends[-1]].copy(), ends), shape=(number, len(self.count)))
        matrix.sum_duplicates()
        return matrix, costs[:number].copy(), found >= 0


class Program:
    """Choose groups so that every row is in one: the groups that are known, cuts, and for every row a dear group that is none.

    These keep prices low at first, and so boxes few; while they are in use the program is a relaxation, and its cost a bound all the same.
    """

    def __init__(self, rows, dear):
        self.rows, self.cuts, kinds = rows, [], len(rows.count)
        self.matrix, self.costs = sp.identity(kinds, format="csr"), np.full(kinds, dear)
        self.was_taken = np.zeros(0, bool)

    def full(self):
        """The matrix of all groups with a column for each cut: how often a group takes part in it."""
        if not self.cuts:
            return self.matrix
        parts = [(kind, c, weight) for c, (kinds, weights, _) in enumerate(self.cuts) for kind, weight in zip(kinds, weights, strict=True)]
        kinds, cuts, weights = zip(*parts, strict=True)
        taken = (self.matrix @ sp.csr_matrix((np.array(weights, float), (kinds, cuts)), shape=(self.matrix.shape[1], len(self.cuts)))).tocsr()
        taken.data = taken.data // np.array([cut[2] for cut in self.cuts])[taken.indices]
        taken.eliminate_zeros()
        return sp.hstack([self.matrix, taken]).tocsr()

    def set_groups(self, matrix, costs):
        """Nothing but these, and dear groups that no release can do with."""
        kinds = len(self.rows.count)
        self.matrix, self.costs = sp.vstack([sp.identity(kinds, format="csr"), matrix]).tocsr(), np.concatenate([np.full(kinds, 100.0), costs])

    def add(self, matrix, costs):
        self.matrix, self.costs = sp.vstack([self.matrix, matrix]).tocsr(), np.concatenate([self.costs, costs])

    def solve(self, full, costs, integers=False):
        """Cost, prices of kinds and then of cuts, how often each group is taken."""
        program, cuts = highspy.HighsLp(), self.cuts
        program.num_col_, program.num_row_ = len(costs), full.shape[1]
        program.col_cost_, program.col_lower_, program.col_upper_ = costs, np.zeros(len(costs)), np.full(len(costs), highspy.kHighsInf)
        program.row_lower_ = np.concatenate([self.rows.count, np.full(len(cuts), -highspy.kHighsInf)])
        program.row_upper_ = np.concatenate([self.rows.count, [float(sum(cut[1]) // cut[2]) for cut in cuts]])
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = full.indptr.astype(np.int32), full.indices.astype(np.int32), full.data
        if integers:
            program.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
        solver = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 1e-8)):
            solver.setOptionValue(option, value)
        solver.passModel(program)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS stopped: {solver.modelStatusToString(solver.getModelStatus())}")
        prices = np.array(solver.getSolution().row_dual)
        prices[len(self.rows.count) :] = np.minimum(prices[len(self.rows.count) :], 0)
        return solver.getInfo().objective_function_value, prices, np.array(solver.getSolution().col_value)

    def relax(self):
        """The same over many groups, few of them in the solver: those below zero are added until there are none. And the remainder of each."""
        full, chosen, kinds = self.full(), np.arange(len(self.costs)) < 2 * len(self.rows.count), len(self.rows.count)
        chosen |= self.was_taken if len(self.was_taken) == len(chosen) else False
        while True:
            cost, prices, taken = self.solve(full[chosen], self.costs[chosen])
            remainders = self.costs - full @ prices
            missing = np.flatnonzero((remainders < -EQUAL) & ~chosen)
            if len(missing) == 0:
                everywhere = np.zeros(len(self.costs))
                everywhere[chosen] = taken
                self.was_taken = chosen
                return cost, prices[:kinds], prices[kinds:], everywhere, remainders
            chosen[missing[np.argsort(remainders[missing])[:3000]]] = True

    def separate(self, taken, random, most=100, least=0.02):
        """Adds cuts that the solution breaks: of three rows all, of more those that a search from random rows finds."""
        some = (taken > EQUAL) & (taken < 1 - EQUAL)
        share, single = taken[some], self.rows.count == 1
        holds = (self.matrix[some].toarray() > 0) * single
        near = holds.T @ (holds * share[:, None])
        np.fill_diagonal(near, 0)
        found = []
        for a in np.flatnonzero(near.any(axis=1)):
            for b in np.flatnonzero(near[a, a:] > EQUAL) + a:
                sums = near[a, b] + near[a] + near[b] - 2 * (share * holds[:, a] * holds[:, b]) @ holds
                sums[[a, b]] = 0
                found += [(sums[c] - 1, (tuple(sorted((int(a), int(b), int(c)))), (1, 1, 1), 2)) for c in np.flatnonzero(sums > 1 + least)]
        for weights, divisor in WEIGHTS if len(found) < 180 and near.any() else []:
            for _ in range(100):
                kinds = list(random.choice(np.flatnonzero(near.any(axis=1)), 1))
                while len(kinds) < len(weights) and (odds := np.where(np.isin(np.arange(len(near)), kinds), 0, near[kinds].sum(axis=0))).any():
                    kinds.append(random.choice(len(near), p=odds / odds.sum()))
                if len(kinds) < len(weights):
                    continue
                for i in [*range(len(kinds))] * 2:  # the best kind at one place, the others staying
                    rest = holds[:, kinds] @ np.array(weights) - holds[:, kinds[i]] * weights[i]
                    excess = share @ ((rest[:, None] + holds * weights[i]) // divisor) - sum(weights) // divisor
                    excess[kinds[:i] + kinds[i + 1 :]] = excess[~single] = -1
                    kinds[i] = excess.argmax()
                found.append((excess.max(), (tuple(map(int, kinds)), weights, divisor)))
        before, used = len(self.cuts), np.zeros(len(near))
        for excess, cut in sorted(found, key=lambda pair: -pair[0]):
            if excess > least and cut not in self.cuts and used[list(cut[0])].max() < 6 and len(self.cuts) < before + most:
                self.cuts.append(cut)
                used[list(cut[0])] += 1
        return len(self.cuts) > before

    def cut(self, target, all_groups=False):
        """Cuts until they raise the bound no more, or above the target. If all groups of releases below it are here, the others are left out on the way."""
        random, costs = np.random.default_rng(1), []
        while True:
            cost, _, cut_prices, taken, remainders = self.relax()
            costs.append(cost)
            if all_groups:
                kept = remainders < target - cost + EQUAL
                kept[: len(self.rows.count)] = True
                self.matrix, self.costs, self.was_taken, taken = self.matrix[kept], self.costs[kept], self.was_taken[kept], taken[kept]
            self.cuts = [cut for cut, price in zip(self.cuts, cut_prices, strict=True) if price < -EQUAL]
            stalled = len(costs) > 6 and cost < costs[-7] + 5e-4 * cost
            if stalled or cost > target or not self.separate(taken, random):
                return cost


def groups_of_releases(tada, data, table, rows, seeds=range(1, 13)):
    """The groups of some releases, a start for the prices."""
    file, delimiter, quasi, sensitive, _ = TABLES[table]
    with (data / file).open(encoding="utf-8") as source, tempfile.TemporaryDirectory() as folder:
        numbered, found = f"{folder}/in.csv", set()
        with open(numbered, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([*line, "at" if i == 0 else i - 1] for i, line in enumerate(csv.reader(source, delimiter=delimiter)))
        roles = ["--quasi", ",".join(quasi), "--sensitive", sensitive, "--keep", "at", "--allow", "at", "-k", str(rows.k), "-l", str(rows.l)]
        for seed in seeds:
            made = f"{folder}/{seed}.csv"
            subprocess.run(
                [tada, "anonymize", numbered, "-o", made, *roles, "--method", "compact", "--seed", str(seed), "--quiet"], check=True, stderr=subprocess.DEVNULL
            )
            groups = {}
            with open(made, encoding="utf-8") as release_file:
                for row in csv.DictReader(release_file):
                    groups.setdefault(tuple(row[name.split(":")[0]] for name in quasi), []).append(rows.kind[int(row["at"])])
            found |= {tuple(sorted(map(int, kinds))) for kinds in groups.values()}
    ends = np.cumsum([0, *map(len, found)])
    matrix = sp.csr_matrix((np.ones(ends[-1]), np.concatenate([*found]), ends), shape=(len(found), len(rows.count)))
    matrix.sum_duplicates()
    return matrix, np.array([rows.cost(np.array(kinds)) for kinds in found])


def bounds(rows, target, start):
    """NCP: by prices, with cuts, and the least of all, which is the target if there is none below it, or nothing if too many groups are left."""
    program, kinds = Program(rows, 4 * target / len(rows.kind)), len(rows.count)
    program.add(*start)
    while True:
        cost, prices, taken = program.solve(program.matrix, program.costs)
        matrix, costs, _ = rows.groups(prices, [], [], -EQUAL, cheapest=True, most=len(rows.kind))
        program.add(matrix, costs)
        if len(costs) == 0 and taken[:kinds].max() < EQUAL:
            break
        program.costs[:kinds] *= 1 if len(costs) > 0 else 2
    by_prices, gap = cost, target - cost
    while len((pool := rows.groups(prices, [], [], gap, most=200_000))[1]) == 200_000:
        gap *= 0.8
    program.add(*pool[:2])
    program.cut(target)
    while True:  # what is missing for the bound to hold
        cost, prices, cut_prices, _, _ = program.relax()
        matrix, costs, _ = rows.groups(prices, program.cuts, cut_prices, -EQUAL, most=3000)
        if len(costs) == 0:
            break
        program.add(matrix, costs)
    with_cuts, least = cost, None
    if with_cuts < target:
        matrix, costs, all_found = rows.groups(prices, program.cuts, cut_prices, target - cost + EQUAL)
        if all_found:
            program.set_groups(matrix, costs)
            within = program.cut(target, all_groups=True)
            least = min(target, within if within > target else program.solve(program.full(), program.costs, integers=True)[0])
    return [cost if cost is None else cost / rows.cells for cost in (by_prices, with_cuts, least)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--only", type=lambda text: text.split(","), default=["heart", "student"])
    parser.add_argument("--k", type=lambda text: [int(k) for k in text.split(",")], default=[2, 5, 10])
    parser.add_argument("--target", type=float, help="look for releases below this NCP only; default: below that of compact, effort 9")
    options = parser.parse_args()
    options.threads = 1
    with tempfile.TemporaryDirectory() as folder:
        built = pathlib.Path(folder) / "groups.so"
        subprocess.run(["c++", "-std=c++20", "-O3", "-shared", "-fPIC", "-o", built, ROOT / "studies" / "least_loss_groups.cc"], check=True)
        library = ctypes.CDLL(str(built))
        library.find_groups.restype = ctypes.c_int64
    print("| table | k,l | compact | no release is below: prices | with cuts | least of all |\n| --- | --- | --- | --- | --- | --- |")
    for table in options.only:
        for k, l in [key for key in TABLES[table][4] if key[0] in options.k]:
            ours = release(options, table, k, l, "compact", ["--effort", "9"])[0]["loss"]["ncp"]
            rows = Rows(options.data, table, k, l, library)
            by_prices, with_cuts, least = bounds(
                rows, (options.target or ours) * rows.cells + EQUAL, groups_of_releases(options.tada, options.data, table, rows)
            )
            print(f"| {table} | {k},{l} | {ours:.6f} | {by_prices:.6f} | {with_cuts:.6f} | {'-' if least is None else f'{least:.6f}'} |", flush=True)


if __name__ == "__main__":
    main()
