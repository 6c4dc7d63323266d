"""Makes the C++ reference of the site from what Doxygen (tools/site/doxygen.conf) has read in include/anachron.

Usage: cpp_reference.py XML_FOLDER PAGES_FOLDER

PAGES says which name is on which page. Every name of namespace anachron is on a page or in NOT_FOR_MODELS, and has a comment:
otherwise this fails and names it. Names in namespaces within it, such as detail and event, are not for models.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PAGES = {
    "model": ("Writing a model", "What LP types, events and handlers are written with. [Model API](../model-api.md) and [what a "
              "handler can do](../context.md) explain it with examples.",
              "Context Id AnyId EventHandle Order Range Group Logged Commit Finish View Execution irrevocable Neighbours Time kForever "
              "prefetch_to_read InputError SimulationError"),
    "parameters": ("Parameters", "The parameters of a model, which are its options on the command line. "
                   "[Model API](../model-api.md#parameters) has an example.",
                   "Describe Description options_of validate Option NoParams"),
    "encoding": ("Events between processes", "How events become bytes and come back. "
                 "[Model API](../model-api.md#events-that-travel-between-processes) says which types need nothing.",
                 "Encodable check_encodable encode decode ArchiveWriter ArchiveReader"),
    "random": ("Random numbers", "[Random numbers](../context.md#random-numbers) lists the distributions.", "Rng RngStream Stream"),
    "statistics": ("Statistics and results", "What an LP's state counts, and what `finish` reports. "
                   "[Statistics](../../results/statistics.md) explains them.",
                   "Tally WeightedTally TimeAverage BasicHistogram Histogram Distribution Series BatchMeans Results Observer is_warm "
                   "student_t half_width ModelFile ModelFiles Plots Plot PlotAxis LinePlot HistogramPlot FieldPlot NetworkPlot name_of title_of"),
    "resources": ("Resources", "Places, amounts and items that an LP's customers wait for. [Resources](../context.md#resources) has an "
                  "example.", "Resource PreemptiveResource Container Store PriorityStore Token NoEvent"),
    "running": ("Running", "Simulations, sessions and command lines. [Runs from C++](../running.md) and [sessions]"
                "(../../how-to/sessions.md) explain them.",
                "cli Simulation Session Mark Replications Precision Imprecise Estimate Failure FinishError Ranks run_program read_options "
                "make_model AnyModel BundledModel ProgressCallback Progress LongEvent Stall Activity draw_pictures Picture Pictures run_lps "
                "this_machine usable_cores usable_memory resolve"),
    "what_if": ("What if", "Variants of a run that a session keeps. [What if](../../how-to/what-if.md) explains them.",
                "Variant VariantResult VariantReport LpDifference ChangesOf NamedVariant WhatIfReport variant_json"),
    "report": ("The report", "What a run returns. [The report](../report.md) has the same figures as fields of JSON.",
               "Report RunFigures PeReport TimeSplit WorkerReport WorkerTrial RankFigures RoundSample LpFigures RollbackPair "
               "WorkerBinding NumaFigures NodeFigures CoreCounts EventTimes Machine Ending Detail report_json report_text report_html "
               "replications_json replications_text speed_hint kReportSchema kReplicationsSchema"),
    "options": ("Options", "The engine's options. [Options](../options.md) has them by their names on the command line.",
                "Config Sync Queue Partition Levels Migration Rollback Throttle Gvt Mapping PeChoice Detector Reactivation Channel Events Pool Numa "
                "CoreSwap Bind Cancellation History Comm Consolidation Trace TracedLps CommittedEvent TimelineOutput FlightRecordOutput CheckpointOptions "
                "to_string"),
}
NOT_FOR_MODELS = set(
    "Backoff ByteReader ByteWriter hash_bytes LineReader PeRange Spelling LpId PeId kMostPes kMostPesOfRank kWireVersion kMostCheckpointInterval kMostChannelCapacity "
    "kMostMessageBuffers kNoSharing kCacheLine kVersion kMostTableRows mix64 fold_multiply hash_text parse_count parse_integer parse_real "
    "parse_size format_size parse_bool format_real bad_value bad_choice parse_value format_value prefetch pause edit_distance did_you_mean "
    "printable without_byte_order_mark type_name last_part without_arguments short_type_name nested_dissection ParamsOf SharedOf "
    "ClustersByParams ClustersByShared CommitsEvent CountsByParams CountsByShared ForeseesEvent HasShared HasUntil LoadsByParams "
    "LoadsByShared LooksAheadByParams LooksAheadByShared NeighboursByParams NeighboursByShared PlacedByParams PlacedByShared "
    "NamesFiles PlotsByParams PlotsByShared Receives Starts StartsWithLog TellsWhetherItStops WireNumber".split())
PUBLIC = ("public-type", "public-attrib", "public-static-attrib", "public-func", "public-static-func", "user-defined")
# Kept by convention for the engine or for compiled languages, not for models.
UNLISTED_MEMBERS = {"layout", "make_ready", "Layout", "serialize"}

MOST_COLUMNS = 76  # of a declaration on one line

problems = []


# --- Texts ---------------------------------------------------------------------------------------------------


def code(text):
    return f"```cpp\n{text}\n```"


def plain(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def escaped(text):
    return re.sub(r"([<>*_])", lambda m: {"<": "&lt;", ">": "&gt;"}.get(m[1], "\\" + m[1]), text)


def inline(node):
    out = [escaped(node.text or "")]
    for child in node:
        if child.tag == "computeroutput":
            out.append(f"`{''.join(child.itertext())}`")
        elif child.tag in ("verbatim", "programlisting", "itemizedlist", "orderedlist"):
            out.append("\n\n" + block(child) + "\n\n")
        elif child.tag == "ndash":
            out.append("-")
        else:
            out.append(inline(child))
        out.append(escaped(child.tail or ""))
    return "".join(out)


def text_of(line):
    """A line of code: Doxygen puts an element where a space was."""
    out = [line.text or ""]
    for part in line:
        out += [" " if part.tag == "sp" else text_of(part), part.tail or ""]
    return "".join(out)


def block(node):
    if node.tag == "verbatim":
        return code(node.text.strip("\n"))
    if node.tag == "programlisting":
        lines = [text_of(line) for line in node.iter("codeline")]
        return code("\n".join(lines))
    if node.tag in ("itemizedlist", "orderedlist"):
        return "\n".join("- " + " ".join(inline(para).strip() for para in item.findall("para")) for item in node.findall("listitem"))
    return inline(node).strip()


def description(definition):
    """The comment as Markdown; empty: there is none."""
    parts = []
    for name in ("briefdescription", "detaileddescription"):
        node = definition.find(name)
        for para in node if node is not None else []:
            if text := block(para):
                parts.append(text)
    return "\n\n".join(parts)


# --- Declarations --------------------------------------------------------------------------------------------


def template_of(definition):
    params = definition.find("templateparamlist")
    if params is None:
        return ""
    shown = []
    for param in params:
        kind, name = plain(param.find("type")), plain(param.find("declname"))
        shown.append(f"{kind} {name}".strip() if name and not kind.endswith(" " + name) else kind)
    return f"template <{', '.join(shown)}>\n"


def declaration(member):
    kind, name = member.get("kind"), plain(member.find("name"))
    form = plain(member.find("type")).replace(" &", "&").replace("< ", "<").replace(" >", ">")
    if kind == "function":
        params = []
        for param in member.findall("param"):
            text = f"{plain(param.find('type'))} {plain(param.find('declname'))}".replace(" &", "&").replace("& ", "& ").strip()
            text = re.sub(r"(&&?|\*)(\w)", r"\1 \2", text).replace(" **", "**").replace(" *", "*").replace("< ", "<").replace(" >", ">")
            if (value := plain(param.find("defval"))) :
                text += f" = {value}"
            params.append(text)
        tail = " const" if member.get("const") == "yes" else ""
        static = "static " if member.get("static") == "yes" else ""
        form = re.sub(r"^(constexpr|explicit|static|inline|virtual)\s+", "", form)
        head = f"{static}{form + ' ' if form else ''}{name}("
        line = f"{head}{', '.join(params)}){tail};"
        if len(line) > MOST_COLUMNS:
            line = f"{head}\n    " + ",\n    ".join(params) + f"){tail};"
        return template_of(member) + line
    if kind == "typedef":
        return f"{template_of(member)}using {name} = {form};"
    value = re.sub(r"^= ?", "", plain(member.find("initializer")))
    return f"{form} {name}{' = ' + value if value and len(value) < 60 else ''};"


def is_left_out(member):
    name, args = plain(member.find("name")), plain(member.find("argsstring"))
    return (name.startswith(("operator", "~")) and not description(member) or name in UNLISTED_MEMBERS or "delete" in args
            or "default" in args or "std::integral Number" in template_of(member) or member.get("prot") != "public"
            or member.get("kind") == "friend" or "event::Frame" in args)


class Reference:
    def __init__(self, xml):
        self.compounds, self.things = {}, {}
        index = ElementTree.parse(xml / "index.xml").getroot()
        for entry in index:
            if entry.get("kind") in ("class", "struct", "union", "concept", "namespace"):
                name = entry.findtext("name")
                self.compounds[name] = ElementTree.parse(xml / f"{entry.get('refid')}.xml").getroot().find("compounddef")
        for name, compound in self.compounds.items():
            if re.fullmatch(r"anachron::\w+", name) and compound.get("kind") != "namespace":
                self.things.setdefault(name.removeprefix("anachron::"), []).append(compound)
        for member in self.compounds["anachron"].iter("memberdef"):
            if member.get("kind") in ("function", "typedef", "variable", "enum"):
                self.things.setdefault(plain(member.find("name")), []).append(member)
        for found in self.things.values():
            found.sort(key=lambda thing: (thing.find("location").get("file"), int(thing.find("location").get("line"))))

    def members(self, compound):
        """Its public members in the order of the source, those of bases in namespace detail first."""
        out = []
        for base in compound.findall("basecompoundref"):
            name = re.sub(r"<.*", "", base.text).strip()
            if "detail::" in name and base.get("prot") == "public":
                full = name if name.startswith("anachron::") else f"anachron::{name}"
                if full in self.compounds:
                    out += self.members(self.compounds[full])
        own = [m for section in compound.findall("sectiondef") if section.get("kind") in PUBLIC for m in section.findall("memberdef")]
        own.sort(key=lambda m: int(m.find("location").get("line")))
        return out + [m for m in own if not is_left_out(m)]

    def of_class(self, name, compound):
        said = description(compound)
        if not said:
            problems.append(f"anachron::{name} has no comment")
        kind = compound.get("kind")
        lines = [code(f"{template_of(compound)}{kind} {name};"), "", said, ""]
        bases = [re.sub(r"<.*", "", b.text) for b in compound.findall("basecompoundref")
                 if b.get("prot") == "public" and "detail" not in b.text and "std::" not in b.text and "event::" not in b.text]
        if bases:
            lines += ["It has the members of " + " and ".join(f"`{b.split('::')[-1]}`" for b in bases) + ", too.", ""]
        members = self.members(compound)
        data = [m for m in members if m.get("kind") == "variable"]
        rest = {}
        for member in members:
            if member.get("kind") in ("function", "typedef", "enum"):
                rest.setdefault(plain(member.find("name")), []).append(member)
        if data:
            lines += ["| member | meaning |", "|---|---|"]
            lines += [f"| `{declaration(m).rstrip(';').replace('|', chr(92) + '|')}` | {' '.join(description(m).split())} |" for m in data] + [""]
        for member_name, overloads in rest.items():
            if all(m.get("kind") == "typedef" and not description(m) for m in overloads):
                continue
            title = "constructor" if member_name == name else member_name
            lines += [f"### {title} {{ #{name}-{title} }}".replace("~", ""), ""]
            for member in overloads:
                lines += [self.enum(member) if member.get("kind") == "enum" else code(declaration(member)), "", description(member), ""]
            if not any(description(m) for m in overloads) and title != "constructor":
                problems.append(f"anachron::{name}::{member_name} has no comment")
        return lines

    def enum(self, definition):
        rows = [(plain(v.find("name")), " ".join(description(v).split())) for v in definition.findall("enumvalue")]
        name = plain(definition.find("name"))
        shown = code(f"enum class {name} {{ {', '.join(value for value, _ in rows)} }};")
        if any(said for _, said in rows):
            shown += "\n\n| value | meaning |\n|---|---|\n" + "\n".join(f"| `{v}` | {said} |" for v, said in rows)
        return shown

    def thing(self, name):
        lines = [f"## {name} {{ #{name} }}", ""]
        headers = []
        for found in self.things[name]:
            if found.tag == "compounddef" and found.get("kind") != "concept":
                if "<" in plain(found.find("compoundname")):
                    continue
                lines += self.of_class(name, found)
            elif found.get("kind") == "concept":
                lines += [code(f"concept {name};"), "", description(found), ""]
            elif found.get("kind") == "enum":
                lines += [self.enum(found), "", description(found), ""]
            else:
                lines += [code(declaration(found)), "", description(found), ""]
            file = found.find("location").get("file").removeprefix("include/")
            if file not in headers:
                headers.append(file)
        if not any(description(found) for found in self.things[name]):
            problems.append(f"anachron::{name} has no comment")
        return lines + ["Header: " + ", ".join(f"`{file}`" for file in headers), ""]


def main(xml, pages):
    reference = Reference(Path(xml))
    placed = {name for _, _, names in PAGES.values() for name in names.split()}
    for name in sorted(placed - set(reference.things)):
        problems.append(f"there is no anachron::{name}")
    for name in sorted(set(reference.things) - placed - NOT_FOR_MODELS):
        problems.append(f"anachron::{name} is on no page: add it to PAGES or NOT_FOR_MODELS")
    Path(pages).mkdir(parents=True, exist_ok=True)
    for page, (title, words, names) in PAGES.items():
        lines = [f"# {title}", "", words, "", "Generated from the comments of the headers. Names are in namespace `anachron`; "
                 "examples write `an` for it.", ""]
        for name in names.split():
            if name in reference.things:
                lines += reference.thing(name)
        Path(pages, f"{page}.md").write_text("\n".join(lines), encoding="utf-8")
    for problem in problems:
        print(f"cpp_reference: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
