#!/usr/bin/env bash
# Checks the types, builds sdist and wheel, and runs all tests with the wheel in an environment of its own, against the
# service of this clone. The wheel is made from the sdist. "check.sh FOLDER" leaves both there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${1:-$work/dist}
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-check.txt"
(cd "$here" && "$work/tools/bin/mypy" --cache-dir "$work/mypy")
"$work/tools/bin/python" -m build --no-isolation --outdir "$out" "$here" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
python3 -m venv "$work/empty"
"$work/empty/bin/pip" install --quiet --disable-pip-version-check "$out"/*.whl
"$work/empty/bin/python" -c 'import mayfly_client; mayfly_client.Mayfly().create_inbox()'
"$work/empty/bin/pip" install --quiet --disable-pip-version-check "$(grep '^pytest==' "$here/requirements-check.txt")"
cd "$here"
env -u MAYFLY_URL -u MAYFLY_DOMAIN -u MAYFLY_API_KEY -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 \
  "$work/empty/bin/python" -m pytest -q -p no:cacheprovider -o "mayfly_command=node '$here/../../server/bin/mayfly.js'"
