import pathlib
import subprocess
import sys

import pytest


@pytest.fixture
def source():
    """The root of the repository."""
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def python():
    """Runs a program in another interpreter."""

    def call(text, **keywords):
        return subprocess.run([sys.executable, "-c", text], text=True, capture_output=True, **keywords)

    return call
