"""Tables that pages take from the program and from headers, between `<!-- generated: KIND ARGUMENT -->` and `<!-- end: KIND -->`.

  options GROUP     the options of a heading in `anachron help phold`, with values, defaults and meaning
  options-of VERB   the same of `anachron tune` and `anachron load`
  no-effect         which options have no effect in which runs, from src/base/option_table.hpp and without_effect.cpp
  report            the fields of the JSON report: what a run prints, described by the comments of the headers
  rows STRUCT PART  the fields of an object in it, from the members of a struct

`check_docs.py` compares the tables of a page with what is generated now; `check_docs.py --update` writes them.
"""

import json
import re
import subprocess

from pages import BIN, ROOT, error

BEGIN = re.compile(r"<!-- generated: ([\w-]+) ?(.*?) -->")
END = "<!-- end: {} -->"
HEADERS = [ROOT / "include/anachron" / name for name in ("base/figures.hpp", "run/report.hpp", "run/machine.hpp")]

# Where a page tells more of an option or a field. Paths are those from docs/reference/.
MORE_OF_OPTION = {
    "replications": "../results/statistics.md#replications",
    "precision": "../results/statistics.md#until-a-mean-is-precise",
    "precision-of": "../results/statistics.md#until-a-mean-is-precise",
    "warm-up": "../results/statistics.md",
    "sync": "command-line.md#windows-or-time-warp",
    "mapping": "../how-to/shared-machines.md",
    "pe-choice": "../how-to/shared-machines.md#which-pe-comes-next",
    "detector": "../how-to/shared-machines.md#the-mappings-of-the-air-paper",
    "reactivation": "../how-to/shared-machines.md#when-a-worker-comes-back",
    "core-swap": "../how-to/shared-machines.md#workers-hand-over-their-cores",
    "channel": "../inside/architecture.md#channels",
    "events": "../inside/architecture.md#shared-and-copied-events",
    "pool": "../inside/architecture.md#memory",
    "numa": "../inside/architecture.md#memory-nodes",
    "bind": "command-line.md#binding",
    "queue": "../inside/architecture.md#the-pending-set",
    "partition": "../how-to/partitions.md",
    "migration": "../how-to/partitions.md#when-the-load-moves",
    "levels": "../how-to/partitions.md#two-levels",
    "checkpoint-interval": "../inside/synchronisation.md#sparse-state-saving",
    "throttle": "throttles.md",
    "batch": "throttles.md#batches-and-gvt-rounds",
    "gvt-interval": "throttles.md#batches-and-gvt-rounds",
    "run-lookahead": "command-line.md#conservative-runs",
    "cancellation": "../inside/synchronisation.md#history-and-rollback",
    "memory": "command-line.md#memory",
    "comm": "../how-to/clusters.md#what-to-set",
    "config": "command-line.md#configuration-files",
    "report": "report.md",
    "plot": "../results/plots.md",
    "trace": "command-line.md#trace",
    "profile-lps": "command-line.md#figures-by-lp",
    "time-events": "../how-to/profile.md#would-more-cores-help",
    "verbose": "command-line.md#what-is-printed",
    "check-rollback": "../tutorials/post-office.md#step-6-finding-a-wrong-reverser",
    "gang": "command-line.md#gang-scheduling",
    "kind": "command-line.md#a-foreign-load",
}
MORE_OF_FIELD = {
    "waiting_blocks": "../inside/architecture.md#shared-and-copied-events",
    "execution_s": "#where-the-time-goes",
    "core_swaps": "../how-to/shared-machines.md#workers-hand-over-their-cores",
    "time_slices": "../how-to/shared-machines.md#two-workers-take-turns",
    "memory_limit": "command-line.md#memory",
    "committed_in_order": "../how-to/shared-machines.md",
    "workers_tried": "#trials-of-workers",
    "migrations": "../how-to/partitions.md#when-the-load-moves",
    "lp_profile": "#lps",
    "rollback_pairs": "#rollback-pairs",
    "transport": "../how-to/clusters.md",
    "ranks": "#ranks",
    "binding": "#binding",
    "numa": "#memory-nodes",
    "machine": "#machine",
    "model": "../results/statistics.md",
    "pes": "#pes",
    "workers": "#workers",
    "rounds": "#rounds",
}
# Fields that are no member of a struct under that name: type, meaning.
OTHER_FIELDS = {
    "schema": ("text", "`anachron-report/3`. It changes when a field changes its meaning or goes."),
    "model_name": ("text", "Name of the model."),
    "interrupted": ("bool", "Whether `ending` is `interrupted`."),
    "config": ("object", "The engine's options by name, as resolved; `auto` where the engine adapts while it runs. "
                         "`config.model` has the model's options as text."),
    "machine": ("object", "The machine."),
    "model": ("object", "The model's figures by name; a statistic is an object."),
    "tables": ("object", "The model's tables: `row_count`, `columns` and, up to 10,000 rows in total, `rows`."),
    "hint": ("text, or null", "What held the run back, and what to try. None: a sequential run, or one too short to tell."),
    "pe": ("count", "Number of the PE."),
    "worker": ("count", "Number of the worker."),
    "rank": ("count", "Number of the rank."),
    "anachron": ("text", "Version of Anachron."),
}


