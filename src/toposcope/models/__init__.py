"""Models: weights, tokens, attention, scores. The only floor that knows torch."""
