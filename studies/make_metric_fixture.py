"""Makes tests/fixtures/metrics.json: small random cases and what scikit-learn says of them.

    .venv/bin/python studies/make_metric_fixture.py > tests/fixtures/metrics.json
"""

import json
import math

import numpy as np
from sklearn import metrics

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


print(json.dumps({
    "classification": [classification(40, 2, 1.0), classification(30, 2, 5.0), classification(60, 4, 1.0), classification(25, 6, 2.0)],
    "regression": [regression(20, 0.5), regression(20, 5.0)],
    "clustering": [clustering(50, 3, 0.2), clustering(50, 5, 0.9), clustering(12, 1, 0.0), clustering(30, 4, 0.0)],
}))