def output_of(*arguments):
    done = subprocess.run([str(a) for a in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode("utf-8", "replace")


def more(target):
    return f" [More]({target})." if target else ""


def cell(text):
    """Text of a cell, with options as code."""
    values = "auto|none|fixed|on|off|apte|metis|iteq-[a-z-]+|S"
    return re.sub(rf"(?<![`\w-])(--[a-z][a-z-]*(?: (?:{values})\b)?)", r"`\1`", text).replace("|", "\\|")


MOST_WORDS = 28


def sentences(text, values):
    """Of a help text: `value: ..` begins a sentence, and so does what follows a colon in a long one."""
    for value in values:
        text = re.sub(rf"(^|[;:] ){re.escape(value)}: ", lambda m: (". " if m[1] else "") + f"`{value}`: ", text)
    parts = re.split(r"(?<=\.) ", text if text.endswith(".") else text + ".")
    for at, part in enumerate(parts):
        if len(part.split()) > MOST_WORDS:
            part = re.sub(r": ([a-z])", lambda m: f". {m[1].upper()}", part, count=1)
        parts[at] = part[:1].upper() + part[1:]
    return " ".join(parts)


# --- Options -------------------------------------------------------------------------------------------------


def options_of_help(text):
    """(name, values, default, meaning) of each option in a part of what --help prints."""
    for name, hint, tail in re.findall(r"^  --([a-z-]+)(?: (\S+))?(?: {2,}|\n {20,}|\n)((?:.|\n(?!  -|\n))*)", text, re.M):
        words = " ".join(tail.split())
        default = ""
        if found := re.fullmatch(r"(.*?) ?\[([^\[\]]*)\]", words):
            words, default = found.groups()
        yield name, hint, default, words


def option_table(text):
    rows = ["| option | value | default | meaning |", "|---|---|---|---|"]
    for name, hint, default, words in options_of_help(text):
        values = ", ".join(f"`{v}`" for v in hint.split("|")) if hint else "switch"
        default = "the model's" if name == "until" else default
        shown = f"`{default}`" if re.fullmatch(r"[\w.-]+", default) else default or ("off" if not hint else "")
        rows.append(f"| `--{name}` | {cell(values)} | {cell(shown)} | {cell(sentences(words, hint.split('|')))}{more(MORE_OF_OPTION.get(name))} |")
    return rows


def options(group):
    text = output_of(BIN / "anachron", "help", "phold")
    part = re.search(rf"^{group}[^\n]*:\n(.*?)(?=^\n|\Z)", text, re.M | re.S)
    return option_table(part[1])


def options_of(verb):
    if verb == "load":
        return option_table(re.search(r"^Load:\n(.*?)^$", output_of(BIN / "anachron", "load", "--help"), re.M | re.S)[1])
    text = output_of(BIN / "anachron", verb, "phold", "--help")
    of_runs = {name for name, *_ in options_of_help(output_of(BIN / "anachron", "help", "phold"))} | {"help", "version"}
    own = re.split(r"(?=^  -)", text, flags=re.M)
    return option_table("".join(p for p in own if (m := re.match(r"  --([a-z-]+)", p)) and m[1] not in of_runs))


def no_effect():
    source = (ROOT / "src/run/options/without_effect.cpp").read_text(encoding="utf-8")
    constants = dict(re.findall(r"case RunIs::(\w+):\s+return &(\w+);", source))
    texts = {}
    for name, body in re.findall(r"constexpr Circumstance (k\w+)\{(.*?)\};\n", source, re.S):
        said = re.findall(r'"([^"]*)"', body)
        texts[name] = said[-1] if said else texts[re.search(r"(k\w+)\.text", body)[1]]
    rows = ["| option | has no effect |", "|---|---|"]
    for path in ("src/base/option_table.hpp", "src/run/options/engine_options.hpp"):
        code = (ROOT / path).read_text(encoding="utf-8")
        code = code.replace('kConfigOption', '"config"')
        for facts in re.split(r"\.name = ", code)[1:]:
            name = re.match(r'"([a-z-]+)"', facts)[1]
            if found := re.search(r"\.no_effect = \{([^}]*)\}", facts):
                circumstances = [texts[constants[c.strip().removeprefix("RunIs::")]] for c in found[1].split(",")]
                rows.append(f"| `--{name}` | {cell('; '.join(circumstances))} |")
    return rows


# --- Fields of the report ------------------------------------------------------------------------------------


def members(struct, text):
    """Name -> (C++ type, description) of the members and the functions without arguments of a struct."""
    body = re.search(rf"^struct {struct}\b[^;{{]*\{{\n(.*?)^\}};", text, re.M | re.S)[1]
    out, before = {}, []
    lines = body.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if line.endswith("=") and at < len(lines):  # a declaration over two lines
            line += " " + lines[at].strip()
            at += 1
        if line.startswith("///"):
            before.append(line.lstrip("/< ").strip())
            continue
        declared = re.match(r"(?P<type>(?:const )?[\w:]+(?:<.*>)?) (?P<name>\w+)(?: = [^;]*|\{\})?;(?:\s+///< ?(?P<behind>.*))?$", line)
        function = re.match(r"(?P<type>[\w:]+(?:<.*>)?) (?P<name>\w+)\(\) const\b", line)
        found = declared or function
        if found and (not function or not lines[at - 1].startswith("    ")):
            words = before if before else [declared["behind"] or ""] if declared else []
            while declared and at < len(lines) and lines[at].strip().startswith("///<"):
                words.append(lines[at].strip()[4:].strip())
                at += 1
            out[found["name"]] = (found["type"], " ".join(words).strip())
        before = []
    return out


def kind(cpp, name):
    inner = re.sub(r"^std::optional<(.*)>$", r"\1", cpp)
    null = ", or null" if inner != cpp else ""
    if name.endswith("_s") and inner in ("double", "Time"):
        return "seconds" + null
    if "bytes" in name or name in ("peak_rss", "memory_limit", "memory_peak", "memory"):
        return "bytes" + null
    if name in ("digest", "dealt_by", "ending") or "string" in inner and "vector" not in inner:
        return "text" + (null or (", or null" if name == "transport" else ""))
    if inner in ("bool", "Time"):
        return {"Time": "time"}.get(inner, inner)
    if inner.startswith("std::vector"):
        return "array"
    if inner in ("NumaFigures", "WorkerBinding", "Config", "Results"):
        return "object"
    return ("number" if inner == "double" else "count") + null


def field_row(key, known, prefix=""):
    cpp, words = known.get(key, ("", ""))
    form, words = OTHER_FIELDS[key] if key in OTHER_FIELDS and not (prefix == "numa.nodes." and key in known) else (kind(cpp, key), words)
    if not words:
        error("include/anachron", f"the report's field {prefix}{key} has no description")
    target = MORE_OF_FIELD.get(key) if not prefix else None
    return f"| `{prefix}{key}` | {form} | {cell(words)}{more(target)} |"


def optional_members(name, text):
    """Those of a struct that a report may lack as a whole."""
    return {key: (cpp if cpp.startswith("std::optional") else f"std::optional<{cpp}>", words)
            for key, (cpp, words) in members(name, text).items()}


def all_members():
    text = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS)
    return text, {**optional_members("CoreCounts", text), **optional_members("EventTimes", text), **members("TimeSplit", text), **members("RunFigures", text),
                  **members("PeReport", text), **members("Report", text)}


HEAD = ["| field | form | meaning |", "|---|---|---|"]


def report():
    _, known = all_members()
    printed = json.loads(output_of(BIN / "anachron", "run", "phold", "--lps", "8", "--until", "2", "--report", "-", "--quiet"))
    return HEAD + [field_row(key, known) for key in printed]


def rows(struct, part):
    text, _ = all_members()
    known = members(struct, text)
    if struct == "Machine":
        keys = [{"version": "anachron"}.get(k, k) for k in known]
    else:
        keys = [k for name in known for k in (members("TimeSplit", text) if name == "spent" else [name])]
        known |= members("TimeSplit", text)
        keys = {"PeReport": ["pe"], "WorkerReport": ["worker"], "RankFigures": ["rank"]}.get(struct, []) + keys
        keys = [k for k in keys if k not in ("sum",)]
    return HEAD + [field_row(key, known, f"{part}.") for key in keys]


KINDS = {"options": options, "options-of": options_of, "no-effect": no_effect, "report": report, "rows": rows}


def generated(kind_of, argument):
    if kind_of == "options":
        return options(argument)
    return KINDS[kind_of](*argument.split())


def check_generated(page, update):
    """Compares each generated table of the page, or writes it."""
    at = 0
    while at < len(page.lines):
        found = BEGIN.fullmatch(page.lines[at])
        at += 1
        if not found:
            continue
        end = END.format(found[1])
        if end not in page.lines[at:]:
            error(f"{page.name}:{at}", f"the table has no {end}")
            return
        until = page.lines.index(end, at)
        wanted = ["", *generated(found[1], found[2]), ""]
        if update:
            page.lines[at:until] = wanted
            page.path.write_text("\n".join(page.lines), encoding="utf-8")
        elif page.lines[at:until] != wanted:
            there = page.lines[at:until]
            different = next((i for i, (a, b) in enumerate(zip(there, wanted)) if a != b), min(len(there), len(wanted)))
            error(f"{page.name}:{at + different + 1}",
                  f"the table is out of date (check_docs.py --update {page.name}): expected {wanted[different:different + 1]}")
        at = page.lines.index(end, at)
