"""What functions of `math` do in compiled handlers with arguments that they are not defined for. They raise what they
raise in Python, where the C library gives an infinity or NaN."""

import math
from typing import Any


def log(x):
    if x <= 0:
        raise ValueError("math domain error")
    return math.log(x)


def log_to(x, base):
    if x <= 0 or base <= 0:
        raise ValueError("math domain error")
    return math.log(x) / math.log(base)


def log2(x):
    if x <= 0:
        raise ValueError("math domain error")
    return math.log2(x)


def log10(x):
    if x <= 0:
        raise ValueError("math domain error")
    return math.log10(x)


def log1p(x):
    if x <= -1:
        raise ValueError("math domain error")
    return math.log1p(x)


def sqrt(x):
    if x < 0:
        raise ValueError("math domain error")
    return math.sqrt(x)


def asin(x):
    if x < -1 or x > 1:
        raise ValueError("math domain error")
    return math.asin(x)


def acos(x):
    if x < -1 or x > 1:
        raise ValueError("math domain error")
    return math.acos(x)


def acosh(x):
    if x < 1:
        raise ValueError("math domain error")
    return math.acosh(x)


def atanh(x):
    if x <= -1 or x >= 1:
        raise ValueError("math domain error")
    return math.atanh(x)


def sin(x):
    if math.isinf(x):
        raise ValueError("math domain error")
    return math.sin(x)


def cos(x):
    if math.isinf(x):
        raise ValueError("math domain error")
    return math.cos(x)


def tan(x):
    if math.isinf(x):
        raise ValueError("math domain error")
    return math.tan(x)


def exp(x):
    y = math.exp(x)
    if math.isinf(y) and not math.isinf(x):
        raise OverflowError("math range error")
    return y


def expm1(x):
    y = math.expm1(x)
    if math.isinf(y) and not math.isinf(x):
        raise OverflowError("math range error")
    return y


def sinh(x):
    y = math.sinh(x)
    if math.isinf(y) and not math.isinf(x):
        raise OverflowError("math range error")
    return y


def cosh(x):
    y = math.cosh(x)
    if math.isinf(y) and not math.isinf(x):
        raise OverflowError("math range error")
    return y


def gamma(x):
    if x <= 0 and (x == math.floor(x) or math.isinf(x)):
        raise ValueError("math domain error")
    y = math.gamma(x)
    if math.isinf(y) and not math.isinf(x):
        raise OverflowError("math range error")
    return y


def lgamma(x):
    if x <= 0 and x == math.floor(x):
        raise ValueError("math domain error")
    return math.lgamma(x)


def fmod(x, y):
    if math.isinf(x) or y == 0:
        if not math.isnan(x) and not math.isnan(y):
            raise ValueError("math domain error")
    return math.fmod(x, y)


def power(x, y):
    if x == 0 and y < 0 or x < 0 and not math.isinf(x) and not math.isinf(y) and y != math.floor(y):
        raise ValueError("math domain error")
    z = math.pow(x, y)
    if math.isinf(z) and not math.isinf(x) and not math.isinf(y):
        raise OverflowError("math range error")
    return z


#: By the function of `math`: what is compiled instead.
CHECKED: dict[Any, Any] = {
    getattr(math, function.__name__): function
    for function in (
        log, log2, log10, log1p, sqrt, asin, acos, acosh, atanh, sin, cos, tan, exp, expm1, sinh, cosh, gamma, lgamma, fmod
    )
}  # fmt: skip
CHECKED[math.pow] = power
