"""Benchmarks: each prints ratios against a yardstick that runs in the same process, in turn with what is measured."""
