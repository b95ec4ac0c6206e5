"""
Runs the command in its arguments, and ends the command when this process's standard input ends. The system closes that
input even if the runner is killed, so no service outlives its run. The plugin runs this file without the package.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

# How long the command may take to end, in seconds.
MAX_END = 10.0


def main(command: list[str]) -> int:
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(f"'{command[0]}' could not be started: {error.strerror}", flush=True)
        return 1
    threading.Thread(target=_end_with_input, args=(process,), daemon=True).start()
    return process.wait()


def _end_with_input(process: subprocess.Popen[bytes]) -> None:
    # A buffered reader would hold its lock when the interpreter ends, which makes the interpreter abort.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    process.terminate()
    try:
        process.wait(MAX_END)
    except subprocess.TimeoutExpired:
        process.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
