#!/usr/bin/env python3
"""The example `lifts` once more, second by second instead of event by event: the figures that it has to report.

Usage: lifts.py BUILDINGS FLOORS PASSENGERS SECONDS    prints JSON
"""

import json
import sys

buildings, floors, passengers, seconds = map(int, sys.argv[1:])
WALK, RIDE, DOORS = 60, 2, 5

state = 1  # the minimal standard generator of Park, Miller and Stockmeyer (1993), std::minstd_rand


def below(n):
    global state
    state = state * 48271 % (2**31 - 1)
    return state % n


calls = {}  # (second, building): passengers as (from, to, building, floor, set out)
second = 0
for _ in range(passengers):
    home = below(buildings)
    start = below(floors)
    building = below(buildings)
    floor = below(floors)
    second += below(2 * seconds + 1)
    to = floor if building == home else 0
    calls.setdefault((second, home), []).append((start, to, building, floor, second))


class Lift:
    def __init__(self):
        self.floor, self.up, self.due, self.moves = 0, True, None, False
        self.waiting, self.riding = [], []  # with the second of the call; without


lifts = [Lift() for _ in range(buildings)]
waits, trips = [], []
now, last, open_trips = 0, 0, passengers
while open_trips or any(lift.due is not None for lift in lifts):
    for number, lift in enumerate(lifts):
        for passenger in calls.pop((now, number), []):
            lift.waiting.append((passenger, now))
            if lift.due is None:
                lift.due, lift.moves = now, False
            last = now
        if lift.due != now:
            continue
        last = now
        if lift.moves:
            lift.floor += 1 if lift.up else -1
        out = [p for p in lift.riding if p[1] == lift.floor]
        into = [(p, called) for p, called in lift.waiting if p[0] == lift.floor]
        lift.riding = [p for p in lift.riding if p[1] != lift.floor] + [p for p, _ in into]
        lift.waiting = [(p, called) for p, called in lift.waiting if p[0] != lift.floor]
        waits += [now - called for _, called in into]
        for _, _, building, floor, set_out in out:
            if building == number:
                trips.append(now - set_out)
                open_trips -= 1
            else:
                calls.setdefault((now + WALK, building), []).append((0, floor, building, floor, set_out))
        if out or into:
            lift.due, lift.moves = now + DOORS, False
            continue
        goals = [p[1] for p in lift.riding] + [p[0] for p, _ in lift.waiting]
        if not goals:
            lift.due, lift.up = None, not lift.up
            continue
        ahead = max(goals) > lift.floor if lift.up else min(goals) < lift.floor
        if not ahead:
            lift.up = not lift.up
        lift.due, lift.moves = now + RIDE, True
    now += 1

print(json.dumps({
    "wait": {"count": len(waits), "mean": sum(waits) / len(waits), "min": min(waits), "max": max(waits)},
    "trip": {"count": len(trips), "mean": sum(trips) / len(trips), "min": min(trips), "max": max(trips)},
    "end_time": last,
}))
