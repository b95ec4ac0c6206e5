#!/usr/bin/env bash
# Compiles the named recipes of docs/testcontainers.md, as in "check.sh python go java". Starts no container. CI
# checks only python, because the other recipes download too much.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

check_python() {
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/python/requirements.txt"
  MYPYPATH="$here/../../clients/python/src" "$work/venv/bin/mypy" --strict --cache-dir "$work/mypy" "$here/python/mayfly_container.py"
}

check_go() {
  cp -r "$here/go" "$work/go"
  # Adds a test that calls the recipe's function, because nothing else calls it.
  printf 'package example\n\nimport "testing"\n\nfunc TestMayfly(t *testing.T) { startMayfly(t) }\n' > "$work/go/called_test.go"
  (cd "$work/go" && go mod tidy > "$work/go.log" 2>&1 && go vet ./...) || { cat "$work/go.log"; return 1; }
}

check_java() {
  cp -r "$here/java" "$work/java"
  mvn --quiet --batch-mode --file "$work/java/pom.xml" compile
}

[ $# -gt 0 ] || set -- python go java
for language; do
  "check_$language"
  echo "$language: the recipe compiles"
done
