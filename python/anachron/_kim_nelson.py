"""Which of several designs has the largest mean: ranking and selection with an indifference zone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class KimNelson:
    """The fully sequential procedure KN of S.-H. Kim and B. L. Nelson, "A fully sequential procedure for indifference-zone
    selection in simulation", ACM Transactions on Modeling and Computer Simulation 11(3), 2001, with c = 1.

    It selects the design with the largest mean with a probability of at least `confidence`, if that mean is above all
    others by at least `zone`. Observations of a design are independent and normal. Observation k of one design and
    observation k of another one may depend on each other, as with common random numbers.

    A stage is a number of observations, from `first` on. It takes time quadratic in the number of designs that are left;
    the first one that times `first`.
    """

    def __init__(self, designs: int, zone: float, confidence: float, first: int):
        """`designs` >= 2, `zone` > 0, 1 / designs < confidence < 1, `first` >= 2."""
        self._zone, self._first, self._designs = zone, first, designs
        share = 2 * (1 - confidence) / (designs - 1)
        self._h2 = (share ** (-2 / (first - 1)) - 1) * (first - 1)  # 2 * eta * (first - 1)
        self.values: list[list[float]] = [[] for _ in range(designs)]
        self._sums = np.zeros(designs)
        self.left = list(range(designs))  # designs that may be the best
        self.stage = 0
        self.stage_of: list[int | None] = [None] * designs  # when a design was eliminated
        self.beaten_by: list[int | None] = [None] * designs
        self.is_decided = False

    def add(self, design: int, x: float) -> None:
        """The next observation of a design that is left."""
        self.values[design].append(x)
        while not self.is_decided and all(len(self.values[i]) > self.stage for i in self.left):
            if self.stage == 0 and any(len(self.values[i]) < self._first for i in self.left):
                return
            self._next_stage()

    def best(self) -> int:
        """Of the designs that are left the one with the largest mean, the first of equal ones; after the first stage."""
        return max(self.left, key=lambda i: (self._sums[i], -i))

    def observations(self, design: int) -> Sequence[float]:
        """Those that were looked at: none behind the stage that eliminated the design."""
        stage = self.stage_of[design]
        return self.values[design][: self.stage if stage is None else stage]

    def _next_stage(self) -> None:
        if self.stage == 0:
            first = np.array([values[: self._first] for values in self.values])
            self.stage = self._first
            self._sums = np.add.reduce(first, axis=1)
            self._start(first)
        else:
            for i in self.left:
                self._sums[i] += self.values[i][self.stage]
            self.stage += 1
        if self.stage > self._last:
            self._eliminate({i: self.best() for i in self.left if i != self.best()})
        else:
            self._screen()
        self.is_decided = len(self.left) == 1

    def _start(self, first: np.ndarray) -> None:
        """h^2 S^2 / zone^2 of each pair, S^2 the variance of the difference between both."""
        differences = (np.var(first - first[i], axis=1, ddof=1) for i in range(self._designs))
        self._needed = np.array(list(differences)) * self._h2 / self._zone**2
        self._last = int(np.floor(self._needed).max())

    def _screen(self) -> None:
        left = np.array(self.left)
        means = self._sums[left] / self.stage
        width = np.maximum(0, self._zone / (2 * self.stage) * (self._needed[np.ix_(left, left)] - self.stage))
        behind = means[None, :] - width - means[:, None]  # of row behind column, beyond what may be chance
        worst = behind.argmax(axis=1)
        lost = [row for row in range(len(left)) if behind[row, worst[row]] > 0]
        self._eliminate({int(left[row]): int(left[worst[row]]) for row in lost})

    def _eliminate(self, beaten: dict[int, int]) -> None:
        for design, by in beaten.items():
            self.stage_of[design], self.beaten_by[design] = self.stage, by
        self.left = [i for i in self.left if i not in beaten]
