#!/usr/bin/env python3
"""The pages of runs in a real browser: page.py LIVENS SOURCE. One line a fact; the end says how many did not hold."""
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from browser import Browser

livens, source = sys.argv[1], sys.argv[2]
os.chdir(tempfile.mkdtemp(prefix="livens-page-"))
failures = []


def holds(fact, value, more=""):
    if not value:
        failures.append(fact)
        print("FAILED", fact, more)


def run(name, *arguments, model=None):
    subprocess.run([livens, "run", model or name, "--out", name, "--report", "--quiet", *arguments], check=True)
    return "file://" + os.path.abspath(name + "/report.html")


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def still(page):
    """Seen once, nothing more is asked of the network."""
    return [address for address in page.requests() if not address.startswith(("file:", "blob:"))]


HOSTILE = """
title = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
system.kind = "lagrangian"
system.coordinates = ["x_a", "y_a"]
system.lagrangian = "(x_a'^2 + y_a'^2)/2 - y_a"
system.parameters = { m = 1.0 }
system.units = { x_a = "<b>m</b>", t = "</script>" }
system.descriptions = { x_a = "\\"><script>alert(3)</script>" }
initial = { q = [0.0, 0.0], v = [1.0, 1.0] }
method.name = "rattle"
run = { step = 0.1, end = 3.0 }
"""
CART = """
title = "Cart and pendulum"
system.kind = "lagrangian"
system.coordinates = ["x_c", "x1", "y1"]
system.lagrangian = "x_c'^2 + (x1'^2 + y1'^2)/2 - 9.81*y1"
system.constraints = ["((x1 - x_c)^2 + y1^2 - 1)/2"]
system.units = { x_c = "m", x1 = "m", y1 = "m", t = "s" }
initial = { q = [0.0, 0.6, -0.8], v = [0.0, 0.0, 0.0] }
method.name = "rattle"
run = { step = 0.01, end = 10.0 }
"""

# ---- 8 runs: what each page must have ------------------------------------------------------------------------------
write("cart.toml", CART)
runs = {
    "double-pendulum": (run("double-pendulum"), "space", 2, 2),
    "slider-crank": (run("slider-crank", "--set", "run.end=1.0"), "flat", 3, 0),
    "bricard": (run("bricard", "--set", "run.end=2.0"), "space", 5, 0),
    "top-body": (run("top-body", "--set", "run.end=0.5"), "space", 1, 0),
    "chain": (run("chain", "--set", "run.end=0.2", "--set", "run.every=1"), "space", 32, 32),
    "lotka-volterra": (run("lotka-volterra"), "flat", 1, 0),
    "guiding-centre": (run("guiding-centre"), "space", 1, 0),
    "cart": (run("cart", model="./cart.toml"), "flat", 2, 1),
}
browser = Browser()
for name, (address, view, places, rods) in runs.items():
    page = browser.open(address, calm=True)
    holds(f"{name}: view", page.js("document.getElementById('stage').dataset.view") == view)
    holds(f"{name}: places", page.js("livens.stage.motion.places") == places)
    holds(f"{name}: rods", page.js("(livens.stage.motion.view.rods || []).length") == rods)
    holds(f"{name}: still pictures give way", page.js("document.getElementById('still').hidden"))
    holds(
        f"{name}: plots have numbers",
        page.js("livens.plots.groups[0].plots.length > 0 && livens.plots.groups[0].plots[0].raw[1].length > 10"),
    )
    holds(
        f"{name}: something is drawn",
        page.js(
            """(() => { const c = document.querySelector('.screen canvas');
        const small = document.createElement('canvas'); small.width = small.height = 64; const pen = small.getContext('2d');
        pen.drawImage(c, 0, 0, 64, 64); const d = pen.getImageData(0, 0, 64, 64).data; const seen = new Set();
        for (let k = 0; k < d.length; k += 4) seen.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]); return seen.size > 4; })()"""
        ),
    )
    page.js("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    holds(
        f"{name}: every plot is drawn",
        page.wait("livens.plots.groups.every((g) => g.plots.every((p) => p.u && p.body.querySelector('canvas')))"),
    )
    complaints = [
        c for c in page.complaints() if "GPU stall" not in c
    ]  # of the software renderer, when it is looked at
    holds(f"{name}: nothing is complained about", not complaints, complaints)
    holds(f"{name}: nothing is fetched", not still(page), still(page))
    holds(f"{name}: size", os.path.getsize(name + "/report.html") < 1_500_000)
    page.close()

