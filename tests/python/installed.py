"""What `long_wheels.sh` runs with an installed wheel, on every Python and processor: prints results that do not depend on these."""

import platform
import sys

import anachron as an

RUNS = [
    ("phold", {"lps": 256, "until": 20}),
    ("phold", {"lps": 256, "until": 20, "receiver": "gaussian", "sigma": 3, "undo": "log", "state": 64}),
    ("pcs", {"grid": "16x16", "until": 30}),
    ("queueing", {"until": 40}),
    ("epidemic", {"nodes": 2000, "until": 20}),
    ("traffic", {"city": "8x8", "until": 600}),
    ("tlm", {"until": 15}),
    ("logic", {"gates": 500, "vectors": 3}),
    ("packets", {"torus": "4x4", "until": 20000}),
    ("stress", {"until": 0.2}),
]


class Params(an.Params):
    lps: int = an.param(64, "Players", at_least=1)


class Ball(an.Event):
    pass


class Player(an.LP):
    received: int = 0

    def start(self, cx):
        self.throw(cx)

    @an.on(Ball)
    def catch(self, cx, ball):
        self.received += 1
        self.throw(cx)

    def throw(self, cx):
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(1.0) + abs(cx.rng.normal(0.0, 1.0)), Ball())

    @staticmethod
    def count(params):
        return params.lps


def numba_is_here():
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def main():
    assert {name for name, _ in RUNS} == set(an.models()), "RUNS has all bundled models"
    for name, options in RUNS:
        for sync in ("sequential", "optimistic"):
            report = an.run(name, sync=sync, workers=1 if sync == "sequential" else 2, **options)
            print(name, sync, report.digest, report.committed)
    assert len(an.run("phold", lps=64, until=50, workers=2).rounds.columns) > 3  # a data frame
    try:
        an.run("phold", lps=-1)
    except an.InputError as error:  # thrown through the library, by its own exceptions
        print(str(error).splitlines()[0])
    print("interpreted", an.Model(Player, params=Params, compile=False).run(until=10).digest)
    if numba_is_here():
        print("compiled", an.Model(Player, params=Params).run(until=10, workers=2).digest)
        return
    try:
        an.Model(Player, params=Params).run(until=10)
    except an.CompileError as error:
        assert "pip install anachron[models]" in str(error), error
    else:
        raise AssertionError("a model was compiled without Numba")


if __name__ == "__main__":
    main()
    packages = [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "pandas", "numba") if name in sys.modules]
    print(platform.python_version(), platform.machine(), an._native.library_file.name, *packages, file=sys.stderr)
