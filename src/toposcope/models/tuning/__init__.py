"""Teaching a model to judge, and what it learned."""
