"""From results to text: pages, sections, sentences."""
