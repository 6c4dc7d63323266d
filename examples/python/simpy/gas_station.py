"""Gas station: cars take fuel from a tank, and a truck is called when that runs low. After SimPy's example of that name."""

import anachron as an


class Params(an.Params):
    tank: float = an.param(200.0, "Litres in the station's tank", above=0)
    threshold: float = an.param(25.0, "The truck is called below so many percent", above=0, at_most=100)
    car_tank: int = an.param(50, "Litres in a car's tank", at_least=30)
    speed: float = an.param(2.0, "Litres that a pump gives in a second", above=0)
    truck: float = an.param(300.0, "Seconds that the truck takes to come", above=0)


class Station(an.LP):
    pumps: an.Resource = an.Resource(2)
    tank: an.Container = an.Container(1.0)
    times: an.Tally
    trucks: int = 0

    def start(self, cx):
        self.tank.capacity = cx.params.tank
        self.tank.level = cx.params.tank
        cx.process(self.control(cx))
        cx.process(self.cars(cx))

    def car(self, cx, number: int):
        """A car arrives for refuelling: it takes a pump, and as much fuel as it needs."""
        arrived = cx.now
        cx.print(f"{cx.now:6.1f} s: car {number} arrives")
        with self.pumps.request() as request:
            yield request
            needed = cx.params.car_tank - cx.rng.between(5, 25)
            yield self.tank.get(needed)
            yield cx.timeout(needed / cx.params.speed)
            self.times.add(cx, cx.now - arrived)
            cx.print(f"{cx.now:6.1f} s: car {number} has {needed} l")

    def control(self, cx):
        """Looks at the tank every 10 seconds, and calls the truck."""
        while True:
            if self.tank.level / self.tank.capacity * 100 < cx.params.threshold:
                cx.print(f"{cx.now:6.1f} s: calling the truck")
                yield cx.process(self.refill(cx))
            yield cx.timeout(10.0)

    def refill(self, cx):
        """The truck comes after a while, and fills the tank."""
        yield cx.timeout(cx.params.truck)
        amount = self.tank.capacity - self.tank.level
        self.trucks += 1
        cx.print(f"{cx.now:6.1f} s: the truck brings {amount:.1f} l")
        yield self.tank.put(amount)

    def cars(self, cx):
        number = 0
        while True:
            yield cx.timeout(cx.rng.between(30, 300))
            cx.process(self.car(cx, number))
            number += 1

    @staticmethod
    def finish(states, params):
        return {"trucks": int(states["trucks"].sum()), "time": an.Tally.merged(states["times"])}


model = an.Model(Station, params=Params, until=1000, name="gas station")

if __name__ == "__main__":
    print(model.run(lps=1))
