"""The experiments of the paper: what is run, what is published, results as data."""
