"""Two nodes, and a link that loses messages: the first sends, waits for the answer, and sends again when a timer runs out. As the tutorials of
OMNeT++ begin; docs/coming-from/omnet-ns3.md has it in both.

    python examples/python/tictoc.py
"""

import anachron as an


class Params(an.Params):
    delay: float = an.param(0.1, "Seconds that a message takes", above=0)
    timeout: float = an.param(1.0, "Seconds after which a message is sent again", above=0)
    loss: float = an.param(0.1, "Share of messages that are lost", at_least=0, below=1)


class Message(an.Event):
    number: int = 0


class Answer(an.Event):
    pass


class Timeout(an.Event):
    pass


class Toc(an.LP):
    received: int = 0

    @an.on(Message)
    def message(self, cx):
        self.received += 1
        if not cx.rng.bernoulli(cx.params.loss):
            cx.send(cx.id(Tic, 0), cx.params.delay, Answer())

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def lookahead(params):
        return params.delay  # as a link's delay is the lookahead there

    @staticmethod
    def finish(states, params):
        return {"received": states["received"].sum()}


class Tic(an.LP):
    sent: int = 0
    again: int = 0
    timer: an.Handle
    round_trip: an.Tally
    began: float = 0.0

    def start(self, cx):
        self.transmit(cx)

    def transmit(self, cx):
        self.sent += 1
        if not cx.rng.bernoulli(cx.params.loss):
            cx.send(cx.id(Toc, 0), cx.params.delay, Message(self.sent))
        self.timer = cx.send(cx.self_id, cx.params.timeout, Timeout())

    @an.on(Answer)
    def answer(self, cx):
        cx.cancel(self.timer)
        self.round_trip.add(cx, cx.now - self.began)
        self.began = cx.now
        self.transmit(cx)

    @an.on(Timeout)
    def timeout(self, cx):
        self.again += 1
        self.transmit(cx)

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def lookahead(params):
        return params.delay

    @staticmethod
    def finish(states, params):
        return {"sent": states["sent"].sum(), "again": states["again"].sum(), "round_trip": an.Tally.merged(states["round_trip"])}


model = an.Model([Tic, Toc], params=Params, until=1000, name="tictoc")

if __name__ == "__main__":
    report = model.run()
    print(f"sent {report['sent']}, again {report['again']}, received {report['received']}")
    print(f"mean time to an answer {report['round_trip']['mean']:.3f} s")
    print("the same conservatively:", model.run(sync="conservative").digest == report.digest)
