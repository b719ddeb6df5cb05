#!/usr/bin/env bash
# run.sh finds what is wrong in a block: a page of wrong ones, each of which has to be named.
#
#   blocks.sh SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER [PYTHON]
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/docs"
for there in include problems examples dev; do ln -s "$source/$there" "$scratch/$there"; done

cat >"$scratch/README.md" <<'PAGE'
```sh
livens run pendulum --steps 3 \
  --out right
```

```console
$ livens run pendulm
livens: "pendulm" is not a ready problem; did you mean "pendulum"?
  constraint            1.7e-16   satisfied to round-off, within 9.9e-15
```

```toml
# right.toml
[system]
kind        = "lagrangian"
coordinates = ["x"]
lagrangian  = "x'^2/2"
[initial]
q = [0.0]
v = [1.0]
```

```toml
[contact]
unilateral = [1, 2]
```

```cpp
int main() {}
```
PAGE
touch "$scratch/CONTRIBUTING.md"
cat >"$scratch/docs/wrong.md" <<'PAGE'
```sh
livens run pendulm
./dev fly
livens run \
```

```console
$ livens run pendulum --step 0.03
livens: the wrong words
```

```toml
system.kind = "flying"
```

```toml
contact.unilateral = [1,
```

```cpp
int main() { return 1; }
```

```bash
livens run pendulm
```

```
livens run pendulm
```

```python
raise SystemExit(1)
```

```cpp
// idle.cpp
int main() {}
```

```text
PAGE
status=0
said=$(bash "$source/tests/docs/run.sh" "$scratch" "${@:2}") || status=$?
wanted="docs/wrong.md:2: failed: livens run pendulm
docs/wrong.md:3: failed: ./dev fly
docs/wrong.md:1: failed: its last line goes on after the block
docs/wrong.md:7: failed: no command of the page has printed this line
docs/wrong.md:12: failed: livens check
docs/wrong.md:16: failed: is no TOML
docs/wrong.md:20: failed: the program
docs/wrong.md:24: failed: nothing is known of blocks of the language \"bash\"
docs/wrong.md:28: failed: nothing is known of blocks of the language \"\"
docs/wrong.md:41: failed: the block has no end
docs/wrong.md:36: failed: no command compiles idle.cpp"
[ -z "${4:-}" ] || wanted+=$'\n'"docs/wrong.md: failed: its Python"
diff <(grep ': failed: ' <<<"$said") - <<<"$wanted" && [ $status -eq 1 ]
