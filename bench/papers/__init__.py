"""Repeats the experiments of the five papers on this machine: see `./do reproduce list`.

- figure.py      what a figure is: runs, what is drawn of them, and what the paper found, as claims that can be tested
- muse.py, air.py, blue_gene.py, devastator.py, ross_cmt.py   the figures and tables of each paper
- machine.py     starts runs: threads, ranks, hosts of their own, foreign loads, instruction counters
- samples.py     what is kept of each run, in a file from which an interrupted session goes on
- achieved.py    what a run did, and whether that is what its label says
- runner.py      makes the runs of a figure in turn, checks them, and tells what they show
- numbers.py     means, intervals, ratios of runs that were made in turn
- plot.py        small plots as SVG
- page.py        docs/inside/reproduction.md, made of the committed results
"""
