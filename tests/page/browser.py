"""A headless Chromium, spoken to in its DevTools protocol over a pipe: Python's standard library and nothing else."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-pipe",
]


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, webgl=True):
        self.profile = tempfile.mkdtemp(prefix="livens-browser-")
        flags = (
            FLAGS
            if webgl
            else [f for f in FLAGS if "swiftshader" not in f and "angle" not in f] + ["--disable-3d-apis"]
        )
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def pipes():  # the browser reads descriptor 3 and writes 4
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            ["chromium", *flags, "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events = 0, b"", []

    def send(self, method, parameters=None, session=None, wait=60):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + wait
        while True:
            reply = self.receive(end - time.monotonic())
            if reply is None:
                raise BrowserError(f"{method}: no reply within {wait} s")
            if reply.get("id") == number:
                if "error" in reply:
                    raise BrowserError(f"{method}: {reply['error']}")
                return reply["result"]
            self.events.append(reply)

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise BrowserError("the browser has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, address, width=1200, height=900, dark=False, calm=False, script=True, scale=1):
        return Page(self, address, width, height, dark, calm, script, scale)

    def close(self):
        try:
            self.send("Browser.close", wait=10)
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A tab: what is said on its console and what it asks for is kept."""

    def __init__(self, browser, address, width, height, dark, calm, script, scale):
        self.browser = browser
        self.target = browser.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.send("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600},
        )
        self.call(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
                ]
            },
        )
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", {"value": True})
        self.call("Page.navigate", {"url": address})
        self.wait_for_load()

    def call(self, method, parameters=None):
        return self.browser.send(method, parameters, self.session)

    def own(self, method):
        return [
            e["params"] for e in self.browser.events if e.get("sessionId") == self.session and e["method"] == method
        ]

    def wait_for_load(self, seconds=60):
        end = time.monotonic() + seconds
        while not self.own("Page.loadEventFired"):
            event = self.browser.receive(end - time.monotonic())
            if event is None:
                raise BrowserError("the page does not load")
            self.browser.events.append(event)

    def js(self, expression):
        result = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait(self, expression, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.js(expression):
                return True
            time.sleep(0.05)
        return False

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, **more})

    def key(self, key, code=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": code or key})

    def picture(self, path, whole=False, clip=None, kind="png"):
        parameters = {"format": kind, "captureBeyondViewport": whole or clip is not None}
        if clip:
            parameters["clip"] = {**clip, "scale": 1}
        elif whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", parameters)["data"]))

    def complaints(self):
        self.js("0")
        said = [
            " ".join(str(a.get("value", a.get("description", ""))) for a in e["args"])
            for e in self.own("Runtime.consoleAPICalled")
            if e["type"] in ("error", "warning", "assert")
        ]
        thrown = [
            e["exceptionDetails"].get("exception", {}).get("description", e["exceptionDetails"]["text"])
            for e in self.own("Runtime.exceptionThrown")
        ]
        logged = [e["entry"]["text"] for e in self.own("Log.entryAdded") if e["entry"]["level"] in ("error", "warning")]
        return said + thrown + logged

    def requests(self):
        return [e["request"]["url"] for e in self.own("Network.requestWillBeSent")]

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})
