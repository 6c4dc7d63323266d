"""Texts and bytes in states, events, structs and containers: what Python's do, compiled and interpreted; they roll back."""

import pytest

import anachron as an


class Params(an.Params):
    greeting: str = "hallo"


class Letter(an.Event):
    to: an.Text[24] = "nobody"
    body: an.Bytes[10] = b""
    seen: an.List[an.Id, 5]
    counts: an.List[an.i1, 3] = (1, 2)


class Name(an.Struct):
    given: an.Text[12]
    number: int = 0


class House(an.LP):
    owner: an.Text[24] = "Ä house"
    last: str
    raw: bytes
    met: dict[an.Text[24], int]
    names: list[Name]
    kinds: set[an.Bytes[4]]
    route: list[an.Id]
    letters: int = 0
    length: int = 0

    def start(self, cx):
        self.last = cx.params.greeting + str(cx.index)
        self.owner = "house €" + str(cx.index)
        cx.send(cx.self_id, cx.rng.exponential(1.0), Letter("first", b"\x00\x01"))

    @an.on(Letter)
    def letter(self, cx, letter):
        self.letters += 1
        self.length += len(letter.to) + len(letter.body) + len(self.last)
        if letter.to == self.owner or letter.to.startswith("f"):
            self.raw = self.raw + letter.body
        self.met[letter.to] = self.met.get(letter.to, 0) + 1
        self.names.append(Name(letter.to[:4], self.letters))
        if self.letters % 3 == 0:
            self.last = self.last + "𝄞"[: self.letters % 2] + letter.to
        elif len(self.last) > 40:
            self.last = self.last[30:]
        if len(letter.body) > 0 and letter.body[0] == 1:
            self.kinds.add(letter.body)
        for name, count in self.met.items():
            if name != self.owner:
                self.length += count
        for kind in self.kinds:
            self.length += kind[0]
        for name in self.names:
            self.length += name.number * (name.given == "hous")
        for number in letter.counts:
            self.length += number
        if cx.self_id not in letter.seen and len(letter.seen) > 0:
            self.length += letter.seen[-1].index + letter.seen[0].index
        self.route.clear()
        self.route.extend(letter.seen)
        self.route.append(cx.self_id)
        if len(self.route) > 5:
            self.route.pop(0)
        to = cx.id(cx.rng.below(cx.lp_count))
        body = b"\x01a" if cx.rng.bernoulli(0.5) else b"\x01bc"
        cx.send(to, cx.rng.exponential(1.0), Letter(f"house €{to.index}", body, self.route, [len(self.met), -self.letters % 7]))


@pytest.fixture(scope="module")
def model():
    return an.Model(House, params=Params, name="letters", until=40)


@pytest.fixture(scope="module")
def expected(model):
    report = model.run(lps=8, sync="sequential", compile=False, greeting="grüße")
    states = report.states(House)
    assert max(map(len, states["last"])) > 20 and max(map(len, states["raw"])) > 2
    return report


def columns(report):
    states = report.states(House)
    return {name: states[name].tolist() for name in states.dtype.names}


@pytest.mark.parametrize(
    "options",
    [
        {"sync": "sequential"},
        {"sync": "optimistic", "workers": 2, "pes": 4},
        {"sync": "optimistic", "workers": 2, "pes": 4, "rollback": "copy"},
        {"sync": "optimistic", "pes": 3, "check_rollback": True},
        {"sync": "optimistic", "pes": 3, "check_rollback": True, "compile": False},
    ],
    ids=str,
)
def test_texts_are_the_same_in_all_modes(model, expected, options):
    report = model.run(lps=8, greeting="grüße", **options)
    assert report.digest == expected.digest
    assert str(columns(report)) == str(columns(expected))


def test_states_have_pythons_own(expected):
    states = expected.states(House)
    assert states["owner"][3] == "house €3" and type(states["raw"][0]) is bytes
    assert type(next(iter(states["met"][0]))) is str


class Words(an.Event):
    word: an.Text[8] = ""
    numbers: an.List[int, 3]


def model_with(body):
    class Speaker(an.LP):
        said: str
        raw: bytes
        n: int = 0
        counts: dict[an.Text[8], int]

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Words("hello", [1, 2]))

    Speaker.words = an.on(Words)(body)
    Speaker._handlers = {Words: "words"}
    return an.Model(Speaker, name="speaker", until=1.5)


