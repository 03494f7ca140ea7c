"""Drives Chromium through its DevTools protocol over a pipe; nothing but the standard library is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
    "--remote-debugging-pipe", "--disable-dev-shm-usage",
]
# How long anything is waited for, in seconds: on a busy machine without a graphics card a picture may take many. What a page
# must do quickly is measured in the page.
PATIENCE = 120
SOFTWARE_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def find():
    """The browser's program."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    raise SystemExit("there is no Chromium: apt-get install chromium")


class Chromium:
    """A browser; `with` ends it."""

    def __init__(self, webgl=True, extra=()):
        self.folder = tempfile.mkdtemp(prefix="taut-report-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        flags = FLAGS + (SOFTWARE_WEBGL if webgl else ["--disable-gpu"]) + list(extra)
        command = [find(), *flags, f"--user-data-dir={self.folder}", "about:blank"]
        # The browser reads from descriptor 3 and writes to 4.
        script = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, *command], pass_fds=(to_read, to_write), stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.number = 0
        self.answers = {}
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, seconds):
        """Takes messages for so long, or until one has come."""
        if not select.select([self.read_end], [], [], seconds)[0]:
            return False
        self.buffer += os.read(self.read_end, 1 << 20)
        while b"\0" in self.buffer:
            text, self.buffer = self.buffer.split(b"\0", 1)
            message = json.loads(text)
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)
        return True

    def send(self, method, session=None, seconds=PATIENCE, **params):
        """Calls a method and waits for its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        end = time.time() + seconds
        while self.number not in self.answers:
            if time.time() > end:
                raise TimeoutError(method)
            self.read(0.5)
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def page(self, url, width=1440, height=900, dark=False, scale=1, mobile=False):
        """Opens a page and waits until it has loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.send("Emulation.setEmulatedMedia", features=[theme])
        page.send("Page.navigate", url=url)
        page.wait_for("Page.loadEventFired")
        return page


class Page:
    """A page in a browser."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def send(self, method, **params):
        return self.browser.send(method, session=self.session, **params)

    def events(self, name):
        """What has been reported so far."""
        while self.browser.read(0):
            pass
        return [e["params"] for e in self.browser.events if e["method"] == name and e.get("sessionId") == self.session]

    def wait_for(self, name, seconds=PATIENCE):
        end = time.time() + seconds
        while not self.events(name):
            if time.time() > end:
                raise TimeoutError(name)
            self.browser.read(0.2)

    def run(self, expression):
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, condition, seconds=PATIENCE):
        """Waits until something holds in the page."""
        end = time.time() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.time() > end:
                raise AssertionError(f"never: {condition}")
            time.sleep(0.05)

    def frames(self, count=2):
        """Waits until so many frames have been painted."""
        self.run(f"new Promise(done => {{ let n = {count}; const f = () => n-- ? requestAnimationFrame(f) : done(); f(); }})")

    def key(self, key, code=None, shift=False):
        for kind in ("keyDown", "keyUp"):
            text = {"text": " "} if key == " " and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=8 if shift else 0, **text)

    def mouse(self, kind, x, y, clicks=1, button="left"):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=clicks, buttons=1 if kind != "mouseReleased" else 0)

    def click(self, x, y, clicks=1):
        self.mouse("mousePressed", x, y, clicks)
        self.mouse("mouseReleased", x, y, clicks)

    def screenshot(self, whole=False):
        """A PNG picture of what is seen, or of the whole page."""
        answer = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def troubles(self):
        """Errors of the console, exceptions, and requests to anywhere but the file itself."""
        errors = [e["exceptionDetails"]["text"] for e in self.events("Runtime.exceptionThrown")]
        errors += [str(e["args"]) for e in self.events("Runtime.consoleAPICalled") if e["type"] in ("error", "assert")]
        errors += [e["entry"]["text"] for e in self.events("Log.entryAdded") if e["entry"]["level"] == "error"]
        requests = [e["request"]["url"] for e in self.events("Network.requestWillBeSent")]
        return errors, [url for url in requests if not url.startswith(("data:", "blob:"))][1:]

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
