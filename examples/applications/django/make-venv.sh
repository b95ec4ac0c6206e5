#!/usr/bin/env bash
# Creates the environment venv for this version of Django, which needs Python 3.12 or newer, from the system or pyenv.
set -euo pipefail

is_new() {
  "$@" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null
}

for version in 3 3.15 3.14 3.13 3.12; do
  is_new "python$version" && exec "python$version" -m venv venv
  installed=$(pyenv latest "$version" 2> /dev/null) || continue
  export PYENV_VERSION=$installed
  is_new "python$version" && exec "python$version" -m venv venv
  unset PYENV_VERSION
done
echo 'Django 6.1 needs Python 3.12 or newer: install it as python3, python3.12 or the like, or with pyenv.' >&2
exit 1
