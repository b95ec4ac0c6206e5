#!/usr/bin/env bash
# Checks the sources, builds sdist and wheel (the wheel from the sdist), and runs all tests in empty
# environments with one of them installed, against the service of this clone: with python3, and with Python 3.9 and the
# newest Python if they are installed, by the system or by pyenv. "check.sh FOLDER" keeps sdist and wheel in FOLDER.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${1:-$work/dist}

# The path of the interpreter of a version; fails if that version is not installed.
interpreter() {
  local version
  "python$1" -c 'import sys; print(sys.executable)' 2> /dev/null && return
  version=$(pyenv latest "$1" 2> /dev/null) && PYENV_VERSION=$version "python$1" -c 'import sys; print(sys.executable)'
}

newest() {
  for version in 3.15 3.14 3.13; do interpreter "$version" && return; done
  return 1
}

# Installs a package with the interpreter, and runs the tests with it.
tested() {
  local folder
  folder=$(mktemp -d "$work/environment.XXXX")
  "$1" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$2"
  "$folder/bin/python" -c 'import mayfly_client; mayfly_client.Mayfly().create_inbox()'
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$work/pytest.txt"
  env -u MAYFLY_URL -u MAYFLY_DOMAIN -u MAYFLY_API_KEY -u MAYFLY_CREDENTIALS -u MAYFLY_SPACE -u MAYFLY_RUN -u PYTHONPATH \
    PYTHONDONTWRITEBYTECODE=1 "$folder/bin/python" -m pytest -q --tb=short -p no:cacheprovider \
    -o "mayfly_command=node '$here/../../packages/server/bin/mayfly.js'" -o mayfly_options=--ad-hoc-workspaces
}

cd "$here"
python3 make_blocking.py --check
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check -r requirements-check.txt
"$work/tools/bin/ruff" check --quiet --no-cache
"$work/tools/bin/mypy" --cache-dir "$work/mypy"
"$work/tools/bin/python" -m build --no-isolation --outdir "$out" . > "$work/build.log" || { cat "$work/build.log"; exit 1; }

grep '^pytest==' requirements-check.txt > "$work/pytest.txt"
declare -A packages
packages[$(python3 -c 'import sys; print(sys.executable)')]=$(echo "$out"/*.whl)
if one=$(newest); then packages[$one]=$(echo "$out"/*.whl); fi
# Python 3.9 installs the sdist, to check that the oldest supported Python can build the wheel.
if one=$(interpreter 3.9); then packages[$one]=$(echo "$out"/*.tar.gz); else echo 'Python 3.9 is not installed here: not tested.'; fi

# Runs the versions at the same time, because the tests mostly wait.
declare -A running
for one in "${!packages[@]}"; do
  tested "$one" "${packages[$one]}" > "$work/$(basename "$one").log" 2>&1 &
  running[$one]=$!
done
status=0
for one in "${!running[@]}"; do
  wait "${running[$one]}" || status=1
  echo "$("$one" --version) with $(basename "${packages[$one]}")"
  cat "$work/$(basename "$one").log"
done
exit "$status"
