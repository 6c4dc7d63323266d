"""Small plots as SVG, without any library."""

import math
from xml.sax.saxutils import escape


COLOURS = ["#1b6ca8", "#d1495b", "#3a7d44", "#8e5ea2", "#e08e0b", "#17a2a2", "#7a4a20"]
THEORY_COLOURS = ["black", "#777", "#aaa"]


def ticks(low, high, about=5):
    """Round numbers from at most `low` to at least `high`."""
    raw = max(high - low, 1e-12) / about
    power = 10 ** math.floor(math.log10(raw))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [i * step for i in range(first, max(last, first + 1) + 1)]


def label(x):
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:g}" if abs(x - round(x)) < 1e-9 else f"{x:.3g}"


def svg_plot(title, x_label, y_label, lines, log_x=False, steps=False, y_from=None, bars=(), places=()):
    """A plot as SVG text. `lines`: [(name, [(x, y), ...], is_theory)], theory last; that is grey and dashed.
    `bars`: [(name, x, low, high), ...], of lines of that name. `places`: what stands at x = 0, 1, ..., where the axis has names."""
    width, height, left, right, top, bottom = 560, 340, 62, 150, 34, 46
    points = [p for _, line, _ in lines for p in line]
    if not points:
        points = [(0, 0)]
    on_axis = (lambda x: math.log10(x)) if log_x else (lambda x: x)
    xs = [on_axis(x) for x, _ in points]
    ys = [y for _, y in points] + [y for _, _, low, high in bars for y in (low, high)]
    x_values = sorted({x for x, _ in points})
    few = len(x_values) <= 8
    x_ticks = range(len(places)) if places else x_values if few else [10**i for i in range(round(min(xs)), round(max(xs)) + 1)] if log_x else ticks(min(xs), max(xs))
    y_ticks = ticks(min(ys) if y_from is None else y_from, max(ys))
    x0, x1 = min([*xs, *map(on_axis, x_ticks)]), max([*xs, *map(on_axis, x_ticks)])
    y0, y1 = y_ticks[0], y_ticks[-1]
    at_x = lambda x: left + (on_axis(x) - x0) / (x1 - x0 or 1) * (width - left - right)
    at_y = lambda y: height - bottom - (y - y0) / (y1 - y0 or 1) * (height - top - bottom)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="18" font-size="13">{escape(title)}</text>']
    for y in y_ticks:
        out.append(f'<path d="M{left} {at_y(y):.1f}H{width - right}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{at_y(y) + 4:.1f}" text-anchor="end">{label(y)}</text>')
    for x in x_ticks:
        out.append(f'<path d="M{at_x(x):.1f} {height - bottom}v5" stroke="black"/>'
                   f'<text x="{at_x(x):.1f}" y="{height - bottom + 17}" text-anchor="middle">{escape(places[x]) if places else label(x)}</text>')
    out.append(f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="black"/>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{escape(x_label)}</text>')
    out.append(f'<text transform="translate(14 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">'
               f'{escape(y_label)}</text>')
    faint = ' stroke-opacity="0.3"' if places else ""  # there is nothing between two names
    measured = sum(not is_theory for _, _, is_theory in lines)
    for i, (name, line, is_theory) in enumerate(lines):
        colour = THEORY_COLOURS[(i - measured) % len(THEORY_COLOURS)] if is_theory else COLOURS[i % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if is_theory else ""
        path = ""
        for k, (x, y) in enumerate(line):
            before_x, before_y = ("M", " ") if k == 0 else ("H", "V") if steps else ("L", " ")
            path += f"{before_x}{at_x(x):.1f}{before_y}{at_y(y):.1f}"
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}{faint}/>')
        if not steps and not is_theory:
            out += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="2.6" fill="{colour}"/>' for x, y in line]
        out += [f'<path d="M{at_x(x):.1f} {at_y(max(low, y0)):.1f}V{at_y(high):.1f}" stroke="{colour}" stroke-width="1" opacity="0.6"/>'
                for of, x, low, high in bars if of == name]
        y = top + 8 + 17 * i
        out.append(f'<path d="M{width - right + 10} {y}h18" stroke="{colour}" stroke-width="1.6"{dash}/>'
                   f'<text x="{width - right + 33}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def without_repetitions(line):
    """The same line of levels without points where nothing changes, but with its end."""
    return [p for i, p in enumerate(line) if i in (0, len(line) - 1) or p[1] != line[i - 1][1]]
