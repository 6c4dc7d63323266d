"""The papers by the names of the command line."""

from papers import air, blue_gene, devastator, muse, ross_cmt

PAPERS = {"muse": muse, "air": air, "blue-gene": blue_gene, "devastator": devastator, "ross-cmt": ross_cmt}
