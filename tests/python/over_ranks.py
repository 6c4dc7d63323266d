"""Run under mpirun by test_ranks.py: bundled models and one in Python, over the ranks; each writes what it has got into a
file of its own in a folder: mpirun mixes what they print."""

import json
import os
import sys
from pathlib import Path

import office
import test_broadcasts
import test_containers
import test_processes
import test_texts

import anachron as an

figures = {}
bundled = an.run("phold", lps=64, until=10, workers=1)
figures["phold"] = [bundled.digest, len(bundled.ranks)]
members = an.Model(test_broadcasts.Member, params=test_broadcasts.Params, shared=test_broadcasts.shared())
figures["broadcasts"] = members.run(until=6, workers=1).digest
bank = test_processes.make_model().run(lps=12, until=20, workers=1)
figures["bank"] = [bank.digest, bank["served"], [list(late) for late in bank.states(test_processes.Bank)["late"]]]
depot = an.Model(test_containers.Depot, params=test_containers.Params).run(lps=8, until=20, workers=1)
letters = an.Model(test_texts.House, params=test_texts.Params).run(lps=8, until=20, workers=1)
figures["letters"] = [letters.digest, letters.states(test_texts.House)["last"].tolist()]
figures["depot"] = [depot.digest, [sorted(stock.items()) for stock in depot.states(test_containers.Depot)["stock"]]]
for name, options in json.loads(sys.argv[1]).items():
    model = office.make_model(compile=options.pop("compile", True))
    try:
        report = model.run(workers=1, **options)
        rows = report.tables.columns("Late")
        states = [int(report.states(lp).view("u1").astype("u8").sum()) for lp in (office.Hub, office.Office)]
        figures[name] = [report.digest, report.results, states, [values.tolist() for values in rows.values()]]
    except an.AnachronError as error:
        figures[name] = [type(error).__name__, str(error)]
ranks = an.ranks()
figures["collectives"] = [
    ranks.count,
    ranks.gather({"name": "x" * 40_000 * ranks.rank}),
    ranks.broadcast(ranks.rank + 7),
    ranks.reduce(10.0 ** (-20 * ranks.rank) / 3, lambda a, b: a + b),
    ranks.scan(str(ranks.rank), "from ", lambda a, b: a + b).total,
    ranks.gather(ranks.scan(str(ranks.rank), "from ", lambda a, b: a + b).before),
]
ranks.barrier()
(Path(sys.argv[2]) / f"{os.getpid()}.json").write_text(json.dumps(figures))
