"""Waves: energy is neither made nor lost, and they have the speed of light."""

from .lab import close, validation

LIGHT = 0.299792458  # m/ns


@validation("tlm energy")
def energy(lab):
    walls = ("--ground-reflection", -1, "--border-reflection", 1, "--threshold", 0)
    found = lab.report("tlm", "--grid", "24x24x8", *walls, "--until", 200)["model"]
    yield close("everything reflected: under way / transmitted", 1, found["energy_under_way"] / found["energy_transmitted"], 1e-12)
    for waveform in ("impulse", "pulse", "sine"):
        found = lab.report("tlm", "--grid", "32x32x12", "--terrain", "hills", "--waveform", waveform, "--until", 100)["model"]
        parts = sum(found["energy_" + where] for where in ("under_way", "absorbed", "left", "cut"))
        yield close(f"hills, {waveform}: all that became of it / transmitted", 1, parts / found["energy_transmitted"], 1e-12)


def time_of_peak(signal, receiver):
    """Of the highest field, between steps that of the parabola through it and those before and after."""
    of_receiver = [(float(row["time"]), float(row["volts"])) for row in signal if row["receiver"] == str(receiver)]
    top = max(range(1, len(of_receiver) - 1), key=lambda k: of_receiver[k][1])
    (_, before), (time, most), (after_time, after) = of_receiver[top - 1:top + 2]
    return time + (after_time - time) * 0.5 * (before - after) / (before - 2 * most + after)


@validation("tlm speed of waves")
def speed(lab):
    """A pulse of 60 cells in a line of cells, as a plane wave has it, from one receiver to another 150 m away."""
    for axis, grid in enumerate(("240x1x1", "1x240x1", "1x1x240")):
        def at(metres):
            return ",".join(f"{metres + 0.5 if k == axis else 0.5}" for k in range(3))
        signal = lab.table("tlm", "signal", "--grid", grid, "--terrain", "none", "--border-reflection", 1, "--threshold", 0,
                           "--frequency", LIGHT * 1e3 / 60, "--transmit-at", at(0), "--receive-at", f"{at(50)};{at(200)}",
                           "--until", 850)
        found = 150 / (time_of_peak(signal, 2) - time_of_peak(signal, 1))
        yield close(f"along {'xyz'[axis]}, m/ns", LIGHT, found, 2e-3 * LIGHT)
