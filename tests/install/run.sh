#!/usr/bin/env bash
# Installs Livens into a temporary directory, builds the project in outside/ and those of the documentation against it,
# and runs their programs and the installed `livens`. Neither source nor build directory of Livens is visible to the outside project.
#
#   run.sh BUILD_DIRECTORY CXX_COMPILER CXX_FLAGS
set -euo pipefail
build=$1 compiler=$2 flags=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "failed: $*"; exit 1; }; }

quietly cmake --install "$build" --prefix "$scratch/prefix"
if find "$scratch/prefix" -name '*.cmake' -exec grep -n "$build\|${here%/tests/install}/\|\.so\b" {} + ; then
  echo "the installed package names files of the machine it was built on"
  exit 1
fi
cp -r "$here/outside" "$scratch/outside"
quietly cmake -S "$scratch/outside" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags"
quietly cmake --build "$scratch/build" --parallel 1
"$scratch/build/headers_only"
"$scratch/build/model_text" "$scratch/results"
"$scratch/build/sparse"

# What docs/cpp.md and docs/mechanisms.md show: a CMakeLists.txt with a program, and one that needs the compiled library.
first_block() { awk -v fence='```'"$1" '$0 == fence && !seen { inside = seen = 1; next } /^```$/ { inside = 0 } inside' "$2"; }
docs=$here/../../docs
mkdir "$scratch/mine"
first_block cmake "$docs/cpp.md" >"$scratch/mine/CMakeLists.txt"
first_block cpp "$docs/cpp.md" >"$scratch/mine/mine.cpp"
first_block c++ "$docs/mechanisms.md" >"$scratch/mine/arm.cpp"
printf '%s\n' 'add_executable(arm arm.cpp)' 'target_link_libraries(arm PRIVATE Livens::models)' >>"$scratch/mine/CMakeLists.txt"
quietly cmake -S "$scratch/mine" -B "$scratch/mine/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags"
quietly cmake --build "$scratch/mine/build" --parallel 1
"$scratch/mine/build/mine" >"$scratch/log"
"$scratch/mine/build/arm" | grep -q '^joints/hinge/force '
"$scratch/prefix/bin/livens" run pendulum --quiet --out "$scratch/run"
if [ -d "$build/python" ]; then
  package=$(dirname "$(find "$scratch/prefix" -path '*/livens/_core*.so')")
  PYTHONPATH=${package%/livens} PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c 'import livens, sys
assert livens.__file__.startswith(sys.argv[1]) and livens.run("pendulum", **{"run.steps": 2}).q.shape == (3, 2)' "$scratch/prefix"
fi
grep -q '^.B livens run$' "$scratch/prefix/share/man/man1/livens-run.1"
bash -n "$scratch/prefix/share/bash-completion/completions/livens"
test -s "$scratch/prefix/share/zsh/site-functions/_livens"
