"""The Python model of docs/a-right-model.md has the digest that the page shows for its twin in C++."""

import repairs

DIGEST = "8f196c22e384e26a"  # of examples/repairs.cpp


def test_it_has_the_digest_of_the_model_in_cpp():
    for options in ({"sync": "sequential"}, {"sync": "optimistic", "workers": 2}, {"sync": "conservative", "workers": 2}):
        report = repairs.model.run(**options)
        assert report.digest == DIGEST, options
        assert report["failures"] == 9379 and report["hours_down"]["count"] == 9314


def test_it_has_that_digest_interpreted():
    assert repairs.model.run(compile=False, until=20).digest == repairs.model.run(until=20).digest
