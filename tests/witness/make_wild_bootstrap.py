"""Makes wild_bootstrap.json: the wild cluster bootstrap and Romano-Wolf p values of pyfixest.

Run in an environment of its own (wildboottest brings numba and is no dependency of ours):
    pip install "pyfixest==0.60.0" "wildboottest==0.3.2"
    python make_wild_bootstrap.py > wild_bootstrap.json

Bootstrap: `feols(y ~ x | document).wildboottest(cluster, impose_null=True, bootstrap_type="11",
weights_type="rademacher")` with more repetitions than there are sign patterns, so that it lists
them all; stored are t, p (patterns with a strictly larger |t|), and every |t*|. Romano-Wolf:
`rwolf` with the wild bootstrap. Both get the rows that stand in the file.
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
import pyfixest as pf

warnings.simplefilter("ignore")
PATTERNS_LISTED = 100_000


def unbalanced(seed, documents, values, missing):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) > missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + 0.4 * value + rng.normal(size=document.size)
    return document, value, np.round(y, 3)


def bootstrap_case(name, seed, documents, values, missing, documents_a_cluster=1):
    document, value, y = unbalanced(seed, documents, values, missing)
    cluster = document // documents_a_cluster
    data = pd.DataFrame({"y": y, "document": document, "cluster": cluster})
    names = [f"v{k}" for k in range(1, values)]
    for k, column in enumerate(names, start=1):
        data[column] = (value == k).astype(float)
    fit = pf.feols(f"y ~ {' + '.join(names)} | document", data=data, vcov={"CRV1": "cluster"})
    tests = []
    for column in names:
        found, t_boot = fit.wildboottest(
            reps=PATTERNS_LISTED,
            cluster="cluster",
            param=column,
            weights_type="rademacher",
            impose_null=True,
            bootstrap_type="11",
            seed=1,
            return_bootstrapped_t_stats=True,
        )
        tests.append(
            {
                "value": column,
                "t": float(found["t value"]),
                "p": float(found["Pr(>|t|)"]),
                "t_draws": sorted(abs(float(t)) for t in np.asarray(t_boot).ravel()),
            }
        )
    return {
        "name": name,
        "document": document.tolist(),
        "value": value.tolist(),
        "cluster": cluster.tolist(),
        "y": y.tolist(),
        "tests": tests,
    }


def romano_wolf_case(seed, documents, labels, shift):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), 2)
    x = np.tile([0.0, 1.0], documents)
    base, shared = rng.normal(size=documents), rng.normal(size=documents)
    outcomes = {}
    for label in range(labels):
        at_value = base + rng.normal(size=documents) + shift * (label < 2)
        outcomes[f"y{label}"] = np.round(np.column_stack([base + shared, at_value]).ravel(), 3)
    data = pd.DataFrame({"document": document, "x": x, **outcomes})
    fits = [
        pf.feols(f"{name} ~ x | document", data=data, vcov={"CRV1": "document"})
        for name in outcomes
    ]
    table = pf.rwolf(fits, param="x", reps=9999, seed=7)
    return {
        "document": document.tolist(),
        "x": x.tolist(),
        "outcomes": {name: y.tolist() for name, y in outcomes.items()},
        "p": [float(p) for p in table.loc["Pr(>|t|)"]],
        "romano_wolf": [float(p) for p in table.loc["RW Pr(>|t|)"]],
        "draws": 9999,
    }


def main():
    stored = {
        "software": {"pyfixest": pf.__version__, "wildboottest": "0.3.2"},
        "bootstrap": [
            bootstrap_case("two values", 1, 9, 2, 0.0),
            bootstrap_case("three values, replies missing", 2, 10, 3, 0.15),
            bootstrap_case("four values, replies missing", 3, 9, 4, 0.2),
            bootstrap_case("clusters of two documents", 4, 16, 3, 0.1, 2),
        ],
        "romano_wolf": [romano_wolf_case(5, 40, 6, 0.7), romano_wolf_case(6, 25, 4, 0.9)],
    }
    json.dump(stored, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
