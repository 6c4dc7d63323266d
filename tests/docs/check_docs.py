#!/usr/bin/env python3
"""Checks that README.md, docs/ and the models' READMEs are true: runs every command in them and compares what it
prints, compares every listing with the file that it is taken from, looks links, paths, options and names up, and
that no option and no field of the report is missing.

Usage: check_docs.py [--update] [PAGE...]        PAGE: README.md, docs/tutorials/post-office.md, ...; default: all
Environment: ANACHRON_SOURCE, the root of the source tree; ANACHRON_BIN, the folder of the built programs.

A fenced block is marked by its language and by comments right before it:
  ```console                            commands after `$ `, and what they print
  <!-- file: PATH -->                   the block is the whole file
  <!-- excerpt: PATH -->                the block is part of the file; a line `// ...` or `# ...` leaves lines out
  <!-- skip: REASON -->                 not checked
  <!-- needs: python, mpi -->           the commands run where these are; see needs.py
  <!-- varies: LABEL, LABEL -->         besides those in VARYING of commands.py: lines of output that differ from run to run
Blocks without a language are for the eye only. A line `...` in an output stands for any lines. `--update` writes what the
commands print now into the pages; do that on a quiet machine, since speeds are shown too.

The commands of a page run in one shell, in a scratch folder that looks like the source tree after `./do build`.
There `./do run` runs the built program on two workers, and other verbs of ./do are only checked to exist.
"""

import glob
import json
import re
import subprocess
import sys

from commands import check_commands
from pages import BIN, ROOT, Page, error, errors

SOURCE_LISTINGS = {"cpp", "cmake", "toml"}  # must say which file they are from


# --- Listings ------------------------------------------------------------------------------------------------


def dedented(lines):
    indents = [len(l) - len(l.lstrip()) for l in lines if l.strip()]
    cut = min(indents, default=0)
    return [l[cut:].rstrip() for l in lines]


def find_lines(chunk, source, start):
    """The index after the first place at or after `start` where the lines of `chunk` stand in `source`."""
    wanted = dedented(chunk)
    for at in range(start, len(source) - len(chunk) + 1):
        if dedented(source[at : at + len(chunk)]) == wanted:
            return at + len(chunk)
    return None


def copy_listings(page):
    """Writes whole files into their blocks."""
    for block in reversed(page.blocks):
        if "file" in block.directives:
            source = (ROOT / block.directives["file"]).read_text(encoding="utf-8").rstrip("\n").split("\n")
            page.lines[block.first : block.first + len(block.lines)] = source
    page.path.write_text("\n".join(page.lines), encoding="utf-8")


def check_listing(page, block):
    kind = next((k for k in ("file", "excerpt") if k in block.directives), None)
    if kind is None:
        error(page.where(block), f"a {block.language} listing needs <!-- file: PATH --> or <!-- excerpt: PATH -->")
        return
    path = ROOT / block.directives[kind]
    if not path.is_file():
        error(page.where(block), f"no file {block.directives[kind]}")
        return
    source = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    if kind == "file":
        if block.lines != source:
            different = [i for i, (a, b) in enumerate(zip(block.lines + [None], source + [None])) if a != b]
            error(page.where(block, different[0]), f"differs from {block.directives[kind]}")
        return
    chunks = [[]]
    for line in block.lines:
        if line.strip() in ("// ...", "# ..."):
            chunks.append([])
        else:
            chunks[-1].append(line)
    at = 0
    for chunk in filter(None, chunks):
        found = find_lines(chunk, source, at)
        if found is None:
            error(page.where(block), f"not in {block.directives[kind]}, in this order: '{chunk[0].strip()}' and "
                  f"the {len(chunk) - 1} lines after it")
            return
        at = found


# --- Links, paths, options, names ----------------------------------------------------------------------------


