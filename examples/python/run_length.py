"""How many runs? The interval around a mean shrinks with the root of their number. The model is that of warm_up.py.

    python examples/python/run_length.py [PICTURE.svg]
"""

import sys

from warm_up import THEORY, model

MEAN = "length.mean"


def replications(n, seed=1):
    """The row of a data frame: mean, half_width, sd, n of the mean length in n runs of 30 hours."""
    frame = model.run(lps=1, until=2000, warm_up=200, replications=n, seed=seed)
    return frame[frame.figure == MEAN].iloc[0]


def until_precise(precision):
    """As many runs as it takes until the half-width is at most this share of the mean."""
    frame = model.run(lps=1, until=2000, warm_up=200, precision=precision, figure=MEAN)
    return frame[frame.figure == MEAN].iloc[0]


def covered(intervals=100, n=20):
    """The share of the intervals that have the true mean. Each is of n runs with seeds of its own."""
    rows = [replications(n, seed=1 + k * n) for k in range(intervals)]
    return sum(abs(row["mean"] - THEORY) <= row["half_width"] for row in rows) / intervals


def picture(file, numbers=(10, 20, 40, 80, 160, 320)):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "anachron"  # the same file each time
    import matplotlib.pyplot as plt

    rows = [replications(n) for n in numbers]
    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    axes.errorbar(range(len(rows)), [r["mean"] for r in rows], yerr=[r["half_width"] for r in rows], fmt="o", capsize=4, label="mean, 95%")
    axes.axhline(THEORY, linestyle="--", color="0.5", label="theory")
    axes.set(xlabel="replications", ylabel="customers in line", xticks=range(len(rows)), xticklabels=numbers)
    axes.legend(loc="upper right")
    figure.savefig(file, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    for n in (10, 40, 160):
        row = replications(n)
        print(f"{n:3} runs: {row['mean']:.2f} +- {row['half_width']:.2f}")
    row = until_precise(0.02)
    print(f"2%: {row['n']} runs, {row['mean']:.3f} +- {row['half_width']:.3f}")
    print(f"{covered():.0%} of 100 intervals have the true mean")
    if len(sys.argv) > 1:
        picture(sys.argv[1])
