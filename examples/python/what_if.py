"""What if some persons had kept the rumour to themselves? Only what differs is executed again.

    python examples/python/what_if.py
"""

from rumour import Person, model

with model.session(history=True, persons=20_000, sync="sequential") as session:
    session.run_until(12)
    heard = session.states(Person)["knows"].nonzero()[0]
    variants = []
    for person in heard[[100, 1000, 10_000]]:
        # Who knows it already tells nobody when it comes round.
        silent = session.variant(f"person {person} is silent").edit(session.id(Person, person), 0.0, knows=True)
        variants.append(silent)
    results = session.run(variants)
    events = session.report().committed
    print(session.side_by_side(results).to_string(index=False))
    for result in results:
        print(f"{result.name}: {result.executed} of {events} events executed")
