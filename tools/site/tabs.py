"""A hook of MkDocs: what is between `<!-- tabs -->` and `<!-- end of tabs -->` in a page becomes tabs, one for each heading `### ..` there."""

import re
import textwrap

TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end of tabs -->\n", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^### (.*)\n", re.MULTILINE)


def on_page_markdown(markdown, page, config, files):
    def tabs(found):
        _, *parts = HEADING.split(found[1])
        pairs = zip(parts[0::2], parts[1::2])
        return "\n".join(f'=== "{title}"\n\n{textwrap.indent(text.strip(), "    ")}\n' for title, text in pairs) + "\n"

    return TABS.sub(tabs, markdown)
