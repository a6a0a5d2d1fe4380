"""Makes tests/fixtures/metrics.json: small random cases and what scikit-learn's metrics and its regression tree say of them.

    .venv/bin/python studies/make_metric_fixture.py > tests/fixtures/metrics.json
"""

import json
import math

import numpy as np
from sklearn import metrics
from sklearn.tree import DecisionTreeRegressor

random = np.random.default_rng(7)


def classification(rows: int, labels: int, noise: float) -> dict:
    truth = random.choice(labels, rows, p=random.dirichlet(np.ones(labels) * 2))
    scores = random.gamma(1.0, 1.0, (rows, labels))
    scores[np.arange(rows), truth] += random.gamma(2.0, 1.0 / noise, rows)
    scores = np.round(scores, 1) + 0.1  # rounded, so that there are ties
    probabilities = scores / scores.sum(axis=1, keepdims=True)
    predicted = probabilities.argmax(axis=1)
    present = [label for label in range(labels) if 0 < (truth == label).sum() < rows]
    auc = (metrics.roc_auc_score(truth, probabilities[:, 1]) if labels == 2 else
           np.mean([metrics.roc_auc_score(truth == label, probabilities[:, label]) for label in present]))
    return {"labels": labels, "truth": truth.tolist(), "predicted": predicted.tolist(), "probabilities": probabilities.ravel().tolist(),
            "accuracy": metrics.accuracy_score(truth, predicted),
            "f1_macro": metrics.f1_score(truth, predicted, average="macro"),
            "balanced_accuracy": metrics.balanced_accuracy_score(truth, predicted),
            "log_loss": metrics.log_loss(truth, probabilities, labels=list(range(labels))), "auc": auc}


def regression(rows: int, noise: float) -> dict:
    truth = random.normal(3, 2, rows)
    predicted = truth + random.normal(0, noise, rows)
    return {"truth": truth.tolist(), "predicted": predicted.tolist(), "r2": metrics.r2_score(truth, predicted),
            "rmse": math.sqrt(metrics.mean_squared_error(truth, predicted))}


def clustering(rows: int, clusters: int, moved: float) -> dict:
    a = random.integers(0, clusters, rows)
    b = np.where(random.random(rows) < moved, random.integers(0, clusters + 1, rows), (a + 1) % clusters)
    return {"a": a.tolist(), "b": b.tolist(), "ari": metrics.adjusted_rand_score(a, b), "nmi": metrics.normalized_mutual_info_score(a, b)}


def regression_tree(rows: int, noise: float) -> dict:
    """Two columns of numbers and one of two names; leaves of 5 rows or more, pruned at 2 ln n times the noise per leaf, which the variance
    inside the leaves of the tree without pruning tells."""
    x = np.column_stack([random.integers(0, 40, rows), random.integers(0, 15, rows), random.integers(0, 2, rows)])
    y = np.where(x[:, 0] > 22, 5.0, 1.0) + np.where(x[:, 2] == 1, x[:, 1] * 0.4, 0) + random.normal(0, noise, rows)
    free = DecisionTreeRegressor(min_samples_leaf=5, random_state=1).fit(x, y)
    noise = np.sum((y - free.predict(x)) ** 2) / (rows - free.get_n_leaves())
    tree = DecisionTreeRegressor(min_samples_leaf=5, ccp_alpha=2 * math.log(rows) * noise / rows, random_state=1).fit(x, y)
    return {"x": x.tolist(), "y": y.tolist(), "leaves": int(tree.get_n_leaves()), "predicted": tree.predict(x).tolist()}


print(json.dumps({
    "classification": [classification(40, 2, 1.0), classification(30, 2, 5.0), classification(60, 4, 1.0), classification(25, 6, 2.0)],
    "regression": [regression(20, 0.5), regression(20, 5.0)],
    "clustering": [clustering(50, 3, 0.2), clustering(50, 5, 0.9), clustering(12, 1, 0.0), clustering(30, 4, 0.0)],
    "regression_tree": [regression_tree(120, 0.3), regression_tree(300, 0.8), regression_tree(300, 3.0)],
}))
