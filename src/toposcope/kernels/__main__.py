"""``python -m toposcope.kernels``: compile all kernels now, so that nobody waits for them later."""

import time

import numpy as np

from toposcope.kernels import run
from toposcope.kernels.coding import MAX, Coding


def main() -> None:
    """Send one tiny graph through every loop and say how long that took."""
    print("toposcope: warming the compiled kernels ...", flush=True)
    start = time.perf_counter()
    for word in (np.uint32, np.uint64):
        coding = Coding(MAX, word(0), word(np.iinfo(word).max), word(0))
        run.spanning_trees(np.zeros((1, 2, 2), word), coding)
        run.traced(np.zeros((1, 2, 2), word), coding)
    patterns = np.zeros((1, 2, 2), np.uint32)
    coding = Coding(MAX, np.uint32(0), np.uint32(1), np.uint32(0))
    run.cycle_bars(patterns, coding)
    run.relative_bars(patterns, patterns, coding)
    weights, thresholds = np.zeros((1, 2, 2), np.float32), np.array([0.5], np.float32)
    run.threshold_counts(weights, thresholds, 1)
    run.threshold_extras(weights, thresholds)
    run.directed_statistics(weights)
    run.gelu(np.zeros((1, 1), np.float32), np.zeros(1, np.float32))
    run.coordinate_descent(np.zeros(1), np.zeros(1), np.ones((1, 1)), np.ones(1), 1.0, 1)
    print(f"toposcope: kernels ready, {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
