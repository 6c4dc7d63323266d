"""The examples that have other packages choose the points of a sweep."""

import pytest


def test_salib_finds_what_the_wait_depends_on():
    pytest.importorskip("SALib", reason="SALib is not installed")
    import sensitivity

    frame = sensitivity.sobol(base=32, replications=2, until=300, warm_up=50, servers=3, stations=4)
    assert frame.index.tolist() == ["arrivals", "service", "leave"]
    assert (frame["ST"] > 0.05).all() and frame["ST"].idxmax() == "arrivals"


def test_optuna_finds_the_number_of_servers():
    optuna = pytest.importorskip("optuna", reason="optuna is not installed")
    import optimise
    import queue_network

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optimise.optimise(rounds=4, arrivals=1.5, until=1000, warm_up=200, stations=4)
    cost = {n: 0.5 * n + 10 * queue_network.erlang_wait(n, 3.0, 1.0) for n in range(4, 13)}
    best = min(cost, key=cost.get)
    assert abs(study.best_params["servers"] - best) <= 1 and study.best_value == pytest.approx(cost[best], rel=0.15)
