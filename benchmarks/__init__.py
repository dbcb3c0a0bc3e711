"""What the companion costs: `python -m benchmarks`, one line a measure.

Machines differ and are noisy: compare lines of one run, and the ratios in them.
"""
