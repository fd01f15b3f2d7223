"""Runs the random tests again and again, with new seeds, until the minutes are over: `make fuzz MINUTES=10`.

What they try: bytes, heads and JSON bodies at a running daemon, heads at the door, credentials and sealed
bodies, the JSON reader, and model files (ONNX, GGUF) at the checks before the runtimes.
"""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "security/test_fuzz.py",
    "security/test_fuzz_sealed.py",
    "security/test_door.py",
    "security/test_model_files.py",
    "daemon/test_strict_json.py",
)
RANDOM = "fuzz or hostile or reads_what"
_EXAMPLES = re.compile(r"(\d+) passing")


def main(minutes: float) -> int:
    until = time.monotonic() + 60 * minutes
    rounds = examples = 0
    while time.monotonic() < until:
        seed = secrets.randbelow(2**32)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-k", RANDOM, "--hypothesis-profile=round"]
        command += ["--hypothesis-show-statistics", f"--hypothesis-seed={seed}"]
        command += [f"tests/{file}" for file in FILES]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        rounds += 1
        examples += sum(map(int, _EXAMPLES.findall(done.stdout)))
        if done.returncode:
            print(done.stdout, f"found with --hypothesis-seed={seed} --hypothesis-profile=round", sep="\n")
            return 1
        print(f"round {rounds}: {examples} examples so far, nothing found", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
