#!/usr/bin/env python3
"""The pages of runs in a real browser: page.py LIVENS SOURCE. One line a fact; the end says how many did not hold."""
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from browser import Browser

livens, source = sys.argv[1], sys.argv[2]
os.chdir(tempfile.mkdtemp(prefix="livens-page-"))
failures = []


def holds(fact, value, more=""):
    if not value:
        failures.append(fact)
        print("FAILED", fact, more)


# All that is looked at is computed beside the looking: two at a time, in the order of their need.
workers, ready = ThreadPoolExecutor(2), {}


def prepare(name, *arguments, page="report.html", fails=False):
    def work():
        done = subprocess.run([livens, *arguments, "--out", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != int(fails):
            raise RuntimeError(f"{arguments}: status {done.returncode}")
        return f"file://{os.path.abspath(name)}/{page}"

    ready[name] = workers.submit(work)


def run(name, *settings, model=None, more=(), fails=False):
    sets = [word for setting in settings for word in ("--set", setting)]
    prepare(name, "run", model or name, "--report", "--quiet", *sets, *more, fails=fails)


def address_of(name):
    return ready[name].result()


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

ONE = """
system.kind = "lagrangian"
system.coordinates = ["x"]
system.lagrangian = "x'^2/2 - x^2/2"
initial = { q = [1.0], v = [0.0] }
method.name = "rattle"
run = { step = 0.1, end = 50.0 }
"""
BOB = """
system.kind = "multibody"
system.gravity = [0.0, 0.0, -9.81]
body = [{ name = "bob", mass = 1.0, shape = { type = "sphere", radius = 0.05 }, position = [0.0, 0.0, -0.6] }]
spring = [{ bodies = ["ground", "bob"], stiffness = 40.0, length = 0.5 }]
method.name = "rattle"
run = { step = 0.01, end = 1.0 }
"""
long_name = "a_name_that_nobody_would_write_but_somebody_will_one_day_and_then_the_page_must_not_break_" * 2

# ---- what is looked at: 8 runs with their views, places and rods, and others ---------------------------------------
write("cart.toml", CART)
write("hostile.toml", HOSTILE)
write("one.toml", ONE)
write("bob.toml", BOB)
write("wide.toml", ONE.replace("x", long_name) + f'title = "{long_name}"\n')
shown = {
    "double-pendulum": ("space", 2, 2),
    "slider-crank": ("flat", 3, 0),
    "bricard": ("space", 5, 0),
    "top-body": ("space", 1, 0),
    "chain": ("space", 32, 32),
    "lotka-volterra": ("flat", 1, 0),
    "guiding-centre": ("space", 1, 0),
    "cart": ("flat", 2, 1),
}
run("double-pendulum")
run("slider-crank", "run.end=1.0")
run("bricard", "run.end=2.0")
run("top-body", "run.end=0.5")
run("chain", "run.end=0.2", "run.every=1")
run("lotka-volterra")
run("guiding-centre")
run("cart", model="./cart.toml")
run("hostile", model="./hostile.toml")
run("back", "run.step=-0.01", "run.end=-2.0", model="pendulum")
run("long back", "run.step=-0.001", "run.end=-20.0", "run.every=1", model="pendulum")
run("one", model="./one.toml")
run("none", "run.step=5", "run.steps=10", model="pendulum", fails=True)
run("some", "run.steps=200", 'record.coordinates=["x1", "z1"]', model="double-pendulum")
run("bodies", "run.steps=20", 'record.coordinates=["rod1.x"]', model="bricard")
run("undrawn", 'view.points=[["x", "sqrt(0.5 - x)"]]', model="./one.toml")
run("wide", model="./wide.toml")
run("tethered-satellites", "run.end=100.0")
run("bob", model="./bob.toml")
run("estimated", "run.end=2.0", model="./cart.toml", more=["--estimate"])
sizes = ["--step-sizes", "0.1,0.05,0.025"]
prepare("order", "study", "order", "pendulum", "--set", "run.end=1.0", *sizes, page="order.html")
prepare("advice", "advise", "pendulum", "--set", "run.end=1.0", page="advice.html")
run("million", "run.step=0.001", "run.steps=1000000", model="pendulum")
run("thousand", "system.parameters.N=1000", "run.step=1e-4", "run.end=0.02", "run.every=4", model="chain")

browser = Browser()
for name, (view, places, rods) in shown.items():
    page = browser.open(address_of(name), width=800, height=500, calm=True)
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
        page.wait(
            """(() => {
        const small = document.createElement('canvas'), pen = small.getContext('2d'), seen = new Set();
        small.width = small.height = 64;
        pen.drawImage(document.querySelector('.screen canvas'), 0, 0, 64, 64);
        const d = pen.getImageData(0, 0, 64, 64).data;
        for (let k = 0; k < d.length; k += 4) seen.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]);
        return seen.size > 4; })()"""
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

# ---- springs in space
page = browser.open(address_of("bob"), calm=True)
turns = page.js(
    """(() => {
    const { view } = livens.stage, length = [];
    view.scene.traverse((part) => {
      if (part.geometry?.type !== 'TubeGeometry') return;
      part.geometry.computeBoundingBox();
      const { boundingBox, parameters } = part.geometry;
      length.push((boundingBox.max.z / 10) * part.scale.z, 2 * parameters.radius * part.scale.z);
    });
    return length; })()"""
)
holds("between the ten turns of a coil is room", len(turns) == 2 and turns[1] < 0.5 * turns[0], turns)
holds("the end of a spring in the ground is in the picture", page.js("livens.stage.view.box.max.z") >= 0)
page.close()

# ---- the clock moves everything ------------------------------------------------------------------------------------
page = browser.open(address_of("slider-crank"), height=4000)
holds("it plays by itself", page.wait("livens.clock.playing && livens.clock.t > livens.clock.first"))
page.key(" ")
holds("space pauses", page.js("!livens.clock.playing"))
before = page.js("livens.stage.view.canvas.toDataURL()")
page.js(
    """(() => { const s = document.querySelector('input[type=range]'); s.value = 7000;
    s.dispatchEvent(new Event('input')); })()"""
)
holds("scrubbing moves the view", page.js("livens.stage.view.canvas.toDataURL()") != before)
heads = page.js(
    """livens.plots.groups.filter((g) => g.details.open).flatMap((g) => g.plots).map((p) => {
    const box = p.head.getBoundingClientRect(), over = p.u.over.getBoundingClientRect();
    return (box.left - over.left) / over.width; })"""
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
    """(() => { const p = livens.plots.groups[0].plots[0]; p.figure.scrollIntoView();
    const b = p.u.over.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()"""
)
page.mouse("mouseMoved", box[0] + 0.3 * box[2], box[1] + 60)
page.mouse("mousePressed", box[0] + 0.3 * box[2], box[1] + 60)
page.mouse("mouseMoved", box[0] + 0.6 * box[2], box[1] + 60, buttons=1)
page.mouse("mouseReleased", box[0] + 0.6 * box[2], box[1] + 60)
scales = page.js(
    """livens.plots.groups.filter((g) => g.details.open).flatMap((g) => g.plots)
    .map((p) => [p.u.scales.x.min, p.u.scales.x.max])"""
)
holds(
    "zoom is linked",
    len({tuple(s) for s in scales}) == 1 and abs(scales[0][0] - 0.3) < 0.02 and abs(scales[0][1] - 0.6) < 0.02,
    scales[:2],
)
holds("hover tells values in other plots", page.js("livens.plots.groups[0].plots[1].values[0].textContent.length > 0"))
holds("a drag does not move the clock", page.js("livens.clock.t === livens.clock.last"))
page.js(
    """window.saved = {}; URL.createObjectURL = (blob) => { saved[blob.type] = blob; return 'blob:'; };
    HTMLAnchorElement.prototype.click = () => {};
    livens.plots.groups[0].plots[1].figure.querySelectorAll('.tools button').forEach((b, k) => k > 0 && b.click())"""
)
page.wait("'image/png' in saved")
csv = page.js("saved['text/csv'].text()").split("\n")
times = [float(line.split(",")[0]) for line in csv[1:] if line]
holds("CSV has what is shown", csv[0] == "t,constraint,hidden constraint", csv[0])
holds("and no more", scales[0][0] <= times[0] and times[-1] <= scales[0][1] and len(times) > 50, len(times))
svg = page.js("saved['image/svg+xml'].text()")
holds("SVG has curves and names", svg.count("<path d=\"M") >= 4 and "hidden constraint" in svg)
holds("PNG has the size of the plot", page.js("saved['image/png'].size > 3000"))
page.close()

page = browser.open(address_of("cart"), calm=True)
units = page.js(
    "Object.fromEntries(livens.plots.groups.map("
    "(g) => [g.details.querySelector('h2').textContent, g.plots[0].unit]))"
)
expected = {"Coordinates": "m", "Velocities": "m/s", "Momenta": ""}
holds("units are those of what is drawn", units == {**units, **expected}, units)
page.close()

# ---- words that want to be markup ----------------------------------------------------------------------------------
page = browser.open(address_of("hostile"), calm=True)
holds("a hostile title is text", page.js("document.querySelector('h1').textContent.startsWith('</script>')"))
holds("nothing of it became an element", page.js("document.querySelectorAll('img, iframe, h1 *, .key b').length === 0"))
holds("scripts are ours", page.js("document.scripts.length === 2"))
holds("units are text", page.js("document.body.textContent.includes('(<b>m</b>)')"))
holds("no complaint", not [c for c in page.complaints() if "GPU stall" not in c], page.complaints())
holds(
    "the policy forbids other scripts",
    page.js(
        """(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';
        document.body.append(s); return window.bad === undefined; })()"""
    ),
)
page.close()

# ---- back in time, no step done, one coordinate, a part of the coordinates ----------------------------------------
for name in ("back", "long back", "one", "none", "some", "bodies", "undrawn"):
    page = browser.open(address_of(name), width=800, height=500, calm=True)
    holds(f"{name}: it is shown", page.js("livens.plots.groups.length > 0 && document.getElementById('still').hidden"))
    page.js("livens.clock.seek((livens.clock.first + livens.clock.last) / 2)")
    complaints = [c for c in page.complaints() if "GPU stall" not in c]
    holds(f"{name}: nothing is complained about", not complaints, complaints)
    why = page.js("document.querySelector('.stage[hidden]')?.previousElementSibling.textContent ?? ''")
    undrawn = name in ("some", "bodies", "undrawn")
    holds(f"{name}: why nothing is drawn", why.startswith("The motion is not drawn") == undrawn, why)
    page.close()
for name in ("back", "long back"):
    page = browser.open(address_of(name), calm=True)
    shown = "livens.plots.groups.flatMap((g) => g.plots).filter((p) => p.raw)"
    holds(
        f"{name}: time goes from left to right",
        page.js(f"{shown}.length > 0 && {shown}.every((p) => p.raw[0].every((t, i, all) => !i || all[i - 1] <= t))"),
    )
    with open(f"{name}/summary.json") as file:
        last = json.load(file)["final"]["q"][0]
    holds(f"{name}: the end is at the left", abs(page.js(f"{shown}.find((p) => p.plot.title === 'x, y').raw[1][0]") - last) < 1e-3, last)
    page.close()
page = browser.open(address_of("wide"), calm=True)
holds("long names are broken", page.js("document.documentElement.scrollWidth <= 1200"))
page.close()
page = browser.open(address_of("tethered-satellites"), width=800, height=500, calm=True)
distance = "livens.stage.view.camera.position.distanceTo(livens.stage.view.middle)"
before = page.js(distance)
page.js("livens.clock.seek(livens.clock.last)")
holds("what goes far is followed", abs(page.js(distance) / before - 1) < 1e-3 and before < 10, before)
page.key("c")
holds("or seen as a whole", page.js(distance) > 3 * before)
page.close()

# ---- events and accuracy, where a run has them ---------------------------------------------------------------------
address_of("estimated")
with open("estimated/summary.json") as file:
    summary = json.load(file)
del summary["check"]  # of what the program wrote
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
drawn = page.js(
    "(() => { const at = []; const all = livens.plots, kept = all.events;"
    " all.events = Array.from({ length: 1000 }, (_, k) => ({ t: k / 2 }));"
    " all.groups[0].plots[0].drawEvents({ bbox: { left: 0, top: 0, width: 300, height: 9 }, valToPos: (t) => t,"
    " ctx: { save() {}, restore() {}, setLineDash() {}, beginPath() {}, stroke() {}, lineTo() {},"
    " moveTo: (x) => at.push(x) } }); all.events = kept; return [at.length, Math.max(...at)]; })()"
)
holds("of many events every column that has one is drawn", drawn == [301, 300.5], drawn)
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
page = browser.open(address_of("double-pendulum"), width=390, height=800, dark=True, calm=True)
holds("calm: it does not play by itself", page.js("!livens.clock.playing"))
holds("dark", page.js("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)")
holds(
    "nothing is wider than a phone",
    page.js("document.documentElement.scrollWidth <= 390"),
    page.js("document.documentElement.scrollWidth"),
)
page.close()
page = browser.open(address_of("double-pendulum"), script=False)
document = page.call("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
figures = page.call("DOM.querySelectorAll", {"nodeId": document, "selector": "#still svg"})["nodeIds"]
hidden = page.call("DOM.querySelectorAll", {"nodeId": document, "selector": "#still[hidden]"})["nodeIds"]
holds("without script there are the still pictures", len(figures) > 4 and not hidden)
page.close()

# ---- studies -------------------------------------------------------------------------------------------------------
page = browser.open(address_of("advice"), width=390, height=800)
holds("a sheet is not wider than a phone", page.js("document.documentElement.scrollWidth <= 390"))
page.close()
page = browser.open(address_of("order"))
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
address = address_of("million")
begin = time.monotonic()
page = browser.open(address, calm=True)
page.wait("window.livens !== undefined")
opened = time.monotonic() - begin
print(f"a million rows: {os.path.getsize('million/report.html') / 1e6:.2f} MB, opens in {opened:.2f} s")
holds("a million rows open in two seconds", opened < 2 * float(os.environ.get("LIVENS_SLOWER", "2")), opened)
holds(
    "it says how it was thinned",
    page.js("document.querySelector('.hint').textContent.includes('lowest and the highest')"),
)
page.close()
page = browser.open(address_of("thousand"), width=800, height=500, calm=True)
update = page.js(
    """(() => { const { clock, stage } = livens, n = 40, begin = performance.now();
    stage.view.render = () => {};
    for (let k = 0; k < n; ++k) clock.seek(clock.first + (k + 0.5) / n * (clock.last - clock.first));
    return (performance.now() - begin) / n; })()"""
)
print(f"a thousand masses: {update:.2f} ms of script a frame")
holds("a thousand masses take 4 ms a frame", update < 4 * float(os.environ.get("LIVENS_SLOWER", "2")), update)
page.close()

# ---- watch ---------------------------------------------------------------------------------------------------------
sets = ["--set", "run.step=1e-5", "--set", "run.end=20.0", "--set", "run.every=100"]
watch = subprocess.Popen(
    [livens, "watch", "pendulum", "--no-open", "--out", "watched", *sets], stderr=subprocess.PIPE, text=True
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
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
holds("watch is not kept by who says nothing", ask(f"/{token}/other") == 404)
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
page = browser.open(address_of("double-pendulum"), calm=True)
holds("without WebGL there are lines", page.js("document.getElementById('stage').dataset.view") == "flat")
page.close()
browser.close()
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
