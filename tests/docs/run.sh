#!/usr/bin/env bash
# Executes what the documentation tells a reader to do: README.md, CONTRIBUTING.md and docs/**/*.md, block by block.
#
#   ```sh       every line is run by bash -e; a line that ends in \ goes on in the next. `./dev` is not run, because a
#               test cannot run the tests it belongs to: it is checked that ./dev knows the command, and of `./dev run`
#               its program is run.
#   ```console  lines that begin with $ are run, however they end; every other line is part of one that the commands of
#               the page have printed. Figures below 1e-11 may differ, they are round-off.
#   ```toml     a model (it has [system] or system.kind) must pass `livens check`, and `livens run` with a method; a part
#               of one must be TOML.
#   ```python   the blocks of a page are one program, run after its other blocks, where the Python package was built.
#   ```cpp      a program (it has int main), which must compile without warnings and end with 0; one that is stored under
#               a name is compiled and run by the commands that name it.
#   ```json, ```text are for the reader; ```cmake, and ```c++ that needs the compiled library, are built by tests/install.
#   Blocks of other languages, or of none, fail.
#
# Each page has a fresh directory that looks like the root of a built repository: build/livens, include, problems,
# examples, and `livens` in the PATH. A block that begins with a comment that is a file name (# swing.toml,
# // swing.cpp) is stored under it for the commands that follow.
#
#   run.sh SOURCE_DIRECTORY BUILD_DIRECTORY CXX_COMPILER [PYTHON]
set -euo pipefail
source=$1 build=$2 compiler=$3 python=${4:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 commands=0 models=0 programs=0 scripts=0 shown=0

fail() {  # PLACE WHAT: with what was printed
  failures=$((failures + 1))
  printf '%s: failed: %s\n' "$1" "$2"
  sed 's/^/    /' "$scratch/log"
}

enter_page() {
  room=$scratch/$1
  : >"$room.said"
  mkdir -p "$room/build"
  ln -s "$build" "$room/build/release"
  ln -s release/livens "$room/build/livens"
  for folder in include problems examples; do ln -s "$source/$folder" "$room/$folder"; done
  cd "$room"
}

# What was printed, kept for the outputs that the page shows.
said() { sed -E 's/[0-9.]+e-(1[1-9]|[2-9][0-9])/0/g' "$scratch/log" >>"$room.said"; }

in_shell() {  # LINE
  local status=0
  PATH=$build:$PATH bash -e -o pipefail -c "$1" >"$scratch/log" 2>&1 </dev/null || status=$?
  said
  return $status
}

run_command() {  # PLACE LINE
  commands=$((commands + 1))
  for index in "${!named[@]}"; do [[ $2 != *"${named[index]#* }"* ]] || unset "named[index]"; done
  if [[ $2 == ./dev* ]]; then
    local word; read -r _ word _ <<<"$2"
    grep -q "^  $word)\$" "$source/dev" || { echo "./dev has no command $word" >"$scratch/log"; fail "$1" "$2"; }
    [ "$2" != "./dev run" ] || in_shell "$(sed -n '/^  run)$/,/;;/s/^ *\(build\/livens run .*\)/\1/p' "$source/dev")" ||
      fail "$1" "$2"
  else
    in_shell "$2" || fail "$1" "$2"
  fi
}

compare_output() {  # PLACE TEXT
  local line
  while IFS= read -r line; do
    if [[ $line == \$* ]]; then
      commands=$((commands + 1))
      in_shell "${line#\$ }" || true
    elif [ -n "$line" ]; then
      shown=$((shown + 1))
      printf '%s\n' "$line" >"$scratch/log"
      grep -qF -- "$(sed -E 's/[0-9.]+e-(1[1-9]|[2-9][0-9])/0/g' "$scratch/log")" "$room.said" ||
        fail "$1" "no command of the page has printed this line"
    fi
  done <<<"$2"
}

run_model() {  # PLACE TEXT NAME
  [ -n "$3" ] || printf '%s' "$2" >model.toml
  local file=./${3:-model.toml}
  if [[ $2 != *"[system]"* && $2 != *system.kind* ]]; then
    "$build/livens" check "$file" >"$scratch/log" 2>&1 || true
    grep -q ': system: missing;' "$scratch/log" || fail "$1" "is no TOML"
    return 0
  fi
  models=$((models + 1))
  "$build/livens" check "$file" >"$scratch/log" 2>&1 || fail "$1" "livens check"
  [[ $2 == *"[method]"* || $2 == *method.name* ]] || return 0
  "$build/livens" run "$file" --out "$scratch/result" --force >"$scratch/log" 2>&1 || fail "$1" "livens run"
}

run_program() {  # PLACE TEXT
  programs=$((programs + 1))
  : >"$scratch/log"
  [[ $2 == *"int main"* ]] || { fail "$1" "a block of C++ is a whole program"; return 0; }
  printf '%s' "$2" >"$scratch/program.cpp"
  if ! "$compiler" -std=c++20 -O0 -Wall -Wextra -Werror -Iinclude "$scratch/program.cpp" -o "$scratch/program" \
       >"$scratch/log" 2>&1; then
    fail "$1" "$compiler -Iinclude"
  elif ! "$scratch/program" >"$scratch/log" 2>&1; then
    fail "$1" "the program"
  fi
}

# Blocks of Python are kept at the lines that they have in their page, so that messages name those.
keep_script() {  # FIRST_LINE TEXT
  while [ "$script_lines" -lt "$1" ]; do echo; script_lines=$((script_lines + 1)); done >>script.py
  printf '%s' "$2" >>script.py
  script_lines=$((script_lines + $(wc -l <<<"$2") - 1))
}

run_script() {  # PAGE
  [ -e script.py ] && [ -n "$python" ] || return 0
  scripts=$((scripts + 1))
  PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 "$python" script.py >"$scratch/log" 2>&1 </dev/null ||
    fail "$1" "its Python"
}

finish_block() {  # LANGUAGE PLACE TEXT
  local first=${3%%$'\n'*} name=
  [[ $1 =~ ^(toml|cpp)$ && $first =~ ^(#|//)\ ([a-z_-]+\.(toml|cpp))$ ]] && name=${BASH_REMATCH[2]}
  [ -z "$name" ] || printf '%s' "$3" >"$name"
  case $1 in
    toml) run_model "$2" "$3" "$name" ;;
    cpp) if [ -n "$name" ]; then named+=("$2 $name"); else run_program "$2" "$3"; fi ;;
    python) keep_script "${2##*:}" "$3" ;;
    console) compare_output "$2" "$3" ;;
    sh)
      : >"$scratch/log"
      [ -z "$command" ] || fail "$2" "its last line goes on after the block"
      command=
      ;;
    json | text | cmake | c++) ;;
    *) : >"$scratch/log" && fail "$2" "nothing is known of blocks of the language \"$1\"" ;;
  esac
}

