"""Event latency: messages that take some time on a cable. After SimPy's example of that name."""

import anachron as an


class Params(an.Params):
    delay: float = an.param(10.0, "Time on the cable", above=0)


class Cable(an.LP):
    store: an.Store[float] = an.Store()
    received: int = 0
    last: float = 0.0

    def start(self, cx):
        cx.process(self.sender(cx))
        cx.process(self.receiver(cx))

    def latency(self, cx, sent: float):
        """A message on its way."""
        yield cx.timeout(cx.params.delay)
        yield self.store.put(sent)

    def sender(self, cx):
        """Puts a message on the cable every 5 units of time."""
        while True:
            yield cx.timeout(5.0)
            cx.process(self.latency(cx, cx.now))

    def receiver(self, cx):
        """Gets each message, and says when it was sent."""
        while True:
            sent = yield self.store.get()
            self.received += 1
            self.last = cx.now
            cx.print(f"received at {cx.now:.0f}: sent at {sent:.0f}")

    @staticmethod
    def finish(states, params):
        return {"received": int(states["received"].sum()), "last": float(states["last"].max())}


model = an.Model(Cable, params=Params, until=100, name="event latency")

if __name__ == "__main__":
    print(model.run(lps=1))
