"""Process communication: a generator sends messages to consumers, one of which is slow and reads late ones. After SimPy's
example of that name. Consumers are LPs of their own, so that they run on other cores."""

import anachron as an


class Message(an.Event):
    sent: float
    number: int = 0


class Letter(an.Struct):
    sent: float
    number: int = 0


class Consumer(an.LP):
    pipe: an.Store[Letter] = an.Store()
    read: int = 0
    late: int = 0

    def start(self, cx):
        cx.process(self.consume(cx))
        if cx.index == 0:
            cx.process(self.generate(cx))

    def generate(self, cx):
        """Sends a message to all consumers now and then."""
        number = 0
        while True:
            yield cx.timeout(cx.rng.between(6, 10))
            cx.broadcast(Consumer, 0.0, Message(cx.now, number))
            number += 1

    @an.on(Message)
    def receive(self, cx, *, sent, number):
        self.pipe.put(Letter(sent, number))

    def consume(self, cx):
        """Takes messages from the pipe, and works on each."""
        while True:
            letter = yield self.pipe.get()
            self.read += 1
            if letter.sent < cx.now:
                self.late += 1
                cx.print(f"LATE {cx.now:3.0f}: consumer {cx.index} gets message {letter.number} of {letter.sent:3.0f}")
            else:
                cx.print(f"at {cx.now:3.0f}: consumer {cx.index} gets message {letter.number}")
            yield cx.timeout(cx.rng.between(4, 8))

    @staticmethod
    def finish(states, params):
        return {"read": int(states["read"].sum()), "late": int(states["late"].sum())}


model = an.Model(Consumer, until=100, name="process communication")

if __name__ == "__main__":
    print(model.run(lps=3))