def too_long_in_an_event(self, cx, words):
    cx.send(cx.self_id, 1.0, Words(words.word + " again", [1]))


def too_many_in_an_event(self, cx, words):
    cx.send(cx.self_id, 1.0, Words("", [1, 2, 3, 4]))


def with_a_zero(self, cx, words):
    cx.send(cx.self_id, 1.0, Words("a\0b", [1]))


def too_long_a_key(self, cx, words):
    self.counts["a very long word"] = 1


def no_such_element(self, cx, words):
    self.n = words.numbers[2]


def no_such_byte(self, cx, words):
    self.raw = b"abc"
    self.n = self.raw[3]


@pytest.mark.parametrize(
    "body, error",
    [
        (too_long_in_an_event, "OverflowError: Words.word.* at most 8 bytes"),
        (too_many_in_an_event, "OverflowError: Words.numbers.* at most 3 elements"),
        (with_a_zero, "OverflowError: Words.word.* without '.0'"),
        (too_long_a_key, "OverflowError: .* at most 8 bytes"),
        (no_such_element, "IndexError"),
        (no_such_byte, "IndexError"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_is_wrong_in_a_run_is_told(body, error, compiled):
    with pytest.raises(an.SimulationError, match=error):
        model_with(body).run(lps=1, compile=compiled)


def a_text_with_a_format(self, cx, words):
    self.said = f"{self.n:3d}"


def a_text_of_a_float(self, cx, words):
    self.said = str(cx.now)


def a_number_for_a_text(self, cx, words):
    self.said = 3


def bytes_for_a_text(self, cx, words):
    self.said = self.raw


def hashes(self, cx, words):
    self.n = hash(words.word)


@pytest.mark.parametrize(
    "body, error",
    [
        (a_text_with_a_format, "without formats"),
        (a_text_of_a_float, "a handler makes has texts and whole numbers, and gets float64"),
        (a_number_for_a_text, "3 is given where str is expected"),
        (bytes_for_a_text, "bytes is given where str is expected"),
        (hashes, "differs from process to process"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_what_handlers_cannot_do_is_an_error_of_the_model(body, error):
    with pytest.raises(an.CompileError, match=error):
        model_with(body)


def test_fields_where_they_cannot_be_are_errors():
    with pytest.raises(TypeError, match="say how many bytes it has at most, such as an.Text.16"):
        type("Note", (an.Event,), {"__annotations__": {"text": str}})
    with pytest.raises(TypeError, match="list of Text|say how many bytes"):
        type("Shelf", (an.LP,), {"__annotations__": {"texts": list[str]}})
    with pytest.raises(TypeError, match="begins empty"):
        type("Sign", (an.LP,), {"__annotations__": {"text": str}, "text": "stop"})
    with pytest.raises(TypeError, match="belongs into an event; in the state of an LP type it is list"):
        type("Shelf", (an.LP,), {"__annotations__": {"numbers": an.List[int, 4]}})
    with pytest.raises(TypeError, match="a row has numbers"):
        type("Line", (an.Row,), {"__annotations__": {"text": an.Text[4]}})
    with pytest.raises(TypeError, match="bytes from 1 to 65536"):
        an.Text[0]
    with pytest.raises(OverflowError, match="at most 3 elements"):
        Words("", [1, 2, 3, 4])


class Office(an.LP):
    total: int = 0

    @staticmethod
    def count(params):
        return 3

    @an.on(Words)
    def words(self, cx, words):
        self.total += words.numbers[0]


class Visit(an.Struct):
    office: an.Id["Office"]


class Clerk(an.LP):
    """Elements that name LPs know of which type."""

    visits: list[Visit]
    offices: dict[int, an.Id["Office"]]

    @staticmethod
    def count(params):
        return 1

    def start(self, cx):
        self.visits.append(Visit(cx.id(Office, 1)))
        self.offices[0] = cx.id(Office, 2)
        cx.send(self.visits[0].office, 1.0, Words("", [7]))
        cx.send(self.offices[0], 1.0, Words("", [8]))



@pytest.mark.parametrize("compiled", [False, True])
def test_ids_in_containers_and_structs_are_of_their_type(compiled):
    report = an.Model([Clerk, Office], name="clerks").run(compile=compiled)
    assert report.states(Office)["total"].tolist() == [0, 7, 8]
