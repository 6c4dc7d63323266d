"""Runs the commands of a page and compares what they print with what the page says."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from needs import environment as environment_with, missing_for
from pages import BIN, ROOT, error, errors

# Of these lines of a report only the form is compared: they depend on the machine and on chance.
VARYING = {"speed", "rate", "time", "efficiency", "remote", "GVT rounds", "waiting", "memory", "footprint", "critical path"}
LEFT_OUT = {"hint", "core swaps", "time slices", "normalised", "rollbacks", "binding", "workers", "state copies", "event blocks", "time split"}  # of these, it depends on the machine even what they say
VARYING_JSON = {
    "rate", "wall_s", "setup_s", "cpu_s", "peak_rss", "efficiency", "rollback_efficiency", "executed",
    "rolled_back", "rollbacks", "rollbacks_local", "rollbacks_regional", "rollbacks_remote", "anti_messages", "sent",
    "sent_remote", "remote_events", "gvt_rounds",
    "normalised_s", "nominal_hz", "cycles", "instructions", "cache_misses", "gvt_latency_s", "gvt_s", "waiting_s", "last_batch", "last_gvt_interval",
    "state_copies", "coasted", "lazy_hits", "checkpoint_interval", "pool_bytes", "history_bytes", "event_bytes",
    "queue_bytes", "peak_pending", "bytes_per_pending_event", "why_not", "cpu", "cores", "usable_cores",
    "memory", "os", "compiler", "optimized", "imbalance", "built_with",
    "critical_path_s", "handlers_s", "execution_s", "routing_s", "rollback_s", "rounds_s", "commit_s", "idle_s", "asleep_s",
    "waiting_blocks", "most_waiting_blocks", "new_blocks", "recycled", "batches", "lookups", "lookup_probes",
    "insertion_probes", "probes_per_lookup", "probes_per_insertion", "gvt_interval_iterations"}
COMMAND_TIMEOUT_S = 300

DO_STUB = r"""#!/usr/bin/env bash
verb=${1-help}
"$ANACHRON_SOURCE/do" help | grep -qE "^  $verb( |\$)" || { echo "./do: unknown verb '$verb'"; exit 1; }
[[ $verb == run ]] || exit 0
shift
[[ ${1--} == -* ]] && set -- traffic "$@"
[[ " $* " == *" --workers "* || " $* " == *" --sync "* ]] || set -- "$@" --sync optimistic --workers 2
exec build/release/bin/anachron run "$@"
"""
MARK = "@@@ end of command, status"


def run_commands(page, commands):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for entry in ROOT.iterdir():
            if entry.name not in ("do", "build", ".git"):
                (folder / entry.name).symlink_to(entry)
        (folder / "do").write_text(DO_STUB)
        (folder / "do").chmod(0o755)
        (folder / "build/release").mkdir(parents=True)
        (folder / "build/release/bin").symlink_to(BIN)
        (folder / "build/release/lib").symlink_to(BIN.parent / "lib")
        script = folder / "build/commands.sh"
        mark = f"status=$?; printf '\\n{MARK} %d\\n' $status; (exit $status)"
        script.write_text("exec 2>&1\n" + "".join(f"{c.text}\n{mark}\n" for c in commands))
        environment = dict(os.environ, LC_ALL="C", TERM="dumb", ANACHRON_SOURCE=str(ROOT))
        environment |= environment_with(folder / "build/tools")
        try:
            done = subprocess.run(["bash", str(script)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, timeout=COMMAND_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            error(page.name, f"its commands take more than {COMMAND_TIMEOUT_S} s")
            return False
        parts = re.split(rf"\n{MARK} (\d+)\n", done.stdout.decode("utf-8", "replace"))
        if len(parts) != 2 * len(commands) + 1:
            error(page.name, f"a command ended the shell: {commands[len(parts) // 2].text}")
            return False
        for command, output, status in zip(commands, parts[0::2], parts[1::2]):
            command.output = [line.rstrip() for line in output.rstrip("\n").split("\n")] if output.strip() else []
            command.status = int(status)
    return True


def label_of(line):
    return re.split(r"\s{2,}|\s+(?=[\d<])", line, maxsplit=1)[0]


def form(line, varying):
    """A line without what may differ from run to run."""
    if key := re.match(r'\s*"(\w+)": ', line):
        return f'"{key[1]}"' if key[1] in varying | VARYING_JSON else line.strip().rstrip(",")
    text = " ".join(line.split())
    if label_of(line) not in varying | VARYING:
        return text
    text = re.sub(r"-?[\d,]*\.?\d+%?", "#", text)
    text = re.sub(r"# (k|M|G|T|B|KiB|MiB|GiB|us|ms|s|min|h)\b", "#", text)
    return re.sub(r"#(:#)*", "#", text).replace("rollbacks", "rollback")


def forms(lines, varying):
    return [form(l, varying) for l in lines if l.strip() and label_of(l) not in LEFT_OUT]


def matches(expected, output, varying):
    parts, part = [], []
    for line in expected:
        if line.strip() == "...":
            parts.append(part)
            part = []
        else:
            part.append(line)
    parts = [forms(p, varying) for p in parts + [part]]
    actual = forms(output, varying)
    if len(parts) == 1:
        return actual == parts[0]
    first, *between, last = parts
    if actual[: len(first)] != first or (last and actual[-len(last) :] != last):
        return False
    at, end = len(first), len(actual) - len(last)
    for p in between:
        while at + len(p) <= end and actual[at : at + len(p)] != p:
            at += 1
        if at + len(p) > end:
            return False
        at += len(p)
    return at <= end


def updated(command, varying):
    """What the page should say the command prints."""
    if "..." not in [l.strip() for l in command.expected]:
        hinted = any(label_of(l) == "hint" for l in command.expected) or not command.expected
        out = [l for l in command.output if hinted or label_of(l) != "hint"]
        while out and not out[-1].strip():
            out.pop()
        return out
    by_form = {form(l, varying): l for l in command.output}
    return [by_form.get(form(l, varying), l) if l.strip() else l for l in command.expected]


def check_commands(page, update):
    blocks = [b for b in page.blocks if b.language == "console" and "skip" not in b.directives and not missing_for(b)]
    commands = [(b, b.commands()) for b in blocks]
    for block, of_block in commands:
        if not of_block:
            error(page.where(block), "a console block without a command")
    everything = [c for _, of_block in commands for c in of_block]
    errors_before = len(errors)
    if not everything or not run_commands(page, everything):
        return
    for block, of_block in commands:
        varying = {v.strip() for v in block.directives.get("varies", "").split(",")}
        for at, command in enumerate(of_block):
            if command.status != 0 and "echo $?" not in [c.text for c in of_block[at + 1 :]]:
                error(page.where(block), f"'{command.text}' fails with exit status {command.status}:\n  " +
                      "\n  ".join(command.output[-5:]))
            if not update and not matches(command.expected, command.output, varying):
                error(page.where(block), f"'{command.text}' prints something else:\n  " +
                      "\n  ".join(command.output) + "\ninstead of\n  " + "\n  ".join(command.expected))
    if update and len(errors) == errors_before:
        for block, of_block in reversed(commands):
            varying = {v.strip() for v in block.directives.get("varies", "").split(",")}
            lines = []
            for command in of_block:
                first, *more = command.text.split("\n")
                lines += ["$ " + first] + ["> " + l for l in more] + updated(command, varying)
            page.lines[block.first : block.first + len(block.lines)] = lines
        page.path.write_text("\n".join(page.lines), encoding="utf-8")
