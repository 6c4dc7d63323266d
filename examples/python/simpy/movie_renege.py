"""Movie renege: people stand in line for tickets until their movie is sold out. After SimPy's example of that name."""

import anachron as an

MOVIES = 3


class Params(an.Params):
    tickets: int = an.param(50, "Tickets for each movie", at_least=2)
    most: int = an.param(6, "Most tickets for one person", at_least=1)
    interval: float = an.param(0.5, "Mean minutes between people", above=0)


class Theater(an.LP):
    counter: an.Resource = an.Resource(1)
    available: an.Array = an.array(int, MOVIES)
    sold_out: list[an.Wait]
    when: an.Array = an.array(float, MOVIES)
    left: an.Array = an.array(int, MOVIES)

    def start(self, cx):
        for movie in range(MOVIES):
            self.available[movie] = cx.params.tickets
            self.when[movie] = -1.0
            self.sold_out.append(cx.event())
        cx.process(self.arrivals(cx))

    def moviegoer(self, cx, movie: int, tickets: int):
        """Tries to buy tickets, and leaves when the movie is sold out."""
        with self.counter.request() as turn:
            got = yield turn | self.sold_out[movie]
            if turn not in got:
                self.left[movie] += 1  # sold out while waiting
            elif self.available[movie] < tickets:
                yield cx.timeout(0.5)  # discusses whether to take fewer, and leaves
            else:
                self.available[movie] -= tickets
                if self.available[movie] < 2:
                    self.sold_out[movie].succeed()
                    self.when[movie] = cx.now
                    self.available[movie] = 0
                yield cx.timeout(1.0)

    def arrivals(self, cx):
        """New people come while something is not sold out for them."""
        while True:
            yield cx.timeout(cx.rng.exponential(cx.params.interval))
            movie, tickets = cx.rng.below(MOVIES), cx.rng.between(1, cx.params.most)
            if self.available[movie] > 0:
                cx.process(self.moviegoer(cx, movie, tickets))

    @staticmethod
    def finish(states, params):
        found = {f"sold_out_{movie}": float(states["when"][:, movie].mean()) for movie in range(MOVIES)}
        return found | {"left": float(states["left"].sum(axis=1).mean())}


model = an.Model(Theater, params=Params, until=120, name="movie renege")

if __name__ == "__main__":
    print(model.run(lps=1))
