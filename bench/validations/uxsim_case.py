"""Runs UXsim and prints, as JSON, the scenario and what it finds. To be run by a Python that has UXsim.

Usage: uxsim_case.py grid|SCENARIO.uxsim_scenario PLATOON SEED...
  PLATOON  vehicles that UXsim moves as one

Everybody takes the quickest route on an empty network, as with `anachron run traffic`. Printed are:
  zones   names of the nodes where trips begin or end
  links   from, to (names), capacity in vehicles/h, minutes without traffic, vehicles that stand on it
  trips   origin, destination (names), vehicles that UXsim makes of the demand
  runs    for each seed: vehicles that arrived, and hours that these took in all, waiting to depart included
"""

import json
import pickle
import sys

from uxsim import World

HORIZON = {"grid": 7200}
SIDE, SPAN = 7, 500  # the grid: nodes per side, metres between two of them


def grid(world):
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
            world.adddemand(nodes[x, y], nodes[rim[(k + step) % len(rim)]], 0, 1800, volume=100)


def load(world, file):
    """What World.load_scenario does, which its C++ engine has not."""
    with open(file, "rb") as stream:
        scenario = pickle.load(stream)
    for kind, add in (("Nodes", world.addNode), ("Links", world.addLink), ("adddemand", world.adddemand)):
        for arguments in scenario[kind]:
            add(**arguments)


def make(case, platoon, seed):
    world = World(deltan=platoon, tmax=HORIZON.get(case, 10000), random_seed=seed, print_mode=0, save_mode=0, show_mode=0,
                  duo_noise=0, duo_update_weight=0, vehicle_logging_timestep_interval=-1, cpp=True)
    if case == "grid":
        grid(world)
    else:
        load(world, case)
    return world


def main():
    case, platoon, seeds = sys.argv[1], int(sys.argv[2]), [int(seed) for seed in sys.argv[3:]]
    result = {"runs": []}
    for seed in seeds:
        world = make(case, platoon, seed)
        if "links" not in result:
            trips = {}
            for vehicle in world.VEHICLES.values():
                pair = vehicle.orig.name, vehicle.dest.name
                trips[pair] = trips.get(pair, 0) + platoon
            result["trips"] = [[*pair, number] for pair, number in trips.items()]
            result["zones"] = sorted({zone for pair in trips for zone in pair})
            result["links"] = [[link.start_node.name, link.end_node.name, 3600 * float(link.capacity),
                                float(link.length / link.u / 60), float(link.kappa * link.length)] for link in world.LINKS]
            result["horizon"] = world.TMAX / 60
        world.exec_simulation()
        arrived = [vehicle.travel_time for vehicle in world.VEHICLES.values() if vehicle.state == "end"]
        result["runs"].append({"arrived": platoon * len(arrived), "hours": platoon * sum(arrived) / 3600})
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
