"""A hook of MkDocs: links to files that are in the repository, and not on the site, become their paths."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
FENCED = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown, page, config, files):
    here = Path(page.file.src_uri).parent
    on_site = {file.src_uri for file in files}

    def rewritten(link):
        is_picture, text, target = link.groups()
        path = target.split("#")[0]
        if not path or ":" in path:
            return link[0]
        wanted = os.path.normpath(here / path)
        if wanted in on_site or not (ROOT / wanted).exists():
            return link[0]  # what is nowhere is MkDocs' to complain of
        return f"{text} (`{wanted}`)" if wanted not in text else text

    parts = FENCED.split(markdown)
    return "".join(part if number % 2 else LINK.sub(rewritten, part) for number, part in enumerate(parts))
