#!/usr/bin/env bash
# Installs the Debian package in a bare Debian 12 by apt, as a user does, and uses what it brings; then builds the project
# of tests/install/outside against its files. Root, and a Debian mirror (LIVENS_MIRROR, a sources.list file, where the
# machine's own will not do).
#
#   run.sh PACKAGE.deb
set -euo pipefail
deb=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
root=$scratch/root

quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 30 "$scratch/log"; echo "failed: $*"; exit 1; }; }
# With /proc, as every machine and container has it.
in_root() {
  quietly unshare --mount sh -c 'root=$1; shift; mount -t proc proc "$root/proc"; exec chroot "$root" "$@"' sh "$root" \
    env -i HOME=/trial PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
}

quietly mmdebstrap --variant=apt --mode=root bookworm "$root" ${LIVENS_MIRROR:+"$LIVENS_MIRROR"}
mkdir "$root/trial"
cp "$deb" "$root/trial/livens.deb"
[ ! -e "$root/usr/bin/python3" ] || echo "note: this Debian is not bare, it has Python"
cp /etc/resolv.conf "$root/etc/resolv.conf"
in_root apt-get -q update
start=$(date +%s)
in_root apt-get -q -y install --no-install-recommends /trial/livens.deb
echo "installed in $(($(date +%s) - start)) s, with $(grep -c '^Setting up' "$scratch/log") packages"

in_root livens --version
in_root livens run pendulum --report --out /trial/pendulum
in_root livens run governor --out /trial/governor --set run.steps=10
grep -q '<script' "$root/trial/pendulum/report.html"
in_root bash -n /usr/share/bash-completion/completions/livens
in_root test -s /usr/share/zsh/site-functions/_livens
in_root test -s /usr/share/man/man1/livens-run.1
in_root grep -q "MIT License" /usr/share/doc/livens/copyright
in_root grep -q "Notices" /usr/share/doc/livens/THIRD-PARTY.md
in_root python3 -c 'import livens, pathlib
run = livens.run("pendulum", **{"run.steps": 10})
assert run.q.shape == (11, 2), run.q.shape
assert pathlib.Path(livens.__file__).parts[1:5] == ("usr", "lib", "python3", "dist-packages"), livens.__file__'
chroot "$root" env -i PATH=/usr/bin python3 -c 'import time; t = time.perf_counter(); import livens
print(f"import livens: {time.perf_counter() - t:.2f} s")'

# It goes as it came, with what Python has compiled.
[ -d "$root/usr/lib/python3/dist-packages/livens/__pycache__" ] || echo "note: Python has compiled nothing here"
in_root apt-get -q -y remove livens
if find "$root/usr" "$root/etc" -iname '*livens*' | grep .; then
  echo "the package was removed, and left this behind"
  exit 1
fi

# As a developer: the headers and the shared library, by CMake.
dpkg-deb -x "$deb" "$scratch/files"
quietly cmake -S "$here/../install/outside" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/files/usr"
quietly cmake --build "$scratch/build" --parallel 1
export LD_LIBRARY_PATH=$scratch/files/usr/lib/x86_64-linux-gnu
quietly "$scratch/build/headers_only"
quietly "$scratch/build/model_text" "$scratch/results"
quietly "$scratch/build/sparse"
ldd "$scratch/build/model_text" | grep -q "$LD_LIBRARY_PATH/liblivens-models.so"
echo "$(basename "$deb"): installs on a bare Debian 12 and runs; $(du -k "$deb" | cut -f1) KiB"
