"""Features: named columns of numbers about each attention head."""
