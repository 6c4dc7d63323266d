"""How many servers each station of a network of queues needs, so that waiting and servers together cost least: found by
Optuna (T. Akiba et al., "Optuna: A next-generation hyperparameter optimization framework", KDD 2019). Optuna says which
points to try next, and a sweep runs them side by side, with the same seeds for all.

    pip install optuna
    python examples/python/optimise.py
"""

import optuna
from queue_network import model

import anachron as an

WAITING = 10.0  # what an hour of waiting costs
SERVER = 0.5  # what a server of each station costs, for a customer


def optimise(rounds=6, at_a_time=4, **options):
    """The study behind so many rounds of points that are run side by side."""
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    for _ in range(rounds):
        trials = [study.ask() for _ in range(at_a_time)]
        points = [{"servers": trial.suggest_int("servers", 4, 12)} for trial in trials]
        frame = an.sweep(model, points, replications=3, runs=True, **options)
        for trial, point in zip(trials, points):
            waits = frame[frame.servers == point["servers"]]["mean_wait"]
            study.tell(trial, WAITING * waits.mean() + SERVER * point["servers"])
    return study


if __name__ == "__main__":
    study = optimise(arrivals=1.5, until=2000)
    print(f"{study.best_params['servers']} servers cost {study.best_value:.3f}")
