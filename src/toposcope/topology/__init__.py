"""What an attention map becomes: a graph, its barcode, its counts, its distance to others."""
