#!/usr/bin/env python3
"""Drives the page of a live view in a browser without a window, as a person would.

Usage: live.py BROWSER URL WIDTH ACTION...

The actions, one after the other:
  wait SECONDS          charts go on meanwhile
  expect TEXT           the status line comes to have this text, within 10 s
  press BUTTON          by the keyboard: the button gets the focus, and Enter
  click BUTTON          by the mouse
  name BUTTON TEXT      the button comes to have this text
  open                  unfolds the table of processing elements
  charts                all charts have lines
  moves yes|no          whether simulated time goes on
  shot FILE.png         a picture of the page
Fails when an expectation does not hold, or when the browser's console has an error.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time


class Browser:
    """Speaks the DevTools protocol through two pipes, the descriptors 3 and 4 of the browser."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.source, to_write = os.pipe()

        def give_pipes():
            read, write = os.dup(to_read), os.dup(to_write)  # beyond 3 and 4, whatever these are now
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.last, self.buffer, self.complaints, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.source, 1 << 16)
            if not more:
                sys.exit("the browser has ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        if event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.complaints.append(str(params["args"]))
        if event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])

    def open(self, url, width):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Page.navigate", url=url)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def close(self):
        self.session = None
        os.write(self.to, b'{"id": 0, "method": "Browser.close"}\0')
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def until(browser, expression, wanted, what):
    end = time.monotonic() + 10
    while (found := browser.value(expression)) != wanted:
        if time.monotonic() > end:
            sys.exit(f"{what}: {found!r} instead of {wanted!r}")
        time.sleep(0.1)


def act(browser, action, rest):
    of = "document.getElementById({})"
    if action == "wait":
        time.sleep(float(rest.pop(0)))
    elif action == "expect":
        until(browser, "document.getElementById('status')?.textContent", rest.pop(0), "the status line")
    elif action == "press":
        button = of.format(json.dumps(rest.pop(0)))
        until(browser, f"{button}.disabled", False, "the button is off")
        browser.value(f"{button}.focus()")
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                         windowsVirtualKeyCode=13)
    elif action == "click":
        button = of.format(json.dumps(rest.pop(0)))
        until(browser, f"{button}.disabled", False, "the button is off")
        box = browser.value(f"{button}.scrollIntoView(), {button}.getBoundingClientRect().toJSON()")
        for kind in ("mousePressed", "mouseReleased"):
            browser.call("Input.dispatchMouseEvent", type=kind, x=box["x"] + box["width"] / 2,
                         y=box["y"] + box["height"] / 2, button="left", clickCount=1)
    elif action == "name":
        until(browser, of.format(json.dumps(rest.pop(0))) + ".textContent", rest.pop(0), "a button")
    elif action == "open":
        browser.value("document.querySelector('details').open = true")
        until(browser, "document.querySelectorAll('#pes tr').length > 0", True, "the table")
    elif action == "charts":
        for chart in ("time", "rate", "efficiency", "workers", "memory"):
            until(browser, f"document.querySelectorAll('#chart-{chart} path.first').length", 1, f"chart {chart}")
            label = browser.value(f"document.querySelector('#chart-{chart} svg').getAttribute('aria-label')")
            if ": " not in label:
                sys.exit(f"chart {chart} says {label!r}")
        if browser.value("document.documentElement.scrollWidth > innerWidth"):
            sys.exit("the page is wider than the window")
    elif action == "moves":
        before = browser.value("now.gvt")
        time.sleep(1)
        if (browser.value("now.gvt") > before) != (rest.pop(0) == "yes"):
            sys.exit("simulated time goes on in a pause, or does not go on without one")
    elif action == "shot":
        browser.value("scrollTo(0, 0)")
        picture = browser.call("Page.captureScreenshot", format="png")
        with open(rest.pop(0), "wb") as file:
            file.write(base64.b64decode(picture["data"]))
    else:
        sys.exit(f"no action {action}")


def main():
    program, url, width, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            browser.open(url, int(width))
            while rest:
                act(browser, rest.pop(0), rest)
            if browser.complaints:
                sys.exit("the browser complains: " + "; ".join(browser.complaints))
        finally:
            browser.close()


main()