def anchors(path):
    out = set()
    for line in path.read_text(encoding="utf-8").split("\n"):
        if heading := re.match(r"#+ (.*)", line):
            out.add(re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-"))
    return out


def check_link(page, line, target):
    if re.match(r"https?:|mailto:", target):
        return
    path, _, anchor = target.partition("#")
    file = (page.path.parent / path) if path else page.path
    if not file.exists():
        error(f"{page.name}:{line}", f"the link leads nowhere: {target}")
    elif anchor and anchor not in anchors(file):
        error(f"{page.name}:{line}", f"no heading for {target}")


def check_prose(page, options, code):
    for line, text in page.prose:
        for target in re.findall(r"\]\(([^)]+)\)", re.sub(r"`[^`]*`", "", text)):
            check_link(page, line, target)
        for span in re.findall(r"`([^`]+)`", text):
            where = f"{page.name}:{line}"
            if re.fullmatch(r"(src|include|docs|tests|examples|models|apps|bench|tools|cmake)/[\w./*-]*", span):
                if not glob.glob(str(ROOT / span)):
                    error(where, f"no such path: {span}")
            elif option := re.match(r"--[a-z][a-z-]+", span):
                if option[0] not in options:
                    error(where, f"no program has the option {option[0]}")
            elif name := re.fullmatch(r"(?!std::)(?:\w+::)+~?(\w+)(?:\(\))?|(\w+)\(\)", span):
                if not re.search(rf"\b{name[1] or name[2]}\b", code):
                    error(where, f"no such name in include/ and src/: {span}")


def output_of(*arguments):
    done = subprocess.run([str(a) for a in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode("utf-8", "replace")


def options_in(text):
    return set(re.findall(r"^ +(?:-h,)?(--[a-z][a-z-]+)", text, re.M))


def all_options():
    out = {"--help", "--version", "--name"}
    for model in re.findall(r"^ +(\w+)", output_of(BIN / "anachron", "list"), re.M):
        out |= options_in(output_of(BIN / "anachron", "help", model))
        out |= options_in(output_of(BIN / "anachron", "tune", model, "--help"))
        out |= options_in(output_of(BIN / "anachron", "partition", model, "--help"))
    out |= options_in(output_of(BIN / "anachron", "load", "--help"))
    for script in ("reproduce.py", "validate.py"):
        out |= options_in(output_of(sys.executable, "-B", ROOT / "bench" / script, "--help"))
    for example in BIN.glob("example_*"):
        out |= options_in(output_of(example, "--help"))
    return out


def check_reference():
    """docs/reference/command-line.md has exactly the options of the engine, of tune and of load, with the defaults of the former,
    and the report's fields."""
    name = "docs/reference/command-line.md"
    page = (ROOT / name).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)`", page, re.M)
    help_text = output_of(BIN / "anachron", "help", "phold")
    engine = options_in(help_text[help_text.index("Experiment") :]) - {"--help", "--version"}
    engine |= options_in(output_of(BIN / "anachron", "tune", "phold", "--help")) - {"--help", "--version"} - options_in(help_text)
    engine |= options_in(output_of(BIN / "anachron", "load", "--help")) - {"--help", "--version"}
    documented = {r.split()[0] for r in rows if r.startswith("--")}
    for option in sorted(engine - documented):
        error(name, f"{option} is missing")
    for option in sorted(documented - engine):
        error(name, f"{option} is no option of the engine")

    entries = re.findall(r"^  (--[a-z-]+)((?:.|\n(?!  -|\n))*)", help_text, re.M)
    defaults = {option: " ".join(text.split()) for option, text in entries}
    for option, default in re.findall(r"^\| `(--[a-z-]+)` \| [^|]* \| `?([\w.]+)`? \| ", page, re.M):
        if default != "off" and option in defaults and not defaults[option].endswith(f"[{default}]"):
            error(name, f"{default} is not the default of {option}: {defaults[option]}")

    report = json.loads(output_of(BIN / "anachron", "run", "phold", "--lps", "8", "--until", "2", "--report", "-",
                                  "--sync", "optimistic", "--workers", "2", "--profile-lps", "1"))
    fields = set(report)
    for part in ("machine", "binding", "rounds"):
        fields |= {f"{part}.{key}" for key in report[part]}
    for part in ("pes", "workers", "workers_tried", "lp_profile"):
        fields |= {f"{part}.{key}" for key in report[part][0]}
    # One worker that runs PEs in turn goes too far ahead with each.
    late = json.loads(output_of(BIN / "anachron", "run", "phold", "--lps", "64", "--until", "20", "--remote", "0.5", "--report", "-",
                                "--sync", "optimistic", "--workers", "1", "--pes", "4", "--mapping", "fixed", "--throttle", "none"))
    fields |= {f"rollback_pairs.{key}" for key in late["rollback_pairs"][0]}
    of_runs = re.sub(r"^## A foreign load\n.*?(?=^## )", "", page, flags=re.M | re.S)  # which has a report of its own
    rows = re.findall(r"^\| `([^`]+)`", of_runs, re.M)
    documented = {r for r in rows if not r.startswith("-") and re.fullmatch(r"[a-z_.]+", r)}
    nodes = report_on_nodes()
    fields |= {f"numa.nodes.{key}" for key in nodes} if nodes else {r for r in documented if r.startswith("numa.nodes.")}
    for name_of_field in sorted(fields - documented):
        error(name, f"the report's field {name_of_field} is missing")
    for name_of_field in sorted(documented - fields):
        error(name, f"the report has no field {name_of_field}")


def report_on_nodes():
    """A row of `numa.nodes`; none where workers cannot be bound to cores."""
    ran = subprocess.run([BIN / "anachron", "run", "phold", "--lps", "8", "--until", "2", "--report", "-", "--quiet",
                          "--sync", "optimistic", "--workers", "2", "--numa", "on"], capture_output=True, text=True, check=False)
    return json.loads(ran.stdout)["numa"]["nodes"][0] if ran.returncode == 0 else {}


def check_models():
    """The README of a bundled model has all its options."""
    for model in re.findall(r"^ +(\w+)", output_of(BIN / "anachron", "list"), re.M):
        name = f"models/{model}/README.md"
        text = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
        help_text = output_of(BIN / "anachron", "help", model)
        for option in sorted(options_in(help_text[: help_text.index("Experiment")])):
            if not re.search(rf"{option}(?![\w-])", text):
                error(name, f"{option} is missing")


def main(arguments):
    update = "--update" in arguments
    names = [a for a in arguments if not a.startswith("--")]
    paths = [ROOT / n for n in names] or [
        ROOT / p for p in ("README.md", *glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True),
                           *glob.glob("models/*/README.md", root_dir=ROOT))]
    if not (BIN / "anachron").exists():
        sys.exit(f"{BIN}/anachron is missing: ./do build")
    if update:
        for path in paths:
            copy_listings(Page(path))
    pages = [Page(p) for p in paths]
    options = all_options()
    code = "\n".join(p.read_text(encoding="utf-8") for d in ("include", "src") for p in (ROOT / d).rglob("*.*pp"))
    for page in pages:
        check_prose(page, options, code)
        for block in page.blocks:
            if "skip" in block.directives or block.language in ("console", ""):
                continue
            if block.language in SOURCE_LISTINGS or {"file", "excerpt"} & set(block.directives):
                check_listing(page, block)
            else:
                error(page.where(block), f"a block of language '{block.language}' that nothing checks")
        check_commands(page, update)
    if not names:
        check_reference()
        check_models()
    for message in errors:
        print(message)
    blocks = [b for p in pages for b in p.blocks]
    commands = sum(len(b.commands()) for b in blocks if b.language == "console" and "skip" not in b.directives)
    listings = sum(1 for b in blocks if {"file", "excerpt"} & set(b.directives))
    print(f"{len(pages)} pages, {listings} listings, {commands} commands: "
          f"{f'{len(errors)} wrong' if errors else 'all right'}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
