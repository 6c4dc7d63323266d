"""What the Python package can do, in a few lines each: the listings of docs/reference/python.md and docs/reference/python-experiments.md."""

import anachron as an


def bundled_models():
    report = an.run("traffic", city="16x16", until=1800, workers=2)
    print(report.digest, report.committed, f"{report.rate:,.0f} events/s")
    print(report["mean_travel_time"])
    print(report.rounds[["gvt", "wall_s", "committed"]].tail(3))
    for name in report.tables:
        print(report.tables[name].head(3))


def sweeps():
    from queue_network import model

    frame = an.sweep(model, {"servers": [2, 3, 4], "arrivals": [0.6, 0.9]}, replications=5, until=2000)
    print(frame[frame.figure == "mean_wait"])
    precise = an.sweep(model, {"servers": [3, 4]}, precision=0.1, figure="mean_wait", until=2000)
    print(precise[["servers", "figure", "mean", "half_width", "n", "precise"]])


def selection():
    from queue_network import model

    found = an.select(model, {"servers": [3, 4, 5]}, figure="mean_wait", zone=0.05, arrivals=1.2, until=1000)
    print(found.best, found.runs)
    print(found.frame[["servers", "mean", "n", "eliminated_after", "eliminated_by"]])


def sessions():
    from epidemic import Infect, Person, model

    session = model.session(sync="sequential")
    session.run_until(10)
    states = session.states(Person)
    print((states["state"] == 1).sum(), "are ill on day 10")

    def nothing(session):
        pass

    def somebody_travels(session):
        session.schedule(session.id(Person, 2500), 10.5, Infect())

    def ever_ill(session):
        return int((session.states(Person)["state"] != 0).sum())

    print(session.branch([nothing, somebody_travels], until=20, read=ever_ill))
    session.run_until(30)


def errors():
    try:
        an.run("phold", lsp=3)
    except an.InputError as error:
        print(error)


if __name__ == "__main__":
    bundled_models()
    sweeps()
    selection()
    sessions()
    errors()
