"""Prints the cycles of encryption and decryption on a processor, over random messages, as JSON.

Usage: cycles.py SET MACHINE
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import tools  # noqa: E402

ROUNDS = 2000

done = tools.round_trips(sys.argv[1], sys.argv[2], ROUNDS, seed=1)
print(json.dumps({key: done[key] for key in ("encrypt", "decrypt")}))
