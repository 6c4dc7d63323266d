"""What is kept of each run: a line of JSON in a file, from which an interrupted session goes on. Runs are kept by the figure for which
they were made in turn, as another figure's were made at another time."""

import json
from collections import defaultdict
from dataclasses import asdict

MOST_ROUNDS = 400  # of a run, of which a figure draws something

# Of a report; what a figure draws, and what a reader of the file may ask.
FIGURES = ["digest", "wall_s", "normalised_s", "cpu_s", "setup_s", "cycles", "instructions", "cache_misses", "committed", "executed", "rollbacks",
           "rollbacks_local", "rollbacks_regional", "rollbacks_remote", "rolled_back", "sent", "sent_remote", "anti_messages", "efficiency",
           "rollback_efficiency", "rate", "gvt_rounds", "waiting_s", "gvt_s", "peak_rss", "memory_peak", "copied_bytes", "most_waiting_blocks",
           "recycled", "rebalanced_blocks", "imbalance", "events_per_message", "successful_probes", "probes_per_lookup", "last_batch",
           "last_gvt_interval", "gvt_interval_iterations", "execution_s", "routing_s", "rollback_s", "rounds_s", "commit_s",
           "idle_s", "asleep_s", "lps", "bytes_per_lp",
           "core_swaps", "time_slices", "retreats"]


def sample_of(report, run, achieved):
    """What is kept of a report."""
    sample = {name: report.get(name) for name in FIGURES if report.get(name) is not None}
    sample["achieved"] = achieved
    if run.keep:
        rounds = report["rounds"]
        step = max(1, -(-len(rounds["gvt"]) // MOST_ROUNDS))
        sample["rounds"] = {name: rounds[name][step - 1::step] for name in run.keep}
    return sample


class Store:
    """Samples by run and repetition. A file of another machine or another build is no use, and is refused."""

    def __init__(self, path, setting):
        self.path, self.samples = path, defaultdict(dict)
        if not path.exists():
            path.write_text(json.dumps(setting) + "\n", encoding="utf-8")
            return
        text = path.read_text(encoding="utf-8")
        if not text.endswith("\n"):  # it was interrupted while it wrote
            with open(path, "a", encoding="utf-8") as file:
                file.write("\n")
        first, *lines = text.splitlines()
        if json.loads(first) != setting:
            raise SystemExit(f"{path} has other runs ({first}); remove it, or choose another --out")
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:  # the line of that moment
                continue
            self.samples[row["turns"], row["run"]][row["repetition"]] = row["sample"]

    @staticmethod
    def key(run):
        return json.dumps({**asdict(run), "model": list(map(str, run.model)), "engine": list(map(str, run.engine))}, sort_keys=True)

    def get(self, turns, run, repetition):
        """`turns`: the name of the figure for which the run was made."""
        return self.samples[turns, self.key(run)].get(repetition)

    def add(self, turns, run, repetition, sample):
        key = self.key(run)
        self.samples[turns, key][repetition] = sample
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"turns": turns, "run": key, "repetition": repetition, "sample": sample}) + "\n")