# ---- the clock moves everything ------------------------------------------------------------------------------------
page = browser.open(runs["slider-crank"][0], height=4000)
holds("it plays by itself", page.wait("livens.clock.playing && livens.clock.t > livens.clock.first"))
page.key(" ")
holds("space pauses", page.js("!livens.clock.playing"))
before = page.js("livens.stage.view.canvas.toDataURL()")
page.js(
    "(() => { const s = document.querySelector('input[type=range]'); s.value = 7000; s.dispatchEvent(new Event('input')); })()"
)
holds("scrubbing moves the view", page.js("livens.stage.view.canvas.toDataURL()") != before)
heads = page.js(
    """livens.plots.groups.filter((g) => g.details.open).flatMap((g) => g.plots).map((p) => {
    const box = p.head.getBoundingClientRect(), over = p.u.over.getBoundingClientRect(); return (box.left - over.left) / over.width; })"""
)
holds("scrubbing moves all cursors", len(heads) > 3 and all(abs(x - 0.7) < 0.02 for x in heads), heads)
holds("values are told at the cursor", page.js("document.querySelector('.live .value').textContent.length > 0"))
t = page.js("livens.clock.t")
page.key("ArrowRight")
holds(
    "a step is one frame",
    abs(page.js("livens.clock.t") - t - page.js("livens.stage.motion.view.times.step")) < 1e-9
    or 0 < page.js("livens.clock.t") - t < page.js("2*livens.stage.motion.view.times.step"),
)
page.key("End")
holds("End goes to the end", page.js("livens.clock.t === livens.clock.last"))
box = page.js(
    "(() => { const p = livens.plots.groups[0].plots[0]; p.figure.scrollIntoView(); const b = p.u.over.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()"
)
page.mouse("mouseMoved", box[0] + 0.3 * box[2], box[1] + 60)
page.mouse("mousePressed", box[0] + 0.3 * box[2], box[1] + 60)
page.mouse("mouseMoved", box[0] + 0.6 * box[2], box[1] + 60, buttons=1)
page.mouse("mouseReleased", box[0] + 0.6 * box[2], box[1] + 60)
scales = page.js(
    "livens.plots.groups.filter((g) => g.details.open).flatMap((g) => g.plots).map((p) => [p.u.scales.x.min, p.u.scales.x.max])"
)
holds(
    "zoom is linked",
    len({tuple(s) for s in scales}) == 1 and abs(scales[0][0] - 0.3) < 0.02 and abs(scales[0][1] - 0.6) < 0.02,
    scales[:2],
)
holds("hover tells values in other plots", page.js("livens.plots.groups[0].plots[1].values[0].textContent.length > 0"))
svg = page.js(
    "window.svgText = null; (() => { const p = livens.plots.groups[0].plots[0]; return p.figure.querySelectorAll('.tools button').length; })()"
)
holds("plots can be taken away", svg >= 3)
page.close()

# ---- words that want to be markup ----------------------------------------------------------------------------------
write("hostile.toml", HOSTILE)
page = browser.open(run("hostile", model="./hostile.toml"), calm=True)
holds("a hostile title is text", page.js("document.querySelector('h1').textContent.startsWith('</script>')"))
holds("nothing of it became an element", page.js("document.querySelectorAll('img, iframe, h1 *, .key b').length === 0"))
holds("scripts are ours", page.js("document.scripts.length === 2"))
holds("units are text", page.js("document.body.textContent.includes('(<b>m</b>)')"))
holds("no complaint", not [c for c in page.complaints() if "GPU stall" not in c], page.complaints())
holds(
    "the policy forbids other scripts",
    page.js(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1'; document.body.append(s); return window.bad === undefined; })()"
    ),
)
page.close()

