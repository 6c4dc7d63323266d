#!/usr/bin/env python3
"""Reads a timeline by the definitions of Perfetto itself, and prints what it has as JSON.

Usage: read_timeline.py FILE.pftrace...    several files: as if they were one
Exit status 77: the package `perfetto` is not installed.
"""

import collections
import json
import sys

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as format
except ImportError:
    print("skipped: no package perfetto")
    sys.exit(77)

trace = format.Trace()
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        trace.MergeFromString(file.read())
Event = format.TrackEvent
names, notes, tracks = {}, {}, {}
slices, instants, counters, sums = (collections.Counter() for _ in range(4))
open_slices, flows = {}, [set(), set()]
errors = []
for packet in trace.packet:
    of = packet.trusted_packet_sequence_id
    names.update({(of, name.iid): name.name for name in packet.interned_data.event_names})
    notes.update({(of, name.iid): name.name for name in packet.interned_data.debug_annotation_names})
    if packet.HasField("track_descriptor"):
        tracks[packet.track_descriptor.uuid] = packet.track_descriptor
for uuid, track in tracks.items():
    if not track.HasField("process") and track.parent_uuid not in tracks:
        errors.append(f"track {track.name} has no process")
for packet in sorted((p for p in trace.packet if p.HasField("track_event")), key=lambda p: p.timestamp):
    of, event = packet.trusted_packet_sequence_id, packet.track_event
    track = tracks[event.track_uuid].name
    if event.type == Event.TYPE_SLICE_BEGIN:
        slices[f"{track}: {names[of, event.name_iid]}"] += 1
        if event.track_uuid in open_slices:
            errors.append(f"slices of {track} overlap")
        open_slices[event.track_uuid] = packet.timestamp
        for note in event.debug_annotations:
            if note.HasField("uint_value") and notes[of, note.name_iid] != "PE":
                sums[f"{track}: {notes[of, note.name_iid]}"] += note.uint_value
        flows[1].update(event.terminating_flow_ids)
    elif event.type == Event.TYPE_SLICE_END:
        if open_slices.pop(event.track_uuid, packet.timestamp + 1) > packet.timestamp:
            errors.append(f"a slice of {track} ends before it begins")
    elif event.type == Event.TYPE_INSTANT:
        instants[f"{track}: {names[of, event.name_iid]}"] += 1
        flows[0].update(event.flow_ids)
    elif event.type == Event.TYPE_COUNTER:
        counters[track] += 1
if open_slices:
    errors.append(f"{len(open_slices)} slices do not end")
if flows[0] != flows[1]:
    errors.append("flows begin or end nowhere")
processes = sorted(track.process.process_name for track in tracks.values() if track.HasField("process"))
print(json.dumps({"processes": processes, "slices": slices, "instants": instants, "counters": counters, "sums": sums,
                  "errors": errors}, indent=1))
