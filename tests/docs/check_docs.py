#!/usr/bin/env python3
"""Checks that README.md, docs/ and the models' READMEs are true: runs every command in them and compares what it
prints, compares every listing with the file that it is taken from, and generated tables with what generated.py
makes, looks links, paths, options and names up, and that no field of the report is missing.

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
from generated import check_generated, output_of
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


def options_in(text):
    return set(re.findall(r"^ +(?:-h,)?(--[a-z][a-z-]+)", text, re.M))


def all_options():
    out = {"--help", "--version", "--name"}
    for model in re.findall(r"^ +(\w+)", output_of(BIN / "anachron", "list"), re.M):
        out |= options_in(output_of(BIN / "anachron", "help", model))
        out |= options_in(output_of(BIN / "anachron", "tune", model, "--help"))
        out |= options_in(output_of(BIN / "anachron", "partition", model, "--help"))
        out |= options_in(output_of(BIN / "anachron", "what-if", model, "--help"))
    out |= options_in(output_of(BIN / "anachron", "load", "--help"))
    for script in ("reproduce.py", "validate.py"):
        out |= options_in(output_of(sys.executable, "-B", ROOT / "bench" / script, "--help"))
    for example in BIN.glob("example_*"):
        out |= options_in(output_of(example, "--help"))
    return out


def check_reference():
    """docs/reference/report.md has a row for each field of the JSON report, and none that no report has. Its tables and those of
    docs/reference/options.md are generated, which check_generated looks after; this looks at what runs print."""
    name = "docs/reference/report.md"
    page = (ROOT / name).read_text(encoding="utf-8")
    documented = {r for r in re.findall(r"^\| `([^`]+)` \| [^|]* \| [^|]", page, re.M)}
    report = json.loads(output_of(BIN / "anachron", "run", "phold", "--lps", "8", "--until", "2", "--report", "-",
                                  "--sync", "optimistic", "--workers", "2", "--profile-lps", "1"))
    # One worker that runs PEs in turn goes too far ahead with each.
    late = json.loads(output_of(BIN / "anachron", "run", "phold", "--lps", "64", "--until", "20", "--remote", "0.5", "--report", "-",
                                "--sync", "optimistic", "--workers", "1", "--pes", "4", "--mapping", "fixed", "--throttle", "none"))
    fields = set(report)
    for part in ("machine", "binding", "rounds"):
        fields |= {f"{part}.{key}" for key in report[part]}
    for part, rows in (("pes", report["pes"]), ("workers", report["workers"]), ("workers_tried", report["workers_tried"]),
                       ("lp_profile", report["lp_profile"]), ("rollback_pairs", late["rollback_pairs"])):
        fields |= {f"{part}.{key}" for key in rows[0]}
    # A run of one rank, or without binding, has no such rows.
    unseen = {r for r in documented if r.startswith(("numa.nodes.", "ranks."))}
    for name_of_field in sorted(fields - documented):
        error(name, f"the report's field {name_of_field} is missing")
    for name_of_field in sorted(documented - fields - unseen):
        error(name, f"the report has no field {name_of_field}")


def check_models():
    """The README of a bundled model has all its options."""
    for model in re.findall(r"^ +(\w+)", output_of(BIN / "anachron", "list"), re.M):
        name = f"models/{model}/README.md"
        text = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
        help_text = output_of(BIN / "anachron", "help", model)
        for option in sorted(options_in(help_text[: help_text.index("Experiment")])):
            if not re.search(rf"{option}(?![\w-])", text):
                error(name, f"{option} is missing")


def check_llms():
    """llms.txt has the form of llmstxt.org: a title, a summary, and lists of links with a remark each, which lead somewhere. It
    names every page of the reference. docs/a-right-model.md is as short as it says."""
    name = "llms.txt"
    text = (ROOT / name).read_text(encoding="utf-8")
    if not re.match(r"# .+\n\n> .+", text):
        error(name, "begins with a title and a summary: '# NAME', '> what it is'")
    targets = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("- "):
            continue
        found = re.fullmatch(r"- \[[^\]]+\]\(([^)#]+)\): .+", line)
        if not found:
            error(f"{name}:{number}", "a point is '- [title](path): what it has'")
        elif not (ROOT / found[1]).is_file():
            error(f"{name}:{number}", f"the link leads nowhere: {found[1]}")
        targets += [found[1]] if found else []
    for page in glob.glob("docs/reference/*.md", root_dir=ROOT):
        if page not in targets:
            error(name, f"{page} is missing")
    lines = len((ROOT / "docs/a-right-model.md").read_text(encoding="utf-8").split("\n"))
    if lines > 300:
        error("docs/a-right-model.md", f"has {lines} lines; it promises at most 300")


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
        for path in paths:
            check_generated(Page(path), update=True)
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
        if not update:
            check_generated(page, update=False)
    if not names:
        check_reference()
        check_models()
        check_llms()
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
