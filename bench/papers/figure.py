"""What a figure or table of a paper is here: runs, what is drawn of them, and what the paper found, as claims that can be tested."""

from collections.abc import Callable
from dataclasses import dataclass, field

# How ranks are joined.
MEMORY = "memory"  # Open MPI's shared memory, messages copied once (CMA)
COPIES = "memory, no CMA"  # copied twice
SLOW = "60 us"  # memory, and 60 us per message emulated
HOSTS = "hosts"  # each rank on a host of its own, a network namespace, by TCP, and 60 us


LEAST_REPETITIONS = 5  # of a figure that is committed


@dataclass(frozen=True)
class Loads:
    """Foreign programs that run beside: `anachron load` with so many threads."""

    threads: int = 1
    period: int = 0  # microseconds of computation per period of an on-off load; 0: always on
    kind: str = ""  # of `anachron load --kind`; "": computes
    gang: bool = False  # all workers and the loads take turns (gang scheduling)


@dataclass(frozen=True)
class Run:
    """What is started. Its words are its identity in the file of samples."""

    model: tuple  # of `anachron run`: the model and its options, with an end time
    engine: tuple = ()  # the engine's options
    ranks: int = 1
    network: str = MEMORY
    loads: Loads | None = None
    tool: str = "run"  # or another program: see machine.py
    keep: tuple = ()  # columns of `rounds` that the figure draws
    profile: tuple = ()  # options of `anachron partition`, which makes a partition of a short run's profile before

    def words(self):
        return tuple(str(word) for word in (*self.model, *self.engine))


@dataclass(frozen=True)
class Label:
    """What the axis and the legend say that a run does; checked against what it did. None: they say nothing of it. Shares are of
    all events sent: `regional` to other PEs of the rank, `remote` to other ranks. Where a Time Warp run has no share here, it is held
    to what `anachron partition` predicts."""

    remote: float | None = None
    regional: float | None = None
    pes: int | None = None
    workers: int | None = None  # of each rank
    ranks: int | None = None
    sync: str | None = None
    mapping: str | None = None
    throttle: str | None = None
    partition: str | None = None
    rounds: bool = False  # the figure is about optimism: there were GVT rounds, and events not executed in order
    comm_thread: bool | None = None


@dataclass
class Point:
    """One kind of run of a figure, and its samples."""

    series: str
    x: object
    run: Run
    label: Label = Label()
    samples: list = field(default_factory=list)  # of repetitions; a sample is a dictionary

    def values(self, of):
        return [value for sample in self.samples if (value := of(sample)) is not None]


@dataclass(frozen=True)
class Setting:
    """What a figure's runs are made for."""

    quick: bool = False
    cores: int = 2
    hosts: bool = True  # they can be made

    def few(self, values):
        """The first and the last of the values where it has to be quick."""
        values = list(values)
        return values[:: len(values) - 1] if self.quick and len(values) > 2 else values

    def events(self, wanted):
        return max(2000, wanted // 10) if self.quick else wanted

    @property
    def slow_network(self):
        """Hosts of their own take a second to be made for each run."""
        return HOSTS if self.hosts and not self.quick else SLOW


@dataclass(frozen=True)
class Quantity:
    """What is drawn: a number of a sample."""

    name: str  # with its unit
    of: Callable
    is_better_high: bool = True
    is_computed: bool = False  # by a model, the same in each run


@dataclass(frozen=True)
class Figure:
    name: str  # figure_5, table_1
    title: str
    paper: str  # what it found, in a line
    points: Callable  # Setting -> [Point]
    x: str  # the x axis, with its unit
    y: Quantity
    claims: tuple = ()
    more: tuple = ()  # further quantities, as columns
    log_x: bool = False
    x_ran: Quantity | None = None  # what a run made of the x that was asked: drawn instead of it
    lines: Callable | None = None  # sample -> [(x, y)]: drawn instead of a value per point
    base: str = ""  # the series that the columns `times BASE` compare with
    also: str = ""  # other figures of the paper that this one is
    needs: str = ""  # what this machine cannot show of it
    repetitions: int = LEAST_REPETITIONS
    expected: Callable | None = None  # (Point, points, machine) -> {name: value}, drawn as theory
    cores: int = 0  # that the paper's finding needs, where no run here can show it
    published: tuple = ()  # numbers of the paper, as rows under a row of names
    limit: float = 0  # seconds of a run, where it takes longer than --limit
