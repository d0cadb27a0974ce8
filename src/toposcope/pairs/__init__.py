"""Minimal pairs: which of two sentences is acceptable, by single heads, ensembles, weighted heads."""
