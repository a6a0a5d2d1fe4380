#!/usr/bin/env python3
"""The tables of the paper on decision support: rules, highest k, frontier, accuracies and losses, by coverage.

With the authors' taxonomies, all columns but the class as quasi-identifiers. The quick form cross-validates nothing (accuracies are
those of cells); the full form has the C4.5 tree on the frontier and on the raw columns.

    studies/decision_support.py [--data FOLDER] [--out FOLDER] [--full]
"""

import functools

import tada
from common import Store, arguments, markdown, plot

TABLES = {
    "Electricity": ("electricity/electricity.csv", "electricity/taxonomies/TaxElectricity.txt", "class"),
    "Adult": ("adult/adult_complete.csv", "adult/taxonomies/TaxAdult.txt", "income"),
    "Bank": ("bank/bank-full.csv", "bank/taxonomies/TaxBank.txt", "y"),
}
COVERAGES = (5, 10, 20, 50)
PAPER = {
    "Electricity": {"highest k": "7846 at 5%, 130 at 50%", "removed": "60-63%", "raw accuracy": "~75%"},
    "Adult": {"highest k": "469 at 5%, 78 at 50%", "removed": "44-87%", "raw accuracy": "~85%"},
    "Bank": {"highest k": "752 at 5%, none at 50%", "removed": "86-92%", "raw accuracy": "rules lose <= 1%"},
}


def advise(options, key):
    name, coverage = key
    file, taxonomies, label = TABLES[name]
    advice = tada.advise(options.data / file, label=label, hierarchies=options.data / taxonomies, coverage=coverage, baselines="none", threads=1,
                         validate="tree" if options.full else "none")  # fmt: skip
    frontier = [{key: rule[key] for key in ("k", "accuracy", "information_gain", "tree_accuracy") if key in rule} for rule in advice.frontier]
    return {"rules": len(advice.rules), "found": advice.details["patterns"]["rules"], "frontier": frontier,
            "raw": advice.details.get("raw_tree_accuracy"), "raw_in_order": advice.details.get("raw_tree_accuracy_in_file_order")}


def main():
    options = arguments(__doc__)
    store = Store(options.out / f"decision_support{'_full' if options.full else ''}.jsonl")
    store.fill([(name, coverage) for name in TABLES for coverage in COVERAGES], functools.partial(advise, options))
    rows = []
    for name in TABLES:
        curves = {}
        for coverage in COVERAGES:
            found = store.found[name, coverage]
            frontier = found["frontier"]
            removed = f"{100 * (1 - len(frontier) / found['rules']):.0f}%" if found["rules"] else "-"
            best = f"{max(rule.get('tree_accuracy', rule['accuracy']) for rule in frontier):.3f}" if frontier else "-"
            raw = "-" if found["raw"] is None else f"{found['raw']:.3f} / {found['raw_in_order']:.3f}"
            rows.append([name, f"{coverage}%", found["found"], found["rules"], len(frontier), removed, max((r["k"] for r in frontier), default="-"), best, raw])
            if frontier:
                curves[f"{coverage}%"] = [(rule["k"], rule.get("tree_accuracy", rule["accuracy"]), 0.0) for rule in frontier]
        rows.append([name, "paper", "-", "-", "-", PAPER[name]["removed"], PAPER[name]["highest k"], "-", PAPER[name]["raw accuracy"]])
        if curves:
            plot(options.out / f"decision_support_{name}.svg", f"{name}: the frontier of rules by coverage", "k (by rank)", "accuracy", curves)
    head = ["table", "coverage", "rules", "with joins, k >= 2", "frontier", "removed", "highest k", "best accuracy, k >= 2", "raw tree, shuffled / file order"]
    (options.out / f"decision_support{'_full' if options.full else ''}.md").write_text(markdown(head, rows))


if __name__ == "__main__":
    main()
