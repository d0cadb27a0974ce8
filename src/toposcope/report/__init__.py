"""Experiments of the paper, their tables and figures beside the published ones."""