# ---- back in time, no step done, one coordinate, a part of the coordinates ----------------------------------------
write(
    "one.toml",
    'system.kind = "lagrangian"\nsystem.coordinates = ["x"]\nsystem.lagrangian = "x\'^2/2 - x^2/2"\n'
    'initial = { q = [1.0], v = [0.0] }\nmethod.name = "rattle"\nrun = { step = 0.1, end = 50.0 }\n',
)
odd = {
    "back": ["pendulum", "--set", "run.step=-0.01", "--set", "run.end=-2.0"],
    "one": ["./one.toml"],
    "none": ["pendulum", "--set", "run.step=5", "--set", "run.steps=10"],
    "some": ["double-pendulum", "--set", "run.steps=200", "--set", 'record.coordinates=["x1", "z1"]'],
    "bodies": ["bricard", "--set", "run.steps=20", "--set", 'record.coordinates=["rod1.x"]'],
}
for name, arguments in odd.items():
    subprocess.run([livens, "run", *arguments, "--out", name, "--report", "--quiet"], stderr=subprocess.DEVNULL)
    page = browser.open("file://" + os.path.abspath(name + "/report.html"), calm=True)
    holds(f"{name}: it is shown", page.js("livens.plots.groups.length > 0 && document.getElementById('still').hidden"))
    page.js("livens.clock.seek((livens.clock.first + livens.clock.last) / 2)")
    complaints = [c for c in page.complaints() if "GPU stall" not in c]
    holds(f"{name}: nothing is complained about", not complaints, complaints)
    page.close()

# ---- events and accuracy, where a run has them ---------------------------------------------------------------------
run("estimated", "--estimate", "--set", "run.end=2.0", model="./cart.toml")
with open("estimated/summary.json") as file:
    summary = json.load(file)
summary["events"] = [{"t": 0.5, "kind": "impact", "constraint": 1}, {"t": 1.25, "kind": "record", "name": "<i>low</i>"}]
write("estimated/summary.json", json.dumps(summary))
subprocess.run([livens, "report", "estimated"], check=True, stderr=subprocess.DEVNULL)
page = browser.open("file://" + os.path.abspath("estimated/report.html"), calm=True)
holds("the estimate stands on top", page.js("document.querySelector('header .accuracy').textContent.length > 20"))
holds(
    "its course is a plot",
    page.js("livens.plots.groups.some((g) => g.plots.some((p) => p.plot.title === 'Estimated error'))"),
)
holds(
    "events are listed as text",
    page.js("[...document.querySelectorAll('.events td')].map((d) => d.textContent).join()")
    == "0.5,impact,constraint 1,1.25,record,<i>low</i>",
)
page.js("document.querySelectorAll('.events button')[1].click()")
holds("an event moves the view", page.js("livens.clock.t") == 1.25)
page.close()

# ---- run --open ----------------------------------------------------------------------------------------------------
write("browser.sh", '#!/bin/sh\nprintf %s "$1" > opened.part && mv opened.part opened\n')
os.chmod("browser.sh", 0o755)
with_browser = {**os.environ, "BROWSER": os.path.abspath("browser.sh")}
opens = ["run", "pendulum", "--set", "run.steps=5", "--out", "shown", "--quiet", "--open"]
holds(
    "--open needs --report",
    subprocess.run([livens, *opens], stderr=subprocess.DEVNULL).returncode == 2 and not os.path.exists("shown"),
)
subprocess.run([livens, *opens, "--report"], env=with_browser, check=True)
for _ in range(100):
    if os.path.exists("opened"):
        break
    time.sleep(0.05)
with open("opened") as file:
    holds("--open opens the page", file.read() == os.path.abspath("shown/report.html"))

