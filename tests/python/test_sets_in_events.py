"""Sets and dictionaries in events: what Python's do, compiled and interpreted."""

import math

import pytest

import anachron as an


class Order(an.Event):
    prices: an.Dict[int, float, 4] = {7: 0.5}
    seen: an.Set[an.Id, 3]
    tags: an.Set[an.Text[4], 4] = ("a", "b", "a")
    counts: an.Dict[an.Text[6], an.i2, 3]


class Shop(an.LP):
    prices: dict[int, float]
    met: set[an.Id]
    counts: dict[an.Text[6], int]
    total: float = 0.0
    n: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Order())

    @an.on(Order)
    def order(self, cx, order):
        self.n += 1
        for key, price in order.prices.items():
            self.total += key * price
            self.prices[key % 3] = price + self.n
        for price in order.prices.values():
            self.total -= price
        for key in order.prices.keys():
            self.total += order.prices[key] * 3
        for key in order.prices:
            self.total += key
        if 7 in order.prices and order.prices:
            self.total += order.prices.get(1, 100.0) + len(order.prices)
        if cx.self_id not in order.seen and len(self.met) < 3:
            self.met.add(cx.self_id)
        for one in order.seen:
            self.total += one.index
        for tag in order.tags:
            self.total = 2.0 * (self.total % 1000.0) + len(tag)
        for name, count in order.counts.items():
            self.counts[name] = count + self.counts.get(name, 0)
        self.counts["x"] = self.n
        to = cx.id(cx.rng.below(cx.lp_count))
        after = cx.rng.exponential(1.0)
        if self.n % 3 == 0:
            cx.send(to, after, Order(self.prices, self.met, tags=["q", "rs", "q"], counts=self.counts))
        elif self.n % 3 == 1:
            pairs = [(self.n % 2, 0.25), (5, 0.5), (1, 1.5)]  # the last one of a key counts
            cx.send(to, after, Order(pairs, [cx.self_id, to, cx.self_id], counts=order.counts))
        else:
            cx.send(to, after, Order(order.prices, order.seen, order.tags, [("y", self.n)]))


@pytest.fixture(scope="module")
def model():
    return an.Model(Shop, name="shop", until=40)


@pytest.mark.parametrize(
    "options",
    [
        {"sync": "sequential"},
        {"sync": "optimistic", "workers": 2, "pes": 4},
        {"sync": "optimistic", "pes": 3, "check_rollback": True},
        {"sync": "optimistic", "pes": 3, "check_rollback": True, "compile": False},
    ],
    ids=str,
)
def test_they_are_the_same_in_all_modes(model, options):
    expected = model.run(lps=8, sync="sequential", compile=False)
    report = model.run(lps=8, **options)
    assert report.digest == expected.digest
    assert str(report.states(Shop)) == str(expected.states(Shop))
    assert {key for counts in expected.states(Shop)["counts"] for key in counts} == {"x", "y"}


def test_they_keep_the_order_and_the_last_value():
    order = Order([(3, 1.0), (1, 2.0), (3, 4.0)], tags=["c", "a", "c"])
    assert list(order.prices.items()) == [(3, 4.0), (1, 2.0)]
    assert list(order.tags) == ["c", "a"]
    with pytest.raises(TypeError):
        order.prices[3] = 1.0


def model_with(body):
    class Reader(an.LP):
        total: float = 0.0

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Order())

    Reader.order = an.on(Order)(body)
    Reader._handlers = {Order: "order"}
    return an.Model(Reader, name="reader", until=1.5)


class Signs(an.Event):
    values: an.List[float, 2]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_list_keeps_the_sign_of_zero(compiled):
    class Sign(an.LP):
        total: float = 0.0

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Signs([-0.0, 0.0]))

        @an.on(Signs)
        def signs(self, cx, signs):
            for value in signs.values:
                self.total = 10.0 * self.total + math.copysign(1.0, value)

    report = an.Model(Sign, until=2).run(lps=1, compile=compiled)
    assert report.states(Sign)["total"].tolist() == [-9.0]


def no_such_key(self, cx, order):
    self.total += order.prices[8]


def too_many_keys(self, cx, order):
    cx.send(cx.self_id, 1.0, Order([(i, 0.5) for i in range(5)]))


def too_many_elements(self, cx, order):
    cx.send(cx.self_id, 1.0, Order(tags=["a", "b", "a", "c", "d", "e"]))


@pytest.mark.parametrize(
    "body, error",
    [
        (no_such_key, "KeyError"),
        (too_many_keys, "OverflowError: Order.prices.* at most 4 elements"),
        (too_many_elements, "OverflowError: Order.tags.* at most 4 elements"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_is_wrong_in_a_run_is_told(body, error, compiled):
    with pytest.raises(an.SimulationError, match=error):
        model_with(body).run(lps=1, compile=compiled)


def keys_without_values(self, cx, order):
    cx.send(cx.self_id, 1.0, Order([1, 2]))


def names_for_numbers(self, cx, order):
    cx.send(cx.self_id, 1.0, Order(order.counts))


@pytest.mark.parametrize("body", [keys_without_values, names_for_numbers], ids=lambda p: p.__name__)
def test_what_is_no_dictionary_is_an_error_of_the_model(body):
    with pytest.raises(an.CompileError, match="Order.prices is Dict.i8, f8, 4., and gets"):
        model_with(body)


def test_fields_where_they_cannot_be_are_errors():
    with pytest.raises(TypeError, match="belongs into an event; in the state of an LP type it is dict"):
        type("Shelf", (an.LP,), {"__annotations__": {"prices": an.Dict[int, float, 4]}})
    with pytest.raises(TypeError, match=r"an.Dict\[KEY, TYPE, NUMBER\], such as"):
        an.Dict[int, 4]
    with pytest.raises(TypeError, match="an.Set of .*: expected a number type"):
        an.Set[an.Array[int, 2], 4]
    with pytest.raises(TypeError, match="expected a dict"):
        Order(3)
