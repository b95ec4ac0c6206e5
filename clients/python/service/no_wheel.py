"""The build backend of the sdist, which has nothing to build."""

ADVICE = (
    "mayfly-inbox has no executable for this system: it has wheels for Linux with glibc 2.28 (x86_64, aarch64), "
    "macOS 13 (arm64) and Windows (x64). Elsewhere, install Node 20.19 or newer and run "
    "'npm install --save-dev mayfly-inbox', or set MAYFLY_URL to the URL of a running service."
)


def build_wheel(*_args: object, **_options: object) -> str:
    raise SystemExit(ADVICE)


prepare_metadata_for_build_wheel = build_wheel
build_editable = build_wheel
