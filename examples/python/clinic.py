"""Clinics with several doctors, as processes: patients arrive, urgent ones are seen first, and each leaves or goes on to another
clinic. Theory: A. K. Erlang, 1917, and A. Cobham, "Priority assignment in waiting line problems", Operations Research 2, 1954.

    python examples/python/clinic.py
"""

import sys

import anachron as an


class Params(an.Params):
    clinics: int = an.param(100, "Clinics", at_least=1)
    doctors: int = an.param(3, "Doctors of each", at_least=1)
    interval: float = an.param(6.25, "Mean minutes between two patients from outside, at each clinic", above=0)
    treatment: float = an.param(15.0, "Mean minutes of a treatment", above=0)
    urgent: float = an.param(0.0, "Share of urgent patients", at_least=0, at_most=1)
    again: float = an.param(0.0, "Share of patients who go on to any clinic", at_least=0, at_most=1)
    walk: float = an.param(30.0, "Minutes from one clinic to another", at_least=0)


class Patient(an.Event):
    """A patient arrives from another clinic."""

    priority: int


class Clinic(an.LP):
    doctors: an.PriorityResource = an.PriorityResource(1)
    urgent: an.Tally  # minutes that urgent patients waited
    normal: an.Tally
    busy: an.TimeAverage

    def start(self, cx):
        self.doctors.capacity = cx.params.doctors
        cx.process(self.door(cx))

    def door(self, cx):
        """Patients come in from outside."""
        while True:
            yield cx.timeout(cx.rng.exponential(cx.params.interval))
            priority = 0 if cx.rng.bernoulli(cx.params.urgent) else 1
            cx.process(self.patient(cx, priority))

    @an.on(Patient)
    def arrive(self, cx, event):
        cx.process(self.patient(cx, event.priority))

    def patient(self, cx, priority: int):
        """A patient waits for a doctor, is treated, and leaves or goes on."""
        came = cx.now
        with self.doctors.request(priority=priority) as request:
            yield request
            if priority == 0:
                self.urgent.add(cx, cx.now - came)
            else:
                self.normal.add(cx, cx.now - came)
            self.busy.change(cx, 1)
            yield cx.timeout(cx.rng.exponential(cx.params.treatment))
            self.busy.change(cx, -1)
        if cx.rng.bernoulli(cx.params.again):
            cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.params.walk, Patient(priority))

    @staticmethod
    def count(params):
        return params.clinics

    @staticmethod
    def finish(states, params):
        return {
            "urgent": an.Tally.merged(states["urgent"]),
            "normal": an.Tally.merged(states["normal"]),
            "busy": an.TimeAverage.merged(states["busy"]),
        }


model = an.Model(Clinic, params=Params, until=10_000, name="clinic")

if __name__ == "__main__":
    options = dict(word.split("=") for word in sys.argv[1:])
    frame = model.run(replications=10, warm_up=1000, **options)
    for name, mean, half_width in zip(frame["figure"], frame["mean"], frame["half_width"]):
        if name.endswith(".mean"):
            print(f"{name:12} {mean:8.4f} +- {half_width:.4f}")
