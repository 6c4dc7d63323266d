"""Means, intervals, and ratios of runs that were made in turn."""

import math

# Quantiles of Student's t, 97.5%, for 1 to 30 degrees of freedom.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
     2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def mean_with_interval(values):
    """(mean, half width of its 95% confidence interval); the latter is None for a single value."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, None
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    return mean, (T[n - 2] if n - 2 < len(T) else 1.96) * deviation / math.sqrt(n)


class Ratio:
    """How many times one quantity is another one, with a 95% interval. Pairs are of runs made in turn, so the interval is that of
    the logarithms of their ratios. `is_exact`: runs say the same each time, so that there is no interval to be found."""

    def __init__(self, pairs, is_exact=False):
        logs = [math.log(over / under) for over, under in pairs if over and under and over > 0 and under > 0]
        self.count = len(logs)
        mean, half = mean_with_interval(logs) if logs else (None, None)
        self.is_exact = is_exact and mean is not None
        if self.is_exact:
            half = 0
        self.mean = None if mean is None else math.exp(mean)
        self.low, self.high = (None, None) if half is None else (math.exp(mean - half), math.exp(mean + half))

    def __bool__(self):
        """There is an interval."""
        return self.low is not None

    def __str__(self):
        if self.mean is None:
            return "no data"
        if self.is_exact:
            return number(self.mean)
        return number(self.mean) + (f" ({number(self.low)} to {number(self.high)})" if self else " (a single run)")


def number(x):
    """Three digits that say something."""
    if x is None:
        return ""
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.0f}" if abs(x) >= 100 else f"{x:.1f}" if abs(x) >= 10 else f"{x:.2f}" if abs(x) >= 0.1 \
        else f"{x:.3f}" if abs(x) >= 0.01 or x == 0 else f"{x:.2g}"
