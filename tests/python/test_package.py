"""The package: types, pip, time to import."""

import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import livens
import pytest
from livens import _core


def test_import_is_fast_and_a_tiny_run_too(python):
    python("import livens")
    words = "import time; a = time.process_time(); import livens; print(time.process_time() - a)"
    assert min(float(python(words).stdout) for _ in range(3)) < 0.3
    best = 1.0
    for _ in range(5):
        begin = time.process_time()
        livens.run("pendulum", **{"run.steps": 10})
        best = min(best, time.process_time() - begin)
    assert best < 0.002


def test_types_are_checked(tmp_path, source):
    package = pathlib.Path(livens.__file__).parent
    (tmp_path / "use.py").write_text(
        "import livens\n"
        "run = livens.run('pendulum', method=livens.method.galerkin(s=2, quadrature='lobatto'))\n"
        "reveal_type(run.q)\n"
        "livens.method.galerkin(s='two')\n"
    )
    # What a reader may write: the documentation, and numbers of NumPy wherever numbers stand.
    for page in ("README.md", "docs/python.md", "docs/first-steps.md"):
        blocks = re.findall("^```python\n(.*?)^```", (source / page).read_text(), re.MULTILINE | re.DOTALL)
        assert blocks
        (tmp_path / page.lower().replace("/", "_").replace("-", "_").replace(".md", ".py")).write_text("".join(blocks))
    (tmp_path / "of_numpy.py").write_text(
        "import livens\nimport numpy as np\n"
        "swing = livens.Lagrangian(coordinates='x', lagrangian=\"k*x'^2/2\", parameters={'k': np.float64(2)},\n"
        "    q=np.zeros(1), v=[np.float64(1)], method='rattle', step=np.float64(0.1), steps=3)\n"
        "livens.sweep(swing, {'system.parameters.k': np.linspace(1, 2, 3)}, workers=2, **{'run.every': 3})\n"
        "livens.run(swing, progress=False, **{'run.every': 3})\n"
        "livens.study_order(swing, step_sizes=[np.float64(0.1), '1/20'], **{'run.end': 1.0})\n"
        "livens.study_order(swing, step_sizes=np.array([0.1, 0.05]), **{'run.end': 1.0})\n"
        "livens.resume('run', end=np.float64(3))\n"
    )
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        source / "pyproject.toml",
        "--cache-dir",
        package.parent / "mypy",
    ]
    said = subprocess.run([*command, *tmp_path.glob("*.py"), package], capture_output=True, text=True, cwd=tmp_path)
    lines = [line for line in said.stdout.splitlines() if "use.py" in line]
    assert any("float64" in line or "floating" in line for line in lines), said.stdout
    assert 'incompatible type "str"; expected "int"' in said.stdout and "Found 1 error in 1 file" in said.stdout


def test_the_stub_names_what_the_module_has():
    stub = ast.parse((pathlib.Path(livens.__file__).parent / "_core.pyi").read_text())
    public = lambda names: {name for name in names if not name.startswith("_")}  # noqa: E731
    for node in [stub, *(n for n in stub.body if isinstance(n, ast.ClassDef))]:
        told = {n.name for n in node.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        told |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        there = _core if node is stub else getattr(_core, node.name)
        base = () if node is stub else dir(there.__base__)
        assert public(told) == public(dir(there)) - set(base)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_pip_installs_the_package(tmp_path, source):
    quietly = {"check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path], **quietly)
    build = pathlib.Path(livens.__file__).parents[2]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [sys.executable, "-m", "pip", "--python", tmp_path / "bin/python", "install", "--no-build-isolation"]
    command += ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    command += ["--config-settings", f"build-directory={build}", source]
    subprocess.run(command, env=environment, cwd=tmp_path, **quietly)
    words = "import livens, livens.method; print(livens.__file__); print(livens.run('pendulum', **{'run.steps': 3}))"
    said = subprocess.run([tmp_path / "bin/python", "-c", words], env=environment, cwd=tmp_path, **quietly).stdout
    assert said.startswith(str(tmp_path)) and "finished after 3 steps" in said
    # What is compiled into the module asks for its notices beside it.
    (licences,) = tmp_path.glob("lib/python3*/site-packages/livens-*.dist-info/THIRD-PARTY.md")
    assert all(name in licences.read_text() for name in ("Wenzel Jakob", "Niels Lohmann", "Mark Gillard"))
    assert (licences.parent / "LICENSE").read_bytes() == (source / "LICENSE").read_bytes()
