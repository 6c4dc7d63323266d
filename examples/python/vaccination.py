"""An epidemic in a town where each person may meet each other one, and how many infections a vaccination prevents. The second design is compared
with the first one by the same random numbers and by others.

    python examples/python/vaccination.py
"""

import sys

import numpy as np

import anachron as an


class Params(an.Params):
    persons: int = an.param(20_000, "Persons", at_least=1)
    first: int = an.param(20, "Persons who are infected on day 0", at_least=1)
    contacts: float = an.param(0.4, "Contacts of a person per day that would infect another one", above=0)
    recovery: float = an.param(5.0, "Mean days until an infected person recovers", above=0)
    vaccinated: float = an.param(0.0, "Share of persons who are vaccinated, and so immune", at_least=0, at_most=1)


class Infect(an.Event):
    """A contact of this person with an infectious one."""


class Person(an.LP):
    immune: bool = False
    day: float = -1.0  # of the infection
    fate: an.Stream = an.Stream(1)  # what happens to the person, whatever the design

    def start(self, cx):
        if cx.index < cx.params.first:
            cx.send(cx.self_id, 0.0, Infect())
        else:
            self.immune = cx.rng(self.fate).uniform() < cx.params.vaccinated

    @an.on(Infect)
    def infect(self, cx, _infect):
        if self.immune:
            return
        self.immune = True
        self.day = cx.now
        rng = cx.rng(self.fate)
        recovers = rng.exponential(cx.params.recovery)
        meets = rng.exponential(1 / cx.params.contacts)
        while meets < recovers:
            cx.send(cx.id(rng.below(cx.lp_count)), meets, Infect())
            meets += rng.exponential(1 / cx.params.contacts)

    @staticmethod
    def count(params):
        return params.persons

    @staticmethod
    def finish(states, params):
        infected = states["day"] >= 0
        weeks = np.bincount((states["day"][infected] // 7).astype(int))
        return {
            "infected": infected.sum(),
            "last_infection": states["day"].max(),
            "by_week": {"week": np.arange(len(weeks)), "infected": weeks},
        }


model = an.Model(Person, params=Params, name="vaccination")


def prevented(seed_of_second, shares=(0.30, 0.35), replications=20):
    """The difference of infections in two designs: its mean, and the half-width of its 95% interval."""
    runs = {"replications": replications, "runs": True}
    first = an.sweep(model, {"vaccinated": shares[:1]}, seed=1, **runs)["infected"].to_numpy()
    second = an.sweep(model, {"vaccinated": shares[1:]}, seed=seed_of_second, **runs)["infected"].to_numpy()
    difference = first - second
    student = 2.093  # 97.5% quantile of Student's t with 19 degrees of freedom
    return difference.mean(), student * difference.std(ddof=1) / np.sqrt(replications)


if __name__ == "__main__":
    if words := sys.argv[1:]:
        report = model.run(**dict(word.split("=") for word in words))
        print(report)
        print(report.tables["by_week"].to_string(index=False))
    else:
        print("the same seeds:  {:6.0f} +- {:.0f} infections prevented".format(*prevented(seed_of_second=1)))
        print("other seeds:     {:6.0f} +- {:.0f} infections prevented".format(*prevented(seed_of_second=1001)))