run_page() {
  local page=$1 line index named=() script_lines=0 number=0 language= start=0 text= command= fence='^ *(```|~~~)([^ ]*)'
  enter_page "${page//\//-}"
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    if [[ $line =~ $fence ]]; then
      if [ $start -eq 0 ]; then
        language=${BASH_REMATCH[2]} start=$number text=
      else
        finish_block "$language" "$page:$start" "$text"
        start=0
      fi
    elif [ $start -gt 0 ]; then
      text+=$line$'\n'
      if [ "$language" = sh ] && [[ $line != \#* && -n $line ]]; then
        command+=$line
        if [[ $command == *\\ ]]; then command=${command%\\}; else run_command "$page:$number" "$command"; command=; fi
      fi
    fi
  done <"$source/$page"
  [ $start -eq 0 ] || { : >"$scratch/log" && fail "$page:$start" "the block has no end"; }
  : >"$scratch/log"
  for index in "${!named[@]}"; do fail "${named[index]% *}" "no command compiles ${named[index]#* }"; done
  run_script "$page"
}

cd "$source"
mapfile -t pages < <(printf '%s\n' README.md CONTRIBUTING.md; find docs -name '*.md' | sort)
for page in "${pages[@]}"; do run_page "$page"; done

echo "${#pages[@]} pages: $commands commands, $models models, $programs programs, $scripts scripts, $shown lines of output; $failures failed"
[ $failures -eq 0 ] && [ $commands -gt 0 ] && [ $models -gt 0 ] && [ $programs -gt 0 ]
