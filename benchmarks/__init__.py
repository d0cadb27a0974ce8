"""How fast the package is, against the tools people use today; ``make bench`` runs all of it.

Every tool gets one thread. The libraries underneath read that wish when they are first imported,
so it is written here, before any of them. Our own threads are asked for call by call.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "TBB"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
