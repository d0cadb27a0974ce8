"""Statistics on plain arrays: regressions, metrics, intervals."""
