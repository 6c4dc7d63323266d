"""Which parameters the waiting time in a network of queues depends on: Sobol indices by SALib (J. Herman, W. Usher, "SALib:
An open-source Python library for Sensitivity Analysis", Journal of Open Source Software 2(9), 2017). SALib says which points
to run, and a sweep runs them.

    pip install SALib
    python examples/python/sensitivity.py
"""

import pandas
from queue_network import model
from SALib.analyze.sobol import analyze
from SALib.sample.sobol import sample

import anachron as an

PROBLEM = {
    "num_vars": 3,
    "names": ["arrivals", "service", "leave"],
    "bounds": [[0.2, 1.0], [0.5, 1.0], [0.4, 0.9]],
}


def sobol(base=64, replications=4, **options):
    """A frame with the share of the variance of the mean wait that each parameter explains: alone (S1), and with others (ST)."""
    points = [dict(zip(PROBLEM["names"], values)) for values in sample(PROBLEM, base, calc_second_order=False, seed=1).tolist()]
    frame = an.sweep(model, points, replications, **options)
    waits = frame[frame.figure == "mean_wait"]["mean"].to_numpy()
    found = analyze(PROBLEM, waits, calc_second_order=False, seed=1)
    return pandas.DataFrame({name: found[name] for name in ("S1", "S1_conf", "ST", "ST_conf")}, index=PROBLEM["names"])


if __name__ == "__main__":
    print(sobol(until=2000))
