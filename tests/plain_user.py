"""Commands run by a user whose permissions count: root may do everything, unless that right is taken away."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RIGHTS = "-dac_override,-dac_read_search"


def teamplay(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What a command does in a folder."""
    command = [sys.executable, "-m", "teamplay", *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may do everything here")
        command = ["setpriv", f"--bounding-set={RIGHTS}", f"--inh-caps={RIGHTS}", *command]
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
