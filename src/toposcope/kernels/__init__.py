"""Compiled loops on plain arrays; ``run`` is their only door."""