# ---- dark, small, without script, without WebGL --------------------------------------------------------------------
page = browser.open(runs["double-pendulum"][0], width=390, height=800, dark=True, calm=True)
holds("calm: it does not play by itself", page.js("!livens.clock.playing"))
holds("dark", page.js("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)")
holds(
    "nothing is wider than a phone",
    page.js("document.documentElement.scrollWidth <= 390"),
    page.js("document.documentElement.scrollWidth"),
)
page.close()
page = browser.open(runs["double-pendulum"][0], script=False)
document = page.call("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
figures = page.call("DOM.querySelectorAll", {"nodeId": document, "selector": "#still svg"})["nodeIds"]
hidden = page.call("DOM.querySelectorAll", {"nodeId": document, "selector": "#still[hidden]"})["nodeIds"]
holds("without script there are the still pictures", len(figures) > 4 and not hidden)
page.close()

# ---- studies -------------------------------------------------------------------------------------------------------
subprocess.run(
    [livens, "study", "order", "pendulum", "--set", "run.end=1.0", "--step-sizes", "0.1,0.05,0.025", "--out", "order"],
    check=True,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
page = browser.open("file://" + os.path.abspath("order/order.html"))
holds("a study: plots", page.js("livens.plots.length === 1 && livens.plots[0].u !== null"))
holds("a study: powers of ten", page.js("livens.plots[0].u.axes[1]._values.some((v) => v.startsWith('10'))"))
holds(
    "a study: its slope is drawn",
    page.js("[...document.querySelectorAll('.key')].some((k) => k.textContent === 'slope 2')"),
)
holds("a study: the table beside", page.js("document.querySelectorAll('.beside tbody tr').length === 3"))
holds("a study: no complaint", not page.complaints(), page.complaints())
page.close()

# ---- a million rows, a thousand masses -----------------------------------------------------------------------------
subprocess.run(
    [
        livens,
        "run",
        "pendulum",
        "--out",
        "million",
        "--quiet",
        "--report",
        "--set",
        "run.step=0.001",
        "--set",
        "run.steps=1000000",
    ],
    check=True,
)
begin = time.monotonic()
page = browser.open("file://" + os.path.abspath("million/report.html"), calm=True)
page.wait("window.livens !== undefined")
opened = time.monotonic() - begin
own = page.js("performance.now()")
print(f"a million rows: {os.path.getsize('million/report.html') / 1e6:.2f} MB, opens in {opened:.2f} s")
holds("a million rows open in two seconds", opened < 2 * float(os.environ.get("LIVENS_SLOWER", "2")), opened)
holds(
    "it says how it was thinned",
    page.js("document.querySelector('.hint').textContent.includes('lowest and the highest')"),
)
page.close()
subprocess.run(
    [
        livens,
        "run",
        "chain",
        "--out",
        "thousand",
        "--quiet",
        "--report",
        "--set",
        "system.parameters.N=1000",
        "--set",
        "run.step=1e-4",
        "--set",
        "run.end=0.02",
        "--set",
        "run.every=4",
    ],
    check=True,
)
page = browser.open("file://" + os.path.abspath("thousand/report.html"))
page.wait("livens.clock.frames > 15", 30)
frames, spent = page.js("[livens.clock.frames, livens.clock.spent]")
update = page.js(
    """(() => { const v = livens.stage.view; v.render = () => {}; const n = 40, begin = performance.now();
    for (let k = 0; k < n; ++k) livens.clock.seek(livens.clock.first + (k + 0.5) / n * (livens.clock.last - livens.clock.first));
    return (performance.now() - begin) / n; })()"""
)
print(
    f"a thousand masses: {update:.2f} ms of script a frame, {spent / max(frames, 1):.1f} ms with the software renderer"
)
holds("a thousand masses take 4 ms a frame", update < 4 * float(os.environ.get("LIVENS_SLOWER", "2")), update)
page.close()

# ---- watch ---------------------------------------------------------------------------------------------------------
watch = subprocess.Popen(
    [
        livens,
        "watch",
        "pendulum",
        "--no-open",
        "--out",
        "watched",
        "--set",
        "run.step=1e-5",
        "--set",
        "run.end=20.0",
        "--set",
        "run.every=100",
    ],
    stderr=subprocess.PIPE,
    text=True,
)
address = re.search(r"http://\S+", watch.stderr.readline())[0]
port, token = int(re.search(r":(\d+)/", address)[1]), address.rstrip("/").rsplit("/", 1)[1]


def ask(path, host=None):
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    client.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    return client.getresponse().status


holds(
    "watch refuses a wrong token",
    ask("/" + "0" * 32 + "/") == 403 and ask("/") == 403 and ask(f"/{token[:-1]}/data") == 403,
)
holds(
    "watch refuses another host",
    ask(f"/{token}/", "evil.example") == 403 and ask(f"/{token}/data", f"evil.example:{port}") == 403,
)
holds("watch knows two paths", ask(f"/{token}/../../etc/passwd") == 404)
page = browser.open(address, calm=True)
first = page.js("livens.stage.motion.last")
holds("a page that follows grows", page.wait(f"livens.stage.motion.last > {first}", 20))
holds(
    "it ends with the verdict",
    page.wait("document.getElementById('verdict').textContent.startsWith('Finished')", 60),
    page.js("document.getElementById('verdict').textContent"),
)
holds("the page keeps what it has", page.js("livens.stage.motion.last") == 20)
holds("watch ends with the run", watch.wait(20) == 0)
holds("it leaves a page", os.path.exists("watched/report.html"))
holds("only its server was asked", all(a.startswith((address, "blob:")) for a in page.requests()), page.requests())
page.close()
browser.close()

# ---- no WebGL ------------------------------------------------------------------------------------------------------
browser = Browser(webgl=False)
page = browser.open(runs["double-pendulum"][0], calm=True)
holds("without WebGL there are lines", page.js("document.getElementById('stage').dataset.view") == "flat")
page.close()
browser.close()
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
