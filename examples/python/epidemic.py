"""An epidemic on a network (SIR): who is infectious infects each neighbour after an exponential time, unless he has
recovered before. The network is a sparse matrix of SciPy, of which all LPs see the arrays.

    python examples/python/epidemic.py
"""

import numpy as np

import anachron as an

SUSCEPTIBLE, INFECTIOUS, RECOVERED = 0, 1, 2


class Params(an.Params):
    infection: float = an.param(0.4, "Infections per day along a link", above=0)
    recovery: float = an.param(5.0, "Mean days until recovery", above=0)
    first: int = an.param(3, "Persons who are ill at the beginning", at_least=1)


class Infect(an.Event):
    pass


class Recover(an.Event):
    pass


class Case(an.Row):
    infected_by_day: int


class Person(an.LP):
    state: an.i1 = SUSCEPTIBLE
    since: float = -1.0

    def start(self, cx):
        if cx.index < cx.params.first:
            cx.send(cx.self_id, 0.0, Infect())

    @an.on(Infect)
    def infect(self, cx, _infect):
        if self.state != SUSCEPTIBLE:
            return
        self.state = INFECTIOUS
        self.since = cx.now
        cx.record(Case(int(cx.now)))
        ill = cx.rng.exponential(cx.params.recovery)
        cx.send(cx.self_id, ill, Recover())
        links = cx.shared.indices
        for k in range(cx.shared.indptr[cx.index], cx.shared.indptr[cx.index + 1]):
            delay = cx.rng.exponential(1 / cx.params.infection)
            if delay < ill:
                cx.send(cx.id(links[k]), delay, Infect())

    @an.on(Recover)
    def recover(self, cx, _recover):
        self.state = RECOVERED

    @staticmethod
    def count(params, shared):
        return len(shared.indptr) - 1

    @staticmethod
    def may_stop(params):
        return False

    @staticmethod
    def finish(states, params):
        return {"ever_ill": np.count_nonzero(states["state"] != SUSCEPTIBLE)}


def shared_of(matrix):
    """The arrays of a sparse matrix, for `Model.run(shared=..)`."""
    matrix = matrix.tocsr()
    return {"indptr": matrix.indptr, "indices": matrix.indices}


def small_world(people=5000, links=6, seed=1):
    """A ring in which everybody knows his neighbours, and a tenth of the links lead anywhere (D. J. Watts, S. H.
    Strogatz, Nature 393, 1998)."""
    import scipy.sparse

    rng = np.random.default_rng(seed)
    near = np.arange(people)
    rows, columns = [], []
    for step in range(1, links // 2 + 1):
        to = np.where(rng.random(people) < 0.1, rng.integers(people, size=people), (near + step) % people)
        rows += [near, to]
        columns += [to, near]
    ones = np.ones(people * links // 2 * 2, np.int8)
    return scipy.sparse.coo_matrix((ones, (np.concatenate(rows), np.concatenate(columns))), (people, people))


model = an.Model(Person, params=Params, rows=[Case], shared=lambda params: shared_of(small_world()), name="epidemic")

if __name__ == "__main__":
    report = model.run()
    print(report)
    print(report.tables["Case"].groupby("infected_by_day").size().head(20))
