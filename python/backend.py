"""The PEP 517 build of the package: CMake builds it, this puts what was built into a wheel.

    pip install . --config-settings build-directory=build/release     uses a build that is there, or makes it there

Without it the build goes to build/wheel, without tests.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from typing import Any, Optional

ROOT = pathlib.Path(__file__).resolve().parents[1]
Settings = Optional[dict[str, Any]]


def _version() -> str:
    found = re.search(r"project\(Livens VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found
    return found[1]


def _metadata() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {_version()}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {name}" for name in project["dependencies"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text()


def _build(settings: Settings) -> pathlib.Path:
    build = pathlib.Path((settings or {}).get("build-directory", ROOT / "build/wheel"))
    build = build if build.is_absolute() else ROOT / build
    if not (build / "CMakeCache.txt").exists():
        configure = [
            "cmake",
            "-S",
            ROOT,
            "-B",
            build,
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DBUILD_TESTING=OFF",
        ]
        subprocess.run([*configure, "-DLIVENS_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(
        ["cmake", "--build", build, "--target", "livens_python", "--parallel", str(os.cpu_count() or 1)], check=True
    )
    return build / "python/livens"


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    info = f"livens-{_version()}.dist-info"
    pathlib.Path(metadata_directory, info).mkdir()
    pathlib.Path(metadata_directory, info, "METADATA").write_text(_metadata())
    return info


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    package = _build(config_settings)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if not (package / f"_core{suffix}").exists():
        raise SystemExit(f"{package}: was built for another Python than {sys.executable}; give another build-directory")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"livens-{_version()}.dist-info"
    wheel = f"livens-{_version()}-{tag}.whl"
    record: list[str] = []
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:

        def add(name: str, content: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            archive.writestr(name, content)
            record.append(f"{name},sha256={digest},{len(content)}")

        for path in sorted(package.iterdir()):
            if path.is_file():
                add(f"livens/{path.name}", path.read_bytes())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: livens\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        for words in ("LICENSE", "THIRD-PARTY.md"):
            add(f"{info}/{words}", (ROOT / words).read_bytes())
        archive.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")
    return wheel


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    name = f"livens-{_version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in filter(None, files.split("\0")):
            archive.add(ROOT / path, f"{name}/{path}", recursive=False)
        (info := pathlib.Path(sdist_directory, "PKG-INFO")).write_text(_metadata())
        archive.add(info, f"{name}/PKG-INFO")
        info.unlink()
    return f"{name}.tar.gz"
