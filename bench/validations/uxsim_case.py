"""Runs UXsim and prints, as JSON, the scenario and what it finds. To be run by a Python that has UXsim.

Usage: uxsim_case.py grid|merge|cross PLATOON SEED,... VOLUME [--duo]
       uxsim_case.py SCENARIO.uxsim_scenario PLATOON SEED,... SHARE [--duo]
  PLATOON  vehicles that UXsim moves as one
  VOLUME   vehicles of each pair of zones
  SHARE    of the scenario's demand
  --duo    UXsim's own choice of routes, by present travel times; else the quickest ones on an empty network

Printed are:
  zones   names of the nodes where trips begin or end
  links   from, to (names), capacity in vehicles/h, minutes without traffic, vehicles that stand on it
  trips   origin, destination (names), vehicles that UXsim makes of the demand
  period  minutes during which they depart; horizon: minutes after which the run ends
  runs    for each seed: vehicles that arrived, and hours that these took in all, waiting to depart included
"""

import json
import pickle
import sys

from uxsim import World

PERIOD, HORIZON = 1800, 10000  # seconds; 10000 is what UXsim recommends for Chicago
SIDE, SPAN = 7, 500  # the grid: nodes per side, metres between two of them


def grid(world, volume):
    """One-lane roads both ways; lengths differ, so that one route is the quickest. All drive to the rim and from it."""
    nodes = {(x, y): world.addNode(f"n{x}-{y}", x, y) for x in range(SIDE) for y in range(SIDE)}
    number = 0
    for (x, y) in nodes:
        for (i, j) in ((x + 1, y), (x, y + 1)):
            if (i, j) in nodes:
                for a, b in (((x, y), (i, j)), ((i, j), (x, y))):
                    number += 1
                    world.addLink(f"l{number}", nodes[a], nodes[b], length=SPAN + (37 * number) % 101, free_flow_speed=15)
    rim = [place for place in nodes if 0 in place or SIDE - 1 in place]
    for k, (x, y) in enumerate(rim):
        for step in (5, 11, 17):
            world.adddemand(nodes[x, y], nodes[rim[(k + step) % len(rim)]], 0, PERIOD, volume=volume)


def node(world, case, volume):
    """Two full roads to a node, and all that they carry to one road behind it, or half of it to each of two."""
    for name, x in zip("abmcd", range(5)):
        world.addNode(name, x, 0)
    ends = "c" if case == "merge" else "cd"
    for start, end in [*((start, "m") for start in "ab"), *(("m", end) for end in ends)]:
        world.addLink(start + end, start, end, length=SPAN, free_flow_speed=15)
    for start in "ab":
        for end in ends:
            world.adddemand(start, end, 0, PERIOD, volume=volume / len(ends))


def load(world, file, share):
    """What World.load_scenario does, which its C++ engine has not."""
    with open(file, "rb") as stream:
        scenario = pickle.load(stream)
    for kind, add in (("Nodes", world.addNode), ("Links", world.addLink), ("adddemand", world.adddemand)):
        for arguments in scenario[kind]:
            if "volume" in arguments:
                arguments["volume"] *= share
            add(**arguments)


def make(case, platoon, seed, amount, is_duo):
    fixed = {} if is_duo else {"duo_noise": 0, "duo_update_weight": 0}
    world = World(deltan=platoon, tmax=HORIZON, random_seed=seed, print_mode=0, save_mode=0, show_mode=0,
                  vehicle_logging_timestep_interval=-1, cpp=True, **fixed)
    if case == "grid":
        grid(world, amount)
    elif case in ("merge", "cross"):
        node(world, case, amount)
    else:
        load(world, case, amount)
    return world


def scenario_of(world, platoon, period):
    trips = {}
    for vehicle in world.VEHICLES.values():
        pair = vehicle.orig.name, vehicle.dest.name
        trips[pair] = trips.get(pair, 0) + platoon
    return {"trips": [[*pair, number] for pair, number in trips.items()],
            "zones": sorted({zone for pair in trips for zone in pair}),
            "links": [[link.start_node.name, link.end_node.name, 3600 * float(link.capacity),
                       float(link.length / link.u / 60), float(link.kappa * link.length)] for link in world.LINKS],
            "period": period / 60, "horizon": HORIZON / 60}


def main():
    case, platoon, seeds, amount = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(","), float(sys.argv[4])
    result, runs = {}, []
    for seed in seeds:
        world = make(case, platoon, int(seed), amount, "--duo" in sys.argv)
        if not result:
            result = scenario_of(world, platoon, PERIOD if case in ("grid", "merge", "cross") else 3600)
        world.exec_simulation()
        arrived = [vehicle.travel_time for vehicle in world.VEHICLES.values() if vehicle.state == "end"]
        runs.append({"arrived": platoon * len(arrived), "hours": platoon * sum(arrived) / 3600})
    json.dump({**result, "runs": runs}, sys.stdout)


if __name__ == "__main__":
    main()
