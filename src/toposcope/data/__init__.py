"""Data: sentences with labels, read as they are published."""
