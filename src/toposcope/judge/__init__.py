"""Judging: from features of attention to verdicts."""
