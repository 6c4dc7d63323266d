"""Arrays of handles, ids and bools in states and events, compiled and interpreted."""

import pytest

import anachron as an

ROOM = 8


class Params(an.Params):
    patience: float = an.param(1.0, "Mean time until a customer gives up", above=0)


class Arrive(an.Event):
    pass


class GiveUp(an.Event):
    customer: int


class Leave(an.Event):
    pass


class News(an.Event):
    from_: an.Array[an.Id, 2]
    flags: an.Array[bool, 3]
    timers: an.Array[an.Handle, 2]


class Desk(an.LP):
    timers: an.Array[an.Handle, ROOM]
    numbers: an.Array[int, ROOM]
    lost: int = 0
    served: int = 0
    came: int = 0
    in_line: int = 0
    friends: an.Array[an.Id, (2, 2)]
    flags: an.Array[bool, 3]
    cancelled: int = 0

    def start(self, cx):
        for i in range(2):
            self.friends[0, i] = cx.id((cx.index + 1 + i) % cx.lp_count)
        self.friends[1, 0] = cx.self_id
        cx.send(cx.self_id, cx.rng.exponential(1.0), Arrive())

    @an.on(Arrive)
    def arrive(self, cx, _event):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Arrive())
        self.came += 1
        if self.in_line == ROOM:
            return
        place = self.in_line
        self.timers[place] = cx.send(cx.self_id, cx.rng.exponential(cx.params.patience), GiveUp(self.came))
        self.numbers[place] = self.came
        self.in_line += 1
        if self.in_line == 1:
            cx.send(cx.self_id, 1.0, Leave())
        for friend in self.friends[0]:
            if friend != cx.self_id:
                later = an.Handle()
                cx.send(friend, 0.25, News(self.friends[0], self.flags, self.timers[:2]))
                if later:
                    self.lost += 1000

    @an.on(GiveUp)
    def give_up(self, cx, event):
        for i in range(self.in_line):
            if self.numbers[i] == event.customer:
                self.remove(i)
                self.lost += 1
                return

    @an.on(Leave)
    def leave(self, cx, _event):
        if self.in_line > 0:
            if self.timers[0] and cx.cancel(self.timers[0]):
                self.cancelled += 1
            self.remove(0)
            self.served += 1
        if self.in_line > 0:
            cx.send(cx.self_id, 1.0, Leave())

    @an.on(News)
    def news(self, cx, news):
        self.flags[news.from_[0].index % 3] = not self.flags[1]
        self.flags[2] = news.flags[0]
        self.friends[1, 1] = news.from_[1]
        if news.timers[0]:
            self.lost += 10

    def remove(self, i):
        for k in range(i, self.in_line - 1):
            self.timers[k] = self.timers[k + 1]
            self.numbers[k] = self.numbers[k + 1]
        self.in_line -= 1
        self.timers[self.in_line] = an.Handle()


@pytest.mark.parametrize(
    "mode", [{"workers": 2, "pes": 3}, {"compile": False, "sync": "sequential"}, {"compile": False, "workers": 2}]
)
def test_a_queue_keeps_the_handles_of_its_timers(mode):
    model = an.Model(Desk, params=Params)
    expected = model.run(lps=6, until=40, sync="sequential")
    states = expected.states(Desk)
    assert states["cancelled"].sum() > 20 and states["lost"].sum() > 20
    assert states["friends"].shape == (6, 2, 2) and states["flags"].any() and "timers" not in states.dtype.names
    report = model.run(lps=6, until=40, **mode)
    assert report.digest == expected.digest and report.states(Desk).tobytes() == states.tobytes()


def test_arrays_of_ids_and_handles_take_nothing_else():
    news = News([an.Id(Desk, 3), an.Id(Desk, 4)], [True, False, True], [an.Handle(), an.Handle()])
    assert news.from_[1] == an.Id(Desk, 4) and not news.timers[0] and news.flags.tolist() == [True, False, True]
    with pytest.raises(TypeError, match=r"News.from_ = .*: 3 is no an.Id"):
        News([3, 4])
    with pytest.raises(TypeError, match="an.Handle belongs into the state"):

        class Wrong(an.Row):
            timers: an.Array[an.Handle, 2]

    with pytest.raises(TypeError, match="an.Array of Stream"):
        an.Array[an.Stream, 2]


def test_an_array_of_ids_is_not_made_of_numbers():
    class Poor(an.LP):
        numbers: an.Array[int, 2]

        @an.on(News)
        def news(self, cx, news):
            cx.send(cx.self_id, 1.0, News(self.numbers, news.flags, news.timers))

    with pytest.raises(an.CompileError, match=r"News.from_ is an array of an.Id, and gets"):
        an.Model(Poor)


def test_the_example_of_customers_who_give_up_agrees_with_theory():
    import patience

    report = patience.model.run(sync="sequential")
    assert abs(report["lost"] - patience.lost_in_theory(patience.Params())) < 0.01
    interpreted = patience.model.run(until=300, compile=False, sync="sequential")
    assert interpreted.digest == patience.model.run(until=300, workers=2).digest
