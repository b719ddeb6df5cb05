#!/usr/bin/env python3
"""The pictures of the documentation, out of pages: pictures.py LIVENS FOLDER. Takes minutes."""
import os
import shutil
import subprocess
import sys
import tempfile

from browser import Browser

livens, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
scratch = tempfile.mkdtemp(prefix="livens-pictures-")
os.chdir(scratch)


def run(name, *arguments):
    subprocess.run([livens, "run", name, "--out", name, "--report", "--quiet", *arguments], check=True)
    return "file://" + os.path.abspath(name + "/report.html")


def at(page, part):
    page.js(f"livens.clock.seek(livens.clock.first + {part} * (livens.clock.last - livens.clock.first))")


def stage_of(page):
    box = page.js("document.getElementById('stage').getBoundingClientRect().toJSON()")
    return {key: box[key] for key in ("x", "y", "width", "height")}


def webp(png, out, quality=82):
    subprocess.run(["cwebp", "-quiet", "-q", str(quality), "-m", "6", png, "-o", out], check=True)


# name, options of the run, part of the time, size, dark, what of the page: the top of it, or the view alone
pictures = [
    ("double-pendulum", [], 0.42, (1200, 1500), False, "top"),
    ("double-four-bar-body", [], 0.13, (900, 900), False, "view"),
    ("top-body", [], 0.3, (900, 900), False, "view"),
    ("chain", ["--set", "system.parameters.N=100", "--set", "run.step=5e-4"], 0.7, (900, 900), False, "view"),
    ("bricard", [], 0.4, (900, 900), True, "view"),
    ("guiding-centre", [], 0.6, (900, 900), True, "view"),
    ("lotka-volterra", [], 0.9, (900, 900), False, "view"),
    ("governor", [], 0.4, (390, 844), True, "top"),
]
browser = Browser()
for name, options, part, (width, height), dark, what in pictures:
    page = browser.open(run(name, *options), width=width, height=height, dark=dark, calm=True)
    at(page, part)
    page.wait("false", 0.5)
    png = name + ".png"
    if what == "top":
        page.picture(png)
    else:
        page.picture(png, clip=stage_of(page))
    webp(png, os.path.join(folder, "page-" + name + ".webp"))
    page.close()

# The animation of the README: ten seconds of the double pendulum, 15 pictures a second.
page = browser.open("file://" + os.path.abspath("double-pendulum/report.html"), width=720, height=900, calm=True)
page.js("document.querySelector('.screen').style.height = '330px'")
page.wait("false", 0.5)
box = stage_of(page)
frames, rate = 150, 15
for k in range(frames):
    page.js(f"livens.clock.seek({k / rate})")
    page.picture(f"frame-{k:03}.png", clip=box)
browser.close()
subprocess.run(
    [
        "img2webp",
        "-loop",
        "0",
        "-d",
        str(1000 // rate),
        "-lossy",
        "-q",
        "55",
        "-m",
        "4",
        "-mixed",
        *[f"frame-{k:03}.png" for k in range(frames)],
        "-o",
        os.path.join(folder, "double-pendulum.webp"),
    ],
    check=True,
    stdout=subprocess.DEVNULL,
)
shutil.rmtree(scratch)
