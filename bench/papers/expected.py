"""What can be expected of runs beside foreign loads: equations 1 to 3 of AIR, and averages."""

import math
import statistics


def proportional(workers, cores, loads):
    """Equation 1: the slowdown when threads share cores fairly, against the same run without loads."""
    return max(1.0, (workers + loads) / cores) / max(1.0, workers / cores)


def proportional_on_off(workers, cores, loads, on):
    """Equation 2 for loads each of which wants to compute for a share `on` of the time, whenever the others do: in what
    share of the time how many do, and how much work is done in it."""
    speed = sum(math.comb(loads, n) * on**n * (1 - on) ** (loads - n) / proportional(workers, cores, n) for n in range(loads + 1))
    return 1 / speed


def after_yielding(workers, loads):
    """Equation 3: as many workers rest as there are loads, at least one works."""
    return workers / max(1, workers - loads)


def of_what_is_left(workers, cores, load_cores):
    """The slowdown of a run that loses nothing but the processor time that the loads really took."""
    usual = min(workers, cores)
    return usual / max(min(usual, cores - load_cores), 1e-9)


def median(values):
    return statistics.median(values)


def over_time(line, of):
    """The average of `of` the levels of a line [(time, level from then on), ...]."""
    total = line[-1][0] - line[0][0]
    return sum((b[0] - a[0]) * of(a[1]) for a, b in zip(line, line[1:])) / total if total > 0 else float(of(line[-1][1]))


def load_counts(workers, most_points=6):
    """Loads up to 5/8 of the workers, as in the paper, but at least up to 2."""
    most = max(2, round(workers * 5 / 8))
    step = max(1, math.ceil(most / (most_points - 1)))
    return [*range(0, most, step), most]
