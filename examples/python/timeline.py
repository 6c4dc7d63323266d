"""Reads a timeline that `--timeline FILE.pftrace` has written: how long each worker spent on what, and a picture.

Usage: timeline.py FILE.pftrace [PICTURE.png [FROM TO]]
FROM, TO: what the picture shows, in milliseconds. Needs the packages perfetto and, for a picture, matplotlib.
"""

import sys
from collections import Counter, defaultdict

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto

COLOURS = {"batch": "#2a78b0", "messages": "#59a14f", "rollback": "#d1495b", "GVT round": "#edae49", "commit": "#8d6a9f",
           "waiting": "#c6ccd1", "asleep": "#e8eaec"}


def slices(path):
    """Of each track by name its slices: name, begin and end in milliseconds since the first one."""
    trace = perfetto.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    names, tracks, begun, found = {}, {}, {}, defaultdict(list)
    for packet in trace.packet:
        names.update({name.iid: name.name for name in packet.interned_data.event_names})
        if packet.HasField("track_descriptor"):
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor.name
    events = sorted((p for p in trace.packet if p.HasField("track_event")), key=lambda p: p.timestamp)
    for packet in events:
        event, at = packet.track_event, (packet.timestamp - events[0].timestamp) / 1e6
        if event.type == event.TYPE_SLICE_BEGIN:
            begun[event.track_uuid] = names[event.name_iid], at
        elif event.type == event.TYPE_SLICE_END:
            found[tracks[event.track_uuid]].append((*begun.pop(event.track_uuid), at))
    return dict(sorted(found.items()))


def main(path, picture=None, first=None, last=None):
    tracks = slices(path)
    for track, of_track in tracks.items():
        spent = Counter()
        for name, begin, end in of_track:
            spent[name] += end - begin
        print(f"{track:<10}", ", ".join(f"{name} {ms:.1f} ms" for name, ms in spent.most_common()))
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(10, 0.5 * len(tracks) + 1.2), layout="constrained")
        for row, of_track in enumerate(tracks.values()):
            for name, colour in COLOURS.items():
                axes.broken_barh([(b, e - b) for n, b, e in of_track if n == name], (row - 0.4, 0.8), color=colour)
        axes.set_yticks(range(len(tracks)), list(tracks))
        axes.invert_yaxis()
        if last is not None:
            axes.set_xlim(float(first), float(last))
        axes.set_xlabel("wall time [ms]")
        figure.legend([plt.Rectangle((0, 0), 1, 1, color=c) for c in COLOURS.values()], list(COLOURS), loc="outside upper center", ncols=7)
        figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
